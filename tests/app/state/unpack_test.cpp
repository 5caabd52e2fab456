/// Packs as files again: where they go, and what becomes of what is there.

#include "app/state/unpack.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>
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

TEST_F(Unpack, AnEmptyFolderKeepsItsOwnerAndRights) {
  const fs::path target = folder_ / "mine";
  fs::create_directory(target);
  ASSERT_EQ(chmod(target.c_str(), 02751), 0);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(target.c_str(), 1234, 4321), 0);
    ASSERT_EQ(chmod(target.c_str(), 02751), 0);
  }
  const bool attributes = setxattr(target.c_str(), "user.note", "mine", 4, 0) == 0;  // tmpfs may have none
  struct stat before {
  }, after{}, below{};
  ASSERT_EQ(stat(target.c_str(), &before), 0);
  write(target / partial_ / "lock", "");  // of a killed one that had the number of this process
  write(target / partial_ / "files/a.h5", "half");
  unpack(pack_, target / ".", {});
  ASSERT_EQ(stat(target.c_str(), &after), 0);
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_EQ(after.st_uid, before.st_uid);
  EXPECT_EQ(after.st_gid, before.st_gid);
  ASSERT_EQ(stat((target / "b").c_str(), &below), 0);
  EXPECT_EQ(below.st_gid, before.st_gid) << "as in a folder whose group its files get";
  char note[8] = {};
  const ssize_t length = getxattr(target.c_str(), "user.note", note, sizeof note);
  EXPECT_TRUE(!attributes || length == 4) << "an attribute is missing";
  expect_all(target);
  EXPECT_EQ(entries(folder_), 2) << "the pack and the folder";
}

// Whoever looks at the folder sees no file or all, at each instant up to a kill in the last moments.
TEST_F(Unpack, AnEmptyFolderHasAllFilesOrNone) {
  constexpr int kFiles = 400, kTimes = 5;
  const fs::path many = folder_ / "many.zip", target = folder_ / "target";
  {
    PackWriter archive(many, many.string(), {});
    archive.add_text(kPackManifest, R"({"format": 1, "state": "a.h5"})");
    archive.add_text("a.h5", "state");
    for (int k = 0; k < kFiles; ++k) archive.add_text(std::to_string(k) + ".csv", "t\n");
    archive.finish();
  }
  std::set<std::ptrdiff_t> seen;
  for (int time = 0; time < kTimes; ++time) {
    fs::create_directory(target);
    const pid_t child = fork();
    if (child == 0) {
      try {
        unpack(many, target, {});
        _exit(0);
      } catch (...) {
        _exit(1);
      }
    }
    // Until its first file is there, and a little further each time.
    const auto begin = std::chrono::steady_clock::now();
    const auto waited = [&] { return std::chrono::steady_clock::now() - begin; };
    bool ended = false;
    while (!fs::exists(target / "a.h5") && !ended && waited() < std::chrono::seconds(60))
      ended = waitpid(child, nullptr, WNOHANG) == child;
    if (!ended) {
      std::this_thread::sleep_for(std::chrono::microseconds(200 * time));
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    seen.insert(entries(target));
    fs::remove_all(target);
  }
  EXPECT_EQ(seen, (std::set<std::ptrdiff_t>{kFiles + 2})) << "it was killed after its first file was seen";
}

// The user's shell is still there, so the folder cannot be replaced.
// A new folder takes access control lists from the folder above. The one that it replaces may be older than they are.
TEST_F(Unpack, AnEmptyFolderGetsNoRightsThatItHadNot) {
  const fs::path target = folder_ / "mine";
  fs::create_directory(target);
  struct Entry {
    std::uint16_t tag, rights;
    std::uint32_t id;
  };
  struct List {  // as the kernel has it: the owner, a user, the group, the mask, all others
    std::uint32_t version = 2;
    Entry entries[5] = {{1, 7, ~0U}, {2, 7, 1234}, {4, 5, ~0U}, {16, 7, ~0U}, {32, 5, ~0U}};
  } const list;
  if (setxattr(folder_.c_str(), "system.posix_acl_default", &list, sizeof list, 0) != 0)
    GTEST_SKIP() << "the file system has no access control lists";
  unpack(pack_, target, {});
  expect_all(target);
  for (const char* name : {"system.posix_acl_default", "system.posix_acl_access"}) {
    EXPECT_LT(getxattr(target.c_str(), name, nullptr, 0), 0) << name;
    EXPECT_LT(getxattr((target / "b").c_str(), name, nullptr, 0), 0) << name;
  }
}

// The device is the same inside and outside, and the folder cannot be replaced.
TEST_F(Unpack, GoesIntoAFolderOfTheSameFileSystemThatIsMountedThere) {
  const fs::path target = folder_ / "mounted", other = folder_ / "other";
  fs::create_directory(target);
  fs::create_directory(other);
  enum Outcome { Done, CannotMount, Failed };
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // mounts are its own, and go with it
    const bool own = unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    if (!own || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(other.c_str(), target.c_str(), nullptr, MS_BIND, nullptr) != 0)
      _exit(CannotMount);
    try {
      unpack(pack_, target, {});
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(Failed);
    }
    _exit(Done);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == CannotMount) GTEST_SKIP() << "the system lets this user mount nothing";
  EXPECT_EQ(WEXITSTATUS(status), Done);
  expect_all(other);
  EXPECT_EQ(entries(target), 0);
  EXPECT_FALSE(fs::exists(folder_ / partial_));
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
