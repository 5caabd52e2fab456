/// libFuzzer's entry points: fuzz_readers --reader=NAME [option of libFuzzer ...] FOLDER ...

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/text/log.h"
#include "tests/fuzz/reader.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

namespace {

const riffle::fuzz::Reader* chosen = nullptr;

/// Of processor time: at the lowest priority, time on the wall says nothing. An input may take 2 s in the release build, which
/// test_fuzz measures; here the rooms that are not watched are compiled without optimisation, and take four times as long.
constexpr double kMostSeconds = 8;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  constexpr std::string_view kOption = "--reader=";
  for (int k = 1; k < *count; ++k)
    if (const std::string_view word = (*words)[k]; word.starts_with(kOption))
      chosen = riffle::fuzz::find_reader(word.substr(kOption.size()));
  if (chosen == nullptr) {
    std::fputs("fuzz_readers --reader=NAME [option of libFuzzer ...] FOLDER ...; allowed names:", stderr);
    for (const riffle::fuzz::Reader& reader : riffle::fuzz::readers()) std::fprintf(stderr, " %s", reader.name);
    std::fputs("\n", stderr);
    std::exit(2);
  }
  // Copies of states out of packs; a disk flushes what is written again and again.
  if (std::filesystem::is_directory("/dev/shm")) setenv("TMPDIR", "/dev/shm", 0);
  riffle::log::set_level(riffle::log::Level::Error);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::clock_t begin = std::clock();
  try {
    chosen->read({reinterpret_cast<const char*>(bytes), size});
  } catch (const riffle::InputError&) {
  }
  if (double(std::clock() - begin) / CLOCKS_PER_SEC > kMostSeconds) {
    std::fprintf(stderr, "ERROR: more than %g s of processor time\n", kMostSeconds);
    std::abort();
  }
  return 0;
}

/// Half of the mutations are libFuzzer's own where the reader has some.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned seed) {
  if (chosen->mutated == nullptr || seed % 2 == 0) return LLVMFuzzerMutate(bytes, size, most);
  std::mt19937 random(seed);
  const std::string changed = chosen->mutated(std::string(reinterpret_cast<const char*>(bytes), size), random);
  if (changed.empty() || changed.size() > most) return LLVMFuzzerMutate(bytes, size, most);
  std::memcpy(bytes, changed.data(), changed.size());
  return changed.size();
}
