#pragma once
/// The log without formatting, for .cu files: nvcc cannot compile the formatting library's header.

#include <string_view>

namespace riffle::log {

enum class Level { Debug, Info, Warning, Error, Off };

/// Writes one line on standard error if `level` is at least the level that is set.
void write(Level level, std::string_view message);

}  // namespace riffle::log
