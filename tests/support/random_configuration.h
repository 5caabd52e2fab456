#pragma once
/// Clouds that nobody would think of.

#include "support/clouds.h"

namespace riffle::test {

/// A domain, a radius and up to 299 particles, a function of the seed: axes of every kind from 2 to 12 h long, particles
/// on cell faces and beside them, outside the box, coincident, and at h from one another within rounding.
Cloud random_configuration(std::uint32_t seed, int dimension);

}  // namespace riffle::test
