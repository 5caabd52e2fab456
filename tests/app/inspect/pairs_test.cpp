// `riffle pairs`: the list of neighbouring pairs.

#include <unzip.h>

#include <cstring>
#include <vector>

#include "support/program.h"

namespace riffle {
namespace {

class Pairs : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("three.yaml",
          "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: [periodic, walled]}\n"
          "particles: {spacing: 0.25, support_ratio: 2}\ngravity: [0, 0]\nsolver: {type: wcsph}\n"
          "bodies:\n  - {box: {min: [0, 0], max: [0.75, 0.25]}}\n");
  }
  /// An array of the .npz: its description and its bytes.
  struct Array {
    std::string header, data;
  };
  Array array(const std::string& file, const std::string& name) {
    Array found;
    unzFile zip = unzOpen((folder_ / file).c_str());
    if (!zip || unzLocateFile(zip, (name + ".npy").c_str(), 1) != UNZ_OK || unzOpenCurrentFile(zip) != UNZ_OK) {
      ADD_FAILURE() << file << " has no " << name;
      if (zip) unzClose(zip);
      return found;
    }
    std::string text(1 << 16, '\0');
    text.resize(static_cast<std::size_t>(std::max(0, unzReadCurrentFile(zip, text.data(), 1 << 16))));
    EXPECT_EQ(unzCloseCurrentFile(zip), UNZ_OK) << "the checksum";
    unzClose(zip);
    EXPECT_EQ(text.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length = 10 + static_cast<unsigned char>(text[8]) + 256u * static_cast<unsigned char>(text[9]);
    EXPECT_EQ(length % 64, 0u);
    EXPECT_EQ(text[length - 1], '\n');
    return {text.substr(10, length - 10), text.substr(length)};
  }
  template <class T>
  static std::vector<T> values(const Array& array) {
    std::vector<T> all(array.data.size() / sizeof(T));
    std::memcpy(all.data(), array.data.data(), all.size() * sizeof(T));
    return all;
  }
};

// Three particles 0.25 m apart in a periodic box of 1 m, and a radius of 0.5 m: the first and the last are 0.5 m apart
// both ways, which is not nearer.
TEST_F(Pairs, OfAFewParticlesAreThoseNearerThanTheRadius) {
  const Outcome outcome =
      riffle({"pairs", "three.yaml", "--device", "cpu", "--out", "p.csv", "--distances", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read("p.csv"), "i,j,distance\n0,1,0.25\n1,2,0.25\n");
  EXPECT_TRUE(contains(outcome.out, "2 pairs of 3 particles nearer than 0.5 m, 1.333 neighbours each")) << outcome.out;
  const auto report = json("r.json");
  EXPECT_EQ(report["count"], 2);
  EXPECT_EQ(report["steps"], 0);
  EXPECT_EQ(report["file"], "p.csv");
  ASSERT_EQ(riffle({"pairs", "three.yaml", "--device", "cpu", "--out", "p.csv"}).exit_code, 0);
  EXPECT_EQ(read("p.csv"), "i,j\n0,1\n1,2\n");
}

TEST_F(Pairs, AreArraysOfNumPy) {
  ASSERT_EQ(riffle({"pairs", "three.yaml", "--device", "cpu", "--out", "p.npz", "--distances"}).exit_code, 0);
  const Array i = array("p.npz", "i"), j = array("p.npz", "j"), distance = array("p.npz", "distance");
  EXPECT_TRUE(contains(i.header, "{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }")) << i.header;
  EXPECT_EQ(values<std::uint32_t>(i), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(values<std::uint32_t>(j), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(contains(distance.header, "'<f4'"));
  EXPECT_EQ(values<float>(distance), (std::vector<float>{0.25f, 0.25f}));
  const Array radius = array("p.npz", "support_radius"), time = array("p.npz", "time");
  EXPECT_TRUE(contains(radius.header, "'<f8', 'fortran_order': False, 'shape': ()")) << radius.header;
  EXPECT_NEAR(values<double>(radius).at(0), 0.5, 1e-6);
  EXPECT_EQ(values<double>(time), std::vector<double>{0});
}

TEST_F(Pairs, AreTheSameByEverySearchAndOthersAfterSomeSteps) {
  std::string first;
  for (const char* method : {"green", "hoetzlein", "fenns", "bucket", "rtnn", "thrust_pairs", "brute_force"}) {
    const Outcome outcome = riffle({"pairs", "dam_break", "--device", "cpu", "--set", "particles.spacing=0.1",
                                    "--neighbors", method, "--out", "p.csv", "--json", "r.json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    if (first.empty()) first = read("p.csv");
    EXPECT_EQ(read("p.csv"), first) << method;
    EXPECT_EQ(json("r.json")["method"], method);
  }
  ASSERT_EQ(riffle({"pairs", "dam_break", "--device", "cpu", "--set", "particles.spacing=0.1", "--steps", "40", "--out",
                    "q.csv", "--json", "r.json"})
                .exit_code,
            0);
  EXPECT_EQ(json("r.json")["steps"], 40);
  EXPECT_NE(read("q.csv"), first) << "the fluid has moved";
}

TEST_F(Pairs, WhatCannotBeWrittenIsSaidBeforeTheRun) {
  const Outcome ending = riffle({"pairs", "three.yaml", "--out", "p.txt"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(contains(ending.err, "'p.txt': found the ending '.txt', allowed for pairs: .npz, .csv")) << ending.err;
  EXPECT_EQ(riffle({"pairs", "three.yaml", "--distances"}).exit_code, 2);
  std::filesystem::create_symlink("/dev/full", folder_ / "full.csv");
  const Outcome full = riffle({"pairs", "three.yaml", "--device", "cpu", "--out", "full.csv"});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_TRUE(contains(full.err, "No space left on device")) << full.err;
}

}  // namespace
}  // namespace riffle
