#pragma once
/// The keys of a scene for a report.

#include <nlohmann/json.hpp>
#include <vector>

#include "scenes/document/parameters.h"

namespace riffle {

/// {"solver.type": "wcsph", "particles.spacing": 0.02 ...}: numbers, lists of numbers and truth values as such, all
/// others as text; null for a key that has no value and whose default depends on the scene.
nlohmann::ordered_json to_json(const std::vector<scenes::Parameter>& parameters);

}  // namespace riffle
