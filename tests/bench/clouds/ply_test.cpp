/// PLY files of every kind that the format allows, and every possible error in one.

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

#include "file_folder.h"

namespace riffle::test {
namespace {

/// Binary values one after the other.
class Bytes {
 public:
  explicit Bytes(bool big_endian = false) : big_endian_(big_endian) {}
  template <class T>
  Bytes& add(T value) {
    char b[sizeof(T)];
    std::memcpy(b, &value, sizeof value);
    if (big_endian_) std::reverse(b, b + sizeof value);
    text.append(b, sizeof value);
    return *this;
  }
  std::string text;

 private:
  bool big_endian_;
};

const std::vector<Vec4> kThree{{0.5f, -1.25f, 2, 0}, {3, 4, 5, 0}, {-6, 7.5f, 1e-3f, 0}};

std::string text_ply(const std::string& rows, const std::string& count = "3") {
  return "ply\nformat ascii 1.0\nelement vertex " + count +
         "\nproperty float x\nproperty float y\nproperty float z\nend_header\n" + rows;
}
const std::string kRows = "0.5 -1.25 2\n3 4 5\n-6 7.5 1e-3\n";

std::string binary_ply(const std::string& body, const std::string& count = "3", const char* order = "little") {
  return std::string("ply\nformat binary_") + order + "_endian 1.0\nelement vertex " + count +
         "\nproperty float x\nproperty float y\nproperty float z\nend_header\n" + body;
}
std::string float_rows(bool big = false) {
  Bytes bytes(big);
  for (const Vec4& p : kThree) bytes.add(p.x).add(p.y).add(p.z);
  return bytes.text;
}

class PlyFiles : public FileFolder {
 protected:
  bench::PointFile read(const std::string& bytes, bench::BadPoints bad = bench::BadPoints::Refuse) const {
    return bench::read_points(write("a.ply", bytes), bad);
  }
  void expect_bad(const std::string& bytes, const std::vector<std::string>& parts) const {
    expect_refused("bad.ply", bytes, parts);
  }
};

TEST_F(PlyFiles, TextAndBothByteOrdersHaveTheSamePoints) {
  expect_points(read(text_ply(kRows)), kThree);
  expect_points(read(binary_ply(float_rows())), kThree);
  expect_points(read(binary_ply(float_rows(true), "3", "big")), kThree);
}

TEST_F(PlyFiles, LineEndsOfOtherSystemsCommentsAndBlankLinesAreNoMatter) {
  std::string text =
      "ply\ncomment made by hand\nformat ascii 1.0\nobj_info num_cols 3\n\nelement vertex 3\ncomment x is up\n"
      "property float x\nproperty\tfloat  y\nproperty float z\nend_header\n0.5 -1.25 2\n\n3\t4  5 \n-6 7.5 +1e-3";
  expect_points(read(text), kThree);
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_points(read(crlf), kThree);
  std::string header = binary_ply("");
  crlf.clear();
  for (const char c : header) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_points(read(crlf + float_rows()), kThree);  // the body begins behind the \n
}

TEST_F(PlyFiles, EveryScalarTypeInAnyOrderAmongOtherPropertiesAndElementsIsRead) {
  const std::string header =
      "element camera 2\nproperty list uchar double view\nproperty short id\n"
      "element nothing 4000000000\n"
      "element vertex 2\nproperty list int16 uint8 tags\nproperty double z\nproperty uchar red\nproperty int8 x\n"
      "property list uint32 float32 w\nproperty uint16 y\nproperty float64 confidence\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::vector<Vec4> expected{{-7, 65535, 0.125f, 0}, {12, 3, -2.5f, 0}};
  expect_points(read("ply\nformat ascii 1.0\n" + header +
                     "2 0.5 0.25 7\n0 8\n3 1 2 3 0.125 255 -7 0 65535 1\n0 -2.5 0 12 2 1.5 2.5 3 1\n3 0 1 0\n"),
                expected);
  for (const bool big : {false, true}) {
    Bytes b(big);
    b.add(std::uint8_t{2}).add(0.5).add(0.25).add(std::int16_t{7}).add(std::uint8_t{0}).add(std::int16_t{8});
    b.add(std::int16_t{3})
        .add(std::uint8_t{1})
        .add(std::uint8_t{2})
        .add(std::uint8_t{3})
        .add(0.125)
        .add(std::uint8_t{255});
    b.add(std::int8_t{-7}).add(std::uint32_t{0}).add(std::uint16_t{65535}).add(1.0);
    b.add(std::int16_t{0})
        .add(-2.5)
        .add(std::uint8_t{0})
        .add(std::int8_t{12})
        .add(std::uint32_t{2})
        .add(1.5f)
        .add(2.5f);
    b.add(std::uint16_t{3}).add(1.0);
    b.add(std::uint8_t{3}).add(std::int32_t{0}).add(std::int32_t{1}).add(std::int32_t{0});
    expect_points(
        read(std::string("ply\nformat binary_") + (big ? "big" : "little") + "_endian 1.0\n" + header + b.text),
        expected);
  }
  Bytes integers;
  integers.add(std::int32_t{-70000}).add(std::uint32_t{4000000000}).add(std::int16_t{-5});
  expect_points(read("ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty int x\nproperty uint y\n"
                     "property short z\nend_header\n" +
                     integers.text),
                {{-70000, 4e9f, -5, 0}});
}

TEST_F(PlyFiles, NoVerticesAreAFileOfNone) {
  EXPECT_EQ(read(text_ply("", "0")).points.size(), 0u);
  EXPECT_EQ(read(binary_ply("", "0")).points.size(), 0u);
}

TEST_F(PlyFiles, MoreThanAPieceOfTheFileIsRead) {
  Bytes bytes;
  std::string text;
  constexpr int kCount = 60000;  // 720 kB
  for (int i = 0; i < kCount; ++i) {
    bytes.add(float(i)).add(0.5f * float(i)).add(-float(i));
    text += std::to_string(i) + " 0 " + std::to_string(-i) + "\n";
  }
  for (const bench::PointFile& file : {read(binary_ply(bytes.text, "60000")), read(text_ply(text, "60000"))}) {
    ASSERT_EQ(file.points.size(), std::size_t{kCount});
    for (int i = 0; i < kCount; i += 7) {
      ASSERT_EQ(file.points[static_cast<std::size_t>(i)].x, float(i));
      ASSERT_EQ(file.points[static_cast<std::size_t>(i)].z, -float(i));
    }
  }
}

TEST_F(PlyFiles, ATruncatedFileSaysHowManyVerticesOfHowManyThereAre) {
  expect_bad(text_ply("0.5 -1.25 2\n3 4 5\n"), {"after 2 of 3 vertices", "line 9", "line 3 states"});
  expect_bad(text_ply("0.5 -1.25 2\n3 4"), {":9: ", "too few numbers", "row 1", "vertex", "'3 4'"});
  const std::string whole = binary_ply(float_rows());
  for (const std::size_t cut : {1, 4, 12, 13})
    expect_bad(whole.substr(0, whole.size() - cut),
               {cut > 12 ? "after 1 of 3 vertices" : "after 2 of 3 vertices", "byte"});
  // Elements after the points are part of the file as well.
  const std::string face = "element face 2\nproperty list uchar int vertex_indices\n";
  std::string with_faces = text_ply(kRows);
  with_faces.insert(with_faces.find("end_header"), face);
  expect_bad(with_faces + "3 0 1 2\n", {"after 1 of 2 rows of the element face"});
  with_faces = whole;
  with_faces.insert(with_faces.find("end_header"), face);
  expect_bad(with_faces + Bytes().add(std::uint8_t{3}).add(std::int32_t{0}).text, {"after 0 of 2 rows", "face"});
}

TEST_F(PlyFiles, ACountThatIsNotTheFilesIsRefused) {
  expect_bad(text_ply(kRows, "2"), {":10: ", "'-6 7.5 1e-3'", "behind the last row"});
  expect_bad(binary_ply(float_rows(), "2"), {"12 bytes behind the last row", "byte"});
  expect_bad(text_ply(kRows, "4"), {"after 3 of 4 vertices"});
}

TEST_F(PlyFiles, AHugeCountInAShortFileIsRefusedBeforeMemoryIsTaken) {
  for (const char* count : {"4000000000", "9000000000000000000"}) {
    expect_bad(binary_ply(float_rows(), count), {"after 3 of " + std::string(count) + " vertices"});
    expect_bad(text_ply(kRows, count), {"after 3 of " + std::string(count)});
    std::string before = binary_ply(float_rows());
    before.insert(before.find("element"), std::string("element other ") + count + "\nproperty double a\n");
    expect_bad(before, {"after 4 of", "other"});
    before = binary_ply(Bytes().add(std::uint32_t{4000000000}).text);
    before.insert(before.find("property"), "property list uint double many\n");
    expect_bad(before, {"after 0 of 3 vertices"});
  }
  expect_bad(text_ply(kRows, "99999999999999999999"), {"element vertex 99999999999999999999", "whole number"});
  expect_bad(text_ply(kRows, "-3"), {"element vertex -3", "whole number from 0"});
  expect_bad(text_ply(kRows, "3.0"), {"whole number"});
}

TEST_F(PlyFiles, PointsThatAreNoNumbersAreNamedOrDropped) {
  const std::string text = text_ply("0 0 0\nnan 1 2\n3 inf 4\n5 6 7\n", "4");
  expect_bad(text, {"vertex 1 (line 9)", "nan 1 2", "finite", "--drop-bad-points"});
  const bench::PointFile kept = read(text, bench::BadPoints::Drop);
  expect_points(kept, {{0, 0, 0, 0}, {5, 6, 7, 0}});
  EXPECT_EQ(kept.dropped, 2);
  EXPECT_NE(kept.first_dropped.find("vertex 1 (line 9)"), std::string::npos);
  Bytes bytes;
  bytes.add(1.f).add(2.f).add(3.f).add(4.f).add(-std::numeric_limits<float>::infinity()).add(6.f);
  const std::string binary = binary_ply(bytes.text, "2");
  expect_bad(binary, {"vertex 1 (byte " + std::to_string(binary.size() - 12) + ")", "4 -inf 6"});
  EXPECT_EQ(read(binary, bench::BadPoints::Drop).dropped, 1);
  expect_bad(text_ply("1 2 1e39\n", "1"), {"vertex 0", "1e+39"});
  expect_bad(text_ply("1 2 1e999\n", "1"), {"vertex 0", "inf"});
}

TEST_F(PlyFiles, AHeaderThatIsWrongIsRefusedWithItsLine) {
  const std::string xyz_lines = "property float x\nproperty float y\nproperty float z\n";
  expect_bad("", {":1: ", "empty file", "\"ply\""});
  expect_bad("PLY\n", {":1: ", "'PLY'"});
  expect_bad(std::string("\x89PNG\r\n\x1a\n", 8), {":1: ", "'?PNG'"});
  expect_bad("ply\nformat ascii 1.0\nelement vertex 1\n" + xyz_lines, {"after line 6", "end_header"});
  expect_bad("ply\nelement vertex 1\n" + xyz_lines + "end_header\n1 2 3\n", {":6: ", "before any format"});
  expect_bad("ply\nformat ascii 2.0\nend_header\n", {":2: ", "'format ascii 2.0'"});
  expect_bad("ply\nformat binary 1.0\nend_header\n", {":2: ", "binary_little_endian"});
  expect_bad("ply\nformat ascii 1.0\nformat ascii 1.0\nend_header\n", {":3: "});
  expect_bad("ply\nformat ascii 1.0\nelemnt vertex 1\n", {":3: ", "'elemnt vertex 1'", "element"});
  expect_bad("ply\nformat ascii 1.0\nproperty float x\n", {":3: ", "after the element"});
  expect_bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", {":4: ", "'property real x'", "double"});
  expect_bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty float\n", {":4: ", "TYPE NAME"});
  expect_bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int a\n", {":4: ", "whole type"});
  expect_bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\n", {":5: ", "once"});
  expect_bad("ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 2\n", {":4: ", "line 3 has it already"});
  expect_bad("ply\nformat ascii 1.0\nelement face 0\nend_header\n", {"no element \"vertex\""});
  expect_bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float z\nend_header\n1 2\n",
             {":3: ", "no number y", "found: x, z"});
  expect_bad(
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty list uchar float y\nproperty float z\n"
      "end_header\n1 1 2 3\n",
      {"no number y"});
}

/// So many lines that comparing each with all earlier ones would take minutes.
TEST_F(PlyFiles, AHeaderMayBeVeryLong) {
  constexpr int many = 200'000;
  std::string elements = "ply\nformat ascii 1.0\n";
  for (int i = 0; i < many; ++i) elements += "element e" + std::to_string(i) + " 0\nproperty int a\n";
  elements += "element vertex 1\n";
  std::string properties = "property float x\nproperty float y\nproperty float z\n";
  const std::string end = "end_header\n1 2 3\n";
  expect_points(bench::read_points(write("a.ply", elements + properties + end)), {{1, 2, 3, 0}});
  expect_refused("b.ply", elements + properties + "element e7 0\n" + end,
                 {"found 'element e7 0'", "each element once; line 17 has it already"});

  std::string row = "1 2 3";
  for (int i = 0; i < many; ++i) properties += "property int p" + std::to_string(i) + "\n", row += " 0";
  const std::string start = "ply\nformat ascii 1.0\nelement vertex 1\n";
  expect_points(bench::read_points(write("c.ply", start + properties + "end_header\n" + row + "\n")), {{1, 2, 3, 0}});
  expect_refused("d.ply", start + properties + "property int p9\nend_header\n" + row + "\n",
                 {"found 'property int p9'", "each property of an element once"});
}

TEST_F(PlyFiles, ARowThatIsWrongIsRefusedWithItsLine) {
  expect_bad(text_ply("1 2 3\n4 five 6\n7 8 9\n"), {":9: ", "'five' for y", "row 1"});
  expect_bad(text_ply("1 2 3\n4 5 6 7\n7 8 9\n"), {":9: ", "more numbers than properties"});
  expect_bad(text_ply("1 2 3\n4 5 6,\n7 8 9\n"), {":9: ", "'6,' for z"});
  std::string list = text_ply("1 2 3 -1\n", "1");
  list.insert(list.find("end_header"), "property list int int l\n");
  expect_bad(list, {":9: ", "'-1' for the length of the list l"});
  std::string binary = binary_ply(Bytes().add(1.f).add(2.f).add(3.f).add(std::int8_t{-2}).text, "1");
  binary.insert(binary.find("end_header"), "property list char int l\n");
  expect_bad(binary, {"-2 for the length of the list l", "row 0"});
}

TEST_F(PlyFiles, NoDamageOfAFileDoesMoreThanRefuseIt) {
  std::mt19937 random(7);
  std::string with_lists = binary_ply("");
  with_lists.insert(with_lists.find("end_header"), "property list uchar short l\n");
  for (const Vec4& p : kThree)
    with_lists += Bytes().add(p.x).add(p.y).add(p.z).add(std::uint8_t{1}).add(std::int16_t{9}).text;
  int refused = 0, read_all_the_same = 0;
  for (const std::string& good : {text_ply(kRows), binary_ply(float_rows(true), "3", "big"), with_lists})
    for (int trial = 0; trial < 400; ++trial) {
      std::string bad = good;
      for (unsigned damage = 0; damage <= random() % 3; ++damage) {
        const std::size_t at = random() % bad.size();
        if (random() % 4 == 0)
          bad.resize(at + 1);
        else if (random() % 2 == 0)
          bad[at] = static_cast<char>(random());
        else
          bad.insert(at, bad.substr(random() % bad.size(), random() % 20));
      }
      try {
        read(bad, trial % 2 == 0 ? bench::BadPoints::Refuse : bench::BadPoints::Drop);
        ++read_all_the_same;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("a.ply"), std::string::npos) << error.what();
        ++refused;
      }
    }
  EXPECT_GT(refused, 300);
  EXPECT_GT(read_all_the_same, 10) << "where a number became another";
}

}  // namespace
}  // namespace riffle::test
