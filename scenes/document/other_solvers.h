#pragma once
/// Keys that belong to other solvers than the scene's, and what takes their place.

#include <optional>
#include <string>

#include "scenes/format/format.h"

namespace riffle::scenes {

/// Whether all keys of a path of all_key_paths() mean something with the solver.
bool path_suits(const std::string& path, SolverKind solver);

/// Why a key is refused that does not suit the solver: first the key that is meant, if there is one, then "means nothing with
/// solver.type dpd; allowed with wcsph or pbf".
std::string why_not_here(const Key& key, SolverKind solver);

/// The beginning of the message about a number where a word is expected: "the viscosity of a fluid is fluids[].viscosity; ".
/// "" where no key is mistaken for another.
std::string number_meant_for(const std::string& path);

}  // namespace riffle::scenes
