/// The pictures of scenes that the program carries.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "render/assets.h"
#include "render/media/png.h"

namespace riffle::test {
namespace {

constexpr std::string_view kFolder = "thumbnails/";

std::set<std::string> names_of_scenes() {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(RIFFLE_SOURCE_DIR "/scenes/library"))
    if (file.path().extension() == ".yaml") names.insert(file.path().stem().string());
  return names;
}

TEST(Thumbnails, EverySceneHasOneAndNoneIsLeftOfASceneThatIsGone) {
  std::set<std::string> names;
  for (const render::Asset& asset : render::assets())
    if (asset.name.starts_with(kFolder))
      names.insert(std::string(asset.name.substr(kFolder.size(), asset.name.size() - kFolder.size() - 4)));
  EXPECT_EQ(names, names_of_scenes()) << "tools/thumbnails draws them";
}

TEST(Thumbnails, ShowSomethingAndAreSmall) {
  std::size_t bytes = 0;
  for (const render::Asset& asset : render::assets()) {
    if (!asset.name.starts_with(kFolder)) continue;
    SCOPED_TRACE(asset.name);
    bytes += asset.bytes.size();
    const render::Image image = render::decode_png(asset.bytes);
    EXPECT_EQ(image.width, 192);
    EXPECT_EQ(image.height, 120);
    // The background is a grey gradient, so coloured pixels are particles.
    int colored = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
      const auto [least, most] = std::minmax({image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]});
      colored += most - least > 60;
    }
    EXPECT_GT(colored, 192 * 120 / 20);
  }
  EXPECT_GT(bytes, 0u);
  EXPECT_LT(bytes, 400u << 10);
}

}  // namespace
}  // namespace riffle::test
