#pragma once
/// A folder for a test's files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "bench/clouds/point_file.h"
#include "core/error.h"

namespace riffle::test {

class FileFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("riffle-clouds-") + info->name() + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  /// The file must be refused, with a message that contains all of `parts`.
  void expect_refused(const std::string& name, const std::string& bytes, const std::vector<std::string>& parts,
                      bench::BadPoints bad = bench::BadPoints::Refuse) const {
    SCOPED_TRACE(bytes.substr(0, 200));
    try {
      const bench::PointFile read = bench::read_points(write(name, bytes), bad);
      ADD_FAILURE() << "was read: " << read.points.size() << " points";
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find(name), std::string::npos) << said;
      for (const std::string& part : parts)
        EXPECT_NE(said.find(part), std::string::npos) << said << "\nlacks: " << part;
    }
  }

  std::filesystem::path folder_;
};

inline void expect_points(const bench::PointFile& file, const std::vector<Vec4>& expected) {
  ASSERT_EQ(file.points.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(xyz(file.points[i]), xyz(expected[i])) << "point " << i;
    EXPECT_EQ(file.points[i].w, 0);
  }
}

}  // namespace riffle::test
