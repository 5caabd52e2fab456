#pragma once
/// What no sound run has: a position, a velocity or a free body that is not finite, a speed that no choice of parameters
/// brings about, a particle beyond a walled face. Every step looks for them on the device (sim/step_control.h).

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/math/vec.h"
#include "sim/setup.h"

namespace riffle {

/// A particle counts for the first of these that holds. The kinds of particles are numbered from 0.
enum class StateFault : std::uint32_t {
  NonFinite,  ///< a component of position or velocity is NaN or infinite
  TooFast,    ///< faster than kImpossibleSignals signal speeds
  Outside,    ///< further than a spacing beyond a walled face
  Body        ///< a free body's place or velocity is not finite
};
inline constexpr int kParticleFaults = 3;

/// [signal speeds] No choice of parameters makes particles of a stable run as fast as that.
inline constexpr float kImpossibleSignals = 10;

/// Values within all of these are sound. A comparison with NaN is false, so that NaN is outside of them.
struct FaultLimits {
  static constexpr float kMost = std::numeric_limits<float>::max();
  float speed2 = kMost;                                         ///< [m^2/s^2]
  Vec3 low{-kMost, -kMost, -kMost}, high{kMost, kMost, kMost};  ///< [m]
};

FaultLimits fault_limits(const SimulationSetup& setup);

/// On the device: the first step at whose end there was a fault. Later steps do not change it.
struct FaultRecord {
  static constexpr int kNamed = 5;  ///< particles of each kind that are named: those with the smallest ids
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};

  std::uint32_t complete = 0;                 ///< 1: there is a fault, and all that stands below is known
  std::uint32_t count[kParticleFaults] = {};  ///< particles of each kind
  std::uint32_t bodies = 0;
  std::uint64_t body = kNobody;  ///< the first one's index among the setup's solid regions
  /// id << 32 | index in the arrays, ascending
  std::uint64_t named[kParticleFaults][kNamed] = {{kNobody, kNobody, kNobody, kNobody, kNobody},
                                                  {kNobody, kNobody, kNobody, kNobody, kNobody},
                                                  {kNobody, kNobody, kNobody, kNobody, kNobody}};
  std::uint64_t step = 0;  ///< at whose end it is there; 0: at the start
  double time = 0;         ///< [s] of that end
  // Of the named particles of the first kind that there is:
  Vec4 position[kNamed] = {}, velocity[kNamed] = {};
  std::uint32_t fluid[kNamed] = {};
};

struct FaultyParticle {
  std::uint32_t id = 0, fluid = 0;
  Vec3 position{}, velocity{};  ///< [m], [m/s]
};

/// The same for the host.
struct Fault {
  StateFault kind = StateFault::NonFinite;  ///< the first one that there is; Body only where no particle has a fault
  std::uint64_t step = 0;
  double time = 0;                        ///< [s]
  std::uint32_t count = 0;                ///< particles of that kind, or bodies
  std::vector<FaultyParticle> particles;  ///< up to FaultRecord::kNamed of them, by id
  std::optional<std::size_t> body;        ///< solid region of the first free body with a fault
};

/// Nothing while there is no fault.
std::optional<Fault> fault_of(const FaultRecord& record);

}  // namespace riffle
