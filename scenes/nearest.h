#pragma once
/// "Did you mean ...?"

#include <string>
#include <string_view>
#include <vector>

namespace riffle {

/// Insertions, deletions, replacements and swaps of neighbouring letters that turn a into b; case does not count.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, or "" when none is near enough to be a misspelling of it.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace riffle
