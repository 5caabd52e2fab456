#include "tests/fuzz/sealed_state.h"

#include <cstdint>
#include <cstring>

#include "core/text/checksum.h"

namespace riffle::fuzz {

namespace {

// docs/state-files.md has the layout.
constexpr std::size_t kFormatAt = 16, kHeaderBytesAt = 20, kLengthAt = 24, kChecksumAt = 32, kOwnChecksumAt = 40;

template <class T>
void put(std::string& bytes, std::size_t at, T number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

std::uint64_t sum_of(const std::string& bytes, std::size_t begin, std::size_t end) {
  Checksum sum;
  sum.add(bytes.data() + begin, end - begin);
  return sum.value();
}

}  // namespace

std::string with_right_header(std::string bytes) {
  if (bytes.size() < kStateHeaderBytes) return bytes;
  put(bytes, kOwnChecksumAt, std::uint64_t{0});
  put(bytes, kOwnChecksumAt, sum_of(bytes, 0, kStateHeaderBytes));
  return bytes;
}

std::string with_right_sums(std::string bytes) {
  if (bytes.size() < kStateHeaderBytes) return bytes;
  bytes.replace(0, 16, std::string("RIFFLE STATE\r\n\x1a\n"));
  put(bytes, kFormatAt, std::uint32_t{1});
  put(bytes, kHeaderBytesAt, static_cast<std::uint32_t>(kStateHeaderBytes));
  put(bytes, kLengthAt, static_cast<std::uint64_t>(bytes.size()));
  put(bytes, kChecksumAt, sum_of(bytes, kStateHeaderBytes, bytes.size()));
  return with_right_header(std::move(bytes));
}

}  // namespace riffle::fuzz
