#pragma once
/// Where the running program lies, and the files that are installed with it.

#include <filesystem>
#include <string>
#include <vector>

namespace riffle {

std::filesystem::path program_folder();  ///< links resolved; empty when the system does not say

/// Where files of that kind lie, as far as the folders exist: first the installed share/riffle/<kind>, then `source`.
std::vector<std::string> shared_folders(const std::string& kind, const std::filesystem::path& source);

/// The first of the folders that has the file. @return its path
/// @throws Unavailable when none has it, with the folders
std::string find_shared(const std::string& file, const std::vector<std::string>& folders, const std::string& kind);

}  // namespace riffle
