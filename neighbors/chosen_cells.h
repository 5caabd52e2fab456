#pragma once
/// The cells of a search that nobody has chosen, such as one that spreads the sites of a wall.

#include <cstdint>

#include "core/math/domain.h"
#include "neighbors/search_settings.h"

namespace riffle {

/// The settings with the cells that a method with a table of cells would choose on the CPU. The search then has nothing to say
/// in the log about a nearly empty box: its advice is for those who have chosen the method.
SearchSettings with_chosen_cells(SearchSettings settings, const Domain& domain, float h, std::int64_t particles);

}  // namespace riffle
