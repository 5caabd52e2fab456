#pragma once
/// Dissipative particle dynamics: soft repulsion, drag and random force of every pair within the cut-off radius,
///   F_ij = (a w - gamma w^2 (e.v_ij) + sigma w theta_ij / sqrt(dt)) e,   w = 1 - r / r_c,  e = r_ij / r,
/// after Groot and Warren 1997, with the integrators of that paper and of the bucket-sort paper (leap-frog with
/// extrapolated velocities of the drag). Reduced units: r_c, m and kT are 1 unless the scene says otherwise (sim/units.h).
///
/// Walled axes reflect: the particle's path and its velocity are folded back as often as needed. Solids reflect too, at
/// the point of their surface that is nearest to where the particle would be. With `walls` no_slip both repel and drag as
/// well (wall_table.h), and send a particle back the way it came. A driven solid reflects where its surface
/// is at the end of the step, and as a mirror in its own frame: the velocity relative to it keeps its length.
///
/// A step is drift, search, forces, kick. Between steps positions, forces and the search therefore belong together, and
/// pressure and energy are of the same time.
///
/// The forces on particles that were added between steps are computed at the start of the next step, which has a second
/// search for it and waits. The others keep the forces of the last evaluation for that half kick: they feel the new
/// particles, and miss the removed ones, from the end of that step on.
///
/// A foreign particle that becomes own again has no forces of the present time. VelocityVerlet computes them like those
/// of a new particle. LeapFrog needs none: the velocity is taken as half a step ahead already, and the drag of the next
/// step is extrapolated from it alone. A KarpinskiStream goes on from where it was when the particle became foreign.
///
/// Refresh points (sim/halo.h): "position" after the drift, "predicted velocity" after its prediction, "velocity" at
/// the end of the step. They are called at the time limit too. The numbers of KarpinskiStream are
/// drawn in the order of the neighbours.
///
/// Both particles of a pair compute its force, the same number with the opposite sign, bit for bit: the separation
/// (neighbors/separation.h) and the random number (sim/random/random.h) are exactly antisymmetric and symmetric. What
/// remains of the momentum's drift is the rounding of sums, 1e-7 in 1,000 steps.
///
/// The bucket-sort paper wants both weights normalised and one the square of the other, which contradict each other.
/// `weights: normalized` keeps the normalised first weight and the square, and with them the paper's
/// fluctuation-dissipation theorem sigma^2 = 2 gamma M kT.

#include <optional>

#include "sim/dpd/wall_table.h"
#include "sim/kept_values.h"
#include "sim/random/random.h"
#include "sim/solver.h"
#include "sim/walls/solid_forces.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle::dpd {

/// Constants of the fluids as kernels read them.
struct DpdTable {
  int fluids = 1;
  float inverse_mass[kMaxFluids] = {};  ///< [1/m]
  float repulsion[kMaxFluids][kMaxFluids] = {};
  float friction[kMaxFluids][kMaxFluids] = {};
  float noise[kMaxFluids][kMaxFluids] = {};
};

DpdTable make_table(const SimulationSetup& setup);

/// The error of the temperature that stable_dt() admits, as a share of kT.
inline constexpr double kAdmittedTemperatureError = 0.03;

/// [time] The largest advisable step: up to it the temperature, from the velocities at full steps, is within
/// kAdmittedTemperatureError of kT, and the energy of pairs within 1 % of what short steps give. At number density 3,
/// a = 25, gamma = 4.5 and m = kT = 1 it is 0.06 for velocity-Verlet with lambda 0.65, which Groot and Warren advise too,
/// 0.04 with lambda 0.5, and 0.023 for the leap-frog. docs/validation.md has the measured errors.
float stable_dt(const SimulationSetup& setup);

/// What steps above that one do, before much longer ones heat the fluid and throw it apart.
enum class LongSteps {
  Cool,
  Heat,
  /// The drag cools and collisions heat, each by some percent. At number density 3, friction 40 and lambda 0.65, where 0.021 is
  /// advised, kT is 0.986 at 0.02, 1.007 at 0.03 and 1.22 at 0.04.
  CoolAndHeat,
  /// The energy of pairs grows by more than 1 % while the temperature is still within its error, until longer steps heat.
  Pairs,
};
LongSteps effect_of_long_steps(const SimulationSetup& setup);

/// Root mean square of a component of the velocity of the lightest particles, sqrt(kT / m).
float thermal_speed(const SimulationSetup& setup);

/// The given step, or a third of the stable one (0.02 for a = 25 and lambda = 0.65).
StepBounds step_bounds(const SimulationSetup& setup);

/// The factor c_1 with which n times the integral of c_1 (1 - r / r_c) over the sphere (2-D: disc) of radius r_c is 1:
/// the normalised weight of the bucket-sort paper. n: mean number density [1 / r_c^d].
double normalized_weight(int dimension, double number_density, double cutoff);

/// Sums over all particles, each pair once.
struct PairSums {
  double energy, conservative, thermostat;  ///< conservative: sum of r.F [eps]; thermostat: of drag and random forces
  double count;                             ///< neighbours: each pair twice
};

/// Whether walls exert forces besides reflecting (sim/dpd/wall_table.h).
bool walls_drag(const SimulationSetup& setup);

/// Whether both setups compute the same accelerations for the same particles, with the same integrator.
bool same_forces(const SimulationSetup& a, const SimulationSetup& b);

class DpdSolver : public Solver {
 public:
  /// Attributes that it adds: "acceleration" [r_c / time^2] of the last force evaluation; with LeapFrog "previous
  /// velocity", one step before "velocity", which is then half a step ahead of "position"; with KarpinskiStream
  /// "random". The w of "acceleration" is 1 if no force on the particle has been computed yet. Scratch: "predicted
  /// velocity" of the drag, w the bits of the fluid's index.
  DpdSolver(const SimulationSetup& setup, ParticleSet& particles);

  void step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) override;
  Diagnostics measure(const ParticleSet& particles, const NeighborSearch& search, const ClockState& clock) override;
  bool started() const override { return started_; }
  void resume(bool started) override;
  void reserve(int capacity) override { kept_.reserve(capacity); }
  void follow(ParticleSet& particles, int first_new) override;
  void follow_foreign(ParticleSet& particles, const std::uint32_t* own_again) override;
  std::size_t growth_bytes(bool) const override { return kept_.bytes_per_particle(); }
  FreeBodies* bodies() override { return &surfaces_.bodies(); }
  KeptBodies kept_bodies() override;
  void restore_bodies(const KeptBodies& kept) override;
  std::size_t memory_bytes() const override {
    return kept_.memory_bytes() + surfaces_.memory_bytes() + wall_weights_.bytes() + solid_forces_.memory_bytes();
  }

 private:
  void predict(ParticleSet& particles, const StepControl& control);
  // evaluate() and sum_pairs() have a .cu each: all in one would take the compiler minutes.
  /// skip: (N) flags of particles that keep what they have; nullptr: none.
  void evaluate(ParticleSet& particles, const NeighborSearch& search, StepControl& control, bool kick,
                const std::uint32_t* skip);
  /// The forces that the first step of a run, or of new particles, starts from. @return false at the time limit.
  bool start(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer);
  /// Computes "wall acceleration". @param skip  as of evaluate()
  void feel_walls(ParticleSet& particles, const StepControl& control, bool kick, const std::uint32_t* skip);
  double wall_virial(const ParticleSet& particles) const;  ///< sum of r.F over pairs with walls, half of it [eps]
  Buffer<Vec4> full_step_velocity(const ParticleSet& particles) const;
  PairSums sum_pairs(const ParticleSet& particles, const NeighborSearch& search, const ClockState& clock) const;

  WallTable wall_table() const { return {wall_weights_.data(), kWallCells / setup_.dpd.cutoff}; }

  SimulationSetup setup_;
  std::optional<double> volume_;  ///< that solids leave; counted when it is first needed
  DpdTable table_;
  SolidSurfaces surfaces_;
  Buffer<WallWeights> wall_weights_;  ///< empty: walls only reflect
  float nominal_step_;                ///< [time]
  bool recount_walls_ = false;  ///< what solids get in the next step from the forces that a state has brought along
  SolidForces solid_forces_;
  KeptValues kept_;                   ///< of particles that an evaluation skips
  bool started_ = false;              ///< forces have been evaluated
  bool may_have_new_ = false;         ///< particles on which none has, by the w of their acceleration
  std::uint64_t search_version_ = 0;  ///< of the search that the last evaluation used
};

/// Bytes per particle of the attributes above; the solver has no buffers of its own.
std::size_t particle_bytes(const SimulationSetup& setup, bool walled);

}  // namespace riffle::dpd
