#pragma once
/// Files with the header of a state, whose length and checksums are made right: a reader under test looks behind them.

#include <cstddef>
#include <string>

namespace riffle::fuzz {

inline constexpr std::size_t kStateHeaderBytes = 512;

/// @param bytes  of a state file, header and contents
std::string with_right_header(std::string bytes);  ///< only the header's own checksum is made right
std::string with_right_sums(std::string bytes);    ///< the length and both checksums; magic and format too

}  // namespace riffle::fuzz
