#include <fmt/format.h>

#include "scenes/review/pair_matrix.h"
#include "scenes/review/subjects.h"
#include "sim/start/sampling.h"
#include "sim/surface/tension_table.h"

namespace riffle::scenes {

bool review_tension(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  WcsphSetup& wcsph = setup.wcsph;
  if (!fill_matrix(draft.interface_tension, setup.fluids, "solver.interface_tension", out, wcsph.interface_tension))
    return false;
  const std::size_t n = setup.fluids.size();
  for (std::size_t f = 0; f < n; ++f) {
    float& own = wcsph.interface_tension.value[f][f];
    if (!draft.interface_tension.rows.empty() && own != 0) {
      out.refuse("solver.interface_tension",
                 fmt::format("found {:g} for '{}' against itself; allowed: 0, as a fluid has no interface with itself",
                             own, setup.fluids[f].name));
      return false;
    }
    own = 0;
  }
  if (n == 1)
    out.idle(WarningKind::TensionOfOneFluid, {"solver.interface_tension", "has no effect: the scene has one fluid"},
             out.given("solver.interface_tension"));
  bool between = false;
  for (std::size_t f = 0; f < n; ++f)
    for (std::size_t g = 0; g < f; ++g) between |= wcsph.interface_tension.value[f][g] > 0;
  if (between)
    out.warn(WarningKind::TensionInexact, "solver.interface_tension",
             "is not exact: drops of one fluid within another oscillated at 0.5 to 1.1 of the exact frequency, with a "
             "support_ratio of 2 at 0.4 to 0.7");
  if (surface::has_tension(setup) && wcsph.tension_model == TensionModel::Akinci)
    out.warn(WarningKind::TensionAkinci, "solver.tension_model",
             "is akinci: it orders the particles as in a crystal, and a drop creeps back to its shape instead of "
             "oscillating; continuum has the frequency within 5 %");
  if (!surface::has_tension(setup))
    out.idle(WarningKind::TensionModelUnused,
             {"solver.tension_model", "has no effect: no fluid and no pair of fluids has surface tension"},
             out.given("solver.tension_model"));
  return true;
}

void review_negative_pressure(const SimulationSetup& setup, Findings& out) {
  const WcsphSetup& wcsph = setup.wcsph;
  bool free_surface = false;
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) free_surface |= setup.fluids[f].surface_tension > 0;
  if (free_surface && wcsph.tension_model == TensionModel::Continuum && !wcsph.negative_pressure)
    out.warn(
        WarningKind::NegativePressureMissing, "solver.negative_pressure",
        "is false: a free surface under surface tension then loses particles, because nothing holds those that its "
        "curved parts push outward; true holds them if there is no gravity");
  if (wcsph.negative_pressure && length2(setup.gravity) > 0) {
    double domain = 1;
    for (int a = 0; a < setup.domain.dimension; ++a) domain *= component(setup.domain.extent(), a);
    const double filled = static_cast<double>(count_particles(setup)) * setup.particle_volume() / domain;
    if (filled < 0.9)
      out.warn(
          WarningKind::NegativePressureTears, "solver.negative_pressure",
          fmt::format("is true, and fluid fills {:.0f} % of the domain: under gravity, negative pressure at a free "
                      "surface tears particles apart; true suits drops without gravity and full boxes",
                      100 * filled));
  }
}

void review_shifting(const SimulationSetup& setup, Findings& out) {
  if (setup.wcsph.shifting > 0 && setup.chosen_support_ratio() < 2.5f)
    out.warn(WarningKind::ShiftingSupportRatio, "particles.support_ratio",
             fmt::format("found {:g}: with solver.shifting 3 gives half the error of 2", setup.chosen_support_ratio()));
}

}  // namespace riffle::scenes
