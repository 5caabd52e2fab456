/// The panel of diagnostics: numbers beside the plot of the force on a solid.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/playback/sampled/column_means.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/scene/shown_unit.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "app/report/series_columns.h"
#include "scenes/scene.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

/// Of that scene: finding the mass of a mesh takes a while.
struct SolidMasses {
  std::shared_ptr<const scenes::Scene> scene;
  std::vector<BodyMass> masses;
};

/// [kg], in 2-D [kg/m]; 0: the solid is not free, or a face
double mass_of(PanelContext& context, const std::string& name) {
  const SimulationSetup& setup = context.status.scene->simulation;
  SolidMasses& known = context.memory.of<SolidMasses>();
  if (known.scene != context.status.scene) {  // every edit makes another one
    known.scene = context.status.scene;
    try {
      known.masses = body_masses(setup);
    } catch (const std::exception&) {  // the run could not have begun
      known.masses.assign(setup.solid_regions.size(), {});
    }
  }
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
    if (solid_name(setup, i) == name) return known.masses[i].mass;
  return 0;
}

const SeriesMeans::Column* mean_of(PanelContext& context, const std::string& column) {
  const auto& view = context.status.instruments.means;
  if (!view || view->means.rows == 0) return nullptr;
  const auto at = std::ranges::find(view->means.columns, column, &SeriesMeans::Column::name);
  return at == view->means.columns.end() ? nullptr : &*at;
}

}  // namespace

void draw_solid_load(PanelContext& context, const std::string& name) {
  const SimulationSetup& setup = context.status.scene->simulation;
  const std::string unit = shown_unit(unit_text(SeriesUnit::Force, setup));
  nlohmann::json traced = nlohmann::json::object();
  const double weight = mass_of(context, name) * std::sqrt(length2(setup.gravity));
  const std::string weight_text = weight > 0 ? fmt::format("{:.4g} {}", weight, unit) : "none";
  ui::row(("weight of " + name).c_str(), weight_text,
          weight > 0 ? "Its mass times gravity. A body that floats at rest has a mean force of this size upwards."
                     : "Only a solid with `motion: free` has a mass.");
  ui::mark("force.weight");
  traced["weight"] = weight_text;
  const auto& view = context.status.instruments.means;
  const std::string span =
      view && view->means.rows > 0
          ? fmt::format(
                "Of the fluid on {}, from t = {:.4g} to {:.4g} {}, with its standard error. Switch on "
                "\"Means and errors\" below to choose the span.",
                name, view->means.first, view->means.last, units_of(setup).time)
          : "Of the fluid on " + name + ", over the rows of the run.";
  for (int axis = 0; axis < setup.domain.dimension; ++axis) {
    const std::string letter(1, "xyz"[axis]);
    const SeriesMeans::Column* const mean = mean_of(context, fmt::format("force_{}_{}", letter, name));
    const std::string text = mean ? mean_text(mean->mean, unit) : "not yet";
    const std::string note = mean ? note_on(*mean, view->means) : "";
    ui::row(("mean force along " + letter).c_str(), text, (span + (note.empty() ? "" : "\n\n" + note + ".")).c_str());
    traced[letter] = text;
  }
  InterfaceTrace::instance().value("solid_load", std::move(traced));
}

}  // namespace riffle::desktop
