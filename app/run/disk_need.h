#pragma once
/// What the files of a run will need on the disk, said before its first step.

#include <cstdint>
#include <filesystem>
#include <string>

namespace riffle {

/// Logs how large the files of a series are and what all of them need; a warning where the disk has less.
/// @param what "files of particles"  @param each [bytes] of the first one  @param count of all; infinity where nobody knows it
/// @param folder that they lie in
void say_disk_need(const std::string& what, std::uint64_t each, double count, const std::filesystem::path& folder);

}  // namespace riffle
