#pragma once
/// The cells of a neighbour search, for pictures and panels.

#include <optional>
#include <string>
#include <vector>

#include "render/view.h"

namespace riffle {
class Simulation;
}

namespace riffle::desktop {

/// Either a grid or boxes, or neither.
struct SearchCells {
  std::optional<render::GridOverlay> grid;
  std::vector<render::BoxView> boxes;  ///< one level of a tree
  std::string text;                    ///< describes them, or says why there are none
};

inline constexpr std::size_t kMostTreeBoxes = 64;  ///< more cannot be distinguished

/// The cells of the search in use as it was last built. Before its first build, as the next step will build it.
/// Waits for the device if the search has a tree or is not built.
SearchCells cells_of(const Simulation& simulation);

}  // namespace riffle::desktop
