/// XYZ as text and as raw floats, and what all formats have in common.

#include <cmath>
#include <cstring>
#include <limits>

#include "file_folder.h"

namespace riffle::test {
namespace {

class PointFiles : public FileFolder {
 protected:
  bench::PointFile text(const std::string& bytes, bench::BadPoints bad = bench::BadPoints::Refuse) const {
    return bench::read_points(write("a.xyz", bytes), bad);
  }
  static std::string floats(const std::vector<float>& values) {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }
};

TEST_F(PointFiles, ColumnsMayBeSeparatedByBlanksOrCommasAndMoreOfThemAreIgnored) {
  const std::vector<Vec4> expected{{1, 2, 3, 0}, {-4, 5.5f, 6e-2f, 0}};
  expect_points(text("1 2 3\n-4 5.5 6e-2\n"), expected);
  expect_points(text("1,2,3\n-4, 5.5 ,6e-2"), expected);
  expect_points(text("1;2;3;intensity\n-4\t5.5\t6e-2\tred\n"), expected);
  expect_points(text("# x y z\n\n  1 2 3 255 0 0\r\n   \r\n-4 5.5 6e-2 # the last\r\n#\n"), expected);
  for (const char* name : {"b.txt", "b.csv", "b.pts"})
    expect_points(bench::read_points(write(name, "1 2 3\n-4 5.5 6e-2\n")), expected);
}

TEST_F(PointFiles, AFirstLineOfOneNumberIsTheirCount) {
  expect_points(text("2\n1 2 3\n4 5 6\n"), {{1, 2, 3, 0}, {4, 5, 6, 0}});
  expect_refused("a.pts", "# made by hand\n3\n1 2 3\n4 5 6\n", {":2: ", "states 3 points, found 2"});
  expect_refused("a.pts", "1\n1 2 3\n4 5 6\n", {":1: ", "states 1 points, found 2"});
}

TEST_F(PointFiles, ALineThatIsNoPointIsNamed) {
  expect_refused("a.xyz", "1 2 3\n4 5\n", {"a.xyz:2: ", "found 2 columns", "'4 5'", "x y z"});
  expect_refused("a.xyz", "1 2 3\n7\n", {"a.xyz:2: ", "found 1 column "});
  expect_refused("a.csv", "x,y,z\n1,2,3\n", {"a.csv:1: ", "'x' for x", "comments from #"});
  expect_refused("a.xyz", "1 2 3\n4 5 0x10\n", {"a.xyz:2: ", "'0x10' for z"});
  expect_refused("a.xyz", "1 2 ++3\n", {"'++3' for z"});
  expect_refused("a.xyz", std::string(2000000, '\1'), {"a.xyz:1: ", "this is no text"});
  expect_refused("a.xyz", floats({1, 2, 3, 4, 5, 6}), {"a.xyz:1: "});
}

TEST_F(PointFiles, PointsThatAreNoNumbersAreNamedOrDropped) {
  const std::string some = "0 0 0\n1 nan 1\n2 2 2\n3 3 -inf\n";
  expect_refused("a.xyz", some, {"point 1 (line 2)", "1 nan 1"});
  const bench::PointFile kept = text(some, bench::BadPoints::Drop);
  expect_points(kept, {{0, 0, 0, 0}, {2, 2, 2, 0}});
  EXPECT_EQ(kept.dropped, 2);
  EXPECT_EQ(kept.first_dropped, "point 1 (line 2): found 1 nan 1");
  EXPECT_EQ(text("nan nan nan\n", bench::BadPoints::Drop).points.size(), 0u);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect_refused("a.xyzb", floats({0, 0, 0, 1, nan, 2}), {"point 1 (byte 12)", "1 nan 2"});
}

TEST_F(PointFiles, RawFloatsAreTriples) {
  expect_points(bench::read_points(write("a.xyzb", floats({1, 2, 3, -4, 5.5f, 6}))), {{1, 2, 3, 0}, {-4, 5.5f, 6, 0}});
  EXPECT_EQ(bench::read_points(write("none.xyzb", "")).points.size(), 0u);
  for (std::size_t cut = 1; cut < 12; ++cut)
    expect_refused(
        "a.xyzb", floats({1, 2, 3, 4, 5, 6}).substr(cut),
        {"found " + std::to_string(24 - cut) + " bytes", "1 points and " + std::to_string(12 - cut) + " bytes"});
}

/// Files that are one hole: they occupy no space on the disk.
TEST_F(PointFiles, MorePointsThanCanBeNumberedAreRefusedBeforeTheyAreRead) {
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 2000000001\nproperty float x\nproperty float y\n"
      "property float z\nend_header\n";
  for (const std::string name : {"large.xyzb", "large.ply"}) {
    const std::string begin = name == "large.ply" ? header : "";
    const std::filesystem::path file = write(name, begin);
    std::error_code failed;
    std::filesystem::resize_file(file, begin.size() + std::uintmax_t{12} * 2'000'000'001, failed);
    if (failed) GTEST_SKIP() << "no file may be as large here: " << failed.message();
    try {
      bench::read_points(file);
      ADD_FAILURE() << name << " was read";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("found 2000000001 points; allowed are 2000000000"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(PointFiles, CoordinatesFarFromZeroKeepWhatTellsThemApart) {
  const bench::PointFile far = text("450000.001 5400000.25 12.5\n450000.002 5400010.25 13.5\n");
  ASSERT_EQ(far.points.size(), 2u);
  for (int a = 0; a < 3; ++a)
    EXPECT_EQ(far.origin[a], std::round(far.origin[a])) << "a whole number, easy to add again";
  EXPECT_NEAR(double{far.points[1].x} - double{far.points[0].x}, 0.001, 1e-7);
  EXPECT_NEAR(far.origin[1] + double{far.points[1].y}, 5400010.25, 1e-6);
  EXPECT_NEAR(far.origin[2] + double{far.points[0].z}, 12.5, 1e-6);
  const bench::PointFile near = text("1 2 3\n5 6 7\n");
  for (int a = 0; a < 3; ++a) EXPECT_EQ(near.origin[a], 0);
  expect_points(text("1 2 3\n"), {{1, 2, 3, 0}});  // a single point has no neighbours to separate
}

/// Points of a map, a tenth of a millimetre apart, and where their row has something else.
std::string map_with(const std::vector<std::pair<int, std::string>>& strangers, int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    for (const auto& [at, line] : strangers)
      if (at == i) lines += line + "\n";
    lines += std::to_string(450000 + i / 100) + "." + std::to_string(10000 + i % 100) + " 5400000.25 12.5\n";
  }
  return lines;
}

TEST_F(PointFiles, AFewOutliersDoNotKeepACloudFromBeingShifted) {
  for (const std::string outlier : {"0 0 0", "1e9 -1e9 1e12"})
    for (const int at : {0, 100, 399}) {
      SCOPED_TRACE(outlier + " before " + std::to_string(at));
      const bench::PointFile far = text(map_with({{at, outlier}, {at / 2, outlier}}, 400));
      ASSERT_EQ(far.points.size(), 402u);
      EXPECT_NEAR(far.origin[0], 450002, 2);
      const std::size_t last = far.points.size() - (at == 399 ? 3 : 2);
      EXPECT_NEAR(double{far.points.back().x} - double{far.points[last].x}, 1e-5, 1e-6);
    }
  // Half of the points are no outliers: points near zero would lose as much as the others gain.
  std::string halves;
  for (int i = 0; i < 100; ++i) halves += "1.5 2 3\n" + std::to_string(1000000 + i) + " 2 3\n";
  const bench::PointFile two = text(halves);
  for (int a = 0; a < 3; ++a) EXPECT_EQ(two.origin[a], 0);
  // All but one point at one place: the digits must separate that one from the others.
  std::string place;
  for (int i = 0; i < 50; ++i) place += "1000000 0 0\n";
  EXPECT_NEAR(text(place + "1000001 0 0\n").origin[0], 1000000, 1);
}

TEST_F(PointFiles, ALineWhoseCommasMayBeDecimalOnesIsRefused) {
  for (const char* line : {"1,5 2,0 3,1", "1,5\t2\t3", "1;2,5;3", "1 2 3,5", "-1,5e3 2 3 255 0 0", "1,5, 2,0, 3,1"})
    expect_refused("a.xyz", std::string("1 2 3\n") + line + "\n",
                   {"a.xyz:2: ", "decimal", "allowed: decimal points", "blanks, commas or semicolons"});
  const std::vector<Vec4> point{{1, 2, 3, 0}};
  for (const char* line : {"1,2,3", "1, 2, 3", "1 , 2 , 3", "1,2,3 255 0 0", "1,2,3 4,5", "1;2;3;0,5", "1 2 3 0,5",
                           "1,2, 3", "1.0,2.0 3", "1 2 3 # 1,5 2,0 3,1", "1,2,3,4,5,6"}) {
    SCOPED_TRACE(line);
    expect_points(text(line), point);
  }
}

TEST_F(PointFiles, AColumnWithNothingInItIsNoNumber) {
  for (const char* line : {"1,,3,4\n", ",1,2,3\n", "1 ; ; 2 3\n"}) EXPECT_THROW(text(line), InputError) << line;
  expect_points(text("1, 2 ,3\n"), {{1, 2, 3, 0}});
}

TEST_F(PointFiles, AFileThatCannotBeReadOrHasAnotherEndingIsRefused) {
  const auto said = [](const std::filesystem::path& file) -> std::string {
    try {
      bench::read_points(file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_NE(said(folder_ / "none.ply").find("No such file"), std::string::npos);
  std::filesystem::create_directory(folder_ / "folder.ply");
  EXPECT_NE(said(folder_ / "folder.ply").find("directory"), std::string::npos);
  EXPECT_NE(said(write("a.las", "")).find("allowed for points: .ply"), std::string::npos);
  EXPECT_NE(said(write("a", "")).find("found the ending ''"), std::string::npos);
  EXPECT_EQ(text("").points.size(), 0u);
}

}  // namespace
}  // namespace riffle::test
