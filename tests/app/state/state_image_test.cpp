/// States on their way to the disk: what is copied, summed and written, and how often.

#include "app/state/state_image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>

#include "app/state/descriptor.h"
#include "app/state/image_blocks.h"
#include "app/state/large_file.h"
#include "app/state/placed_array.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "support/scratch.h"

namespace riffle::test {
namespace {

std::string contents_of(const std::string& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

/// Whether files of this folder can be written past the system's cache.
bool takes_direct_writes(const Scratch& folder) {
  const std::string file = folder / "direct";
  const Descriptor opened(open(file.c_str(), O_WRONLY | O_CREAT | O_DIRECT | O_CLOEXEC, 0600));
  FileMemory page;
  return opened >= 0 && page.resize(LargeFile::kPage) &&
         pwrite(opened, page.bytes(), LargeFile::kPage, 0) == static_cast<ssize_t>(LargeFile::kPage);
}

/// Random bits; a state carries them as they are.
template <class T>
std::vector<T> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  auto* words = reinterpret_cast<char*>(values.data());
  for (std::size_t at = 0; at < count * sizeof(T); at += 4) {
    const std::uint32_t word = static_cast<std::uint32_t>(random()) & 0x3fffffffu;  // a finite number
    std::memcpy(words + at, &word, sizeof word);
  }
  return values;
}

/// 17 MB in three blocks, whose ends cut vectors and numbers. One of the vectors has fourth numbers.
SavedRun large_run(std::size_t count = 500000) {
  SavedRun run;
  run.scene = {"large.yaml", "name: large\n", {}};
  run.version = "0.1.0";
  run.state.count = static_cast<int>(count);
  std::vector<Vec4> velocity = random_values<Vec4>(count, 2);
  for (Vec4& v : velocity) v.w = 0;
  velocity.back().w = -0.0f;  // a bit that is set
  std::vector<Vec4> acceleration = random_values<Vec4>(count, 3);
  for (Vec4& a : acceleration) a.w = 0;
  run.state.attributes = {{"position", random_values<Vec4>(count, 1)},
                          {"velocity", std::move(velocity)},
                          {"acceleration", std::move(acceleration)},
                          {"density", random_values<float>(count, 4)},
                          {"id", random_values<std::uint32_t>(count, 5)}};
  return run;
}

std::uint64_t array_bytes(const SavedRun& run) {
  return static_cast<std::uint64_t>(run.state.count) * (3 * 12 + 2 * 4 + 4 + 4);
}

template <class T>
void expect_same_bits(const SimulationState& a, const SimulationState& b, const std::string& name) {
  const std::vector<T>&was = a.require<T>(name), &is = b.require<T>(name);
  ASSERT_EQ(was.size(), is.size());
  EXPECT_EQ(std::memcmp(was.data(), is.data(), was.size() * sizeof(T)), 0) << name;
}

/// A number that the system counts for this process.
std::uint64_t counted(const std::string& what) {
  std::ifstream in("/proc/self/io");
  std::string name;
  for (std::uint64_t number = 0; in >> name >> number;)
    if (name == what + ":") return number;
  ADD_FAILURE() << "/proc/self/io lacks " << what;
  return 0;
}

TEST(StateImage, OfSeveralBlocksIsReadAsItWas) {
  const Scratch folder;
  const SavedRun run = large_run();
  write_state(folder / "large.h5", run);
  EXPECT_GT(std::filesystem::file_size(folder / "large.h5"), 2 * ImageBlocks::kBytes);
  const SavedRun read = read_state(folder / "large.h5");
  EXPECT_EQ(read.state.attributes.size(), run.state.attributes.size());
  for (const char* name : {"position", "velocity", "acceleration"}) expect_same_bits<Vec4>(run.state, read.state, name);
  expect_same_bits<float>(run.state, read.state, "density");
  expect_same_bits<std::uint32_t>(run.state, read.state, "id");
}

// Of a larger state, for example.
TEST(StateImage, InUsedMemoryIsTheSameFile) {
  const Scratch folder;
  const SavedRun run = large_run();
  write_state(folder / "new.h5", run);
  FileMemory used;
  ASSERT_TRUE(used.resize(40u << 20));
  std::memset(used.bytes(), 0xab, used.size());
  StateImage image = image_of_state(folder / "used.h5", run, views_of(run.state), std::move(used));
  fill_image(image);
  write_image(image);
  EXPECT_TRUE(contents_of(folder / "new.h5") == contents_of(folder / "used.h5"));
}

// Each byte once, in pieces of 8 MiB, and no byte of it is read again.
TEST(StateImage, IsWrittenOnceInLargePieces) {
  const Scratch folder;
  const SavedRun run = large_run();
  const std::uint64_t written = counted("wchar"), writes = counted("syscw"), read = counted("rchar");
  write_state(folder / "large.h5", run);
  const std::uint64_t bytes = counted("wchar") - written, calls = counted("syscw") - writes;
  EXPECT_GE(bytes, array_bytes(run));
  EXPECT_LE(bytes, array_bytes(run) + 65536);
  EXPECT_LE(calls, bytes / ImageBlocks::kBytes + 64);  // a sanitizer writes some twenty pointers to a pipe of its own
  EXPECT_LE(counted("rchar") - read, 65536u);
}

TEST(StateImage, LargerThanFilesMayBeIsAFailureAndLeavesTheOldOne) {
  const Scratch folder;
  write_state(folder / "a.h5", large_run(1000));
  const std::string before = contents_of(folder / "a.h5");
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  getrlimit(RLIMIT_FSIZE, &usual);
  const rlimit small{4u << 20, usual.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string said;
  try {
    write_state(folder / "a.h5", large_run());
  } catch (const RuntimeFailure& failure) {
    said = failure.what();
  }
  setrlimit(RLIMIT_FSIZE, &usual);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(said, (folder / "a.h5") + ": cannot be written: File too large");
  EXPECT_TRUE(contents_of(folder / "a.h5") == before);
  EXPECT_EQ(folder.files(), 2) << "no partial file stays";
}

TEST(PlacedArray, HasTheBytesOfItsFormBetweenAnyTwoPlaces) {
  constexpr std::uint64_t kBegin = 13;
  const std::vector<Vec4> vectors = random_values<Vec4>(40, 7);
  std::mt19937 random(8);
  for (const auto form : {PlacedArray::Form::Same, PlacedArray::Form::Three, PlacedArray::Form::Fourth}) {
    std::string whole;
    for (const Vec4& v : vectors) {
      const auto* numbers = reinterpret_cast<const char*>(&v);
      if (form == PlacedArray::Form::Same) whole.append(numbers, 16);
      if (form == PlacedArray::Form::Three) whole.append(numbers, 12);
      if (form == PlacedArray::Form::Fourth) whole.append(numbers + 12, 4);
    }
    const bool same = form == PlacedArray::Form::Same;
    const PlacedArray array{vectors.data(), same ? 16 * vectors.size() : vectors.size(), form, kBegin};
    ASSERT_EQ(array.bytes(), whole.size());
    const std::string wanted = std::string(kBegin, '.') + whole + "....";
    for (int k = 0; k < 300; ++k) {
      std::size_t from = random() % (wanted.size() + 1), to = random() % (wanted.size() + 1);
      if (from > to) std::swap(from, to);
      std::string image(wanted.size(), '.');
      array.fill(image.data(), from, to);
      for (std::size_t at = 0; at < image.size(); ++at)
        ASSERT_EQ(image[at], at >= from && at < to ? wanted[at] : '.') << at << " of " << from << " to " << to;
    }
  }
}

TEST(ImageBlocks, AreFilledOnceAndSummed) {
  constexpr std::uint64_t kBegin = 512, kEnd = 2 * ImageBlocks::kBytes + 4711;
  std::string image(kEnd, ' '), times(kEnd / 256 + 1, 0);
  ImageBlocks blocks(image.data(), kBegin, kEnd);
  ASSERT_EQ(blocks.count(), 3u);
  blocks.fill([&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end; ++at) image[at] = static_cast<char>(at * at >> 8);
    ++times[begin / 256];
  });
  EXPECT_EQ(std::accumulate(times.begin(), times.end(), 0), 3);
  for (std::size_t block = 0; block < blocks.count(); ++block) blocks.wait_for(block, "s.h5");
  Checksum whole;
  whole.add(image.data() + kBegin, kEnd - kBegin);
  EXPECT_EQ(blocks.checksum(), whole.value());
  EXPECT_EQ(image[kEnd - 1], static_cast<char>((kEnd - 1) * (kEnd - 1) >> 8));
}

TEST(ImageBlocks, ThatCannotBeFilledLetNobodyWait) {
  const std::string image(2 * ImageBlocks::kBytes, ' ');
  ImageBlocks blocks(image.data(), 0, image.size());
  EXPECT_THROW(blocks.fill([](std::uint64_t, std::uint64_t) { throw std::bad_alloc(); }), std::bad_alloc);
  try {
    blocks.wait_for(1, "s.h5");
    ADD_FAILURE() << "the block was never filled";
  } catch (const RuntimeFailure& failure) {
    EXPECT_TRUE(std::string(failure.what()).starts_with("s.h5: cannot be written: ")) << failure.what();
  }
}

// Past the cache where the folder allows it, and through it: the file is the same.
TEST(LargeFile, HasTheBytesOfTheImageInBothWaysAndAtAnySize) {
  const Scratch folder;
  constexpr std::uint64_t kPage = LargeFile::kPage, kNever = ~std::uint64_t{0};
  const bool is_direct_here = takes_direct_writes(folder);
  for (const std::uint64_t size : {kPage, kPage + 1, 5 * kPage - 1, 300 * kPage, 300 * kPage + 77}) {
    FileMemory memory;
    ASSERT_TRUE(memory.resize(size));
    std::mt19937 random(static_cast<unsigned>(size));
    for (std::uint64_t at = 0; at < size; ++at) memory.bytes()[at] = static_cast<char>(random());
    for (const std::uint64_t direct_from : {std::uint64_t{0}, kNever}) {
      const std::string file = folder / "large";
      std::ofstream(file, std::ios::binary) << std::string(size / 2, 'x');  // older bytes
      LargeFile out(file, "shown", size, direct_from);
      EXPECT_EQ(out.is_direct(), direct_from == 0 && is_direct_here) << size;
      out.write(memory.bytes(), kPage, size);
      out.write(memory.bytes(), 0, kPage);
      out.flush();
      EXPECT_EQ(out.is_direct(), direct_from == 0 && is_direct_here) << size << ", after writing";
      EXPECT_TRUE(contents_of(file) == std::string(memory.bytes(), size)) << size << " from " << direct_from;
    }
  }
}

}  // namespace
}  // namespace riffle::test
