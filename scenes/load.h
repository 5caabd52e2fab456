#pragma once
/// From a YAML file to a Scene, with everything checked before the first step.

#include <string>
#include <vector>

#include "scenes/scene.h"

namespace riffle {

/// @param path       the file; find_scene() turns a name into one
/// @param overrides  "key.path=value", as given to --set, later ones win; list items as bodies[0] or bodies.0
/// @throws InputError with one line per mistake, each "file:line:column: key.path: what was found, what is allowed";
///         a mistake in an override has "--set key.path" in place of the file.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for text that is already in memory; `path` is only used in messages.
Scene parse_scene(const std::string& text, const std::string& path, const std::vector<std::string>& overrides = {});

}  // namespace riffle
