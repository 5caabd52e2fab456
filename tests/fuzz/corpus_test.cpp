/// The corpus of the fuzz targets, read in every build: each file is read, or refused with an InputError, and nothing else. Names say
/// which: good_* are read, bad_* are refused, find_* went wrong once and are refused or read now (messages_test.cpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "tests/fuzz/reader.h"

namespace riffle::fuzz {

void PrintTo(const Reader& reader, std::ostream* out) { *out << reader.name; }

namespace {

namespace fs = std::filesystem;

constexpr double kMostSeconds = 2;  // of processor time, whatever else the machine does

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

std::vector<fs::path> corpus_of(const Reader& reader) {
  const fs::path folder = fs::path(RIFFLE_SOURCE_DIR) / "tests/fuzz/corpus" / reader.name;
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class Corpus : public ::testing::TestWithParam<Reader> {
 protected:
  const fs::path last_ = fs::temp_directory_path() / ("riffle-fuzz-last-" + std::string(GetParam().name));

  /// What the reader says of the input; "" if it was read.
  static std::string refusal(const std::string& input) {
    const std::clock_t begin = std::clock();
    std::string said;
    try {
      GetParam().read(input);
    } catch (const InputError& error) {
      said = error.what();
      EXPECT_NE(said, "");
    }
    EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, kMostSeconds);
    return said;
  }
};

TEST_P(Corpus, IsReadOrRefusedAsItsNamesSay) {
  int good = 0, bad = 0;
  for (const fs::path& file : corpus_of(GetParam())) {
    SCOPED_TRACE(file.string());
    const std::string name = file.filename().string(), said = refusal(bytes_of(file));
    if (name.starts_with("good_")) {
      EXPECT_EQ(said, "");
      ++good;
    } else if (name.starts_with("bad_")) {
      EXPECT_NE(said, "") << "was read";
      ++bad;
    } else {
      EXPECT_TRUE(name.starts_with("find_")) << "allowed names: good_*, bad_*, find_*";
    }
  }
  EXPECT_GT(good + (std::string_view(GetParam().name) == "state_header"), 0) << "no example that is read";
  EXPECT_GT(bad, 0) << "no example that is refused";
}

// What libFuzzer does, in short and blindly, so that a build without clang has it too.
TEST_P(Corpus, SomeMutationsOfItAreReadOrRefused) {
  const char* const wanted = std::getenv("RIFFLE_FUZZ_RUNS");
  const int runs = wanted ? std::atoi(wanted) : 60;
  std::mt19937 random(20261128);
  const auto below = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  std::vector<std::string> inputs;
  for (const fs::path& file : corpus_of(GetParam())) inputs.push_back(bytes_of(file));
  ASSERT_FALSE(inputs.empty());
  int read = 0, refused = 0;
  std::string input;
  for (int run = 0; run < runs; ++run) {
    if (run % 5 == 0) input = inputs[below(inputs.size())];
    if (GetParam().mutated && below(2) == 0)
      input = GetParam().mutated(input, random);
    else if (!input.empty())
      for (std::size_t n = 1 + below(4); n > 0; --n) {
        const std::size_t at = below(input.size());
        switch (below(3)) {
          case 0: input[at] = static_cast<char>(random()); break;
          case 1: input.insert(at, input.substr(below(input.size()), below(12))); break;
          default: input.erase(at, std::min(below(8), input.size() - 1));
        }
      }
    std::ofstream(last_, std::ios::binary) << input;  // what is there after a crash
    (refusal(input).empty() ? read : refused) += 1;
    if (HasFailure()) FAIL() << "run " << run << ", the input is " << last_;
  }
  EXPECT_GT(refused, 0);
  fs::remove(last_);
  RecordProperty("read", read);
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, ::testing::ValuesIn(readers().begin(), readers().end()),
                         [](const auto& reader) { return std::string(reader.param.name); });

}  // namespace
}  // namespace riffle::fuzz
