#include "sim/random/random_samples.h"

#include <algorithm>
#include <chrono>

#include "core/device/buffer.h"
#include "core/device/parallel.cuh"
#include "core/error.h"
#include "core/math/statistics.h"
#include "core/timing/seconds_since.h"

namespace riffle {

namespace {

constexpr std::uint64_t kStep = 1000;
constexpr int kDrawsBefore = 10 * kSampleNeighbors;  ///< of a stream, until its Particles sample is taken

template <class Pair>
struct AlongSteps {
  Pair theta;
  std::uint32_t i, j;
  float* out;
  RIFFLE_HD void operator()(std::int64_t k) const { out[k] = theta(i, j, static_cast<std::uint64_t>(k)); }
};

template <class Step>
struct AlongPartners {
  Step theta;
  std::uint32_t i;
  float* out;
  RIFFLE_HD void operator()(std::int64_t k) const {
    const auto j = static_cast<std::uint32_t>(k);
    out[k] = theta(i, j < i ? j : j + 1);  // a particle is no partner of its own
  }
};

template <class Step>
struct AlongParticles {
  Step theta;
  bool swapped;
  float* out;
  RIFFLE_HD void operator()(std::int64_t k) const {
    const auto i = static_cast<std::uint32_t>(k);
    out[k] = swapped ? theta(i + 1, i) : theta(i, i + 1);
  }
};

/// One stream, so one thread. `last` keeps its state between launches.
struct OneStream {
  std::int64_t count;
  int stride;
  KarpinskiStream* last;
  float* out;
  RIFFLE_HD void operator()(std::int64_t) const {
    KarpinskiStream stream = *last;
    for (std::int64_t k = 0; k < count; ++k) {
      out[k] = stream.next();
      for (int skipped = 1; skipped < stride; ++skipped) stream.next();
    }
    *last = stream;
  }
};

struct ManyStreams {
  KarpinskiStream* stream;
  int draws;
  float* out;  ///< the last of the draws
  RIFFLE_HD void operator()(std::int64_t i) const {
    KarpinskiStream own = stream[i];
    float theta = 0;
    for (int k = 0; k < draws; ++k) theta = own.next();
    stream[i] = own;
    out[i] = theta;
  }
};

Buffer<KarpinskiStream> seeded_streams(const Device& device, std::uint64_t seed, std::int64_t count) {
  std::vector<KarpinskiStream> streams(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < streams.size(); ++i) streams[i] = karpinski_stream(seed, static_cast<std::uint32_t>(i));
  return {device, streams};
}

void sample_stream(const Device& device, std::uint64_t seed, SampleOrder order, Buffer<float>& out) {
  const auto count = static_cast<std::int64_t>(out.size());
  if (order == SampleOrder::Particles) {
    Buffer<KarpinskiStream> streams = seeded_streams(device, seed, count);
    parallel_for(device, "many streams", count, ManyStreams{streams.data(), kDrawsBefore, out.data()});
    synchronize(device);
    return;
  }
  constexpr std::int64_t kAtOnce = 1000000;  // a GPU that draws a desktop ends kernels that take seconds
  const KarpinskiStream start;
  Buffer<KarpinskiStream> last(device, {&start, 1});
  const int stride = order == SampleOrder::Steps ? kSampleNeighbors : 1;
  for (std::int64_t k = 0; k < count; k += kAtOnce)
    parallel_for(device, "one stream", 1,
                 OneStream{count - k < kAtOnce ? count - k : kAtOnce, stride, last.data(), out.data() + k});
  synchronize(device);
}

template <class Pair>
void sample_pairs(const Device& device, const Pair& pair, SampleOrder order, Buffer<float>& out) {
  const auto count = static_cast<std::int64_t>(out.size());
  const auto step = pair.begin_step(kStep);
  using Step = decltype(pair.begin_step(kStep));
  const auto middle = static_cast<std::uint32_t>(count / 2);
  switch (order) {
    case SampleOrder::Steps:
      parallel_for(device, "along steps", count, AlongSteps<Pair>{pair, 17, 4711, out.data()});
      break;
    case SampleOrder::Partners:
      parallel_for(device, "along partners", count, AlongPartners<Step>{step, middle, out.data()});
      break;
    case SampleOrder::Particles:
      parallel_for(device, "along particles", count, AlongParticles<Step>{step, false, out.data()});
      break;
  }
}

template <class Pair>
void sample_swapped(const Device& device, const Pair& pair, Buffer<float>& out) {
  using Step = decltype(pair.begin_step(kStep));
  parallel_for(device, "swapped pairs", static_cast<std::int64_t>(out.size()),
               AlongParticles<Step>{pair.begin_step(kStep), true, out.data()});
}

/// Ids of a particle's neighbours in the measurements of speed: no two alike, smaller and larger.
RIFFLE_INLINE std::uint32_t measured_neighbor(std::uint32_t i, int k) {
  return (i + 1 + static_cast<std::uint32_t>(k) * 977u) & 0xffffffu;
}

template <class Step>
struct SumOfPairs {
  Step theta;
  float* sum;
  RIFFLE_HD void operator()(std::int64_t k) const {
    const auto i = static_cast<std::uint32_t>(k);
    float total = 0;
    RIFFLE_NO_UNROLL
    for (int n = 0; n < kSampleNeighbors; ++n) total += theta(i, measured_neighbor(i, n));
    sum[k] = total;
  }
};

struct SumOfStream {
  KarpinskiStream* stream;
  float* sum;
  RIFFLE_HD void operator()(std::int64_t i) const {
    KarpinskiStream own = stream[i];
    float total = 0;
    RIFFLE_NO_UNROLL
    for (int n = 0; n < kSampleNeighbors; ++n) total += own.next();
    stream[i] = own;
    sum[i] = total;
  }
};

/// Per second. `run` does `numbers` and waits.
template <class Run>
double median_speed(std::int64_t numbers, const Run& run) {
  run();  // loads code, touches memory
  std::vector<double> seconds;
  for (int k = 0; k < 7; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    seconds.push_back(seconds_since(begin));
  }
  return static_cast<double>(numbers) / upper_median(seconds);
}

template <class Pair>
double pair_speed(const Device& device, const Pair& pair, std::int64_t particles) {
  Buffer<float> sum(device, static_cast<std::size_t>(particles));
  using Step = decltype(pair.begin_step(kStep));
  return median_speed(particles * kSampleNeighbors, [&] {
    parallel_for(device, "sum of pairs", particles, SumOfPairs<Step>{pair.begin_step(kStep), sum.data()});
    synchronize(device);
  });
}

template <class Pair>
double batch_speed(const Pair& pair, std::int64_t count) {
  constexpr int kBatch = 16;
  const std::int64_t particles = count / kBatch + 1;
  std::vector<float> sum(static_cast<std::size_t>(particles));
  const auto step = pair.begin_step(kStep);
  return median_speed(particles * kBatch, [&] {
    parallel_ranges(particles, 1024, [&](std::int64_t begin, std::int64_t end) {
      std::uint32_t ids[kBatch];
      float theta[kBatch];
      for (std::int64_t k = begin; k != end; ++k) {
        const auto i = static_cast<std::uint32_t>(k);
        for (int n = 0; n < kBatch; ++n) ids[n] = measured_neighbor(i, n);
        step.fill(i, ids, kBatch, theta);
        float total = 0;
        for (int n = 0; n < kBatch; ++n) total += theta[n];
        sum[static_cast<std::size_t>(k)] = total;
      }
    });
  });
}

}  // namespace

std::string_view to_string(SampleOrder order) {
  switch (order) {
    case SampleOrder::Steps: return "steps";
    case SampleOrder::Partners: return "partners";
    case SampleOrder::Particles: return "particles";
  }
  return "unknown";
}

std::vector<float> sample_thetas(const Device& device, RandomKind kind, std::uint64_t seed, SampleOrder order,
                                 std::int64_t count) {
  Buffer<float> out(device, static_cast<std::size_t>(count));
  switch (kind) {
    case RandomKind::Philox: sample_pairs(device, PhiloxPair(seed), order, out); break;
    case RandomKind::Karpinski: sample_pairs(device, KarpinskiPair(seed), order, out); break;
    case RandomKind::KarpinskiStream: sample_stream(device, seed, order, out); break;
  }
  return out.to_host();
}

std::int64_t asymmetric_pairs(const Device& device, RandomKind kind, std::uint64_t seed, std::int64_t count) {
  const auto pairs = static_cast<std::size_t>(count);
  std::vector<float> of_i, of_j;
  if (kind == RandomKind::KarpinskiStream) {
    Buffer<KarpinskiStream> streams = seeded_streams(device, seed, count + 1);
    Buffer<float> out(device, pairs + 1);
    parallel_for(device, "many streams", count + 1, ManyStreams{streams.data(), kDrawsBefore, out.data()});
    of_i = out.to_host();
    of_j.assign(of_i.begin() + 1, of_i.end());
  } else {
    Buffer<float> out(device, pairs);
    if (kind == RandomKind::Philox)
      sample_swapped(device, PhiloxPair(seed), out);
    else
      sample_swapped(device, KarpinskiPair(seed), out);
    of_j = out.to_host();
    of_i = sample_thetas(device, kind, seed, SampleOrder::Particles, count);
  }
  std::int64_t differing = 0;
  for (std::size_t k = 0; k < pairs; ++k) differing += of_i[k] != of_j[k];
  return differing;
}

double random_speed(const Device& device, RandomKind kind, std::uint64_t seed, std::int64_t count) {
  const std::int64_t particles = count / kSampleNeighbors + 1;
  if (kind == RandomKind::Philox) return pair_speed(device, PhiloxPair(seed), particles);
  if (kind == RandomKind::Karpinski) return pair_speed(device, KarpinskiPair(seed), particles);
  Buffer<KarpinskiStream> streams = seeded_streams(device, seed, particles);
  Buffer<float> sum(device, static_cast<std::size_t>(particles));
  return median_speed(particles * kSampleNeighbors, [&] {
    parallel_for(device, "sum of streams", particles, SumOfStream{streams.data(), sum.data()});
    synchronize(device);
  });
}

double random_speed_in_batches(RandomKind kind, std::uint64_t seed, std::int64_t count) {
  if (kind == RandomKind::Philox) return batch_speed(PhiloxPair(seed), count);
  if (kind == RandomKind::Karpinski) return batch_speed(KarpinskiPair(seed), count);
  throw RuntimeFailure("karpinski_stream makes one number after the other: there are no batches of it");
}

}  // namespace riffle
