#include "scenes/document/key_path.h"

#include <utility>

namespace riffle::scenes {

namespace {

std::optional<std::size_t> parse_index(const std::string& text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoul(text);
}

}  // namespace

std::vector<PathStep> split_path(const std::string& path) {
  std::vector<PathStep> steps;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) steps.push_back({word, parse_index(word)});
    word.clear();
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '.') {
      if (word.empty() && (i == 0 || path[i - 1] != ']')) return {};
      flush();
    } else if (path[i] == '[') {
      flush();
      const auto close = path.find(']', i);
      if (close == std::string::npos) return {};
      const std::string inside = path.substr(i + 1, close - i - 1);
      if (!parse_index(inside)) return {};
      steps.push_back({inside, parse_index(inside)});
      i = close;
    } else {
      word += path[i];
    }
  }
  if (!path.empty() && path.back() == '.') return {};
  flush();
  return steps;
}

std::string child_path(const std::string& section, const std::string& key) {
  return section.empty() ? key : section + "." + key;
}

std::string spelled_path(const std::string& path) {
  std::string text;
  for (const auto& step : split_path(path))
    text = step.index ? text + "[" + std::to_string(*step.index) + "]" : child_path(text, step.name);
  return text.empty() ? path : text;
}

bool is_inside(const std::string& path, const std::string& outer) {
  return outer.empty() || (path.starts_with(outer) &&
                           (path.size() == outer.size() || path[outer.size()] == '.' || path[outer.size()] == '['));
}

const Node* find(const Node& root, const std::string& path) {
  const auto steps = split_path(path);
  const Node* node = steps.empty() ? nullptr : &root;
  for (const auto& step : steps) {
    if (node->kind == Node::Kind::List)
      node = step.index && *step.index < node->items.size() ? &node->items[*step.index] : nullptr;
    else
      node = node->find(step.name);
    if (!node) break;
  }
  return node;
}

Node* find(Node& root, const std::string& path) { return const_cast<Node*>(find(std::as_const(root), path)); }

Node* place_of(Node& root, const std::string& path, const Location& at, Problems& problems) {
  const auto steps = split_path(path);
  if (steps.empty()) {
    problems.add(at, path, "is not a key path such as particles.spacing or bodies[0].velocity");
    return nullptr;
  }
  Node* node = &root;
  std::string reached;
  for (const auto& step : steps) {
    if (node->kind == Node::Kind::List) {
      if (!step.index || *step.index >= node->items.size()) {
        const auto last =
            node->items.empty() ? std::string("it is empty") : "0 to " + std::to_string(node->items.size() - 1);
        problems.add(at, path, "found '" + step.name + "' as an index into the list " + reached + "; allowed: " + last);
        return nullptr;
      }
      node = &node->items[*step.index];
      reached += "[" + step.name + "]";
      continue;
    }
    reached = child_path(reached, step.name);
    if (node->kind != Node::Kind::Map) {  // camera.fov replaces `camera: auto`
      *node = Node{};
      node->kind = Node::Kind::Map;
      node->location = at;
    }
    Node* next = nullptr;
    for (auto& member : node->members)
      if (member.key == step.name) next = &member.value, member.key_location = at;
    if (!next) {
      node->members.push_back({step.name, at, Node{}});
      next = &node->members.back().value;
      next->location = at;
    }
    node = next;
  }
  return node;
}

void put(Node& root, const std::string& path, const std::string& value, const Location& at, Problems& problems) {
  if (Node* const place = place_of(root, path, at, problems))
    *place = parse_value(value, at, spelled_path(path), problems);
}

void take_out(Node& root, const std::string& path) {
  const auto cut = path.find_last_of('.');
  Node* section = cut == std::string::npos ? &root : find(root, path.substr(0, cut));
  if (!section) return;
  const std::string key = cut == std::string::npos ? path : path.substr(cut + 1);
  std::erase_if(section->members, [&](const Node::Member& member) { return member.key == key; });
}

}  // namespace riffle::scenes
