#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "sim/motion/gravity_bounds.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"
#include "sim/state.h"
#include "sim/viscosity/viscosity_choice.h"
#include "sim/wcsph/tait.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

namespace {

std::unique_ptr<Solver> make(const SimulationSetup& setup, ParticleSet& particles,
                             const std::shared_ptr<PlacedWalls>& walls) {
  return std::make_unique<WcsphSolver>(setup, particles, walls);
}

bool speed_is_given(const SimulationSetup& setup) { return setup.wcsph.speed_of_sound > 0; }

Pressure pressure(const SimulationSetup& setup) {
  const TaitPressure tait{setup.wcsph.tait_exponent, setup.wcsph.negative_pressure};
  const FluidTable fluids = make_fluid_table(setup, speed_of_sound(setup));
  Pressure pressure{tait, fluids.stiffness};
  std::copy(std::begin(fluids.rest_density), std::end(fluids.rest_density), pressure.rest_density);
  return pressure;
}

/// What steps of `to` start from: positions and velocities, with continuity compressions too.
bool carries_on(const SimulationSetup& from, const SimulationSetup& to) {
  return to.wcsph.density == DensityScheme::Summation || from.wcsph.density == DensityScheme::Continuity;
}

/// How much stronger the pull of `to` is; nothing where one of them has none.
std::optional<double> pull_ratio(const SimulationSetup& from, const SimulationSetup& to) {
  const double before = std::sqrt(double{length2(from.gravity)}), after = std::sqrt(double{length2(to.gravity)});
  if (before == after) return 1;
  if (!(before > 0 && after > 0)) return std::nullopt;
  return after / before;
}

std::function<double(double)> excess_under(const SimulationSetup& setup) {
  const double stiffness = make_fluid_table(setup, speed_of_sound(setup)).stiffness;
  return [=, power = 1.0 / setup.wcsph.tait_exponent](double p) { return std::pow(p / stiffness + 1, power) - 1; };
}

/// Where the start found no pressure, there is none off the sites either.
std::vector<float> compression_off_sites(const SimulationSetup& setup, const FluidSamples& samples,
                                         std::vector<float> at_sites) {
  const FluidTable fluids = make_fluid_table(setup, speed_of_sound(setup));
  const double power = setup.wcsph.tait_exponent;
  const Vec3 gravity = gravity_at_start(setup);
  for (std::size_t k = 0; k < at_sites.size(); ++k) {
    float& compression = at_sites[k];
    const Vec3 way = xyz(samples.position[k]) - xyz(samples.site[k]);
    if (!(compression > 0) || way == Vec3{0, 0, 0}) continue;
    const double more = fluids.rest_density[samples.fluid[k]] * double{dot(gravity, way)} / fluids.stiffness;
    compression = static_cast<float>(std::pow(std::max(1.0, std::pow(1.0 + compression, power) + more), 1 / power) - 1);
  }
  return at_sites;
}

/// The pressures of a fluid at rest are as strong as gravity. Compressions are not, if the stiffness changes otherwise: they
/// would mean another pressure at once, and throw it out of balance. Other solvers leave pressures, too. Fluid that is not
/// compressed keeps its density. All keep their compressions where gravity comes or goes, and where the stiffness is
/// another one altogether, so that a change and its opposite are alike.
std::vector<float> kept_compression(const SimulationState& state, const SimulationSetup& to) {
  constexpr float kMost = 0.05f;      // so much Tait's equation bears
  constexpr double kMostStiffer = 8;  // or softer
  if (to.wcsph.density != DensityScheme::Continuity || !state.started) return {};
  const SimulationSetup& from = state.setup;
  const std::optional<double> pull = pull_ratio(from, to);
  if (!pull) return {};
  const float stiffness = make_fluid_table(to, speed_of_sound(to)).stiffness;
  const double power = 1.0 / to.wcsph.tait_exponent;
  /// @param own  the present compression
  const auto compression_of = [&](double p, float own) {
    if (!(p > 0)) return 0.0f;
    return std::min(static_cast<float>(std::pow(*pull * p / stiffness + 1, power) - 1), std::max(own, kMost));
  };
  std::vector<float> kept;
  if (from.solver == SolverKind::Wcsph && from.wcsph.density == DensityScheme::Continuity) {
    const float before = make_fluid_table(from, speed_of_sound(from)).stiffness;
    const std::vector<float>* compression = state.find<float>("compression");
    if (!compression || (before == stiffness && *pull == 1 && from.wcsph.tait_exponent == to.wcsph.tait_exponent))
      return {};
    const double stiffer = double{stiffness} / before;
    if (!(stiffer < kMostStiffer && 1 / stiffer < kMostStiffer)) return {};
    for (const float c : *compression)
      kept.push_back(c > 0 ? compression_of(before * (std::pow(1.0 + c, double{from.wcsph.tait_exponent}) - 1), c) : c);
  } else {
    const auto excess = excess_under(to);
    for (const float p : left_pressures(state, to))
      kept.push_back(p > 0 ? std::min(static_cast<float>(excess(p)), kMost) : 0.0f);
  }
  return kept;
}

std::vector<float> left_pressure(const SimulationState& state) {
  const bool by_continuity = state.setup.wcsph.density == DensityScheme::Continuity;
  const std::vector<float>* found = state.find<float>(by_continuity ? "compression" : "density");
  if (!found || !(by_continuity || state.knows_last_step || state.inheritance.begins)) return {};
  const Pressure pressure_of = pressure(state.setup);
  const std::vector<std::uint32_t>& fluid = *state.find<std::uint32_t>("fluid");
  std::vector<float> left;
  for (std::size_t i = 0; i < found->size(); ++i)
    left.push_back(by_continuity ? pressure_of.tait(1 + (*found)[i], pressure_of.stiffness)
                                 : pressure_of((*found)[i], fluid[i]));
  return left;
}

std::vector<SolverFact> facts(const SimulationSetup& setup, double) {
  std::vector<SolverFact> facts = {{"speed of sound", fmt::format("{:.4g} m/s{}", speed_of_sound(setup),
                                                                  speed_is_given(setup) ? "" : " (automatic)")}};
  const std::string viscosity = viscosity::text(viscosity::choose(setup), setup);
  if (!viscosity.empty()) facts.push_back({"viscosity", viscosity});
  return facts;
}

/// As the constructor adds them.
std::size_t state_bytes(const SimulationSetup& setup) {
  const bool continuity = setup.wcsph.density == DensityScheme::Continuity;
  const std::size_t viscous = viscosity::is_implicit(setup) ? sizeof(Vec4) : 0;
  return sizeof(float) + sizeof(Vec4) + (continuity ? 2 * sizeof(float) : 0) + viscous;
}

}  // namespace

extern const SolverInfo kInfo;  // sim/solvers.cpp lists it
constinit const SolverInfo kInfo{
    .kind = SolverKind::Wcsph,
    .name = "wcsph",
    .summary = "weakly compressible SPH",
    .has_density = true,
    .has_acceleration = true,
    .support_ratio = 3,
    .surface_tension = true,
    .shifting = true,
    .sph_forces = true,
    .walls_drag = true,
    .wall_particles = true,
    .adaptive_step = true,
    .retries_step = true,  // it asks for memory before it moves anything
    .make = make,
    .step_bounds = step_bounds,
    .signal_speed = speed_of_sound,
    .particle_bytes = particle_bytes,
    .wall_particle_bytes = wall_particle_bytes,
    .state_bytes = state_bytes,
    .carries_on = carries_on,
    .kept_compression = kept_compression,
    .compression_off_sites = compression_off_sites,
    .left_pressure = left_pressure,
    .excess_under = excess_under,
    .pressure = pressure,
    .facts = facts,
    .signal_speed_name = "the numerical speed of sound",
    .signal_speed_multiple = 1,
    .unstable_remedy =
        "A smaller step helps most: time.step=auto, or a smaller time.cfl; then a larger "
        "solver.artificial_viscosity, and bodies that do not overlap",
    .compressed_remedy = "a larger solver.speed_of_sound",
    .speed_key = "solver.speed_of_sound",
    .speed_is_given = speed_is_given,
};

}  // namespace riffle::wcsph
