#pragma once
/// Where a file has a key of a scene that was written to it.

#include <string>

#include "scenes/load.h"

namespace riffle::scenes {

/// "tank.yaml:18:16": the place of the key, or of the nearest map or list above it. "" where the document has another value there
/// than the file, as after a later edit.
std::string place_in_file(const SceneSource& file, const SceneSource& document, const std::string& key);

}  // namespace riffle::scenes
