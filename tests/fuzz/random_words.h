#pragma once
/// Numbers and places for mutations of texts.

#include <cmath>
#include <cstddef>
#include <random>
#include <string>

namespace riffle::fuzz {

inline std::size_t below(std::size_t count, std::mt19937& random) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
}

template <class T, std::size_t N>
const T& one_of(const T (&choices)[N], std::mt19937& random) {
  return choices[below(N, random)];
}

/// A number at which readers go wrong, or one of everyday size.
inline std::string random_number(std::mt19937& random) {
  static const char* const kNumbers[] = {"0",
                                         "-0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "7",
                                         "8",
                                         "255",
                                         "256",
                                         "65536",
                                         "2147483647",
                                         "2147483648",
                                         "-2147483648",
                                         "4294967295",
                                         "4294967296",
                                         "9223372036854775807",
                                         "18446744073709551615",
                                         "1e-45",
                                         "1e-38",
                                         "1e-30",
                                         "1e-9",
                                         "1e9",
                                         "1e18",
                                         "1e30",
                                         "3.5e38",
                                         "1e308",
                                         "1e309",
                                         "nan",
                                         ".nan",
                                         "inf",
                                         ".inf",
                                         "-.inf",
                                         "1e",
                                         "0x10",
                                         "010",
                                         "1_000",
                                         "1,5"};
  if (below(3, random) == 0) return one_of(kNumbers, random);
  const double size = std::pow(10.0, std::uniform_real_distribution<double>(-4, 3)(random));
  const std::string text = std::to_string(below(4, random) == 0 ? -size : size);
  return below(2, random) == 0 ? text : text.substr(0, text.find('.'));
}

}  // namespace riffle::fuzz
