/// Packs as files again: where they go, and what becomes of what is there.

#include "app/state/unpack.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "app/state/pack_file.h"
#include "app/state/pack_reader.h"
#include "app/state/pack_time.h"
#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

class Unpack : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    PackWriter archive(pack_, pack_.string(), {});
    archive.add_text(kPackManifest, R"({"format": 1, "state": "a.h5"})");
    archive.add_text("a.h5", "state");
    archive.add_text("b/c.csv", "t\n");
    archive.finish();
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  static std::string text_of(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  static std::ptrdiff_t entries(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }
  /// All files of the pack, and nothing else.
  static void expect_all(const fs::path& folder) {
    EXPECT_EQ(entries(folder), 3);
    EXPECT_EQ(text_of(folder / "a.h5"), "state");
    EXPECT_EQ(text_of(folder / "b/c.csv"), "t\n");
    EXPECT_TRUE(fs::exists(folder / kPackManifest));
  }

  const fs::path folder_ = fs::temp_directory_path() / ("riffle-unpack-test-" + std::to_string(getpid()));
  const fs::path pack_ = folder_ / "p.zip";
  const std::string partial_ = ".riffle-partial-" + std::to_string(getpid());
};

TEST_F(Unpack, AnEmptyFolderStaysTheSameFolder) {
  const fs::path target = folder_ / "mine";
  fs::create_directory(target);
  fs::permissions(target, fs::perms::owner_all);
  struct stat before {
  }, after{};
  ASSERT_EQ(stat(target.c_str(), &before), 0);
  write(target / partial_ / "lock", "");  // of a killed one that had the number of this process
  write(target / partial_ / "files/a.h5", "half");
  unpack(pack_, target, {});
  ASSERT_EQ(stat(target.c_str(), &after), 0);
  EXPECT_EQ(after.st_ino, before.st_ino);
  EXPECT_EQ(after.st_mode, before.st_mode);
  expect_all(target);
}

TEST_F(Unpack, GoesIntoTheWorkingFolder) {
  fs::create_directory(folder_ / "here");
  const fs::path was = fs::current_path();
  fs::current_path(folder_ / "here");
  EXPECT_NO_THROW(unpack(pack_, ".", {}));
  fs::current_path(was);
  expect_all(folder_ / "here");
}

TEST_F(Unpack, APartialFolderOfThisNumberIsNoHindrance) {
  write(folder_ / partial_ / "half.h5", "half");  // it has no lock: another program's
  unpack(pack_, folder_ / "o", {});
  expect_all(folder_ / "o");
  EXPECT_EQ(entries(folder_), 3) << "the pack, the folder, and that one";
  EXPECT_EQ(text_of(folder_ / partial_ / "half.h5"), "half");
}

TEST_F(Unpack, AFileThatSomebodyMakesMeanwhileStaysAlone) {
  fs::create_directory(folder_ / "busy");
  EXPECT_THROW(unpack(pack_, folder_ / "busy", [&](auto, auto) { write(folder_ / "busy/riffle-pack", "precious"); }),
               RuntimeFailure);
  EXPECT_EQ(text_of(folder_ / "busy/riffle-pack"), "precious");
  EXPECT_EQ(entries(folder_ / "busy"), 1) << "what was moved before is removed again";
}

TEST_F(Unpack, NamesAreBoundedAndShownInALine) {
  std::string deep;
  for (int k = 0; k < 100; ++k) deep += "d/";
  EXPECT_EQ(fault_of_packed_name(deep + "f"), "");
  EXPECT_EQ(fault_of_packed_name(deep + "d/f"), "101 folders above the file; allowed: up to 100");
  const std::string shown = shown_of_packed_name("a\n\x1b" + std::string(1000, 'x'));
  EXPECT_TRUE(shown.starts_with("a \\x1b") && shown.size() < 220) << shown;
}

TEST(PackTime, HasFullSecondsAndIsReadAmongOtherFields) {
  for (const std::int64_t seconds : {std::int64_t{0}, std::int64_t{1764434567}, std::int64_t{2147483647}}) {
    const auto bytes = pack_time(seconds);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(seconds_of_pack_time(bytes->data(), bytes->size()), seconds);
    std::vector<unsigned char> more = {0x78, 0x75, 2, 0, 9, 9};
    more.insert(more.end(), bytes->begin(), bytes->end());
    EXPECT_EQ(seconds_of_pack_time(more.data(), more.size()), seconds);
    for (std::size_t size = 0; size < bytes->size(); ++size)
      EXPECT_FALSE(seconds_of_pack_time(bytes->data(), size)) << size << " bytes";
  }
  EXPECT_FALSE(pack_time(-1) || pack_time(std::int64_t{1} << 31));
}

}  // namespace
}  // namespace riffle
