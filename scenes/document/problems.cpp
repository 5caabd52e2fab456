#include "scenes/document/problems.h"

#include <algorithm>
#include <tuple>

#include "core/error.h"
#include "scenes/document/key_path.h"
#include "scenes/scene.h"

namespace riffle::scenes {

std::string Location::text() const {
  if (line == 0) return source;
  return source + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string problem_line(const std::string& where, const std::string& key, const std::string& text) {
  std::string line = where;
  if (!key.empty() && where != "--set " + key) line += (where.empty() ? "" : ": ") + key;
  return line + ": " + text;
}

std::string Warning::message() const { return where.empty() && key.empty() ? text : problem_line(where, key, text); }

void Problems::add(const Location& location, const std::string& key, const std::string& text) {
  found_.push_back({location, key, text + when_});
}

bool Problems::touch(const std::string& key) const {
  return std::any_of(found_.begin(), found_.end(), [&](const Problem& problem) {
    return is_inside(problem.key, key) || is_inside(key, problem.key);
  });
}

void Problems::throw_if_any() const {
  if (found_.empty()) return;
  auto sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    const auto rank = [](const Location& at) {
      return std::tuple(at.source.empty() || at.source.starts_with("--set"), at.line, at.line > 0 ? at.column : 0);
    };
    return rank(a.location) < rank(b.location);
  });
  std::string message;
  for (const auto& problem : sorted) {
    if (!message.empty()) message += '\n';
    message += problem_line(problem.location.text(), problem.key, problem.text);
  }
  throw InputError(message);
}

}  // namespace riffle::scenes
