#pragma once
/// What a neighbour search keeps from build to build, in the host's memory: with it a new search goes on as the old one would.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/math/vec.h"

namespace riffle {

/// What the next build of a method takes over from the builds before, as numbers that only the method knows.
struct KeptBuilds {
  std::vector<std::uint32_t> words;
  std::vector<double> numbers;

  bool empty() const { return words.empty() && numbers.empty(); }
};

/// Of particles in the order that they have when it is taken.
struct KeptSearch {
  std::vector<Vec4> positions;  ///< (count) at the build that the skin keeps; empty without a skin, or before a build
  float radius = 0;             ///< of that build [length]
  KeptBuilds builds;

  bool empty() const { return positions.empty() && builds.empty(); }
  std::size_t bytes() const {
    return positions.size() * sizeof(Vec4) + builds.words.size() * sizeof(std::uint32_t) +
           builds.numbers.size() * sizeof(double);
  }
};

}  // namespace riffle
