#pragma once
/// What a document needs before an edit, or an event, sets a key.

#include <string>

#include "scenes/load.h"

namespace riffle::scenes {

/// Writes the one fluid down before a key of it is set, takes the rivals of the key out where one of a group must be given,
/// and writes a list at its default before one of its items is set: gravity[1].
/// @param path  as spelled_path() has it
void make_way(SceneSource& document, const std::string& path, const Location& at, Problems& problems);

}  // namespace riffle::scenes
