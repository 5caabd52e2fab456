/// Every warning of a scene is in the list of kinds, and has a scene that causes it.

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/scenes/scene_text.h"
#include "tests/scenes/warned_scenes.h"

namespace riffle::test {
namespace {

using scenes::WarningKind;

TEST(Warnings, EveryKindHasARowAndAWordOfItsOwn) {
  std::set<std::string_view> words;
  for (const auto& row : scenes::kWarningWords) {
    EXPECT_EQ(static_cast<std::size_t>(row.value), words.size()) << row.word << " is not in the order of the kinds";
    EXPECT_TRUE(words.insert(row.word).second) << row.word;
    EXPECT_NE(row.doc, "") << row.word;
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(WarningKind::GpuTooSmall) + 1);
}

TEST(Warnings, EveryKindIsCausedByAScene) {
  std::set<WarningKind> caused(std::begin(kOnlyOnAGpu), std::end(kOnlyOnAGpu));
  caused.insert(std::begin(kOnlyInLargeScenes), std::end(kOnlyInLargeScenes));
  caused.insert(std::begin(kOnlyAtTheEnd), std::end(kOnlyAtTheEnd));
  for (const WarnedScene& scene : warned_scenes()) {
    caused.insert(scene.of_scene.begin(), scene.of_scene.end());
    caused.insert(scene.of_run.begin(), scene.of_run.end());
  }
  for (const auto& row : scenes::kWarningWords) EXPECT_TRUE(caused.contains(row.value)) << row.word;
}

TEST(Warnings, TheScenesCauseTheirWarningsAndNoOthers) {
  std::string name = (std::filesystem::temp_directory_path() / "riffle-warned-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const std::filesystem::path folder = name;
  for (const WarnedScene& scene : warned_scenes()) {
    SCOPED_TRACE(scene.name);
    if (!scene.particles.empty()) std::ofstream(folder / "particles.csv") << scene.particles;
    if (!scene.mesh.empty()) std::ofstream(folder / "mesh.obj") << scene.mesh;
    std::multiset<std::string_view> wanted, found;
    for (const WarningKind kind : scene.of_scene) wanted.insert(word_of(kind));
    for (const scenes::Warning& warning :
         scenes::parse_scene(scene.text, (folder / (scene.name + ".yaml")).string()).warnings) {
      found.insert(word_of(warning.kind));
      EXPECT_NE(warning.text, "");
      EXPECT_NE(warning.message().find(warning.key), std::string::npos);
    }
    EXPECT_EQ(found, wanted);
  }
  std::filesystem::remove_all(folder);
}

TEST(Warnings, AKeyThatDoesNothingIsIdleWhetherItIsGivenOrNot) {
  const auto idle = [](const std::vector<std::string>& overrides) {
    std::set<std::string> keys;
    for (const scenes::IdleKey& key : scenes::parse_scene(kGoodScene, "s.yaml", overrides).idle_keys) {
      keys.insert(key.key);
      EXPECT_EQ(key.by_solver, key.key == "fluids[0].viscosity") << key.key;
    }
    return keys;
  };
  EXPECT_FALSE(idle({}).contains("fluids[0].viscosity"));
  EXPECT_TRUE(idle({"solver.type=pbf"}).contains("fluids[0].viscosity"));
  EXPECT_TRUE(idle({"time.step=1e-4"}).contains("time.cfl"));
  EXPECT_FALSE(idle({}).contains("time.cfl"));
  EXPECT_TRUE(idle({}).contains("solver.damping_rate"));
  EXPECT_FALSE(idle({"solver.damping_time=1"}).contains("solver.damping_rate"));
  EXPECT_TRUE(idle({"solver.walls=free_slip"}).contains("solver.wall_velocity"));
}

}  // namespace
}  // namespace riffle::test
