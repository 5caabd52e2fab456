#include "app/desktop/panels/following_numbers.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/desktop/panels/panel.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "core/error.h"
#include "scenes/document/flow_keys.h"
#include "scenes/document/list_entries.h"
#include "scenes/document/parameters.h"
#include "scenes/scene.h"
#include "sim/bodies/mass/body_mass.h"

namespace riffle::desktop {

namespace {

FollowingNumber shown_as(std::optional<double> value) {
  if (!value) return {"none", std::nullopt};
  return {fmt::format("= {:.5g}", *value), value};
}

std::optional<double> of_solid(const SimulationSetup& setup, const SolidRegion& solid, bool mass) {
  const double given = mass ? solid.free.density : solid.free.mass;
  if (!solid.free.given || !(given > 0)) return std::nullopt;
  try {
    const double volume = body_mass(solid, setup.domain.dimension, 1).mass;
    return mass ? given * volume : given / volume;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

FollowingNumber follows_from_other(const SceneEditor& editor, const scenes::Parameter& p) {
  const bool of_free = p.section.starts_with("solids[") && (p.label == "mass" || p.label == "density");
  const bool of_flow = p.section.starts_with("inlets[") && (p.label == "speed" || p.label == "rate");
  if (!of_free && !of_flow) return {};
  // The keys that are drawn are those before a change that was made in this picture.
  const scenes::Parameter* const now = editor.find(p.path);
  if (!now || now->written) return {};
  const SimulationSetup& setup = editor.scene()->simulation;
  const std::size_t i = scenes::split_entry(p.section).index;
  if (of_free) {
    if (i >= setup.solid_regions.size()) return {};
    return shown_as(of_solid(setup, setup.solid_regions[i], p.label == "mass"));
  }
  if (i >= setup.inlets.size()) return {};
  return shown_as(scenes::flow_by(p.label, setup, setup.inlets[i]));
}

void draw_flow_choice(PanelContext& context, const std::string& inlet) {
  SceneEditor& editor = context.editor;
  const SimulationSetup& setup = editor.scene()->simulation;
  const std::size_t i = scenes::split_entry(inlet).index;
  if (i >= setup.inlets.size()) return;
  const std::string now = scenes::flow_key_of(setup.inlets[i]);
  ImGui::PushID(inlet.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("flow by");
  const char* const tip =
      "An inlet has one of speed, rate and table. Another choice lets in as much as before: the rate is the speed "
      "times "
      "the area of the mouth. A number or a file in the field of another one chooses it, too.";
  ui::tip(tip);
  ImGui::TableNextColumn();
  std::string chosen;
  {
    const ui::Combo combo("flow." + inlet, "##flow", now, {.width = ImGui::GetContentRegionAvail().x, .tip = tip});
    InterfaceTrace::instance().value("shown.flow." + inlet, now);
    for (const char* const key : scenes::kFlowKeys) {
      if (!combo.open()) break;
      const bool by_file = key == std::string_view("table") && now != key;
      const char* const help = by_file ? "Type the name of the file into the field of table." : "";
      if (combo.entry(key, key, key == now, help, !by_file)) chosen = key;
    }
  }
  ImGui::PopID();
  if (chosen.empty() || chosen == now) return;
  if (const auto value = scenes::flow_by(chosen, setup, setup.inlets[i]))
    editor.set(inlet + "." + chosen, scenes::flow_number(*value));
}

}  // namespace riffle::desktop
