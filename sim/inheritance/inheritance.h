#pragma once
/// What keeps a fluid at rest when another solver takes it over.
///
/// Every solver that sums densities finds pressures from its own sums: with another support radius, or after a solver
/// that compresses the fluid by another amount, the sums of the same particles are others, by a percent and locally by a
/// tenth. The new solver would take the difference for compression and push the particles apart within a few steps. So
/// each particle inherits it: its excess of density, V_0 delta - 1, counts as less by
///   e_i = excess at the change - the excess with which it has the pressure that the old solver left,
/// and so does that of each wall particle. What is inherited decays exponentially, so slowly that the fluid follows close
/// to rest (rate()), and then the solver is as it always is. Where the old solver left no pressure there is room: only an
/// excess above 0 is inherited there, so that fluid which is falling apart is not held together.

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/device/buffer.h"
#include "core/platform.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/step_control.h"

namespace riffle {

struct SimulationState;

/// What a state has of it, beside the attribute Inheritance::kAttribute of its particles.
struct KeptInheritance {
  bool begins = false;       ///< the next step finds what is inherited
  double until = 0;          ///< [s] simulated; nothing is left from then on
  float share = 0;           ///< of what was inherited that is left
  std::vector<float> walls;  ///< (wall particles); empty: they inherit nothing
};

class Inheritance {
 public:
  /// Of particles, carried: what is inherited; while it begins, the excess that the solver expects at the pressure that
  /// was left, or kNone.
  static constexpr const char* kAttribute = "inherited excess";
  /// There is no pressure.
  static constexpr float kNone = std::numeric_limits<float>::max();

  /// An excess below this is never inherited: a particle that misses more belongs to a spray or an edge, and would push
  /// the others away where it meets them.
  static constexpr float kLeast = -0.15f;

  Inheritance(const SimulationSetup& setup, const Device& device);

  /// [1/s] at which it decays: a third of what the expected speed takes to cross the largest body. A fluid that is
  /// compressed by 2 % then swells at less than a hundredth of that speed.
  float rate() const { return rate_; }

  /// The particles have the attribute. now: [s] simulated
  void begin(double now);
  void restore(const KeptInheritance& kept);
  KeptInheritance kept() const;

  /// Whether this step has anything to do. Call it once, at the start of the step. walls: their number
  bool acts(const ParticleSet& particles, StepControl& control, int walls);
  bool begins() const { return begins_; }  ///< in this step

  /// Takes what the particles have inherited from `excess`, (count); in a step that begins() it first finds that. Asynchronous.
  void subtract(ParticleSet& particles, float* excess) const;
  float* walls() { return walls_.data(); }              ///< (wall particles), likewise
  const float* share() const { return share_.data(); }  ///< (1) of what was inherited that is left

  /// At the end of the step.
  void decay(ParticleSet& particles, const ClockState* clock);

  std::size_t memory_bytes() const { return walls_.bytes() + share_.bytes(); }

 private:
  float rate_;
  bool begins_ = false;
  double until_ = 0;
  Buffer<float> share_, walls_;
};

/// The inherited excesses of particles or wall particles in one pass.
struct Inherited {
  bool begins = false;
  float* excess = nullptr;  ///< nullptr: nothing is inherited

  /// What is left of an excess. While it begins, the only call finds what is inherited.
  /// @param stiffness  the excess that i expects, over that of a particle on the rest lattice
  RIFFLE_HD float left(std::int64_t i, float found, float stiffness = 1) const {
    if (!excess) return found;
    if (begins) {
      const float expected = excess[i];
      float inherited = expected == Inheritance::kNone ? fmaxf(found, 0) : found - stiffness * expected;
      if (!(inherited > Inheritance::kLeast)) inherited = found < Inheritance::kLeast ? 0 : Inheritance::kLeast;
      excess[i] = inherited;
    }
    return found - excess[i];
  }
};

/// Whether densities of particles of `from` mean something else to a simulation of `to`.
bool sums_differ(const SimulationSetup& from, const SimulationSetup& to);

/// (count) pressures [Pa] that the last step of the state's solver left, as strong as they are with the gravity of `to`;
/// empty: they are not known.
std::vector<float> left_pressures(const SimulationState& state, const SimulationSetup& to);

}  // namespace riffle
