#include "app/run/growth_theory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "sim/solver_info.h"
#include "validation/rayleigh_taylor_theory.h"

namespace riffle {

namespace {

// For the DPD fluid with rho = 3, a = 25, gamma = 4.5, kT = 1, and an interface with a = 40 across it: see
// validation/cases/dpd_rayleigh_taylor.cpp.
constexpr double kDpdViscosity = 0.81, kDpdTension = 0.956;

bool near(double value, double wanted) { return std::fabs(value - wanted) <= 1e-3 * std::fabs(wanted); }

/// Why the interface is not a mode between two layers that reach from wall to wall; "" when it is.
std::string what_is_special(const SimulationSetup& setup, int particles) {
  const StartSetup& start = setup.start;
  const Domain& box = setup.domain;
  if (!start.has_interface || start.mixed) return "the scene starts without an interface";
  if (!(start.amplitude > 0)) return "the interface starts flat: what grows is noise";
  if (setup.gravity.x != 0 || setup.gravity.z != 0 || !(setup.gravity.y < 0)) return "gravity does not point down";
  if (box.axis[1] != Axis::Walled) return "there is no wall below and above";
  if (box.axis[0] != Axis::Periodic) return "the box is not periodic along the wave";
  const double waves = double{box.extent().x} / start.wavelength;
  if (!(std::fabs(waves - std::round(waves)) < 1e-3) || waves < 0.5) return "the waves do not fit into the box";
  if (box.dimension == 3 && box.axis[2] == Axis::Open) return "the box is open at a side";
  if (!(start.height > box.min.y && start.height < box.max.y)) return "the interface is outside the box";
  const double volume = double{box.extent().x} * box.extent().y * (box.dimension == 3 ? double{box.extent().z} : 1.0);
  if (!(std::fabs(particles * setup.particle_volume() / volume - 1) < 0.03)) return "the fluids do not fill the box";
  return "";
}

struct Fluids {
  StratifiedFluids fluids;
  std::string basis, why_none;
  bool unlike = false;  ///< their dynamic viscosities are, of a solver that then lets a viscous wave grow too fast
  bool bound = false;   ///< the viscosity is not known: the inviscid rate is an upper bound
};

Fluids of_sph(const SimulationSetup& setup) {
  Fluids result;
  const FluidSetup& above = setup.fluids.at(static_cast<std::size_t>(setup.start.upper));
  const FluidSetup& below = setup.fluids.at(static_cast<std::size_t>(setup.start.lower));
  result.fluids.mu2 = double{above.rest_density} * above.viscosity;
  result.fluids.mu1 = double{below.rest_density} * below.viscosity;
  result.fluids.tension = setup.wcsph.interface_tension.value[setup.start.upper][setup.start.lower];
  result.basis = "exact rate between free-slip walls, with the scene's viscosities and interface tension";
  if (setup.wcsph.shifting != 0) result.basis += "; the viscosity that shifting adds is not counted";
  // Of a force like div(mu grad v), which lacks the transposed gradient: 36 % too fast at 0.27 and 15 (docs/validation.md).
  result.unlike = std::max(result.fluids.mu1, result.fluids.mu2) > 2 * std::min(result.fluids.mu1, result.fluids.mu2);
  if (setup.wcsph.walls != WallSlip::FreeSlip)
    result.why_none = "the walls hold the fluid, and theory is for free-slip walls";
  else if (setup.wcsph.artificial_viscosity != 0)
    result.why_none = "the artificial viscosity adds to the fluids' own";
  else if (above.surface_tension != 0 || below.surface_tension != 0)
    result.why_none = "a fluid has a surface tension of its own";
  else if ((result.fluids.mu1 > 0) != (result.fluids.mu2 > 0))
    result.why_none = "one of the fluids is viscous and the other is not";
  return result;
}

Fluids of_dpd(const SimulationSetup& setup) {
  Fluids result;
  const DpdSetup& dpd = setup.dpd;
  const int a = setup.start.upper, b = setup.start.lower;
  const auto both = [&](const PairMatrix& m, float same, float across) {
    return m.value[a][a] == same && m.value[b][b] == same && m.value[a][b] == across;
  };
  if (!(near(1 / setup.particle_volume(), 3) && dpd.temperature == 1 && dpd.cutoff == 1 &&
        both(dpd.repulsion, 25, 40) && both(dpd.friction, 4.5f, 4.5f) && setup.domain.dimension == 3))
    result.why_none = "viscosity and tension of these DPD fluids have not been measured";
  else if (setup.wcsph.walls != WallSlip::FreeSlip)
    result.why_none = "the walls hold the fluid, and theory is for free-slip walls";
  result.fluids.mu1 = result.fluids.mu2 = kDpdViscosity;
  result.fluids.tension = kDpdTension;
  result.basis = fmt::format(
      "exact rate between free-slip walls, with the viscosity {} and the tension {} measured for these fluids",
      kDpdViscosity, kDpdTension);
  return result;
}

Fluids of_pbf(const SimulationSetup&) {
  Fluids result;
  result.bound = true;
  result.basis = "inviscid rate between walls: the viscosity of PBF is not known, and none lets the wave grow faster";
  return result;
}

/// The solvers for whose fluids there is a theory.
struct KnownSolver {
  SolverKind kind;
  Fluids (*fluids)(const SimulationSetup& setup);
};
constexpr KnownSolver kKnownSolvers[] = {
    {SolverKind::Wcsph, of_sph}, {SolverKind::Pbf, of_pbf}, {SolverKind::Dfsph, of_sph}, {SolverKind::Dpd, of_dpd}};

Fluids fluids_of(const SimulationSetup& setup) {
  for (const KnownSolver& known : kKnownSolvers)
    if (known.kind == setup.solver) return known.fluids(setup);
  return {{}, "", fmt::format("viscosity and tension of the solver {} are not known", to_string(setup.solver))};
}

double density_of(const SimulationSetup& setup, int fluid) {
  const FluidSetup& f = setup.fluids.at(static_cast<std::size_t>(fluid));
  return solver_info(setup).has_density ? double{f.rest_density} : double{f.mass} / setup.particle_volume();
}

GrowthTheory none(std::string why) {
  GrowthTheory theory;
  theory.why_none = std::move(why);
  return theory;
}

}  // namespace

double GrowthTheory::at(double time) const {
  return amplitude * (decay * std::exp(rate * time) + rate * std::exp(-decay * time)) / (rate + decay);
}

double GrowthTheory::end() const {
  if (!(limit > amplitude)) return 0;
  double early = 0, late = 1 / rate;
  while (at(late) < limit) late *= 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (early + late);
    (at(middle) < limit ? early : late) = middle;
  }
  return late;
}

GrowthTheory growth_theory(const SimulationSetup& setup, int particles) {
  if (std::string why = what_is_special(setup, particles); !why.empty()) return none(std::move(why));
  Fluids known = fluids_of(setup);
  if (!known.why_none.empty()) return none(std::move(known.why_none));
  known.fluids.rho1 = density_of(setup, setup.start.lower);
  known.fluids.rho2 = density_of(setup, setup.start.upper);
  known.fluids.gravity = -double{setup.gravity.y};
  const double k = 2 * std::numbers::pi / double{setup.start.wavelength};
  const WallDistances walls{double{setup.start.height} - setup.domain.min.y,
                            double{setup.domain.max.y} - setup.start.height};
  GrowthTheory theory;
  theory.amplitude = setup.start.amplitude;
  theory.limit = 0.1 * double{setup.start.wavelength};
  theory.label = known.bound ? "inviscid theory (bound)" : "linear theory";
  theory.basis = std::move(known.basis);
  try {
    const double inviscid = inviscid_growth(known.fluids, k, walls);
    theory.rate = known.bound ? inviscid : exact_growth(known.fluids, k, walls);
    if (theory.rate > 0) theory.decay = inviscid * inviscid / theory.rate;
    if (known.unlike && theory.rate < 0.95 * inviscid)
      theory.basis += "; where the fluids' dynamic viscosities differ so much, the simulated wave grows faster";
  } catch (const InputError& outside) {
    return none(outside.what());
  }
  if (!(theory.rate > 0)) return none("the wave does not grow: the lighter fluid lies above, or tension holds it");
  return theory;
}

std::string theory_text(const GrowthTheory& theory) {
  const double both = theory.rate + theory.decay;
  return fmt::format("a(t) = {:.3g} ({:.4g} e^({:.4g} t) + {:.4g} e^(-{:.4g} t)), until a = {:.3g}", theory.amplitude,
                     theory.decay / both, theory.rate, theory.rate / both, theory.decay, theory.limit);
}

}  // namespace riffle
