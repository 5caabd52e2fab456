#pragma once
/// Numbers of each generator in the orders in which correlations could harm a simulation: for tests and for `riffle
/// bench rng`.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/device/device.h"
#include "sim/random/random.h"

namespace riffle {

/// The order of a sequence of theta_ij.
enum class SampleOrder {
  Steps,      ///< one pair, step after step
  Partners,   ///< one particle and step, j after j; smaller and larger ids than its own
  Particles,  ///< one step, pairs (i, i + 1), i after i
};
std::string_view to_string(SampleOrder order);  ///< "steps", "partners", "particles"
inline constexpr SampleOrder kSampleOrders[] = {SampleOrder::Steps, SampleOrder::Partners, SampleOrder::Particles};

/// Neighbours per particle in samples of streams and in measurements of speed.
inline constexpr int kSampleNeighbors = 12;

/// `count` numbers theta, computed on the device. Waits.
///
/// karpinski_stream: Steps are every twelfth number and Partners every number of the stream that begins at 0, as in the
/// paper; Particles are the 120th numbers of streams that begin at karpinski_stream(seed, i).
std::vector<float> sample_thetas(const Device& device, RandomKind kind, std::uint64_t seed, SampleOrder order,
                                 std::int64_t count);

/// Number of pairs (i, i + 1), i in 0..count-1, of one step whose theta_ij and theta_ji differ in a bit. With
/// karpinski_stream both particles draw from streams that begin at karpinski_stream(seed, .). Waits.
std::int64_t asymmetric_pairs(const Device& device, RandomKind kind, std::uint64_t seed, std::int64_t count);

/// Numbers per second: the median of a few runs over about `count` numbers in the pattern of a force pass, where each
/// thread computes the twelve of one particle and stores their sum.
double random_speed(const Device& device, RandomKind kind, std::uint64_t seed, std::int64_t count);

/// The same with fill() on all threads of the CPU, sixteen numbers per particle. kind: not karpinski_stream, which has
/// no batches.
double random_speed_in_batches(RandomKind kind, std::uint64_t seed, std::int64_t count);

}  // namespace riffle
