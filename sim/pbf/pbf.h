#pragma once
/// Position based fluids (Macklin and Mueller 2013, "Position Based Fluids", ACM Trans. Graph. 32(4)). A step predicts
/// positions, corrects them by Jacobi iterations until density constraints C_i = delta_i V_0 - 1 <= 0 hold
/// approximately, and takes velocities from the corrected positions. With artificial pressure, vorticity confinement
/// and XSPH viscosity.
///
/// Densities are number densities delta_i = sum_j W_ij of equal volumes V_0, as in WCSPH, so that fluids of different
/// density may touch. Corrections are weighted by inverse masses, m_i dx_i = -m_j dx_j for each pair. Walls are
/// Boundary particles of infinite mass; near the domain's faces, contact shortens displacements
/// (sim/walls/face_contact.h).
///
/// Neighbours are searched once per step, at the predicted positions, up to h (1 + margin). The iterations move no
/// particle by more than half the margin, so that the neighbours they find within h are exact without asking the
/// device.
///
/// Free bodies are predicted as particles are, and corrected with them: after each iteration a body has the way that the
/// corrections of the fluid beside it give, m dx of each pair, and the next iteration counts it in the constraints to first order.
/// Wall particles stay in their places meanwhile. The denominators of the constraints know that bodies give way
/// (sim/bodies/body_rows.h).
///
/// A driven solid may squeeze fluid that has no way out. Corrections there do not shrink with dt, so that the speeds that
/// they give grow as steps become shorter, and steps become shorter as speeds grow. So with driven solids corrections make
/// no particle faster than signal_speed(); what is cut is counted.
///
/// Refresh points (sim/halo.h): "position" after the prediction; in every iteration "constrained" and "moved", which
/// end with lambda and the inverse mass; if velocities are refined "finished velocity" and "cut off", and "vorticity" if
/// it is confined; "position" and "velocity" at the end of the step; "inherited excess" in the first one after a change of
/// the solver.
///
/// Momentum is conserved to rounding where no wall, stirring or vorticity confinement acts, also where a correction is
/// cut off to as little as a half. Three cases lose momentum: a correction that is cut to less; with `xsph` and
/// `vorticity` 0 every cut, because no pass gives back what was cut off; and a speed that is cut.

#include "sim/inheritance/inheritance.h"
#include "sim/kept_values.h"
#include "sim/kernel.h"
#include "sim/setup.h"
#include "sim/solver.h"
#include "sim/walls/boundary.h"
#include "sim/walls/coupled_bodies.h"
#include "sim/walls/face_contact.h"
#include "sim/walls/solid_forces.h"

namespace riffle::pbf {

/// dt <= cfl h / v, v the larger of |v|max and expected_speed(); at most 1/60 s.
StepBounds step_bounds(const SimulationSetup& setup);

/// Mean compression that steps of dt [s] leave in a fluid as deep as the setup's: 0.22 g dt^2 H / (iterations
/// spacing^2), fitted to measurements, with H from expected_speed() = sqrt(2 g H).
double expected_compression(const SimulationSetup& setup, double dt);

/// h (1 + margin) [m]
float search_radius(const SimulationSetup& setup);

/// Sums over a constraint's gradients on the rest lattice.
struct LatticeGradients {
  double squares = 0;  ///< sum of |grad_k C|^2 over a particle's neighbours k [1/m^2]
  /// Largest eigenvalue of the Jacobi iteration's matrix: the factor by which a compression wave of the worst length is
  /// corrected if each constraint is satisfied by itself. Above 2 that wave grows.
  double amplification = 0;
  double others = 0;  ///< sum of V_0 W over a particle's neighbours
};
LatticeGradients lattice_gradients(const SmoothingKernel& kernel, int dimension, float spacing);

/// The setup's relaxation, or else the smallest with which no wave on the lattice grows: waves of the worst length then
/// change sign and keep 90 %.
float relaxation(const PbfSetup& setup, const LatticeGradients& lattice);

class PbfSolver : public Solver {
 public:
  /// Attributes that it adds: "density" [kg/m^3], before the last iteration's correction, and "constraint pressure" [Pa],
  /// with which the last step's corrections would be those of a pressure.
  /// Uses: "position" [m], "velocity" [m/s], "fluid".
  /// @throws InputError for settings out of range (no iteration), and for a periodic axis that is too short for the
  /// margin.
  /// walls: those of another simulation, which are shared if they are the same; or nullptr.
  PbfSolver(const SimulationSetup& setup, ParticleSet& particles, const std::shared_ptr<PlacedWalls>& walls = nullptr);

  void step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) override;
  Diagnostics measure(const ParticleSet& particles, const NeighborSearch& search, const ClockState& clock) override;

  /// Mean compression at the positions that a step of dt [s] predicts from here, and after each iteration: (iterations
  /// + 1) values. The particles stay as they are. Waits.
  std::vector<double> residual(const ParticleSet& particles, double time, float dt, int iterations);

  void resume(bool) override { solid_forces_.restart(); }
  void adopt(const SimulationSetup& eased) override { setup_.pbf.iterations = eased.pbf.iterations; }
  void reserve(int capacity) override;
  Boundary* boundary() override { return &boundary_; }
  FreeBodies* bodies() override { return &surfaces_.bodies(); }
  bool bodies_bound_step() const override { return true; }
  void follow_foreign(ParticleSet& particles, const std::uint32_t* own_again) override;
  std::size_t growth_bytes(bool foreign) const override { return foreign ? kept_.bytes_per_particle() : 0; }
  std::size_t memory_bytes() const override;

 private:
  // iterate() and refine_velocities() have a .cu each: one file would take minutes to compile.

  /// Arrays of the iterations, all (N) and more, in the search's order.
  struct Workspace {
    explicit Workspace(const Device& device)
        : moved(device), constrained(device), correction(device), cut_off(device), wall(device), push(device) {}
    void resize(std::size_t particles, bool walled, bool refined);
    std::size_t bytes() const {
      return moved.bytes() + constrained.bytes() + correction.bytes() + cut_off.bytes() + wall.bytes() + push.bytes();
    }

    Buffer<Vec4> moved;        ///< position after the last iteration, w the inverse mass; within one Correct::pushed
    Buffer<Vec4> constrained;  ///< position before it; w lambda
    Buffer<Vec4> correction;   ///< sum of the corrections [m]; w: 1 where cut_off has a value, else 0
    Buffer<Vec4> cut_off;      ///< as of Displace, then of FinishStep; empty if velocities are not refined
    Buffer<Vec4> wall;         ///< walls' part of the constraint's gradient [1/m], w: of V_0 delta; 0 far from them
    Buffer<Vec4> push;         ///< correction by walls' own constraints [m], times its mass; 0 far from them
  };

  /// One iteration from `from` (workspace.moved or the predicted positions, w the inverse mass) to workspace.moved.
  /// density: (N) out, before the correction; or nullptr. step: what it is a part of; nullptr: of no step, which
  /// neither refreshes a halo nor acts on solids.
  struct Step {
    const ParticleSet* particles;
    const ClockState* clock;
    Vec4* reaction;   ///< (wall particles) impulses so far [N s]; nullptr: not wanted
    float* pressure;  ///< (N)
    Inherited inherited, inherited_at_walls;
    const float* inherited_share;
    bool couples;  ///< there are free bodies beside the fluid
  };
  void iterate(const NeighborSearch& search, const Vec4* predicted, const Vec4* from, const float* dt, float* density,
               const std::uint32_t* fluid, Workspace& workspace, const Step* step);
  void refine_velocities(ParticleSet& particles, const NeighborSearch& search, const float* dt);

  SimulationSetup setup_;
  SmoothingKernel kernel_;
  float particle_volume_;  ///< V_0 [m^d]
  LatticeGradients lattice_;
  float relaxation_;
  double largest_correction_;
  float largest_speed_;  ///< [m/s] that corrections give, see FinishStep
  SolidSurfaces surfaces_;
  SolidForces solid_forces_;
  FaceContact contact_;
  float mass_[kMaxFluids] = {};          ///< of a particle [kg]
  float inverse_mass_[kMaxFluids] = {};  ///< relative to the lightest
  float per_lambda_ = 0;                 ///< LeftPressure::factor
  Boundary boundary_;
  CoupledBodies coupled_;
  Buffer<float> gain_;  ///< (N) of denominators beside free bodies, as of sim/bodies/body_rows.h; empty: there are none
  Buffer<float> wall_gain_;  ///< (most walls) likewise
  Buffer<Vec4> wall_way_;    ///< (most walls) way of the bodies by this step's corrections so far [m]; w 0
  Workspace workspace_;
  KeptValues kept_;            ///< of foreign particles while velocities are refined
  Buffer<float> wall_lambda_;  ///< (most walls)
  Buffer<std::uint32_t>
      cut_;  ///< (1) corrections, and speeds that they gave, that were cut off since the host last read it
  std::uint64_t cut_before_ = 0;
};

/// Bytes that the attributes and buffers above take per fluid particle, and per wall particle.
std::size_t particle_bytes(const SimulationSetup& setup, bool walled);
std::size_t wall_particle_bytes(const SimulationSetup& setup);

}  // namespace riffle::pbf
