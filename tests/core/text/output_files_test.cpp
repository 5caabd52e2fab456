#include "core/text/output_files.h"

#include <stdlib.h>

#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "core/error.h"

#include <gtest/gtest.h>

namespace riffle {

namespace fs = std::filesystem;

class OutputFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "riffle-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  static std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  int files() const {
    return static_cast<int>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
  }

  fs::path folder_;
};

TEST_F(OutputFiles, AppearWholeUnderTheirName) {
  const fs::path file = folder_ / "a.txt";
  write_stream(file, [&](std::ostream& out) {
    out << "new";
    EXPECT_FALSE(fs::exists(file));
  });
  EXPECT_EQ(text_of(file), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFiles, AWriterThatFailsLeavesWhatWasThere) {
  const fs::path file = folder_ / "a.txt";
  write_text(file, "old");
  EXPECT_THROW(write_stream(file,
                            [](std::ostream& out) {
                              out << "half";
                              throw std::runtime_error("no more");
                            }),
               std::runtime_error);
  EXPECT_EQ(text_of(file), "old");
  EXPECT_EQ(files(), 1) << "the partial file is gone";
}

TEST_F(OutputFiles, AFullDiskIsAFailureWithTheReason) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  try {
    write_text("/dev/full", std::string(100000, 'x'));
    FAIL() << "it was written";
  } catch (const RuntimeFailure& failure) {
    EXPECT_STREQ(failure.what(), "/dev/full: cannot be written: No space left on device");
  }
  EXPECT_FALSE(fs::is_regular_file("/dev/full"));
}

TEST_F(OutputFiles, APartialNameKeepsFolderAndExtension) {
  const fs::path partial = partial_name(folder_ / "wave.mp4");
  EXPECT_EQ(partial.parent_path(), folder_);
  EXPECT_EQ(partial.extension(), ".mp4");
  EXPECT_TRUE(partial.filename().string().starts_with(".wave.partial-"));
}

TEST_F(OutputFiles, AFolderInThePlaceOfAFileIsNamed) {
  fs::create_directory(folder_ / "taken");
  std::ofstream(folder_ / "part") << "x";
  try {
    publish(folder_ / "part", folder_ / "taken");
    FAIL() << "a file took a folder's place";
  } catch (const RuntimeFailure& failure) {
    EXPECT_TRUE(std::string(failure.what()).starts_with((folder_ / "taken").string() + ": cannot be written: "));
  }
  EXPECT_FALSE(fs::exists(folder_ / "part"));
}

}  // namespace riffle
