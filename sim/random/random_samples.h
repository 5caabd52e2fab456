#pragma once
/// Numbers of each generator in the orders in which a simulation could be hurt by their being related: for tests and for
/// `riffle bench rng`.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/device/device.h"
#include "sim/random/random.h"

namespace riffle {

/// What follows what in a sequence of theta_ij.
enum class SampleOrder {
  Steps,      ///< one pair, step after step
  Partners,   ///< one particle and step, j after j; smaller and larger ids than its own
  Particles,  ///< one step, pairs (i, i + 1), i after i
};
std::string_view to_string(SampleOrder order);  ///< "steps", "partners", "particles"
inline constexpr SampleOrder kSampleOrders[] = {SampleOrder::Steps, SampleOrder::Partners, SampleOrder::Particles};

/// Neighbours per particle that samples of streams and measurements of speed go by.
inline constexpr int kSampleNeighbors = 12;

/// `count` numbers theta, made on the device. Waits.
///
/// karpinski_stream: Steps are every twelfth number and Partners every number of the stream that begins at 0, as in the
/// paper; Particles are the 120th numbers of streams that begin at karpinski_stream(seed, i).
std::vector<float> sample_thetas(const Device& device, RandomKind kind, std::uint64_t seed, SampleOrder order,
                                 std::int64_t count);

/// Pairs (i, i + 1), i in 0..count-1, of one step whose theta_ij and theta_ji are not the same bits. Of karpinski_stream both
/// particles draw from streams that begin at karpinski_stream(seed, .). Waits.
std::int64_t asymmetric_pairs(const Device& device, RandomKind kind, std::uint64_t seed, std::int64_t count);

/// Numbers per second, the median of a few runs over about `count` numbers in the pattern of a force pass: each thread makes
/// the twelve of one particle and stores their sum.
double random_speed(const Device& device, RandomKind kind, std::uint64_t seed, std::int64_t count);

/// The same on the CPU by fill(), sixteen numbers per particle, with all threads. kind: not karpinski_stream, which has no
/// batches.
double random_speed_in_batches(RandomKind kind, std::uint64_t seed, std::int64_t count);

}  // namespace riffle
