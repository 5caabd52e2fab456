#pragma once
/// "did you mean ...?" for a file that is not there.

#include <filesystem>
#include <string>

namespace riffle {

/// "; did you mean 'scenes/dpd.yaml'?": the file of the same folder with another ending, otherwise the one with the nearest name.
/// "" when none is near enough, or when the folder is not there or has too many files to look at.
std::string near_file(const std::filesystem::path& missing);

}  // namespace riffle
