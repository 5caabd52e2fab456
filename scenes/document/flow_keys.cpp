#include "scenes/document/flow_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/document/key_path.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/scene.h"
#include "sim/openings/nozzle.h"

namespace riffle::scenes {

std::string flow_key_of(const InletSetup& inlet) {
  return !inlet.file.empty() ? "table" : inlet.rate > 0 ? "rate" : "speed";
}

std::optional<double> flow_by(const std::string& key, const SimulationSetup& setup, const InletSetup& inlet) {
  if (key == "table") return std::nullopt;
  const double area = mouth_area(inlet, setup.domain, setup.spacing);
  if (!(area > 0)) return std::nullopt;
  double speed = inlet.speed + inlet.rate / area;
  if (const double duration = inlet.table.duration(); duration > 0) {
    const MotionKnot &first = inlet.table.knots[0], &last = inlet.table.knots[inlet.table.count - 1];
    speed += (last.value[0] - first.value[0] + (last.value[1] - first.value[1]) / area) / duration;
  }
  if (!(speed > 0)) return std::nullopt;
  return key == "speed" ? speed : speed * area;
}

std::string flow_number(double value) {
  const double six = std::stod(fmt::format("{:.6g}", value));
  return number_text(static_cast<float>(std::fabs(six - value) < 2e-7 * std::fabs(value) ? six : value));
}

FreeSolidEdits edits_beside_flow(const Edit& edit, const SceneSource& base, const Scene& now) {
  FreeSolidEdits found;
  const std::vector<PathStep> steps = split_path(edit.path);
  const auto& inlets = now.simulation.inlets;
  if (steps.size() != 3 || steps[0].name != "inlets" || !steps[1].index || *steps[1].index >= inlets.size())
    return found;
  const std::string inlet = edit.path.substr(0, edit.path.rfind('.')), &key = steps[2].name;
  if (std::ranges::find(kFlowKeys, key) == std::end(kFlowKeys)) return found;
  const std::string before = flow_key_of(inlets[*steps[1].index]);
  const bool given = edit.value && *edit.value != "''" && *edit.value != "\"\"";
  for (const char* other : kFlowKeys) {
    if (other == key) continue;
    const std::string path = child_path(inlet, other);
    if (given)
      found.edits.push_back({path, std::nullopt});
    else if (find(base.root, path))
      found.as_in_base.push_back(path);
  }
  if (given && before != key)
    found.note = fmt::format("{} takes the place of {}: an inlet has one of speed, rate and table.", edit.path, before);
  return found;
}

}  // namespace riffle::scenes
