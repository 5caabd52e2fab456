#pragma once
/// Random numbers that are the same with every standard library: the engine is fixed by the standard, its distributions
/// are not.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "core/math/vec.h"

namespace riffle::bench {

class CloudRandom {
 public:
  explicit CloudRandom(std::uint64_t seed) : engine_(seed) {}

  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  ///< 0 <= u < 1
  double uniform(double low, double high) { return low + (high - low) * unit(); }
  double normal() {  // Box and Muller
    return std::sqrt(-2 * std::log(1 - unit())) * std::cos(2 * std::numbers::pi * unit());
  }
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }

  Vec4 in_cube(double low, double high) {
    const double x = uniform(low, high), y = uniform(low, high), z = uniform(low, high);
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0};
  }
  /// Uniform on the unit sphere.
  void direction(double (&n)[3]) {
    const double z = uniform(-1, 1), angle = uniform(0, 2 * std::numbers::pi);
    const double ring = std::sqrt(1 - z * z);
    n[0] = ring * std::cos(angle), n[1] = ring * std::sin(angle), n[2] = z;
  }

 private:
  std::mt19937_64 engine_;
};

/// Another seed from a seed and a number, for parts that are generated independently (Steele et al. 2014, SplitMix).
inline std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t part) {
  std::uint64_t z = seed + (part + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace riffle::bench
