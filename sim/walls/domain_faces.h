#pragma once
/// The domain's walled faces as sampled solids.

#include <cstdint>
#include <vector>

#include "sim/setup.h"
#include "sim/start_progress.h"
#include "sim/walls/solid.h"

namespace riffle {

/// The samples of all faces; edges and corners between walled axes are filled once. The lattice's step is about the
/// spacing.
SolidSamples sample_faces(const SimulationSetup& setup);

/// The part that lies behind one face and in front of it. Faces share the edges and corners between them: together they
/// have the sites of sample_faces().
/// side: 0 lower, 1 upper
SolidSamples sample_face(const SimulationSetup& setup, int axis, int side);

FaceVelocities face_velocities(const SimulationSetup& setup);

/// All faces as one solid, which has the setup's face velocities: the walls of a setup without solids.
Solid faces_as_one_solid(const SimulationSetup& setup);

/// The same walls as one solid for each walled face, in the order x min, x max, y min ... Each moves with its face.
std::vector<Solid> faces_as_solids(const SimulationSetup& setup);

/// Of a simulation: wall particles and the sites behind them, each as below. Those of solids are counted in one pass,
/// which takes a while for large ones: whoever needs both calls this once.
struct WallCounts {
  std::int64_t wall = 0, behind = 0;
};
WallCounts count_walls(const SimulationSetup& setup, const StartProgress& progress = {});

/// Wall particles of a simulation; at most 10^12. With the setup's own solids this is the most there can be: sites at
/// one place become one particle.
std::int64_t count_boundary_particles(const SimulationSetup& setup);

/// Sites behind the walls, the longest list of the samples; at most 10^12.
std::int64_t count_sites_behind_walls(const SimulationSetup& setup);

}  // namespace riffle
