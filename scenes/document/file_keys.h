#pragma once
/// The keys of a scene that name other files: particles, meshes, tables of motions.

#include <functional>
#include <string>

#include "scenes/document/document.h"

namespace riffle::scenes {

/// Calls `each` with the text of every such key in the document, which it may change. The files are meant from the folder
/// of the scene.
void for_each_file(Node& root, const std::function<void(std::string& file)>& each);

}  // namespace riffle::scenes
