/// The panel of diagnostics: the radial distribution function.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/sampled/pair_distribution.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/plot.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

struct DistributionChoice {
  bool on = false;
  std::uint64_t scene_version = 0;  ///< WorkerStatus's when the plot was asked for
  bool reveal = false;              ///< the plot has just been asked for, and may lie below the panels' edge
};

ui::Plot plot_of(const DistributionView& view, const SimulationSetup& setup, Appearance appearance) {
  ui::Plot plot;
  plot.name = "plot.distribution";
  plot.x_label = "r";
  plot.x_unit = units_of(setup).length;
  plot.height = 8 * ui::em();
  plot.now = std::numeric_limits<double>::quiet_NaN();
  ui::PlotLine measured, even;
  measured.name = "g(r)";
  measured.color = ui::plot_color(0, appearance);
  even.name = "without any order";
  even.color = ui::plot_color(1, appearance);
  even.dashed = true;
  for (std::size_t bin = 0; bin < view.g.size(); ++bin) {
    measured.points.push_back({view.r[bin], view.g[bin], view.g[bin], view.g[bin]});
    even.points.push_back({view.r[bin], 1, 1, 1});
  }
  plot.lines = {std::move(measured), std::move(even)};
  return plot;
}

/// How the numbers differ from those of a box that is full; "" if they do not.
std::string caution(const DistributionView& view) {
  if (view.least_filled < DistributionView::kFull) {
    const std::string least = fmt::format("{:.0f}", 100 * view.least_filled),
                      most = fmt::format("{:.0f}", 100 * view.most_filled);
    return fmt::format(
        "The fluid fills about {}{} % of the domain. {}g is relative to its density at rest, and particles at surfaces "
        "and walls lack neighbours: g ends below 1.",
        least, least == most ? "" : " to " + most,
        view.most_filled < DistributionView::kFull
            ? ""
            : fmt::format("Where it fills less than {:.0f} %, ", 100 * DistributionView::kFull));
  }
  return view.has_walls ? "Particles at walls lack neighbours beyond them: g ends below 1." : "";
}

void trace(const DistributionView& view) {
  if (!InterfaceTrace::instance().on()) return;
  const auto highest = std::ranges::max_element(view.g);
  InterfaceTrace::instance().value(
      "distribution", {{"states", view.states},
                       {"from", view.from},
                       {"to", view.to},
                       {"neighbors", std::isfinite(view.neighbors) ? nlohmann::json(view.neighbors) : nlohmann::json()},
                       {"highest", view.g.empty() ? 0 : *highest},
                       {"last", view.g.empty() ? 0 : view.g.back()},
                       {"why_none", view.why_none}});
}

}  // namespace

void draw_distribution(PanelContext& context) {
  DistributionChoice& choice = context.memory.of<DistributionChoice>();
  const SimulationSetup& setup = context.status.scene->simulation;
  const bool switched = ui::checkbox(
      "distribution.on", "Pair distances g(r)", &choice.on,
      "The radial distribution function: how many particles are at the distance r of a particle, relative to a fluid "
      "without any order. Averaged over states from now on, which are taken at most four times a second, and in at "
      "most 2 % of the time. A change of parameters and a way back begin again.");
  if (switched) choice.reveal = choice.on;
  // Another scene knows nothing of the plot yet.
  const bool another = choice.on && choice.scene_version != context.status.scene_version;
  if (switched || another) {
    choice.scene_version = context.status.scene_version;
    context.worker.show_distribution(choice.on);
  }
  if (!choice.on) return;
  const auto& view = context.status.instruments.distribution;
  if (switched || another || !view) {
    ui::dim_text("nothing sampled yet");
    return;
  }
  trace(*view);
  if (!view->why_none.empty()) {
    ui::dim_text("no g(r): " + view->why_none);
    ui::mark("distribution.why_none");
    return;
  }
  ui::draw_plot(plot_of(*view, setup, context.view.appearance));
  ui::row("averaged over",
          fmt::format("{} {}, t = {:.4g} to {:.4g} {}", view->states, view->states == 1 ? "state" : "states",
                      view->from, view->to, units_of(setup).time),
          "Moments of the run whose pairs are counted.");
  if (std::isfinite(view->neighbors))
    ui::row("neighbours within h", fmt::format("{:.4g}", view->neighbors),
            "Mean number of other particles nearer than the support radius, with dpd the cut-off radius.");
  if (ui::small_button("distribution.again", "Begin again", "The states so far do not count any more."))
    context.worker.begin_distribution_again();
  if (const std::string note = caution(*view); !note.empty()) {
    ui::dim_text(note);
    ui::mark("distribution.caution");
  }
  if (std::exchange(choice.reveal, false)) ImGui::SetScrollHereY(1);
}

}  // namespace riffle::desktop
