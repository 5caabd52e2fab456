#pragma once
/// The folder of the running program, for the files that are installed beside it.

#include <filesystem>

namespace riffle {

std::filesystem::path program_folder();  ///< links resolved; empty when the system does not tell

}  // namespace riffle
