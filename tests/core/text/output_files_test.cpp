#include "core/text/output_files.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
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
  EXPECT_TRUE(partial.filename().string().starts_with(".wave.riffle-partial-"));
}

/// The number of a process that has ended.
pid_t dead_process() {
  const pid_t process = fork();
  if (process == 0) _exit(0);
  waitpid(process, nullptr, 0);
  return process;
}

// The longest names that the system takes leave no room for more.
TEST_F(OutputFiles, OfALongNameThePartialNameIsShortAndItsOwn) {
  const std::string longest(251, 'a');
  std::vector<fs::path> partials;
  for (const std::string& name : {longest + ".mp4", longest + ".h5", std::string(250, 'a') + "b.mp4",
                                  std::string(63, 'a') + "\u00e4\u00e4.mp4", "a." + std::string(250, 'e')})
    partials.push_back(partial_name(folder_ / name));
  for (const fs::path& partial : partials) {
    EXPECT_EQ(partial.parent_path(), folder_);
    EXPECT_LE(partial.filename().string().size(), 130u);
    EXPECT_EQ(std::count(partials.begin(), partials.end(), partial), 1) << partial;
    const std::string number = std::to_string(getpid()), name = partial.filename();
    std::ofstream(folder_ / (name.substr(0, name.rfind(number)) + std::to_string(dead_process()) +
                             name.substr(name.rfind(number) + number.size())))
        << "half";
  }
  EXPECT_EQ(partials[0].extension(), ".mp4");
  EXPECT_TRUE(partials[3].filename().string().starts_with("." + std::string(63, 'a') + "-")) << "no half of a letter";
  EXPECT_EQ(files(), 5);
  remove_leftovers(folder_);
  EXPECT_EQ(files(), 0) << "what a dead process left under them is removed";
  write_text(folder_ / longest, "whole");
  EXPECT_EQ(text_of(folder_ / longest), "whole");
  EXPECT_THROW(prepare_file(folder_ / (longest + "12345")), InputError);
}

TEST_F(OutputFiles, WhatADeadProcessLeftIsRemoved) {
  const pid_t dead = dead_process();
  for (const std::string& name : {fmt::format(".wave.riffle-partial-{}.mp4", dead),
                                  fmt::format(".riffle-probe-{}", dead), fmt::format(".r.riffle-partial-{}", dead)})
    std::ofstream(folder_ / name) << "half";
  prepare_folder(folder_);
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFiles, WhatALivingProcessWritesStays) {
  for (const pid_t living : {getpid(), getppid(), pid_t{1}})
    std::ofstream(folder_ / fmt::format(".wave.riffle-partial-{}.mp4", living)) << "half";
  prepare_folder(folder_);
  EXPECT_EQ(files(), 3);
}

// A process in another container, or on another machine that shares the folder, has a number of its own world.
TEST_F(OutputFiles, WhatSomebodyHasLockedStays) {
  const fs::path partial = folder_ / fmt::format(".wave.riffle-partial-{}.mp4", dead_process());
  {
    const PartialLock lock(partial, folder_ / "wave.mp4");
    remove_leftovers(folder_);
    EXPECT_TRUE(fs::exists(partial));
  }
  remove_leftovers(folder_);
  EXPECT_FALSE(fs::exists(partial)) << "its writer has gone";
}

TEST_F(OutputFiles, WhatOthersMadeStays) {
  const pid_t dead = dead_process();
  std::vector<std::string> names;
  for (const char* name : {".wave.partial-{}.mp4", "wave.riffle-partial-{}.mp4", ".wave.riffle-partial-{}.mp4.old",
                           ".wave.riffle-partial-{}old", ".riffle-probe-{}.txt", ".riffle-probe-", ".riffle-probe--{}",
                           "riffle-probe-{}", ".wave.riffle-partial-.mp4", ".riffle-probe-{}00000000000"})
    names.push_back(fmt::format(fmt::runtime(name), dead));
  for (const std::string& name : names) std::ofstream(folder_ / name) << "mine";
  fs::create_directory(folder_ / fmt::format(".a.riffle-partial-{}", dead));
  fs::create_symlink(folder_ / names[0], folder_ / fmt::format(".b.riffle-partial-{}", dead));
  remove_leftovers(folder_);
  EXPECT_EQ(files(), static_cast<int>(names.size()) + 2);
  for (const std::string& name : names) EXPECT_EQ(text_of(folder_ / name), "mine") << name;
}

// An unpacking that was killed has a folder with the files that it had written.
TEST_F(OutputFiles, PartialFoldersGoWithTheirLock) {
  for (const pid_t process : {dead_process(), getpid()}) {
    const fs::path partial = folder_ / fmt::format(".riffle-partial-{}.1", process);
    fs::create_directories(partial / "files/a");
    std::ofstream(partial / "files/a/b.txt") << "half";
    remove_leftovers(folder_);
    EXPECT_TRUE(fs::exists(partial)) << "a folder without a lock may be one that is just made";
    {
      const PartialLock lock(partial / kPartialFolderLock, folder_ / "a");
      remove_leftovers(folder_);
      EXPECT_TRUE(fs::exists(partial / "files/a/b.txt")) << "its writer lives";
    }
    remove_leftovers(folder_);
    EXPECT_FALSE(fs::exists(partial));
  }
  const fs::path other = folder_ / fmt::format(".riffle-partial-{}", getppid());
  fs::create_directories(other);
  std::ofstream(other / kPartialFolderLock) << "";
  remove_leftovers(folder_);
  EXPECT_TRUE(fs::exists(other)) << "its process lives";
}

// A program may be killed while it removes one, or just before it locks its own.
TEST_F(OutputFiles, PartialFoldersWithoutALockGoWhenTheyAreLeftAlone) {
  const pid_t dead = dead_process();
  const fs::path half = folder_ / fmt::format(".riffle-partial-{}", dead), none = half.string() + ".1",
                 other = half.string() + ".2", living = folder_ / fmt::format(".riffle-partial-{}", getppid());
  for (const fs::path& folder : {half, none, other, living}) fs::create_directory(folder);
  fs::create_directory(half / kPartialFolderFiles);
  std::ofstream(half / kPartialFolderFiles / "b.txt") << "half";
  std::ofstream(other / "notes.txt") << "mine";
  const auto age = [&](std::chrono::seconds old) {
    for (const fs::path& folder : {half, none, other, living})
      fs::last_write_time(folder, fs::file_time_type::clock::now() - old);
  };
  age(std::chrono::seconds(30));
  remove_leftovers(folder_);
  EXPECT_EQ(files(), 4) << "they are young";
  age(std::chrono::seconds(90));
  remove_leftovers(folder_);
  EXPECT_FALSE(fs::exists(half));
  EXPECT_FALSE(fs::exists(none));
  EXPECT_TRUE(fs::exists(other)) << "it has a file of somebody";
  EXPECT_TRUE(fs::exists(living)) << "its process lives";
}

TEST_F(OutputFiles, TheLockOfAPartialFolderGoesLast) {
  if (geteuid() == 0) GTEST_SKIP() << "rights do not bind this user";
  const fs::path partial = folder_ / fmt::format(".riffle-partial-{}", dead_process());
  fs::create_directories(partial / kPartialFolderFiles / "a/b");
  std::ofstream(partial / kPartialFolderLock) << "";
  fs::permissions(partial / kPartialFolderFiles / "a", fs::perms::owner_read);
  remove_partial_folder(partial);
  fs::permissions(partial / kPartialFolderFiles / "a", fs::perms::owner_all);
  EXPECT_TRUE(fs::exists(partial / kPartialFolderLock)) << "so that the next program removes the rest";
}

TEST_F(OutputFiles, AreOneFileByAnySpellingAndNoPathIsNone) {
  const fs::path file = folder_ / "a.txt", other = folder_ / "sub" / ".." / "a.txt";
  EXPECT_TRUE(same_file(file, other));
  EXPECT_FALSE(same_file(file, folder_ / "b.txt"));
  EXPECT_TRUE(same_file("not/there.yaml", "./not/there.yaml"));
  EXPECT_FALSE(same_file(file, ""));
  EXPECT_FALSE(same_file("", file));
  EXPECT_FALSE(same_file("", ""));
}

TEST_F(OutputFiles, APipeNeedsNoFolderThatCanBeWrittenTo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_NO_THROW(prepare_file(fmt::format("/proc/self/fd/{}", ends[1])));
  EXPECT_THROW(prepare_file("/proc/self/fd/no_such"), RuntimeFailure);
  close(ends[0]);
  close(ends[1]);
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
