#include "app/desktop/scene/folder_listing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "core/error.h"

namespace riffle::desktop {
namespace {

namespace fs = std::filesystem;

class FolderListing : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "riffle-folder-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    for (const char* folder : {"Waves", "water", "dam", ".hidden"}) fs::create_directory(folder_ / folder);
    for (const char* file : {"dam_break.yaml", "Dam.yaml", "drop.yaml", "drop.csv", ".old.yaml", "water/pool.yaml"})
      std::ofstream(folder_ / file) << "x";
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
};

TEST_F(FolderListing, FoldersComeFirstAndOtherFilesAreLeftOut) {
  const std::vector<FolderEntry> expected = {{"dam", true},       {"water", true},           {"Waves", true},
                                             {"Dam.yaml", false}, {"dam_break.yaml", false}, {"drop.yaml", false}};
  EXPECT_EQ(list_folder(folder_, {".yaml"}), expected);
  EXPECT_THROW(list_folder(folder_ / "none", {".yaml"}), RuntimeFailure);
}

TEST_F(FolderListing, ATypedPathIsFromTheFolderTheHomeOrTheRoot) {
  EXPECT_EQ(typed_path("a/../b.yaml", "/x"), fs::path("/x/b.yaml"));
  EXPECT_EQ(typed_path("/b.yaml", "/x"), fs::path("/b.yaml"));
  EXPECT_EQ(typed_path("~/b.yaml", "/x"), fs::path(std::getenv("HOME")) / "b.yaml");
}

TEST_F(FolderListing, APathIsCompletedAsFarAsAllAgree) {
  const auto completed = [&](const std::string& typed) { return completed_path(typed, folder_, {".yaml"}); };
  EXPECT_EQ(completed("dr"), "drop.yaml");
  EXPECT_EQ(completed("da"), "dam") << "a folder and a file";
  EXPECT_EQ(completed("dam_"), "dam_break.yaml");
  EXPECT_EQ(completed("wat"), "water/");
  EXPECT_EQ(completed("water/"), "water/pool.yaml");
  EXPECT_EQ(completed((folder_ / "wat").string()), (folder_ / "water/").string());
  EXPECT_EQ(completed("nothing"), "nothing");
  EXPECT_EQ(completed("none/x"), "none/x");
  EXPECT_EQ(completed(""), "");
}

}  // namespace
}  // namespace riffle::desktop
