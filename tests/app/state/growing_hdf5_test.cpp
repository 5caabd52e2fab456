/// HDF5 files on the disk that grow.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/state/hdf5_file.h"

namespace riffle::test {
namespace {

std::string bytes_now(const std::filesystem::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

// A program may be killed at any moment: until a part is whole, the file must be the one without it.
TEST(GrowingHdf5, FileKeepsItsBytesUntilAPartIsWhole) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("riffle-growing-" + std::to_string(getpid()) + ".h5");
  hdf5::Writer(file, hdf5::Writer::Begin::New).close();
  const std::vector<float> values(100000, 0.5f);
  std::string before = bytes_now(file);
  for (int part = 0; part < 10; ++part) {
    const std::string group = "part_" + std::to_string(100 + part);
    hdf5::Writer out(file, hdf5::Writer::Begin::GoOn, before.size());
    out.make_group(group);
    out.note(group, "number", std::uint64_t(part));
    out.write_packed(group + "/values", values, {values.size()});
    // More than HDF5 keeps in its own memory, so that it writes tables before the end.
    for (int k = 0; part == 5 && k < 4000; ++k) out.make_group(group + "/" + std::to_string(k));
    ASSERT_TRUE(bytes_now(file).substr(0, before.size()) == before) << part;
    out.close();
    const std::string after = bytes_now(file);
    ASSERT_TRUE(after.substr(0, before.size()) != before) << "nothing leads to the new part";
    before = after;
    if (part == 4) {
      EXPECT_LT(before.size(), 5 * values.size()) << "nothing is compressed";
    }
    const hdf5::Reader in(file, "growing", before.size());
    for (int k = 0; k <= part; ++k)
      ASSERT_EQ(in.note<std::uint64_t>("part_" + std::to_string(100 + k), "number"), std::uint64_t(k));
    ASSERT_EQ(in.shape(group + "/values"), hdf5::Shape{values.size()});
  }
  std::filesystem::remove(file);
}

// An exception in the middle of a part ends its writer without close().
TEST(GrowingHdf5, APartThatIsNotClosedLeavesTheFileAsItWas) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("riffle-unclosed-" + std::to_string(getpid()) + ".h5");
  hdf5::Writer(file, hdf5::Writer::Begin::New).close();
  const std::string before = bytes_now(file);
  {
    hdf5::Writer out(file, hdf5::Writer::Begin::GoOn, before.size());
    out.make_group("half");
    out.write_packed("half/values", std::vector<float>(100000, 0.5f), {100000});
  }
  EXPECT_TRUE(bytes_now(file) == before);
  hdf5::Writer out(file, hdf5::Writer::Begin::GoOn, before.size());
  out.make_group("half");  // there is none yet
  out.close();
  std::filesystem::remove(file);
}

TEST(GrowingHdf5, AFileOfAnotherProgramKeepsItsBytes) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("riffle-foreign-" + std::to_string(getpid()) + ".h5");
  const std::string text(10000, 'x');
  std::ofstream(file) << text;
  EXPECT_ANY_THROW(hdf5::Writer(file, hdf5::Writer::Begin::GoOn, 5000));
  EXPECT_TRUE(bytes_now(file) == text);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace riffle::test
