#pragma once
/// "did you mean ...?": suggests the name that a misspelt one was probably meant to be.

#include <string>
#include <string_view>
#include <vector>

namespace riffle {

/// Number of insertions, deletions, replacements and swaps of neighbouring letters that turn a into b. Ignores case.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, or "" when `name` is not a likely misspelling of any.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// "did you mean 'hoetzlein'?" with `before` and `after` around it; "" when no candidate is near enough.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates, std::string_view before = "",
                       std::string_view after = "");

}  // namespace riffle
