#pragma once
/// The places where probes sample the fluid, and what their numbers follow from.

#include <span>
#include <vector>

#include "sim/probes/probe.h"
#include "sim/setup.h"

namespace riffle {

/// The places of one probe.
struct ProbePlaces {
  std::size_t first = 0, count = 0;  ///< among all places
  double step = 0;                   ///< [m] of a level, between two of its places
  double area = 0;                   ///< [m^2], in 2-D [m], of a flow, that a place stands for
  int parts[2] = {1, 1};             ///< of a flow, along its two sides: a place in each
};

struct AllProbePlaces {
  std::vector<ProbePlaces> probes;
  std::vector<Vec4> places;  ///< x, y, z [m]; w: room_around()
};

AllProbePlaces place_probes(std::span<const ProbeSetup> probes, const SimulationSetup& setup);

/// With DPD a flow is a mean over parallel planes, by a hat function of this half width, in support radii. Every particle
/// that counts for a part of the parallelogram is within a support radius of the part's middle, as the parts are no longer
/// than kFlowPart of it along each side.
inline constexpr float kFlowHalfWidth = 0.85f, kFlowPart = 0.5f;

/// How many places the probes would have, without placing them.
double count_probe_places(std::span<const ProbeSetup> probes, const SimulationSetup& setup);

/// The part of the kernel around a place that walled faces and still solids leave to the fluid, 0 to 1. 0 in a still solid.
double room_around(Vec3 place, const SimulationSetup& setup);

/// Where the surface is along a line.
struct FluidLevel {
  double level;   ///< [m] from the line's first end to the place farthest from it where fluid ends; 0: none is on it
  double wetted;  ///< [m] of the line that lie in fluid
};

/// The fluid's share of the room at which a place lies in the fluid. At a flat surface it is a half.
inline constexpr float kInFluid = 0.5f;
/// The same for values at places with DPD, whose few particles near a place come and go: a half is often missing there.
inline constexpr float kInThinFluid = 0.1f;

/// @param share  the fluid's share of the room, at places evenly from the first end to the other
FluidLevel fluid_level(std::span<const float> share, double step);

}  // namespace riffle
