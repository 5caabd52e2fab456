#include "scenes/missing_features.h"

#include <fstream>
#include <set>

#include "tests/scenes/scene_text.h"

namespace riffle {

using scenes::missing_feature;

TEST(MissingFeatures, AreKnownByTheNamesThatKeysAndOptionsWouldHave) {
  for (const char* name : {"mesh", "meshes", "stl"}) EXPECT_EQ(missing_feature(name), nullptr) << name;
  for (const char* name : {"scripts", "python"}) {
    ASSERT_NE(missing_feature(name), nullptr) << name;
    EXPECT_TRUE(contains(std::string(missing_feature(name)->what), "no Python module")) << name;
  }
  for (const char* name : {"obstacle", "solid", "solids", "boundary", "rigid", "floater"})
    EXPECT_EQ(missing_feature(name), nullptr) << name;
  for (const char* name : {"", "-", "spacing", "meshx", "resolution", "script_of", "forced", "hinge", "joint"})
    EXPECT_EQ(missing_feature(name) != nullptr, std::string(name) == "script_of") << name;
}

TEST(MissingFeatures, OfDpdAreItsWallsAndBonds) {
  for (const char* name : {"bonds", "bond_length", "polymers", "bounce_back"}) {
    ASSERT_NE(missing_feature(name), nullptr) << name;
    EXPECT_TRUE(contains(std::string(missing_feature(name)->what), "`dpd`")) << name;
    EXPECT_TRUE(contains(std::string(missing_feature(name)->instead), "Walls act like fluid in them")) << name;
  }
}

TEST(MissingFeatures, HaveNoWordInCommon) {
  std::set<std::string_view> words;
  for (const auto& feature : scenes::missing_features())
    for (const auto word : feature.words) {
      EXPECT_TRUE(words.insert(word).second) << word;
      EXPECT_EQ(missing_feature(word), &feature) << word;
    }
}

// A feature that this version gets is no longer missing: its key must leave the list.
TEST(MissingFeatures, AreAnsweredWhereAKeyNamesThemAndHaveNoKey) {
  for (const auto& feature : scenes::missing_features())
    for (const auto word : feature.words)
      EXPECT_TRUE(contains(complaint(good_scene_with(std::string(word) + ": 1\n")),
                           "unknown key '" + std::string(word) + "': this version " + std::string(feature.what) + ". "))
          << word;
  EXPECT_TRUE(contains(complaint(spoiled("  - box:", "  - script: 1\n    box:")),
                       "bodies[0].script: unknown key 'script': this"));
}

TEST(MissingFeatures, JointsAreAnsweredByTheirKey) {
  for (const char* name : {"joint", "hinge", "hinges", "springs", "constraints"})
    EXPECT_TRUE(contains(complaint(good_scene_with(std::string(name) + ": []\n")), "; its name here is 'joints'."))
        << name;
}

TEST(MissingFeatures, SolidsAreAnsweredByTheirKey) {
  for (const char* name : {"solid", "obstacle", "obstacles", "Obstacles", "boundary", "boundaries"})
    EXPECT_TRUE(contains(complaint(good_scene_with(std::string(name) + ": []\n")), "; its name here is 'solids'."))
        << name;
  EXPECT_TRUE(contains(complaint(spoiled("max: [1, 1, 1]", "max: [1, 1, 1], boundaries: periodic")),
                       "; its name here is 'axes'."));
}

TEST(MissingFeatures, AreInTheReadme) {
  std::ifstream file(std::string(RIFFLE_SOURCE_DIR) + "/README.md");
  std::string readme, word;
  while (file >> word) readme += (readme.empty() ? "" : " ") + word;
  const std::size_t section = readme.find("## What this version has not");
  ASSERT_NE(section, readme.npos);
  for (const auto& feature : scenes::missing_features()) {
    EXPECT_TRUE(contains(readme.substr(section), "It " + std::string(feature.what) + "."));
    EXPECT_TRUE(contains(readme.substr(section), std::string(feature.instead)));
  }
}

}  // namespace riffle
