#pragma once
/// The ways in which Checksum::add() computes. All give the same, for every processor has the tables. Only checksum.cpp and tests use this.

#include <cstddef>
#include <cstdint>

namespace riffle::checksum_ways {

/// What the bytes make of a sum's register.
using Way = std::uint64_t (*)(std::uint64_t state, const unsigned char* bytes, std::size_t count);

/// Eight bytes at a time by tables.
std::uint64_t by_tables(std::uint64_t state, const unsigned char* bytes, std::size_t count);

/// 64 bytes at a time by products without carries, which processors from 2010 on compute (PCLMULQDQ). nullptr where this one does not.
Way by_products();

}  // namespace riffle::checksum_ways
