#include "app/desktop/scene/color_choices.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "app/desktop/scene/parameter_values.h"
#include "app/run/scene_view.h"
#include "scenes/scene.h"
#include "sim/measure/quantity.h"

namespace riffle::desktop {

std::string sentence_of(const QuantityInfo& quantity, const scenes::Scene& scene) {
  std::string name = quantity.name;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  const std::string unit = shown_unit(quantity, scene.simulation);
  return fmt::format("{}{}: {}.", name, unit.empty() ? "" : " [" + unit + "]", without_backticks(quantity.doc));
}

WordHelp help_of(const scenes::Parameter& key, const std::string& word, const scenes::Scene& scene) {
  if (key.path != "picture.color_by") return {};
  const auto quantity = value_of_word<Quantity>(word);
  if (!quantity) return {};
  const QuantityInfo& info = quantity_info(*quantity);
  const std::string lacking = info.lacking(scene.simulation), sentence = sentence_of(info, scene);
  if (lacking.empty()) return {sentence};
  return {fmt::format("{}\n\nNot here: {} do not have it.", sentence, lacking), false};
}

std::optional<Vec3> color_in_pictures(const scenes::Parameter& key, const scenes::Scene& scene) {
  const auto& fluids = scene.simulation.fluids;
  for (std::size_t f = 0; f < fluids.size(); ++f) {
    if (key.path != fmt::format("fluids[{}].color", f)) continue;
    const Vec3 given = fluids[f].color, used = fluid_colors(fluids)[f];
    const std::vector<double> now = key.numbers();
    const auto near = [](double a, float b) { return std::abs(a - double{b}) < 1.0 / 512; };
    const bool same_scene = now.size() == 3 && near(now[0], given.x) && near(now[1], given.y) && near(now[2], given.z);
    if (same_scene && length2(used - given) > 0) return used;  // an edit may not have reached the scene yet
  }
  return std::nullopt;
}

}  // namespace riffle::desktop
