/// Scenes with --set. Lines of the input that begin with "--set " are overrides, the others are the scene's text. Nothing is
/// simulated. Files that a scene names lie in corpus/beside_scenes.

#include "scenes/load.h"

#include <cmath>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "scenes/document/key_path.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/format/format.h"
#include "scenes/review/review.h"
#include "tests/fuzz/random_words.h"
#include "tests/fuzz/readers/sites.h"

namespace riffle::fuzz {

namespace {

constexpr std::string_view kSet = "--set ";
const char* const kPath = RIFFLE_SOURCE_DIR "/tests/fuzz/corpus/beside_scenes/input.yaml";

struct SceneInput {
  std::string text;
  std::vector<std::string> overrides;
};

SceneInput split(const std::string& input) {
  SceneInput parts;
  std::istringstream lines(input);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kSet))
      parts.overrides.push_back(line.substr(kSet.size()));
    else
      parts.text += line + "\n";
  return parts;
}

std::string joined(const SceneInput& parts) {
  std::string input = parts.text;
  for (const std::string& assignment : parts.overrides) input += std::string(kSet) + assignment + "\n";
  return input;
}

/// A key of the format with its path, "bodies[].box.min".
struct KeyPlace {
  std::string path;
  const scenes::Key* key;
};

void collect(const scenes::Record& record, const std::string& before, std::vector<KeyPlace>& out) {
  for (const scenes::Key& key : record.keys) {
    const std::string path = before + key.name;
    out.push_back({path, &key});
    for (const scenes::Form& form : key.forms)
      if (form.record && before.size() < 60)  // shapes may hold shapes
        collect(*form.record, path + (form.kind == scenes::Form::Kind::List ? "[]." : "."), out);
  }
}

const std::vector<KeyPlace>& all_keys() {
  static const std::vector<KeyPlace> keys = [] {
    std::vector<KeyPlace> out;
    collect(scenes::scene_format(), "", out);
    return out;
  }();
  return keys;
}

std::string number_for(const scenes::Form& form, std::mt19937& random) {
  const bool whole = form.kind == scenes::Form::Kind::Whole;
  switch (below(6, random)) {
    case 0: return std::isfinite(form.min) ? scenes::number_text(form.min) : "-1";
    case 1: return std::isfinite(form.max) ? scenes::number_text(form.max) : "1000000";
    case 2: return random_number(random);
    default: break;
  }
  const double low = std::isfinite(form.min) ? form.min : -1, high = std::isfinite(form.max) ? form.max : low + 10;
  const double value = low + (high - low) * std::pow(std::uniform_real_distribution<double>(0, 1)(random), 4);
  return whole ? std::to_string(static_cast<long long>(value)) : scenes::number_text(static_cast<float>(value));
}

std::string value_of(const scenes::Form& form, std::mt19937& random) {
  static const char* const kTexts[] = {"water",    "oil",      "fluid", "p.csv", "p.ply", "table.csv",
                                       "cube.obj", "none.csv", "\"\"",  "a b",   "\"#\""};
  using Kind = scenes::Form::Kind;
  switch (form.kind) {
    case Kind::Text: return one_of(kTexts, random);
    case Kind::Flag: return below(2, random) ? "true" : "false";
    case Kind::Whole:
    case Kind::Number: return number_for(form, random);
    case Kind::Word: return form.words.empty() ? "word" : form.words[below(form.words.size(), random)];
    case Kind::HexColor: return "\"#12ab3F\"";
    case Kind::Tuple: {
      const auto most = static_cast<std::size_t>(std::max(form.min_count, form.max_count));
      std::string list;
      for (std::size_t k = 0, n = below(4, random) ? most : below(most + 2, random); k < n; ++k)
        list += (k ? ", " : "") + (form.element.empty() ? random_number(random) : value_of(form.element[0], random));
      return "[" + list + "]";
    }
    case Kind::Map: return "{}";
    case Kind::List: return "[{}]";
    case Kind::Keys: return below(2, random) ? "{gravity.1: -3}" : "{solver.type: pbf, \"fluids[0].viscosity\": 1}";
  }
  return "";
}

std::string value_for(const scenes::Key& key, std::mt19937& random) {
  if (below(12, random) == 0) return random_number(random);
  if (!key.example.empty() && below(2, random)) return key.example;
  return key.forms.empty() ? "{}" : value_of(key.forms[below(key.forms.size(), random)], random);
}

/// "bodies[].box.min" with numbers of entries: "bodies[1].box.min".
std::string with_indices(std::string path, std::mt19937& random) {
  for (std::size_t at; (at = path.find("[]")) != path.npos;)
    path.insert(at + 1, std::to_string(below(below(4, random) ? 1 : 3, random)));
  return path;
}

void collect(scenes::Node& node, std::vector<scenes::Node*>& out) {
  out.push_back(&node);
  for (scenes::Node& item : node.items) collect(item, out);
  for (scenes::Node::Member& member : node.members) collect(member.value, out);
}

/// One change of the tree, at a place that it has or that the format names.
void change(scenes::Node& root, std::mt19937& random) {
  std::vector<scenes::Node*> nodes;
  collect(root, nodes);
  scenes::Node& node = *nodes[below(nodes.size(), random)];
  scenes::Problems none;
  switch (below(6, random)) {
    case 0:
      if (!node.members.empty())
        node.members.erase(node.members.begin() + static_cast<std::ptrdiff_t>(below(node.members.size(), random)));
      break;
    case 1:
      if (!node.items.empty()) {
        scenes::Node copy = node.items[below(node.items.size(), random)];
        node.items.push_back(std::move(copy));
      }
      break;
    case 2:
      if (node.kind == scenes::Node::Kind::Scalar) node.text = random_number(random);
      break;
    case 3:
      if (scenes::Node copy = *nodes[below(nodes.size(), random)]; &node != &root) node = std::move(copy);
      break;
    default: {
      const KeyPlace& place = all_keys()[below(all_keys().size(), random)];
      scenes::put(root, with_indices(place.path, random), value_for(*place.key, random), {}, none);
    }
  }
}

}  // namespace

void read_scene(std::string_view input) {
  const SceneInput parts = split(std::string(input));
  const scenes::SceneSource source = scenes::parse_source(parts.text, kPath, parts.overrides);
  const auto draft = [&](scenes::Problems& problems, scenes::KeyLocations& locations) {
    return scenes::read_document(source.root, problems, locations);
  };
  scenes::Problems problems;
  scenes::KeyLocations locations;
  scenes::SceneDraft first = draft(problems, locations);
  const double sites = sites_of(first);
  problems.throw_if_any();
  // The loader allows scenes of any size up to its limit, which take as long as they must.
  if (sites > kMostSites && sites <= 3e9) return;
  const scenes::Scene scene = scenes::build_scene(source);
  require(scene.simulation.spacing > 0, "a scene without a spacing");
  require(!scene.name.empty(), "a scene without a name");
}

std::string mutated_scene(const std::string& input, std::mt19937& random) {
  SceneInput parts = split(input);
  if (below(4, random) == 0) {
    const KeyPlace& place = all_keys()[below(all_keys().size(), random)];
    parts.overrides.push_back(with_indices(place.path, random) + "=" + value_for(*place.key, random));
    if (parts.overrides.size() > 6) parts.overrides.erase(parts.overrides.begin());
    return joined(parts);
  }
  try {
    scenes::Problems problems;
    scenes::Node root = scenes::parse_document(parts.text, "input.yaml", problems);
    for (std::size_t n = 1 + below(3, random); n > 0; --n) change(root, random);
    parts.text = scenes::to_yaml(root, "input.yaml");
  } catch (const InputError&) {
    return input;
  }
  return joined(parts);
}

}  // namespace riffle::fuzz
