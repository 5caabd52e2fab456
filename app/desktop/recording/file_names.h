#pragma once
/// Names of the files that the window saves.

#include <filesystem>
#include <string>

namespace riffle::desktop {

/// What of the name cannot be in a file's name, in words: "a slash, a control character"; "" if it can be one.
std::string forbidden_in_name(const std::string& name);

/// folder/name.extension, or the first of folder/name-2.extension, -3 ... that does not exist. An empty extension names
/// a folder. What cannot be in a name becomes '_'; blanks and the letters of all languages stay.
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& name,
                                const std::string& extension);

}  // namespace riffle::desktop
