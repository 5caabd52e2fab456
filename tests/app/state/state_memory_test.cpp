/// State files that claim more than they have: each is refused, in little time and in memory that follows the file's bytes.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <vector>

#include "app/state/pack_file.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "sim/simulation.h"
#include "support/scratch.h"
#include "tests/fuzz/sealed_state.h"
#include "tests/sim/outcomes.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

constexpr hsize_t kHuge = hsize_t{25} << 30;  // numbers of 4 bytes: 100 GiB

/// [bytes] What HDF5 takes for any file. A sanitizer adds what it knows of each address, and keeps what was freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kOfHdf5 = std::uint64_t{96} << 20;
#else
constexpr std::uint64_t kOfHdf5 = std::uint64_t{12} << 20;
#endif

struct Outcome {
  std::string said;         ///< the refusal; "" where the file was read, else how the process ended
  std::uint64_t bytes = 0;  ///< of memory at its most, beyond what the process had before
};

/// @return [bytes] that the process has had at most
std::uint64_t most_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::stoull(line.substr(6));
  return 0;
}

/// In a process of its own, whose most memory begins with what it has now. It ends by itself where it waits for something.
Outcome apart(const std::function<void()>& read) {
  int ends[2];
  if (pipe(ends) != 0) return {"no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const std::uint64_t before = most_memory();
    std::string said;
    try {
      read();
    } catch (const InputError& error) {
      said = error.what();
    } catch (const std::exception& error) {
      said = std::string("no refusal: ") + error.what();
    }
    const std::uint64_t bytes = most_memory() - before;
    const bool written = write(ends[1], &bytes, sizeof bytes) == sizeof bytes &&
                         write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string got;
  char piece[4096];
  for (ssize_t size; (size = ::read(ends[0], piece, sizeof piece)) > 0;)
    got.append(piece, static_cast<std::size_t>(size));
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || got.size() < sizeof(std::uint64_t))
    return {"the process ended with the status " + std::to_string(status)};
  Outcome outcome{got.substr(sizeof outcome.bytes)};
  std::memcpy(&outcome.bytes, got.data(), sizeof outcome.bytes);
  return outcome;
}

class StateMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    Simulation simulation(column_setup(2, 4), Device{DeviceKind::Cpu});
    simulation.step();
    SavedRun run;
    run.scene = {"small.yaml", "particles: {spacing: 0.1}\n", {{"1/table.csv", "time,x\n0,0\n"}}};
    run.state = simulation.save_state();
    run.version = "0.1.0";
    write_state(whole_, run);
  }

  /// A state in which HDF5 itself has changed something, with the checksums that it should have.
  std::string changed(const std::function<void(hid_t)>& change) const {
    const std::string file = folder_ / "changed.h5";
    std::filesystem::copy_file(whole_, file, std::filesystem::copy_options::overwrite_existing);
    const hid_t state = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(state, 0);
    change(state);
    EXPECT_GE(H5Fclose(state), 0);
    std::stringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    std::ofstream(file, std::ios::binary) << fuzz::with_right_sums(bytes.str());
    return file;
  }

  /// Whole and as its summary.
  void expect_refused(const std::string& file, const std::vector<std::string>& words) const {
    const std::uint64_t bytes = std::filesystem::file_size(file);
    const Outcome read = apart([&] { read_state(file); });
    expect_contains(read.said, words);
    EXPECT_TRUE(read.said.starts_with(file + ": ")) << read.said;
    EXPECT_LE(read.bytes, 4 * bytes + kOfHdf5) << "of a file of " << bytes << " bytes: " << read.said;
    const Outcome summary = apart([&] { summary_of(open_state(file)); });
    EXPECT_TRUE(summary.said.empty() || summary.said.starts_with(file + ": ")) << summary.said;
    EXPECT_LE(summary.bytes, 4 * bytes + kOfHdf5) << "of a file of " << bytes << " bytes: " << summary.said;
  }

  Scratch folder_;
  const std::string whole_ = folder_ / "whole.h5";
};

/// Puts an array in place of one, with notes that a state has.
void replace(hid_t state, const char* name, hid_t type, const std::vector<hsize_t>& shape, hid_t creation = H5P_DEFAULT,
             const std::function<void(hid_t)>& fill = {}) {
  if (H5Lexists(state, name, H5P_DEFAULT) > 0) H5Ldelete(state, name, H5P_DEFAULT);
  const hid_t space =
      shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t array = H5Dcreate2(state, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  EXPECT_GE(array, 0) << name;
  if (fill) fill(array);
  const std::string text = "velocity";
  const hid_t text_type = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
  H5Tset_size(text_type, text.size());
  for (const char* note : {"attribute", "name"}) {
    const hid_t at = H5Acreate2(array, note, text_type, one, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(at, text_type, text.c_str());
    H5Aclose(at);
  }
  H5Sclose(one);
  H5Tclose(text_type);
  H5Dclose(array);
  H5Sclose(space);
}

using Closing = std::pair<hid_t, herr_t (*)(hid_t)>;

void set_count(hid_t state, std::uint64_t count) {
  EXPECT_GE(H5Adelete_by_name(state, "particles", "count", H5P_DEFAULT), 0);
  const hid_t one = H5Screate(H5S_SCALAR);
  const hid_t note =
      H5Acreate_by_name(state, "particles", "count", H5T_STD_U64LE, one, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(note, H5T_NATIVE_UINT64, &count), 0);
  for (const auto& [id, close] : {Closing{note, H5Aclose}, {one, H5Sclose}}) close(id);
}

/// Makes links to an object until so many are there.
void link_often(hid_t state, const char* object, const std::string& as, int count) {
  for (int k = 0; k < count; ++k)
    EXPECT_GE(H5Lcreate_hard(state, object, state, (as + std::to_string(k)).c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
}

hid_t in_chunks(const std::vector<hsize_t>& chunk) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
  return creation;
}

TEST_F(StateMemory, OfAWholeStateIsAsMuchAsTheFileHas) {
  const Outcome read = apart([&] { read_state(whole_); });
  EXPECT_EQ(read.said, "");
  EXPECT_LE(read.bytes, kOfHdf5);
  const Outcome large = apart([] { std::vector<char>(std::size_t{100} << 20, 'x').swap(*new std::vector<char>); });
  EXPECT_GE(large.bytes, std::uint64_t{100} << 20) << "memory is not seen";
}

TEST_F(StateMemory, ArraysThatWereNeverWrittenAreRefused) {
  for (const char* array :
       {"particles/velocity", "particles/density", "turns", "scene/files/0000", "search/positions"}) {
    const bool bytes = std::string(array).starts_with("scene");
    const hid_t type = bytes ? H5T_STD_U8LE : std::string(array) == "turns" ? H5T_STD_I32LE : H5T_IEEE_F32LE;
    for (const bool chunked : {false, true}) {
      SCOPED_TRACE(std::string(array) + (chunked ? " in chunks" : ""));
      expect_refused(changed([&](hid_t state) {
                       const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
                       const float value = 1;
                       H5Pset_fill_value(creation, H5T_NATIVE_FLOAT, &value);
                       const hsize_t chunk[] = {hsize_t{1} << 28};
                       if (chunked) H5Pset_chunk(creation, 1, chunk);
                       if (std::string(array).starts_with("search") && H5Lexists(state, "search", H5P_DEFAULT) <= 0) {
                         const hid_t group = H5Gcreate2(state, "search", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
                         const hid_t one = H5Screate(H5S_SCALAR);
                         H5Aclose(H5Acreate2(group, "radius", H5T_IEEE_F32LE, one, H5P_DEFAULT, H5P_DEFAULT));
                         H5Sclose(one);
                         H5Gclose(group);
                       }
                       replace(state, array, type, {kHuge}, creation);
                       H5Pclose(creation);
                     }),
                     {array});
    }
  }
}

// The count is that of the arrays, so that only their bytes are missing.
TEST_F(StateMemory, CountsOfParticlesThatTheFileDoesNotHaveAreRefused) {
  for (const std::uint64_t count : {std::uint64_t{2000000000}, std::uint64_t{1} << 63, ~std::uint64_t{0}})
    expect_refused(changed([&](hid_t state) { set_count(state, count); }),
                   {"says that it has " + std::to_string(count) + " particles"});
  expect_refused(changed([&](hid_t state) {
                   set_count(state, 5000);
                   replace(state, "particles/velocity", H5T_IEEE_F32LE, {5000, 3});
                 }),
                 {"5000 particles"});
}

TEST_F(StateMemory, ShapesBeyondAllNumbersAreRefused) {
  const hsize_t most = std::numeric_limits<hsize_t>::max() / 2;
  for (const std::vector<hsize_t>& shape :
       {std::vector<hsize_t>{most}, {hsize_t{1} << 32, hsize_t{1} << 29}, {1, 1, 1, hsize_t{1} << 40}, {1, 1, 1, 1, 1}})
    expect_refused(changed([&](hid_t state) {
                     const hid_t creation = in_chunks(std::vector<hsize_t>(shape.size(), 1));
                     replace(state, "particles/velocity", H5T_IEEE_F32LE, shape, creation);
                     H5Pclose(creation);
                   }),
                   {"particles/velocity"});
}

// Half a MiB of deflate, a gibibyte of numbers.
TEST_F(StateMemory, CompressedArraysAreRefused) {
  constexpr hsize_t kChunk = hsize_t{16} << 20, kChunks = 64;
  const std::vector<unsigned char> zeros(kChunk);
  std::vector<unsigned char> packed(compressBound(kChunk));
  uLongf size = packed.size();
  ASSERT_EQ(compress2(packed.data(), &size, zeros.data(), kChunk, 9), Z_OK);
  for (const char* array : {"scene/files/0000", "particles/velocity"}) {
    const bool bytes = std::string(array).starts_with("scene");
    const hsize_t per_chunk = bytes ? kChunk : kChunk / 4;
    const std::string file = changed([&](hid_t state) {
      const hid_t creation = in_chunks({per_chunk});
      H5Pset_deflate(creation, 9);
      replace(state, array, bytes ? H5T_STD_U8LE : H5T_IEEE_F32LE, {kChunks * per_chunk}, creation, [&](hid_t at) {
        for (hsize_t k = 0; k < kChunks; ++k) {
          const hsize_t offset[] = {k * per_chunk};
          EXPECT_GE(H5Dwrite_chunk(at, H5P_DEFAULT, 0, offset, size, packed.data()), 0);
        }
      });
      H5Pclose(creation);
    });
    EXPECT_GT(std::filesystem::file_size(file), kChunks * size);
    EXPECT_LT(std::filesystem::file_size(file), 2u << 20);
    expect_refused(file, {array});
  }
  // As many numbers as the file has bytes for.
  expect_refused(changed([&](hid_t state) {
                   const hid_t creation = in_chunks({100});
                   H5Pset_deflate(creation, 9);
                   replace(state, "scene/files/0000", H5T_STD_U8LE, {100}, creation, [&](hid_t at) {
                     EXPECT_GE(H5Dwrite(at, H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()), 0);
                   });
                   H5Pclose(creation);
                 }),
                 {"\"scene/files/0000\" does not have its 100 bytes"});
}

TEST_F(StateMemory, TextsAsLongAsTheyClaimAreRefused) {
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 0xfffffff0u);
  expect_refused(changed([&](hid_t state) { replace(state, "scene/text", text, {}); }), {"\"scene/text\" is no text"});
  H5Tset_size(text, H5T_VARIABLE);
  expect_refused(changed([&](hid_t state) { replace(state, "scene/text", text, {}); }), {"\"scene/text\" is no text"});
  const auto note_instead = [&](hid_t state, hid_t type, hid_t space) {
    H5Adelete(state, "version");
    const hid_t note = H5Acreate2(state, "version", type, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(note, 0);
    H5Aclose(note);
  };
  const hid_t one = H5Screate(H5S_SCALAR), none = H5Screate(H5S_NULL);
  const hsize_t several[] = {1000};
  const hid_t list = H5Screate_simple(1, several, nullptr);
  expect_refused(changed([&](hid_t state) { note_instead(state, text, one); }), {"note \"version\"", "is no text"});
  expect_refused(changed([&](hid_t state) { note_instead(state, text, list); }), {"note \"version\"", "is no text"});
  H5Tset_size(text, 50);
  expect_refused(changed([&](hid_t state) { note_instead(state, text, list); }), {"note \"version\"", "is no text"});
  expect_refused(changed([&](hid_t state) { note_instead(state, text, none); }), {"note \"version\"", "is no text"});
  for (const hid_t space : {one, none, list}) H5Sclose(space);
  H5Tclose(text);
}

// 64 KiB of the file, several thousand times.
TEST_F(StateMemory, ManyNamesOfOneArrayAreRefused) {
  const auto with_large = [](hid_t state, const char* array) {
    replace(state, array, H5T_STD_U8LE, {65536}, H5P_DEFAULT, [](hid_t at) {
      const std::vector<char> bytes(65536, 'x');
      EXPECT_GE(H5Dwrite(at, H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0);
    });
  };
  expect_refused(changed([&](hid_t state) {
                   with_large(state, "scene/files/0000");
                   link_often(state, "scene/files/0000", "scene/files/again", 4000);
                 }),
                 {"scene/files/", "more bytes than the file"});
  expect_refused(changed([&](hid_t state) { link_often(state, "particles/velocity", "particles/again", 4000); }),
                 {"particles/", "more bytes than the file"});
  // The array is empty, and its note is long.
  expect_refused(
      changed([&](hid_t state) {
        replace(state, "scene/files/0000", H5T_STD_U8LE, {0});
        const hid_t array = H5Dopen2(state, "scene/files/0000", H5P_DEFAULT);
        H5Adelete(array, "name");
        const hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
        H5Tset_size(text, 60000);
        const hid_t note = H5Acreate2(array, "name", text, one, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(note, text, std::string(60000, 'x').c_str());
        for (const auto& [id, close] : {Closing{note, H5Aclose}, {one, H5Sclose}, {text, H5Tclose}, {array, H5Dclose}})
          close(id);
        link_often(state, "scene/files/0000", "scene/files/again", 4000);
      }),
      {"scene/files/", "more bytes than the file"});
  expect_refused(changed([&](hid_t state) { link_often(state, "particles/velocity", "particles/again", 10001); }),
                 {"\"particles\" has ", "members; allowed: 10000"});
}

TEST_F(StateMemory, NumbersOfOtherFilesAreRefusedUnopened) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);  // whoever opens it waits
  expect_refused(changed([&](hid_t state) {
                   const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
                   H5Pset_external(creation, "/dev/zero", 0, H5F_UNLIMITED);
                   replace(state, "particles/velocity", H5T_IEEE_F32LE, {kHuge}, creation);
                   H5Pclose(creation);
                 }),
                 {"\"particles/velocity\" has its numbers in other files"});
  expect_refused(changed([&](hid_t state) {
                   const hsize_t most[] = {H5S_UNLIMITED}, some[] = {100};
                   const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
                   const hid_t here = H5Screate_simple(1, some, most), there = H5Screate_simple(1, some, most);
                   const hsize_t from[] = {0}, count[] = {H5S_UNLIMITED};
                   H5Sselect_hyperslab(here, H5S_SELECT_SET, from, nullptr, count, nullptr);
                   H5Sselect_hyperslab(there, H5S_SELECT_SET, from, nullptr, count, nullptr);
                   EXPECT_GE(H5Pset_virtual(creation, here, (folder_ / "pipe").c_str(), "x", there), 0);
                   H5Ldelete(state, "particles/velocity", H5P_DEFAULT);
                   const hid_t array = H5Dcreate2(state, "particles/velocity", H5T_IEEE_F32LE, here, H5P_DEFAULT,
                                                  creation, H5P_DEFAULT);
                   EXPECT_GE(array, 0);
                   const hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
                   const hid_t note = H5Acreate2(array, "attribute", text, one, H5P_DEFAULT, H5P_DEFAULT);
                   H5Awrite(note, text, "v");
                   for (const auto& [id, close] : {Closing{note, H5Aclose},
                                                   {one, H5Sclose},
                                                   {text, H5Tclose},
                                                   {array, H5Dclose},
                                                   {here, H5Sclose},
                                                   {there, H5Sclose},
                                                   {creation, H5Pclose}})
                     close(id);
                 }),
                 {"\"particles/velocity\" has its numbers in other files"});
  for (const char* link : {"fourth", "turns", "scene/files"})
    expect_refused(changed([&](hid_t state) {
                     H5Ldelete(state, link, H5P_DEFAULT);
                     EXPECT_GE(
                         H5Lcreate_external((folder_ / "pipe").c_str(), "/", state, link, H5P_DEFAULT, H5P_DEFAULT), 0);
                   }),
                   {"\"" + std::string(link) + "\" is a link to something else"});
}

TEST_F(StateMemory, HeadersThatClaimAnotherLengthAreRefused) {
  std::stringstream bytes;
  bytes << std::ifstream(whole_, std::ios::binary).rdbuf();
  const std::string file = folder_ / "header.h5";
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{100} << 30, ~std::uint64_t{0}}) {
    std::string changed = bytes.str();
    std::memcpy(changed.data() + 24, &length, sizeof length);
    std::ofstream(file, std::ios::binary) << fuzz::with_right_header(changed);
    expect_refused(file, {"its header says " + std::to_string(length)});
    std::ofstream(file, std::ios::binary) << fuzz::with_right_header(changed.substr(0, fuzz::kStateHeaderBytes));
    expect_refused(file, {"it has 512 bytes"});
  }
  for (const std::uint32_t size : {0u, 0xffffffffu}) {
    std::string changed = bytes.str();
    std::memcpy(changed.data() + 20, &size, sizeof size);
    std::ofstream(file, std::ios::binary) << fuzz::with_right_header(changed);
    expect_refused(file, {"is damaged", "with a header of " + std::to_string(size) + " bytes"});
  }
}

}  // namespace
}  // namespace riffle::test
