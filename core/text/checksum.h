#pragma once
/// CRC-64/XZ (the polynomial of ECMA-182, bits reflected): finds every change of up to 64 bits in a row, and all others but one in 2^64.

#include <cstddef>
#include <cstdint>

namespace riffle {

class Checksum {
 public:
  void add(const void* bytes, std::size_t count);
  /// The same as adding `count` bytes whose own sum is `part`: parts of one text may be summed by several threads.
  void append(const Checksum& part, std::uint64_t count);
  std::uint64_t value() const { return ~state_; }  ///< of all bytes so far

 private:
  std::uint64_t state_ = ~std::uint64_t{0};
};

}  // namespace riffle
