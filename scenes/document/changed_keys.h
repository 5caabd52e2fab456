#pragma once
/// How a scene's keys differ from those of another one.

#include <string>
#include <vector>

namespace riffle::scenes {

struct Parameter;

/// A key of the scene with its values before and after a change, as YAML. Of a list that has got or lost entries: the
/// list, with their numbers.
struct KeyChange {
  std::string key, from, to;
  friend bool operator==(const KeyChange&, const KeyChange&) = default;
};

/// "solver.temperature from 1 to 0.5"
std::string change_text(const KeyChange& change);

/// How two lists of a scene's keys differ.
std::vector<KeyChange> changed_keys(const std::vector<Parameter>& before, const std::vector<Parameter>& after);

}  // namespace riffle::scenes
