#pragma once
/// The particles of a setup: bodies filled on their lattice. sim/walls/domain_faces.h samples the walls.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/math/vec.h"
#include "sim/setup.h"
#include "sim/start_progress.h"

namespace riffle {

/// [spacings] A body that reaches no further beyond a face of the domain touches it; the rest is rounding.
inline constexpr float kBeyondFace = 0.01f;
/// Whether bodies with these bounds reach beyond a walled face. Such a face cuts lattices and random places as a solid
/// does; particles of a file stay as they are.
bool is_cut_by_walls(const Domain& domain, const Bounds& bounds, float spacing);

struct FluidSamples {
  std::vector<Vec4> position;        ///< [m]
  std::vector<Vec4> velocity;        ///< [m/s]
  std::vector<std::uint32_t> fluid;  ///< index into SimulationSetup::fluids
  /// rho / rho0 - 1 that the particle carries, for solvers with that attribute; NaN: not known. Empty: of none.
  std::vector<float> compression{};
  /// 1: the velocity is that of a particle file and has its thermal part already. Empty: of none.
  std::vector<std::uint8_t> thermal{};
  /// [m] where the lattices have the particles that fit_to_solids() has moved, and the others where they are. Empty: none was moved.
  std::vector<Vec4> site{};
  static constexpr std::size_t kBytesPerParticle = 2 * sizeof(Vec4) + sizeof(std::uint32_t);
};

/// [spacings] A site nearer to a solid than this, or inside, makes no particle. Half a spacing is where fluid at rest
/// begins; a particle that is nearer finds its place.
inline constexpr float kSolidClearance = 0.25f;
/// [spacings] The same for the setup's solver. Thermal particles come as near to a solid as they are put.
float solid_clearance(const SimulationSetup& setup);

/// Lattice sites at min + (k + 1/2) spacing: a box of n spacings holds n particles per axis. Deterministic in
/// setup.seed.
FluidSamples sample_bodies(const SimulationSetup& setup, const StartProgress& progress = {});

/// Number of particles that sample_bodies() makes (of huge bodies: about); at most 10^12.
std::int64_t count_particles(const SimulationSetup& setup, const StartProgress& progress = {});

/// [m/s] An upper bound of the speeds that the body starts with.
double fastest_start(const BodySetup& body);

/// A place of the body's lattice, or of its file, that lies in the region too; nothing if none of those looked at does.
/// @param visits  how many places may still be looked at; the function subtracts those it did. Of very many places in
///                common bounds it looks at every so many, at most 2^16 of them.
std::optional<Vec3> site_within(const BodySetup& body, const Region& region, int dimension, float spacing,
                                std::int64_t& visits);

}  // namespace riffle
