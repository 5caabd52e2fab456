// Tables of --series and --probes: nothing of them is lost by a kill, a full disk, a damaged line or another program.

#include "app/run/row_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/report/csv.h"
#include "core/error.h"

namespace riffle {
namespace {

namespace fs = std::filesystem;

/// Files may have that many bytes meanwhile.
class SizeLimit {
 public:
  explicit SizeLimit(std::size_t bytes) : usual_signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &usual_);
    rlimit small = usual_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &usual_);
    std::signal(SIGXFSZ, usual_signal_);
  }

 private:
  rlimit usual_{};
  void (*usual_signal_)(int);
};

class RowFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "riffle-rows-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  template <class F>
  static void with_file_limit(std::size_t bytes, const F& f) {
    const SizeLimit limit(bytes);
    f();
  }
  fs::path folder_;
  const std::string header_ = "time [s],height [m]\n";
};

TEST_F(RowFiles, GrowByRowsAndTakeThePlaceOfAnEarlierTable) {
  write("t.csv", "of an earlier run\n");
  RowFile table(folder_ / "t.csv");
  EXPECT_EQ(read("t.csv"), "of an earlier run\n");
  table.begin(header_, "0,1\n");
  table.append("1,2\n");
  EXPECT_EQ(read("t.csv"), header_ + "0,1\n1,2\n");
  table.cut_last();
  table.append("1,3\n");
  EXPECT_EQ(read("t.csv"), header_ + "0,1\n1,3\n");
}

TEST_F(RowFiles, KeepTheRowsBeforeAStateAlsoWhereTheColumnsChange) {
  write("t.csv", header_ + "0,1\n1,2\n2,3\n");
  RowFile table(folder_ / "t.csv", 2);
  table.begin(header_, "2,4\n");
  EXPECT_EQ(read("t.csv"), header_ + "0,1\n1,2\n2,4\n");
  table.begin(header_, "2,5\n");
  EXPECT_EQ(read("t.csv"), header_ + "0,1\n1,2\n2,5\n");
}

// Before the first rows are there whole, the old table is.
TEST_F(RowFiles, ATableThatCannotBeBegunStaysWhatItWas) {
  const std::string before = header_ + "0,1\n1,2\n";
  write("t.csv", before);
  RowFile table(folder_ / "t.csv", 2);
  EXPECT_THROW(with_file_limit(20, [&] { table.begin(header_, "2,4\n"); }), RuntimeFailure);
  EXPECT_EQ(read("t.csv"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "nothing half stays";
}

TEST_F(RowFiles, ARowThatDoesNotFitLeavesTheRowsBeforeIt) {
  RowFile table(folder_ / "t.csv");
  table.begin(header_, "0,1\n");
  EXPECT_THROW(with_file_limit(header_.size() + 6, [&] { table.append("1,2\n"); }), RuntimeFailure);
  EXPECT_EQ(read("t.csv"), header_ + "0,1\n");
  table.append("1,2\n");
  EXPECT_EQ(read("t.csv"), header_ + "0,1\n1,2\n");
}

TEST_F(RowFiles, AnotherProgramInTheSameFileIsNoticed) {
  RowFile one(folder_ / "t.csv"), other(folder_ / "t.csv");
  one.begin(header_, "0,1\n");
  other.begin(header_, "0,2\n");
  try {
    one.append("1,1\n");
    FAIL() << "the table is that of the other";
  } catch (const RuntimeFailure& failure) {
    EXPECT_NE(
        std::string(failure.what()).find("t.csv: cannot be written: another program has put another file in its place"),
        std::string::npos)
        << failure.what();
  }
  EXPECT_EQ(read("t.csv"), header_ + "0,2\n");
  std::ofstream(folder_ / "t.csv", std::ios::app) << "# a note\n";
  EXPECT_THROW(other.append("1,2\n"), RuntimeFailure);
  EXPECT_EQ(read("t.csv"), header_ + "0,2\n# a note\n") << "what the other has written stays";
}

TEST_F(RowFiles, LinesThatAreNoRowsAreLeftOutAndCounted) {
  write("t.csv", header_ + "0,1\n# a note\ngarbage,here\n1,2\n1.5\n2,3\n3,4\n4,");
  const RowsBefore found = rows_before(folder_ / "t.csv", header_, 3);
  EXPECT_EQ(found.rows, "0,1\n# a note\n1,2\n2,3\n");
  EXPECT_EQ(found.damaged, 2u);
  EXPECT_EQ(found.first_damaged, 4u);
  EXPECT_EQ(found.last, 2);
}

}  // namespace
}  // namespace riffle
