#pragma once
/// A reader of the program as a fuzz target: bytes go in, and an InputError may come out. All else that comes out is a find.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace riffle::fuzz {

struct Reader {
  const char* name;  ///< "particles_csv": of its folder in corpus/
  /// @throws InputError, which refuses the input; std::logic_error where what was read is not as the reader promises
  void (*read)(std::string_view input);
  /// An input near another one, which libFuzzer's own mutations of bytes would hardly reach; nullptr: those are enough.
  std::string (*mutated)(const std::string& input, std::mt19937& random) = nullptr;
};

/// All of them: readers.cpp.
std::span<const Reader> readers();

/// nullptr when there is none.
const Reader* find_reader(std::string_view name);

/// Where an input lies as a file while it is read: one place in memory for each ending, the same for all inputs of a process.
std::filesystem::path input_file(const std::string& ending, std::string_view bytes);

/// @throws std::logic_error that says `what` is wrong
void require(bool promised, const char* what);

}  // namespace riffle::fuzz
