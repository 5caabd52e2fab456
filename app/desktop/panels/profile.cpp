/// The panel of diagnostics: a quantity against height.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/sampled/height_profile.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/scene/color_choices.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/plot.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

struct ProfileChoice {
  bool on = false;
  Quantity quantity = Quantity::Pressure;
  LayerAxis axis = LayerAxis::Height;
  std::uint64_t scene_version = 0;  ///< WorkerStatus's when the plot was asked for
  bool reveal = false;              ///< the plot has just been asked for, and may lie below the panels' edge
};

bool choose_quantity(const scenes::Scene& scene, Quantity& chosen) {
  bool changed = false;
  const ui::Combo combo("profile.quantity", "##profile", quantity_info(chosen).name, {.width = 10 * ui::em()});
  if (!combo.open()) return false;
  for (const QuantityInfo& info : quantities()) {
    const std::string lacking = info.lacking(scene.simulation), sentence = sentence_of(info, scene);
    const std::string help = lacking.empty() ? sentence : sentence + "\n\nNot here: " + lacking + " do not have it.";
    if (!combo.entry(info.word, info.name, info.quantity == chosen, help, lacking.empty())) continue;
    chosen = info.quantity;
    changed = true;
  }
  return changed;
}

struct AxisChoice {
  LayerAxis axis;
  const char* name;
};
constexpr AxisChoice kAxes[] = {
    {LayerAxis::Height, "height"}, {LayerAxis::X, "x"}, {LayerAxis::Y, "y"}, {LayerAxis::Z, "z"}};

const char* name_of(LayerAxis axis) { return std::ranges::find(kAxes, axis, &AxisChoice::axis)->name; }

bool choose_axis(const scenes::Scene& scene, LayerAxis& chosen) {
  bool changed = false;
  const ui::Combo combo("profile.axis", "##profile_axis", name_of(chosen), {.width = 5 * ui::em()});
  if (!combo.open()) return false;
  for (const AxisChoice& choice : kAxes) {
    if (choice.axis == LayerAxis::Z && scene.simulation.domain.dimension == 2) continue;
    const char* const help = choice.axis == LayerAxis::Height
                                 ? "Against gravity, from the lowest corner of the domain. Where gravity drives the "
                                   "fluid along a periodic axis, and without gravity, along y."
                                 : "";
    if (!combo.entry(choice.name, choice.name, choice.axis == chosen, help)) continue;
    chosen = choice.axis;
    changed = true;
  }
  return changed;
}

ui::Plot plot_of(const ProfileView& view, const SimulationSetup& setup, Appearance appearance) {
  ui::Plot plot;
  plot.name = "plot.height";
  plot.unit = shown_unit(quantity_info(view.quantity), setup);
  plot.x_label = name_of(view.axis);
  plot.x_unit = units_of(setup).length;
  plot.height = 8 * ui::em();
  plot.now = std::numeric_limits<double>::quiet_NaN();
  ui::PlotLine mean, at_rest;
  mean.name = "mean of a layer";
  mean.color = ui::plot_color(0, appearance);
  at_rest.name = "at rest";
  at_rest.color = ui::plot_color(1, appearance);
  at_rest.dashed = true;
  for (std::size_t k = 0; k < view.layers.mean.size(); ++k) {
    const double height = view.layers.height(k), value = view.layers.mean[k];
    mean.points.push_back({height, value, value, value});
    if (!view.at_rest) continue;
    const double p = view.at_rest->at(height);
    at_rest.points.push_back({height, p, p, p});
  }
  plot.lines.push_back(std::move(mean));
  if (view.at_rest) plot.lines.push_back(std::move(at_rest));
  return plot;
}

void trace(const ProfileView& view) {
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (!trace.on()) return;
  nlohmann::json heights = nlohmann::json::array(), means = nlohmann::json::array();
  for (std::size_t k = 0; k < view.layers.mean.size(); ++k) {
    heights.push_back(view.layers.height(k));
    means.push_back(std::isfinite(view.layers.mean[k]) ? nlohmann::json(view.layers.mean[k]) : nlohmann::json());
  }
  trace.value("profile", {{"quantity", quantity_info(view.quantity).word},
                          {"axis", name_of(view.axis)},
                          {"heights", heights},
                          {"means", means},
                          {"surface", view.at_rest ? nlohmann::json(view.at_rest->surface) : nlohmann::json()},
                          {"time", view.time},
                          {"why_none", view.why_none}});
}

}  // namespace

void draw_profile(PanelContext& context) {
  ProfileChoice& choice = context.memory.of<ProfileChoice>();
  const scenes::Scene& scene = *context.status.scene;
  const bool switched = ui::checkbox(
      "profile.on", "Against height", &choice.on,
      "The mean of a quantity over layers across the height or an axis, at the present moment: at most 64 of them, "
      "none thinner than a particle spacing. Sampled at most four times a second, and in at most 2 % of the time.");
  bool chosen = false;
  if (choice.on) {
    ui::same_line_if_fits(10 * ui::em());
    chosen = choose_quantity(scene, choice.quantity);
    ui::same_line_if_fits(5 * ui::em());
    chosen = choose_axis(scene, choice.axis) || chosen;
  }
  if (switched) choice.reveal = choice.on;
  if (switched && !quantity_info(choice.quantity).lacking(scene.simulation).empty()) choice.quantity = Quantity::Speed;
  // Another scene knows nothing of the plot yet.
  const bool another = choice.on && choice.scene_version != context.status.scene_version;
  if (switched || chosen || another) {
    choice.scene_version = context.status.scene_version;
    context.worker.show_profile(choice.on ? std::optional(choice.quantity) : std::nullopt, choice.axis);
  }
  const auto& view = context.status.instruments.profile;
  if (!choice.on) return;
  if (another || !view || view->quantity != choice.quantity || view->axis != choice.axis) {
    ui::dim_text("nothing sampled yet");
    return;
  }
  trace(*view);
  if (!view->why_none.empty()) {
    ui::dim_text(fmt::format("no plot of the {}: {}", quantity_info(view->quantity).name, view->why_none));
    ui::mark("profile.why_none");
    return;
  }
  const std::string unit = shown_unit(quantity_info(view->quantity), scene.simulation);
  ImGui::TextUnformatted(
      fmt::format("{}{}", quantity_info(view->quantity).name, unit.empty() ? "" : " [" + unit + "]").c_str());
  ui::mark("plot.height.title");
  std::string tip = sentence_of(quantity_info(view->quantity), scene);
  if (view->at_rest)
    tip += fmt::format(
        "\n\nat rest: hydrostatic pressure rho_0 g (surface - height). The surface is where it will be when all fluid "
        "has "
        "come to rest in the domain, at {:.3g} {}.",
        view->at_rest->surface, units_of(scene.simulation).length);
  ui::tip(tip.c_str());
  if (view->quantity == Quantity::Pressure && view->axis == LayerAxis::Height && !view->at_rest) {
    ui::dim_text("no curve of the fluid at rest: " + why_no_hydrostatic_pressure(scene.simulation));
    ui::mark("profile.no_curve_at_rest");
  }
  ui::draw_plot(plot_of(*view, scene.simulation, context.view.appearance));
  if (std::exchange(choice.reveal, false)) ImGui::SetScrollHereY(1);
}

}  // namespace riffle::desktop
