#pragma once

#include <string>

#include "scenes/document/edited_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

inline scenes::EditedScene good_scene() { return scenes::EditedScene(scenes::parse_source(kGoodScene, "s.yaml")); }

inline scenes::EditedScene shipped(const std::string& name) {
  return scenes::EditedScene(scenes::load_source(RIFFLE_SOURCE_DIR "/scenes/library/" + name + ".yaml"));
}

}  // namespace riffle
