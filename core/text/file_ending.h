#pragma once
/// The ending of a file's name, by which programs tell formats apart.

#include <cctype>
#include <filesystem>
#include <string>

namespace riffle {

/// In small letters, with its dot: ".h5" of "A.H5"; "" where there is none.
inline std::string ending_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

}  // namespace riffle
