#pragma once
/// Scenes to begin with, for users who want to build their own. Each is valid as it is.

#include <span>
#include <string>

namespace riffle::desktop {

struct NewScene {
  const char* name;         ///< "tank"; its file would be called so
  const char* description;  ///< one line
  const char* yaml;
};

std::span<const NewScene> new_scenes();

}  // namespace riffle::desktop
