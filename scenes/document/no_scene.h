#pragma once
/// Files that are no scenes, by their endings: what each is, and what can be done with it.

#include <filesystem>
#include <string>

namespace riffle::scenes {

/// "is a mesh, no scene; ..." of the file FILE; "" if its ending is none of those that it knows.
std::string why_no_scene(const std::filesystem::path& file);

}  // namespace riffle::scenes
