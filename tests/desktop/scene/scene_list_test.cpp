#include "app/desktop/scene/scene_list.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace riffle {
namespace {

namespace fs = std::filesystem;

class SceneListTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "riffle-list-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string write(const std::string& name) {
    std::ofstream(folder_ / name) << "description: of a test\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                                     "particles: {spacing: 0.1}\nbodies: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n";
    return (folder_ / name).string();
  }

  fs::path folder_;
};

TEST_F(SceneListTest, TheLatestIsFirstAndNoneIsThereTwice) {
  const std::string a = write("a.yaml"), b = write("b.yaml");
  desktop::SceneList list({});
  EXPECT_TRUE(list.recent().empty());
  EXPECT_FALSE(list.found().empty());
  list.note(a);
  list.note(b);
  list.note((folder_ / "." / "a.yaml").string());
  EXPECT_EQ(list.recent_paths(), (std::vector<std::string>{a, b}));
  EXPECT_EQ(list.recent()[0].name, "a");
  EXPECT_EQ(list.recent()[0].description, "of a test");
  EXPECT_EQ(desktop::SceneList(list.recent_paths()).recent_paths(), list.recent_paths())
      << "the next start has the same";
}

TEST_F(SceneListTest, WhatIsGoneOrIsFoundAnywayIsLeftOut) {
  const std::string a = write("a.yaml");
  desktop::SceneList list({(folder_ / "none.yaml").string(), a});
  EXPECT_EQ(list.recent_paths(), std::vector<std::string>{a});
  list.note(list.found()[0].path);
  EXPECT_EQ(list.recent_paths(), std::vector<std::string>{a});
}

TEST_F(SceneListTest, FilesOfOneNameAreToldApartByTheirFolders) {
  fs::create_directory(folder_ / "other");
  desktop::SceneList list({write("tank.yaml"), write("other/tank.yaml"), write("alone.yaml")});
  EXPECT_EQ(list.told_apart(list.recent()[0]), "tank in " + folder_.string());
  EXPECT_EQ(list.told_apart(list.recent()[1]), "tank in " + (folder_ / "other").string());
  EXPECT_EQ(list.told_apart(list.recent()[2]), "alone");
}

TEST_F(SceneListTest, ADeletedFileLeavesTheList) {
  const std::string a = write("a.yaml"), b = write("b.yaml");
  desktop::SceneList list({a, b});
  const std::size_t found = list.found().size();
  fs::remove(a);
  list.leave_out_missing();
  EXPECT_EQ(list.recent_paths(), std::vector<std::string>{b});
  EXPECT_EQ(list.found().size(), found);
}

TEST_F(SceneListTest, NewsAreToldOnceAndThoseOfTheLastTimeAreNone) {
  const std::string a = write("a.yaml"), b = write("b.yaml");
  desktop::SceneList list({a});
  EXPECT_FALSE(list.take_news());
  EXPECT_TRUE(list.is_recent((folder_ / "x" / ".." / "a.yaml").string()));
  EXPECT_FALSE(list.is_recent(b));
  list.note(b);
  EXPECT_TRUE(list.is_recent(b));
  EXPECT_TRUE(list.take_news());
  EXPECT_FALSE(list.take_news());
  list.note(list.found()[0].path);
  EXPECT_FALSE(list.take_news()) << "it was in the list before";
}

TEST_F(SceneListTest, SoManyAreKept) {
  desktop::SceneList list({});
  for (std::size_t i = 0; i <= desktop::SceneList::kRecent; ++i) list.note(write(std::to_string(i) + ".yaml"));
  ASSERT_EQ(list.recent().size(), desktop::SceneList::kRecent);
  EXPECT_EQ(list.recent().back().name, "1");
}

}  // namespace
}  // namespace riffle
