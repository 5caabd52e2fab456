#pragma once
/// Random numbers that are the same with every standard library, unlike its distributions.

#include <cstdint>
#include <random>

namespace riffle::test {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  float uniform(float low, float high) { return low + (high - low) * (static_cast<float>(engine_() >> 8) * 0x1p-24f); }
  /// 0..n-1
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(n)); }
  bool chance(float p) { return uniform(0, 1) < p; }
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

}  // namespace riffle::test
