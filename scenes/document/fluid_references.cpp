#include "scenes/document/fluid_references.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenes/document/key_path.h"

namespace riffle::scenes {

namespace {

constexpr const char* kInterface[] = {"start.interface.upper", "start.interface.lower"};

/// "bodies[0]" of "bodies[0].fluid".
std::string owner_of(const std::string& reference) { return reference.substr(0, reference.find('.')); }

}  // namespace

std::vector<std::string> references_to_fluid(const Node& root, const std::string& name) {
  std::vector<std::string> paths;
  for (const char* list : {"bodies", "inlets"}) {
    const Node* entries = find(root, list);
    for (std::size_t i = 0; entries && i < entries->items.size(); ++i)
      paths.push_back(fmt::format("{}[{}].fluid", list, i));
  }
  paths.insert(paths.end(), std::begin(kInterface), std::end(kInterface));
  std::erase_if(paths, [&](const std::string& path) {
    const Node* node = find(root, path);
    return !node || node->text != name;
  });
  return paths;
}

FreeSolidEdits edits_beside_name(const Edit& edit, const SceneSource& base, const SceneSource& document,
                                 const Scene& now) {
  FreeSolidEdits found;
  const std::vector<PathStep> steps = split_path(edit.path);
  const std::vector<FluidSetup>& fluids = now.simulation.fluids;
  if (steps.size() != 3 || steps[0].name != "fluids" || !steps[1].index || *steps[1].index >= fluids.size() ||
      steps[2].name != "name" || !edit.value)
    return found;
  const std::string& before = fluids[*steps[1].index].name;
  Problems none;
  const std::string after = parse_value(*edit.value, {"", 0, 0}, edit.path, none).text;
  if (after.empty() || after == before) return found;
  for (const std::string& path : references_to_fluid(document.root, before)) {
    const Node* in_base = find(base.root, path);
    if (in_base && in_base->text == after)
      found.as_in_base.push_back(path);
    else
      found.edits.push_back({path, *edit.value});
  }
  return found;
}

std::string users_text(const std::vector<std::string>& references) {
  const auto count = [&](const char* list) {
    return std::ranges::count_if(references, [&](const std::string& path) { return path.starts_with(list); });
  };
  const auto bodies = count("bodies"), inlets = count("inlets"), faces = count("start");
  std::string who;
  if (bodies > 0) who = bodies == 1 ? "a body" : fmt::format("{} bodies", bodies);
  if (inlets > 0)
    who += fmt::format("{}{}", who.empty() ? "" : " and ", inlets == 1 ? "an inlet" : fmt::format("{} inlets", inlets));
  std::vector<std::string> owners;
  for (const std::string& path : references)
    if (!path.starts_with("start")) owners.push_back(owner_of(path));
  std::string text;
  if (!who.empty())
    text = fmt::format("{} {} made of it ({})", who, bodies + inlets == 1 ? "is" : "are", fmt::join(owners, ", "));
  if (faces > 0) text += std::string(text.empty() ? "" : ", and ") + "the interface (start.interface) has it on a side";
  return text;
}

}  // namespace riffle::scenes
