#include "sim/measure/pair_mixing.h"

#include <limits>
#include <vector>

#include "core/device/reduce.cuh"
#include "core/error.h"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"
#include "sim/measure/domain_size.h"
#include "sim/measure/measuring_search.h"

namespace riffle {

namespace {

/// out[i] = {x, y, z, fluid}
struct TagFluid {
  const Vec4* position;
  const std::uint32_t* fluid;
  Vec4* out;

  RIFFLE_HD void operator()(std::int64_t i) const {
    out[i] = make_vec4(xyz(position[i]), static_cast<float>(fluid[i]));
  }
};

struct CountUnlikePairs {
  const Vec4* tagged;     ///< in the traversal's order
  std::uint32_t* pairs;   ///< (count) out: neighbours of each particle
  std::uint32_t* unlike;  ///< (count) out: those of another fluid

  struct State {
    float fluid;
    std::uint32_t pairs, unlike;
  };
  RIFFLE_HD State begin(int i) const { return {tagged[i].w, 0, 0}; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float) const {
    ++state.pairs;
    if (tagged[j].w != state.fluid) ++state.unlike;
  }
  RIFFLE_HD void end(State& state, int i) const {
    pairs[i] = state.pairs;
    unlike[i] = state.unlike;
  }
};

/// Sums without initialisers, as shared memory needs it.
struct PairCounts {
  std::uint64_t pairs, unlike;
};

struct SumPairCounts {
  const std::uint32_t* pairs;
  const std::uint32_t* unlike;

  RIFFLE_HD static PairCounts identity() { return {0, 0}; }
  RIFFLE_HD static PairCounts combine(PairCounts a, PairCounts b) { return {a.pairs + b.pairs, a.unlike + b.unlike}; }
  RIFFLE_HD PairCounts operator()(std::int64_t i) const { return {pairs[i], unlike[i]}; }
};

/// 1 - sum over the fluids of n_f (n_f - 1) / (n (n - 1))
double unlike_if_mixed(const std::vector<std::uint32_t>& fluid, std::size_t fluids) {
  std::vector<double> of(fluids, 0.0);
  for (const std::uint32_t f : fluid) ++of[f];
  const auto n = static_cast<double>(fluid.size());
  double like = 0;
  for (const double k : of) like += k * (k - 1);
  return 1 - like / (n * (n - 1));
}

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr PairMixing kUnknown{kNoNumber, kNoNumber, kNoNumber};

/// @throws Unavailable as NeighborSearch::build()
PairMixing count_pairs(const Simulation& simulation) {
  const Device& device = simulation.device();
  const ParticleSet& particles = simulation.particles();
  const SimulationSetup& setup = simulation.setup();
  const int n = particles.count();
  const auto count = static_cast<std::size_t>(n);
  if (n < 2) return kUnknown;
  Buffer<Vec4> tagged(device, count), sorted(device);
  const Buffer<std::uint32_t>& fluid = particles.get<std::uint32_t>("fluid");
  parallel_for(device, "tag fluid", n, TagFluid{particles.get<Vec4>("position").data(), fluid.data(), tagged.data()});
  NeighborSearch search(device, measuring_search(setup));
  const float h = setup.support_radius();
  build_sorted(search, tagged.data(), n, setup.domain, h, sorted);
  Buffer<std::uint32_t> pairs(device, count), unlike(device, count);
  for_each_neighbor(search, "unlike pairs", sorted.data(), h,
                    CountUnlikePairs{sorted.data(), pairs.data(), unlike.data()});
  const auto sum = reduce<PairCounts>(device, "sum of unlike pairs", n, SumPairCounts{pairs.data(), unlike.data()});
  const double size = has_domain_size(setup) ? domain_size(simulation) : kNoNumber;
  if (sum.pairs == 0) return {kNoNumber, kNoNumber, size};
  return {static_cast<double>(sum.unlike) / static_cast<double>(sum.pairs),
          unlike_if_mixed(fluid.to_host(), setup.fluids.size()), size};
}

PairMixing count_or_none(const Simulation& simulation) {
  try {
    return count_pairs(simulation);
  } catch (const Unavailable&) {  // a run must not end for it
    return kUnknown;
  }
}

/// The window's plot and its table of diagnostics ask for the same moments.
struct LastCount {
  std::uint64_t moment = 0;  ///< 0: none
  PairMixing found;
  std::uint64_t made = 0;
};
thread_local LastCount last_count;

}  // namespace

PairMixing pair_mixing(const Simulation& simulation) {
  if (last_count.moment != simulation.moment())
    last_count = {simulation.moment(), count_or_none(simulation), last_count.made + 1};
  return last_count.found;
}

std::uint64_t pair_counts_made() { return last_count.made; }

}  // namespace riffle
