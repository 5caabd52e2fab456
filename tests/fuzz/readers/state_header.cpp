/// The header of state files: as the input has it, and with the checksum that it should have. What follows the header is not
/// HDF5, so that no input is a state: HDF5's own reading of damaged files is tested by tests/app/state/state_file_test.cpp.

#include <optional>

#include "app/state/state_file.h"
#include "core/error.h"
#include "tests/fuzz/reader.h"
#include "tests/fuzz/sealed_state.h"

namespace riffle::fuzz {

namespace {

constexpr std::string_view kHdf5 = "\x89HDF";

/// What read_state() says; it must say something, and name the file.
InputError refusal(const std::string& bytes) {
  const std::filesystem::path file = input_file(".h5", bytes);
  require(is_state_file(file), "a file that ends in .h5 is meant to be a state");
  try {
    read_state(file);
  } catch (const InputError& error) {
    require(std::string_view(error.what()).starts_with(file.string() + ": "), "a refusal that does not name the file");
    return error;
  }
  throw std::logic_error("bytes without HDF5 were read as a state");
}

}  // namespace

void read_state_header(std::string_view input) {
  // HDF5 looks for its own begin at 512, 1024 and so on; a file that has it belongs to state_contents.
  if (input.find(kHdf5) != input.npos) return;
  const std::string bytes(input);
  refusal(bytes);
  throw refusal(with_right_header(bytes));
}

}  // namespace riffle::fuzz
