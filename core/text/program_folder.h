#pragma once
/// Where the running program lies, for the files that are installed beside it.

#include <filesystem>

namespace riffle {

std::filesystem::path program_folder();  ///< links resolved; empty when the system does not say

}  // namespace riffle
