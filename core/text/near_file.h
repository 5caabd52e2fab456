#pragma once
/// "did you mean ...?" for a file that is not there.

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace riffle {

/// "; did you mean 'scenes/dpd.yaml'?": the file of the same folder with another ending, otherwise the one with the nearest name.
/// "" when none is near enough, or when the folder is not there or has too many files to look at.
/// @param endings  of files that can be meant, in lower case: those that the caller reads
std::string near_file(const std::filesystem::path& missing,
                      std::initializer_list<std::string_view> endings = {".yaml", ".yml"});

}  // namespace riffle
