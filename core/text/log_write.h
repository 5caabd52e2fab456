#pragma once
/// The log without formatting, for kernels' sources: nvcc cannot read the formatting library's header.

#include <string_view>

namespace riffle::log {

enum class Level { Debug, Info, Warning, Error, Off };

/// One line on standard error, when `level` is at least the one set.
void write(Level level, std::string_view message);

}  // namespace riffle::log
