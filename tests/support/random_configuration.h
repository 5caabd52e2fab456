#pragma once
/// Random configurations with every kind of special case.

#include "support/clouds.h"

namespace riffle::test {

/// A domain, a radius and up to 299 particles, as a function of the seed. Axes of every kind are 2 to 12 h long;
/// particles lie on cell faces and beside them, outside the box, at the same place, and at h from each other within
/// rounding.
Cloud random_configuration(std::uint32_t seed, int dimension);

}  // namespace riffle::test
