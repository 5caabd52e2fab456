#pragma once
/// Lists of many numbers in a few words.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace riffle {

/// "p_000003.csv, p_000005.csv to p_000009.csv and 3 more": the first four ranges. @param numbers ascending
std::string ranges_text(const std::vector<std::size_t>& numbers, const std::function<std::string(std::size_t)>& name);

/// "of the 12 files of before the state one is missing: p_000003.csv"; "": none is.
/// @param what  "12 files" @param there  ascending, @param due  numbers below this one are expected
std::string missing_text(const std::string& what, const std::vector<std::size_t>& there, std::size_t due,
                         const std::function<std::string(std::size_t)>& name);

}  // namespace riffle
