#pragma once
/// The cells of a neighbour search, for pictures and panels.

#include <optional>
#include <string>
#include <vector>

#include "render/view.h"
#include "sim/simulation.h"

namespace riffle {

/// Either the one or the other, or neither.
struct SearchCells {
  std::optional<GridOverlay> grid;
  std::vector<BoxView> boxes;  ///< of a tree, those of one level
  std::string text;            ///< what they are, or why there are none
};

inline constexpr std::size_t kMostTreeBoxes = 64;  ///< more cannot be told apart

/// Of the search in use as it was last built, or, where it was not yet, as the next step will build it. Waits for a tree, and
/// for a search that is not yet built.
SearchCells cells_of(const Simulation& simulation);

}  // namespace riffle
