#pragma once
/// Compares a sequence of theta with independent uniform numbers of mean 0 and variance 1.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/random/random.h"

namespace riffle {

inline constexpr int kLags = 8;

/// z is the distance of a figure from its expected value, in standard errors of independent uniform numbers.
struct RandomStatistics {
  std::int64_t count = 0;
  double mean = 0, mean_z = 0;
  double variance = 0, variance_z = 0;  ///< of theta; 12 times that of the number in [0, 1) it is made of
  std::array<double, kLags> lag{};      ///< correlation of numbers 1, 2, ... places apart
  std::array<double, kLags> lag_z{};
  double bins_z = 0;        ///< chi-square of 256 equal bins over theta's range: (chi2 - 255) / sqrt(510)
  double pairs_z = 0;       ///< of 256 x 256 bins of successive numbers, each number in one pair
  std::int64_t cycle = 0;   ///< the sequence ends in a cycle of this length, seen at least twice; 0: it does not
  std::int64_t before = 0;  ///< numbers before that cycle

  double largest_lag_z() const;  ///< the largest in magnitude, with its sign

  /// The limits for a generator: mean, variance and each lag within 4 standard errors, both chi-squares within 5, no
  /// cycle.
  /// @return the violated limits in words; "" if there are none.
  std::string fault() const;
};

/// thetas: at least 10,000, so that the chi-squares are nearly normal. @throws RuntimeFailure if fewer.
RandomStatistics random_statistics(const std::vector<float>& thetas, ThetaRange range);

}  // namespace riffle
