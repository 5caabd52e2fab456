#pragma once
/// Where the running program lies, and the files that are installed with it.

#include <filesystem>
#include <string>
#include <vector>

namespace riffle {

std::filesystem::path program_folder();  ///< links resolved; empty when the system does not say

/// The folder share/riffle of the installation that the running program belongs to. Empty for a program in a build folder.
std::filesystem::path installed_share();

/// The folder with files of that kind: share/riffle/<kind> of an installed program, otherwise `source`. An installed program
/// does not read the sources, even if they are on this machine. Empty if the folder does not exist.
std::vector<std::string> shared_folders(const std::string& kind, const std::filesystem::path& source);

/// The first of the folders that has the file. @return its path
/// @throws Unavailable when none has it, with the folders
std::string find_shared(const std::string& file, const std::vector<std::string>& folders, const std::string& kind);

}  // namespace riffle
