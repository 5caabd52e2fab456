#pragma once
/// What the inlets and outlets of a run have done.

#include <cstdint>
#include <string>
#include <vector>

namespace riffle {

/// What an inlet has done.
struct InletReport {
  std::uint64_t particles = 0;     ///< that have left its nozzle
  double volume = 0;               ///< [m^3], in 2-D [m^2]: theirs
  std::uint64_t paused_steps = 0;  ///< in which it stood still for want of room
  std::string why_paused;          ///< ""; it runs
};

struct OutletReport {
  std::uint64_t particles = 0;  ///< that it has taken out, or will within a few steps
  double volume = 0;            ///< [m^3], in 2-D [m^2]
};

struct OpeningsReport {
  std::vector<InletReport> inlets;
  std::vector<OutletReport> outlets;
};

}  // namespace riffle
