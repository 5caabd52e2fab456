#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/scene/color_choices.h"
#include "app/desktop/widgets/beside.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/side_message.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/scene.h"
#include "sim/measure/quantity.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

std::string vector_text(Vec3 v, bool three) {
  return three ? fmt::format("{:.4g}, {:.4g}, {:.4g}", v.x, v.y, v.z) : fmt::format("{:.4g}, {:.4g}", v.x, v.y);
}

/// A number of a particle, or the reason why there is none.
struct ParticleRow {
  std::string label, value, tip;
  bool applies = true;  ///< false: it says nothing about the particle
};

ParticleRow row_of(std::string label, std::optional<std::string> value, std::string tip = "") {
  return {std::move(label), value.value_or("\u2013"), std::move(tip), value.has_value()};
}

/// The quantity of the colours, unless another row has it.
ParticleRow row_of_colors(const PanelContext& context, bool picked) {
  const scenes::Scene& scene = *context.status.scene;
  const QuantityInfo& colored = quantity_info(*scene.picture.color_by);
  const std::string unit = shown_unit(colored, scene.simulation);
  const std::string name = unit.empty() ? std::string(colored.name) : fmt::format("{} [{}]", colored.name, unit);
  if (colored.reported) return {"colours show", std::string(colored.name), sentence_of(colored, scene), false};
  if (!picked) return row_of(name, std::nullopt, sentence_of(colored, scene));
  return row_of(name, fmt::format("{:.4g}", context.view.picked_value), sentence_of(colored, scene));
}

/// As many rows for every particle of a scene, and for none.
std::vector<ParticleRow> particle_rows(const PanelContext& context, const ParticleReport* particle) {
  const scenes::Scene& scene = *context.status.scene;
  const SimulationSetup& setup = scene.simulation;
  const Units& units = units_of(setup);
  const bool three = setup.domain.dimension == 3;
  const Neighborhood& around = context.view.neighborhood;
  // Without a particle all values are dashes.
  const auto of_it = [&](const auto& text) { return particle ? std::optional(text(*particle)) : std::nullopt; };
  const auto if_any = [&](int count, const char* note) {
    return particle && count > 0 ? std::optional(fmt::format("{}, {}", count, note)) : std::nullopt;
  };
  std::vector<ParticleRow> rows = {
      row_of("particle", of_it([&](const auto& p) {
               return fmt::format("{}{}", p.id, around.itself_cut_away ? ", cut away" : "");
             })),
      row_of("fluid", of_it([&](const auto& p) { return setup.fluids[p.fluid].name; })),
      row_of("neighbours", of_it([](const auto& p) { return fmt::format("{}", p.neighbors); }),
             "Fluid particles within the support radius; they are marked."),
      row_of("through periodic faces", if_any(around.through_faces, "marked paler"),
             "Neighbours across a periodic face. They lie on the domain's other side and are marked there."),
      row_of("neighbours cut away", if_any(around.cut_away, "not marked"), "Neighbours that the cut plane leaves out."),
      row_of(fmt::format("position [{}]", units.length),
             of_it([&](const auto& p) { return vector_text(p.position, three); })),
      row_of(fmt::format("velocity [{}]", units.speed),
             of_it([&](const auto& p) { return vector_text(p.velocity, three); })),
      row_of(fmt::format("speed [{}]", units.speed),
             of_it([](const auto& p) { return fmt::format("{:.4g}", std::sqrt(length2(p.velocity))); })),
  };
  if (solver_info(setup).has_density) {
    const bool density = particle && particle->density, pressure = particle && particle->pressure;
    rows.push_back(row_of("density [kg/m\u00b3]",
                          density ? std::optional(fmt::format("{:.5g}", *particle->density)) : std::nullopt,
                          "That of the last step; there is none before the first one."));
    rows.push_back(row_of("pressure [Pa]",
                          pressure ? std::optional(fmt::format("{:.4g}", *particle->pressure)) : std::nullopt,
                          "That of the last step, of solvers with an equation of state."));
  }
  rows.push_back(row_of_colors(context, particle != nullptr));
  return rows;
}

/// Beside the particle: what there is to say.
void draw_picked(PanelContext& context, const ParticleReport& particle) {
  if (context.view.neighborhood.itself_cut_away) {
    ImGui::PushTextWrapPos();
    ImGui::TextUnformatted("This particle is cut away: it is on the side of the cut plane that is not drawn.");
    ImGui::PopTextWrapPos();
  }
  const std::vector<ParticleRow> rows = particle_rows(context, &particle);
  for (const ParticleRow& row : rows)
    if (row.applies) ui::row(row.label.c_str(), row.value, row.tip.c_str());
  if (const ParticleRow& colors = rows.back(); colors.applies)
    InterfaceTrace::instance().value("picked_value", {{"name", colors.label}, {"value", colors.value}});
}

/// @param name  of the button
void offer_probe(PanelContext& context, const char* name) {
  if (ui::small_button(
          name, "Probe here",
          "Adds a probe that measures at this place from now on. Diagnostics plots its values, and the scene "
          "has it when it is saved. The run goes on."))
    context.editor.add_probe(context.view.picked->position);
}

/// The box of the last picture.
struct ParticleBox {
  ImVec2 corner, extent;                ///< [pixel]
  std::optional<std::uint32_t> picked;  ///< the particle whose numbers it shows
};

constexpr ImGuiWindowFlags kBoxFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                       ImGuiWindowFlags_NoNav;

/// In a window of its own, because the box takes no clicks.
void draw_close_button(PanelContext& context, ImVec2 at) {
  ImGui::SetNextWindowPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  if (ImGui::Begin("##particle_close", nullptr,
                   kBoxFlags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBackground)) {
    if (ui::small_button("particle.close", "Close (Esc)", "")) context.worker.unpick();
    ImGui::SameLine();
    offer_probe(context, "particle_box.probe_here");
  }
  ImGui::End();
  ImGui::PopStyleVar(3);
}

/// The numbers of the followed particle, beside it in the picture. A click on them is one on the picture behind them.
void draw_box(PanelContext& context) {
  const ViewState& view = context.view;
  const auto [x, y, width, height] = context.picture;
  InterfaceTrace& trace = InterfaceTrace::instance();
  trace.value("particle_box", nullptr);
  trace.value("particle_cut_away", view.picked && view.neighborhood.itself_cut_away);
  ParticleBox& box = context.memory.of<ParticleBox>();
  if (!view.picked) box.picked.reset();
  if (!view.picked || !context.status.loaded || view.picked->fluid >= context.status.scene->simulation.fluids.size())
    return;
  const std::optional<PicturePoint> at =
      picture_point(camera_in_picture(context), view.picked->position, width / height);
  if (!at) return;
  const ImVec2 point{x + 0.5f * (1 + at->x) * width, y + 0.5f * (1 - at->y) * height};
  const float wide = 24 * ui::em(), gap = 3 * ui::em(), edge = 0.15f * ui::em();
  const ui::Rectangle now{box.corner, {box.corner.x + box.extent.x, box.corner.y + box.extent.y}};
  // It follows its particle, but stays while the mouse is on its way to the button.
  const bool same = box.picked == view.picked->id;
  const bool wanted = same && now.contains(ImGui::GetIO().MousePos) && !now.contains(point);
  ui::Rectangle room{{x + edge, y + edge}, {x + width - edge, y + height - edge}};
  // Messages of fields stand at the left, and would cover it.
  const ui::Rectangle messages = ui::messages_place();
  const bool covered = messages.most.x > box.corner.x && messages.most.y > box.corner.y &&
                       messages.least.y < box.corner.y + box.extent.y;
  if (covered && room.most.x - messages.most.x > wide + 2 * edge) room.least.x = messages.most.x + edge;
  const bool moves = covered && box.corner.x < room.least.x;
  if (!wanted || moves) box.corner = ui::corner_beside(point, {wide, box.extent.y}, room, gap);
  box.picked = view.picked->id;
  ImGui::SetNextWindowPos(box.corner);
  ImGui::SetNextWindowSize({wide, 0});
  ImGui::SetNextWindowBgAlpha(0.85f);
  ImVec2 button{};
  if (ImGui::Begin("##particle", nullptr,
                   kBoxFlags | ImGuiWindowFlags_NoMouseInputs | ImGuiWindowFlags_NoBringToFrontOnFocus)) {
    draw_picked(context, *view.picked);
    button = ImGui::GetCursorScreenPos();
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
    box.extent = ImGui::GetWindowSize();
    trace.value("particle_box", {box.corner.x, box.corner.y, box.extent.x, box.extent.y});
    trace.value("particle_point", {point.x, point.y});
  }
  ImGui::End();
  draw_close_button(context, button);
}

void draw_particle(PanelContext& context) {
  if (!context.status.loaded) return;
  // The rows stay while one points at things, so that nothing below them moves.
  const std::optional<ParticleReport>& picked = context.view.picked;
  const bool known = picked && picked->fluid < context.status.scene->simulation.fluids.size();
  for (const ParticleRow& row : particle_rows(context, known ? &*picked : nullptr))
    ui::row_of_one_line(row.label, row.value, row.tip.c_str());
  ImGui::BeginDisabled(!known);
  if (ui::button("unpick", "Look at none", "Esc")) context.worker.unpick();
  ImGui::SameLine();
  offer_probe(context, "particle.probe_here");
  ImGui::EndDisabled();
  ImGui::TextDisabled("Click on a particle to look at it.");
  ImGui::SetNextItemWidth(10 * ui::em());
  ImGui::SliderFloat("hand's size", &context.view.hand.size, 0.02f, 0.4f, "%.2f");
  ui::mark("hand.size");
  ui::tip(
      "Radius of the ball in which the right mouse button pulls or pushes, relative to the largest side of the "
      "domain.");
  ImGui::SetNextItemWidth(10 * ui::em());
  ImGui::SliderFloat("strength", &context.view.hand.strength, 0.1f, 5, "%.1f", ImGuiSliderFlags_Logarithmic);
  ui::mark("hand.strength");
  ui::tip("At 1 a particle reaches the scene's usual speed within that radius.");
}

}  // namespace

extern const Panel particle_panel{"particle", "Particle and hand", Panel::Place::Side, false, draw_particle};
extern const Panel particle_box{"particle_box", "", Panel::Place::Picture, true, draw_box};

}  // namespace riffle::desktop
