#include <algorithm>
#include <set>
#include <string>

#include "render/color_map.h"
#include "scenes/format/format.h"

#include <gtest/gtest.h>

namespace riffle {

// The format has its own list of names, since scenes do not depend on the renderer. A map that only one of the two
// knows would pass the check of the scene and fail in the run, or never be allowed.
TEST(ColorMaps, OfTheSceneFormatAreThoseOfTheRenderer) {
  std::set<std::string> allowed;
  for (const auto& key : scenes::scene_format().keys) {
    if (key.name != "picture") continue;
    for (const auto& inner : key.forms[0].record->keys)
      if (inner.name == "colormap") allowed.insert(inner.forms[0].words.begin(), inner.forms[0].words.end());
  }
  const auto names = render::color_map_names();
  EXPECT_EQ(allowed, std::set<std::string>(names.begin(), names.end()));
}

}  // namespace riffle
