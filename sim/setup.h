#pragma once
/// Everything that defines a simulation before its first step, as plain data: what a scene file describes and what
/// `Simulation` is made from. SI units; DPD has reduced units instead, where the cut-off radius r_c, a mass m and an
/// energy kT are 1 and the unit of time is r_c sqrt(m / kT).

#include <cstdint>
#include <string>
#include <vector>

#include "core/math/domain.h"
#include "core/math/vec.h"
#include "core/text/words.h"
#include "neighbors/search_settings.h"
#include "sim/bodies/free_body.h"
#include "sim/bodies/joint.h"
#include "sim/damping/damping_zone.h"
#include "sim/motion/body_force.h"
#include "sim/motion/drive.h"
#include "sim/motion/gravity_change.h"
#include "sim/openings/opening.h"
#include "sim/random/random_kind.h"
#include "sim/shapes/shape.h"
#include "sim/start/file_particles.h"
#include "sim/start/flow.h"
#include "sim/walls/solid.h"

namespace riffle {

inline constexpr int kMaxFluids = 8;

struct FluidSetup {
  std::string name = "water";
  float rest_density = 1000.0f;     ///< [kg/m^3]; not with DPD
  float viscosity = 1.0e-6f;        ///< kinematic, [m^2/s] (Morris et al. 1997); not with DPD
  float mass = 1.0f;                ///< of a particle [m]; with DPD only
  Vec3 color{0.16f, 0.45f, 0.85f};  ///< sRGB, 0..1
  float surface_tension = 0;        ///< against empty space [N/m]; with WCSPH and DFSPH only
  float share = -1;                 ///< of the particles, 0..1, where start.mixed; -1: see mixture_shares()
};

enum class Filling { Lattice, Random };
inline constexpr Word<Filling> kFillingWords[] = {
    {Filling::Lattice, "lattice", "on a lattice of the particle spacing"},
    {Filling::Random, "random", "at random places, as many as the volume holds at the mean density spacing^-d"},
};
constexpr std::span<const Word<Filling>> words_of(Filling) { return kFillingWords; }

/// A region that is filled with particles, or particles from a file in place of those; the region is then the box of
/// their bounds, and particles in `without` are left out.
struct BodySetup : Region {
  int fluid = 0;                ///< index into SimulationSetup::fluids
  Vec3 velocity{};              ///< [m/s]
  FlowSetup flow;               ///< added to `velocity`
  ParticleSelection particles;  ///< their velocities are added too
  Filling filling = Filling::Lattice;
  float jitter = 0;  ///< random displacement of the lattice, in spacings, 0..0.5
};

/// A region that the fluid cannot enter. It stands still, or moves as it is driven, or as forces move it.
struct SolidRegion : Region {
  std::string name;                 ///< "": "solid_1" and so on, see solid_name()
  Vec3 color{0.62f, 0.64f, 0.66f};  ///< sRGB, 0..1
  SolidDrive drive;
  FreeBodySetup free;
  ContactSetup contact;

  bool moves() const { return drive.given || free.given; }
};

enum class KernelKind { WendlandC2, CubicSpline, Poly6Spiky };
inline constexpr Word<KernelKind> kKernelWords[] = {
    {KernelKind::WendlandC2, "wendland_c2"},
    {KernelKind::CubicSpline, "cubic_spline"},
    {KernelKind::Poly6Spiky, "poly6_spiky",
     "only with `pbf`: Poly6 for densities and Spiky for gradients, as in the paper of position based fluids"},
};
constexpr std::span<const Word<KernelKind>> words_of(KernelKind) { return kKernelWords; }

/// A coefficient for every pair of fluids. Symmetric.
struct PairMatrix {
  float value[kMaxFluids][kMaxFluids] = {};

  void fill(float all) {
    for (auto& row : value)
      for (float& entry : row) entry = all;
  }
};

enum class WallSlip { NoSlip, FreeSlip };
inline constexpr Word<WallSlip> kWallSlipWords[] = {
    {WallSlip::NoSlip, "no_slip", "the fluid at a wall has the wall's velocity"},
    {WallSlip::FreeSlip, "free_slip", "walls exert no shear"},
};
constexpr std::span<const Word<WallSlip>> words_of(WallSlip) { return kWallSlipWords; }

enum class TensionModel { Continuum, Akinci };
inline constexpr Word<TensionModel> kTensionWords[] = {
    {TensionModel::Continuum, "continuum", "a force from the curvature of the surface (Brackbill et al. 1992)"},
    {TensionModel::Akinci, "akinci", "cohesion and difference of normals (Akinci et al. 2013)"},
};
constexpr std::span<const Word<TensionModel>> words_of(TensionModel) { return kTensionWords; }

enum class DensityScheme { Summation, Continuity };
inline constexpr Word<DensityScheme> kDensitySchemeWords[] = {
    {DensityScheme::Summation, "summation", "the sum over the particles within reach, in every step"},
    {DensityScheme::Continuity, "continuity",
     "carried by the particles and changed by the divergence of the velocity, with diffusion (delta-SPH)"},
};
constexpr std::span<const Word<DensityScheme>> words_of(DensityScheme) { return kDensitySchemeWords; }

enum class ViscosityScheme { Automatic, Explicit, Implicit };
inline constexpr Word<ViscosityScheme> kViscositySchemeWords[] = {
    {ViscosityScheme::Automatic, "auto",
     "with `dfsph` implicit, if explicit viscosity would make the steps shorter by more than a factor of 4; otherwise "
     "explicit"},
    {ViscosityScheme::Explicit, "explicit", "by the velocities at the start of the step (Morris et al. 1997)"},
    {ViscosityScheme::Implicit, "implicit",
     "by the velocities at its end, which iterations find; viscosity then does not limit the step (Weiler et al. "
     "2018)"},
};
constexpr std::span<const Word<ViscosityScheme>> words_of(ViscosityScheme) { return kViscositySchemeWords; }

struct WcsphSetup {
  KernelKind kernel = KernelKind::WendlandC2;
  DensityScheme density = DensityScheme::Continuity;
  float speed_of_sound = 0;            ///< [m/s]; 0: automatic_signal_speed() of sim/solver.h
  float tait_exponent = 7.0f;          ///< gamma of the Tait equation of state
  float artificial_viscosity = 0.05f;  ///< alpha of Monaghan 1992, in terms of the smoothing length h/2
  bool negative_pressure = false;      ///< false clamps p at 0, as a free surface needs
  float damping_rate = 0;  ///< [1/s] velocities decay at this rate at first, so that a start from a lattice settles
  float damping_time = 0;  ///< [s] until then
  ViscosityScheme viscosity = ViscosityScheme::Automatic;
  float viscosity_error = 0.001f;       ///< of implicit viscosity: residual over the impulses
  float viscosity_step_error = 0.001f;  ///< of implicit viscosity in one step: share of the speed
  int viscosity_iterations = 1000;      ///< of implicit viscosity, at most
  WallSlip walls = WallSlip::NoSlip;
  Vec3 wall_velocity[3][2] = {};  ///< [m/s] of the lower and the upper face of each axis; tangential
  TensionModel tension_model = TensionModel::Continuum;
  PairMatrix interface_tension;  ///< between two fluids [N/m]; the diagonal is not read
  float shifting = 0;            ///< particle shifting (Lind et al. 2012), 0..2; 0: none
};

enum class SolverKind { Wcsph, Pbf, Dfsph, Dpd };

const char* to_string(SolverKind kind);  ///< "wcsph", as in scenes

/// Position based fluids (Macklin and Mueller 2013).
struct PbfSetup {
  KernelKind kernel = KernelKind::WendlandC2;
  int iterations = 4;              ///< of the density constraints per step, at least 1
  float relaxation = -1;           ///< epsilon over the rest lattice's sum of |grad C|^2; negative: pbf::relaxation()
  bool negative_pressure = false;  ///< false: a constraint only pushes, as a free surface needs; true: it pulls too

  /// The artificial pressure s_corr = strength (W(r) / W(distance))^power, in units of compression: a pair at
  /// `distance` repels as if both particles were compressed by half of `strength`.
  float artificial_pressure = 0.1f;
  int artificial_pressure_power = 4;
  float artificial_pressure_distance = 0.2f;  ///< [h]

  float xsph = 0.01f;   ///< fraction of the neighbours' mean velocity that a particle takes over per step, 0 to 0.5
  float vorticity = 0;  ///< of the vorticity confinement, acceleration = vorticity * spacing * (N x omega)

  /// How far beyond h neighbours are searched at the predicted positions [h]. A particle may be corrected by half of it
  /// in one step; larger corrections are cut off and counted, so that no neighbour is ever missed.
  float margin = 0.2f;
};

/// Divergence-free SPH (Bender and Koschier 2017). Kernel, walls, viscosities, damping and negative pressure are those of
/// WcsphSetup. Errors are shares of the rest density.
struct DfsphSetup {
  float density_error = 0.0005f;        ///< mean over the particles at which a density solve ends
  float largest_density_error = 0.05f;  ///< of a particle, likewise
  float divergence_error = 0.0005f;     ///< mean in one step, at which a divergence solve ends
  int max_iterations = 200;             ///< of one solve
  bool divergence_free = true;          ///< whether there is a divergence solve
};

enum class DpdIntegrator { VelocityVerlet, LeapFrog };
inline constexpr Word<DpdIntegrator> kDpdIntegratorWords[] = {
    {DpdIntegrator::VelocityVerlet, "velocity_verlet",
     "the modified one of Groot and Warren 1997; `lambda` predicts the velocities for the drag"},
    {DpdIntegrator::LeapFrog, "leap_frog",
     "that of the bucket-sort paper; the second-order formula of Adams and Bashforth extrapolates the velocities for "
     "the "
     "drag; the fluid is too cold with long steps"},
};
constexpr std::span<const Word<DpdIntegrator>> words_of(DpdIntegrator) { return kDpdIntegratorWords; }

/// Dissipative particle dynamics (Hoogerbrugge and Koelman 1992; Espanol and Warren 1995), weights w2 = w1^2,
/// w1 = 1 - r / r_c without a factor: the coefficients are those of Groot and Warren 1997. `walls` and `wall_velocity` are
/// those of WcsphSetup: with no_slip walls repel and drag as fluid in them would, with free_slip they are mirrors.
struct DpdSetup {
  float temperature = 1;  ///< kT [eps]
  float cutoff = 1;       ///< r_c
  PairMatrix repulsion;   ///< a [eps / r_c]
  PairMatrix friction;    ///< gamma [sqrt(m eps) / r_c]
  PairMatrix noise;       ///< sigma; sigma^2 = 2 gamma kT unless given otherwise
  DpdIntegrator integrator = DpdIntegrator::VelocityVerlet;
  float lambda = 0.65f;  ///< of VelocityVerlet
  RandomKind random = RandomKind::Philox;
  StreamStart stream_start = StreamStart::Hashed;  ///< of RandomKind::KarpinskiStream

  DpdSetup() { repulsion.fill(25), friction.fill(4.5f), noise.fill(3); }
};

/// Changes to the sampled particles before time 0.
struct StartSetup {
  float equilibration = 0;     ///< [s] they move as the first fluid, without gravity; then velocities are drawn again
  bool has_interface = false;  ///< fluids are assigned by height, whatever the bodies are made of
  int upper = 1, lower = 0;    ///< fluids above and below it
  float height = 0;            ///< mean y of the interface [m]
  float amplitude = 0;         ///< [m]: y = height + amplitude cos(2 pi (x - min.x) / wavelength)
  float wavelength = 1;        ///< [m]
  bool mixed = false;          ///< fluids are assigned at random, by mixture_shares()
};

struct StepSetup {
  float fixed = 0;   ///< [s]; 0: adaptive
  float cfl = 0.2f;  ///< dt <= cfl h / (c0 + |v|max), h the support radius; PBF has no c0
  float max = 0;     ///< [s]; upper bound of the adaptive step; 0: none
};

/// The neighbour search.
struct NeighborSetup : MethodSettings {
  bool automatic = false;  ///< the simulation measures the methods, with and without a skin, and chooses; `method` is
                           ///< where it starts, and `skin` is chosen too
  BucketRebuild bucket_rebuild = BucketRebuild::Automatic;  ///< others are for measurements
};

struct SimulationSetup {
  Domain domain;
  Vec3 gravity{0, -9.81f, 0};    ///< [m/s^2]
  GravityChange gravity_change;  ///< added to gravity over time
  BodyForceSetup body_force;     ///< added to gravity across the domain
  SolidDrive tank;               ///< how the domain's box moves; all places and velocities are those in the box
  float spacing = 0.02f;         ///< particle spacing [m]
  float support_ratio = 0;       ///< support radius h in particle spacings; 0: the solver's SolverInfo::support_ratio
  std::vector<FluidSetup> fluids;
  std::vector<BodySetup> bodies;
  std::vector<SolidRegion> solid_regions;  ///< the scene's solids; sim/walls/solid_regions.h makes `solids` of them
  std::vector<JointSetup> joints;          ///< up to kMostJoints
  std::vector<DampingZone> damping;        ///< up to kMostDampingZones
  std::vector<InletSetup> inlets;          ///< up to kMostInlets
  std::vector<OutletSetup> outlets;        ///< up to kMostOutlets
  std::int64_t most_particles = 0;         ///< beyond which inlets pause; 0: as many as memory holds
  StartSetup start;
  SolverKind solver = SolverKind::Wcsph;
  WcsphSetup wcsph;
  PbfSetup pbf;
  DfsphSetup dfsph;
  DpdSetup dpd;
  StepSetup step;
  NeighborSetup neighbors;
  bool deterministic = false;  ///< bit-identical from run to run on one device
  std::uint64_t seed = 1;

  bool face_forces = false;  ///< the forces on the domain's walled faces are measured

  /// The walls, in place of the domain's faces and their velocities; empty: those faces. The domain still confines the
  /// fluid. Only with solvers that have wall particles.
  std::vector<Solid> solids;

  /// h [m]: chosen_support_ratio() * spacing, or what the solver has instead (DPD its cut-off radius).
  float support_radius() const;
  /// support_ratio, or the solver's if that is 0.
  float chosen_support_ratio() const;

  /// Volume of a fluid particle at rest, V_0 = spacing^d [m^d].
  double particle_volume() const {
    const double area = double{spacing} * spacing;
    return domain.dimension == 2 ? area : area * spacing;
  }
};

/// "post", or "solid_2" for the second if it has no name.
std::string solid_name(const SimulationSetup& setup, std::size_t solid);

/// "face_x_min" and so on. @param face  2 axis + (1 for the upper one)
std::string face_name(int face);

/// Settings of that simulation's search: with lists if its solver traverses the same pairs several times.
SearchSettings search_settings(const SimulationSetup& setup, const NeighborSetup& neighbors);

}  // namespace riffle
