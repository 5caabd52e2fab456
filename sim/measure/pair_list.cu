#include "sim/measure/pair_list.h"

#include <algorithm>

#include "core/device/algorithms.h"
#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/device/threads.h"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"

namespace riffle {

namespace {

/// out[i] = {x, y, z, bits of the id}
struct TagId {
  const Vec4* position;
  const std::uint32_t* id;
  Vec4* out;

  RIFFLE_HD void operator()(std::int64_t i) const { out[i] = make_vec4(xyz(position[i]), float_from_bits(id[i])); }
};

struct CountLaterIds {
  const Vec4* tagged;    ///< in the traversal's order
  std::uint64_t* count;  ///< by id, out

  struct State {
    std::uint32_t id, count;
  };
  RIFFLE_HD State begin(int i) const { return {float_bits(tagged[i].w), 0}; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float) const {
    if (float_bits(tagged[j].w) > state.id) ++state.count;
  }
  RIFFLE_HD void end(State& state, int) const { count[state.id] = state.count; }
};

struct ListedPair {
  std::uint32_t second;
  float distance;
};

struct ListLaterIds {
  const Vec4* tagged;
  const std::uint64_t* start;  ///< of each id's row
  ListedPair* out;

  struct State {
    std::uint32_t id;
    std::uint64_t next;
  };
  RIFFLE_HD State begin(int i) const {
    const std::uint32_t id = float_bits(tagged[i].w);
    return {id, start[id]};
  }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float r2) const {
    const std::uint32_t other = float_bits(tagged[j].w);
    if (other > state.id) out[state.next++] = {other, sqrtf(r2)};
  }
  RIFFLE_HD void end(State&, int) const {}
};

PairList in_order(const std::vector<std::uint64_t>& start, std::vector<ListedPair> rows) {
  PairList pairs;
  pairs.first.resize(rows.size());
  pairs.second.resize(rows.size());
  pairs.distance.resize(rows.size());
  constexpr std::int64_t kGrain = 1024;
  parallel_ranges(static_cast<std::int64_t>(start.size()) - 1, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t id = begin; id != end; ++id) {
      const std::uint64_t from = start[static_cast<std::size_t>(id)], to = start[static_cast<std::size_t>(id) + 1];
      std::sort(rows.begin() + static_cast<std::ptrdiff_t>(from), rows.begin() + static_cast<std::ptrdiff_t>(to),
                [](const ListedPair& a, const ListedPair& b) { return a.second < b.second; });
      for (std::uint64_t k = from; k != to; ++k) {
        pairs.first[k] = static_cast<std::uint32_t>(id);
        pairs.second[k] = rows[k].second;
        pairs.distance[k] = rows[k].distance;
      }
    }
  });
  return pairs;
}

}  // namespace

PairList list_pairs(const Simulation& simulation) {
  const Device& device = simulation.device();
  const SimulationSetup& setup = simulation.setup();
  const Buffer<Vec4>& position = simulation.particles().get<Vec4>("position");
  const Buffer<std::uint32_t>& id = simulation.particles().get<std::uint32_t>("id");
  const int n = simulation.particle_count();
  if (n == 0) return {};
  const std::vector<std::uint32_t> ids = id.to_host();
  const std::size_t rows = std::size_t{*std::max_element(ids.begin(), ids.end())} + 1;
  Buffer<Vec4> tagged(device, static_cast<std::size_t>(n)), sorted(device);
  parallel_for(device, "tag id", n, TagId{position.data(), id.data(), tagged.data()});
  SearchSettings settings = search_settings(setup, setup.neighbors);
  settings.skin = 0;
  settings.list_always = false;
  NeighborSearch search(device, settings);
  const float h = setup.support_radius();
  build_sorted(search, tagged.data(), n, setup.domain, h, sorted);
  Buffer<std::uint64_t> start(device, rows + 1);
  start.fill_zero();
  for_each_neighbor(search, "count pairs", sorted.data(), h, CountLaterIds{sorted.data(), start.data()});
  ScratchMemory scratch(device);
  exclusive_scan(device, start.data(), start.data(), rows + 1, scratch);
  const std::vector<std::uint64_t> starts = start.to_host();
  Buffer<ListedPair> listed(device, static_cast<std::size_t>(starts.back()));
  for_each_neighbor(search, "list pairs", sorted.data(), h, ListLaterIds{sorted.data(), start.data(), listed.data()});
  return in_order(starts, listed.to_host());
}

}  // namespace riffle
