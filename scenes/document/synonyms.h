#pragma once
/// Names that the literature and other programs have for keys of a scene.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/setup.h"

namespace riffle::scenes {

struct Synonym {
  std::string_view name;       ///< in lower case
  std::string_view key;        ///< the key's name in its section
  std::string_view note = "";  ///< how its value differs
};

std::span<const Synonym> synonyms();

/// The key that somebody means by an unknown one, quoted, with what to know of it: "'friction'" if it is one of `here`,
/// otherwise with its whole path. "" when it is no synonym, or of keys that mean nothing with the solver only.
std::string key_meant_by(std::string_view unknown, const std::vector<std::string>& here,
                         std::optional<SolverKind> solver = {});

}  // namespace riffle::scenes
