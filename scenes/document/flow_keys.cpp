#include "scenes/document/flow_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/document/key_path.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/scene.h"
#include "sim/openings/nozzle.h"

namespace riffle::scenes {

std::vector<std::string> flow_rivals(const std::string& path) {
  const std::vector<PathStep> steps = split_path(path);
  std::vector<std::string> rivals;
  if (steps.size() != 3 || steps[0].name != "inlets" || !steps[1].index) return rivals;
  if (std::ranges::find(kFlowKeys, steps[2].name) == std::end(kFlowKeys)) return rivals;
  for (const char* other : kFlowKeys)
    if (other != steps[2].name) rivals.push_back(child_path(path.substr(0, path.rfind('.')), other));
  return rivals;
}

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
  const std::vector<std::string> rivals = flow_rivals(edit.path);
  const auto& inlets = now.simulation.inlets;
  if (rivals.empty()) return found;
  const std::vector<PathStep> steps = split_path(edit.path);
  if (*steps[1].index >= inlets.size()) return found;
  const std::string before = flow_key_of(inlets[*steps[1].index]);
  for (const std::string& rival : rivals) {
    if (edit.value)
      found.edits.push_back({rival, std::nullopt});
    else if (find(base.root, rival))
      found.as_in_base.push_back(rival);
  }
  if (edit.value && before != steps[2].name)
    found.note = fmt::format("{} takes the place of {}: an inlet has one of speed, rate and table.", edit.path, before);
  return found;
}

}  // namespace riffle::scenes
