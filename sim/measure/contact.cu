#include "sim/measure/contact.h"

#include <algorithm>
#include <cstdint>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"
#include "sim/lattice_ball.h"
#include "sim/measure/measuring_search.h"
#include "sim/solver_info.h"

namespace riffle {

namespace {

// Each particle points to one of its group, itself at first, and never to one with a smaller index: there are no
// circles. In each round the ends of the chains are pointed to the largest end nearby, and then all chains are cut to
// one link, until no end changes (Shiloach and Vishkin 1982).

struct PointToItself {
  std::uint32_t* link;
  RIFFLE_HD void operator()(std::int64_t i) const { link[i] = static_cast<std::uint32_t>(i); }
};

struct JoinNeighbors {
  const std::uint32_t* order;  ///< (count) the particle at each place of the search
  std::uint32_t* link;         ///< (count)
  std::uint32_t* changed;      ///< (1)
  std::uint32_t* most;         ///< (1) neighbours of a particle

  struct State {
    std::uint32_t own, largest, count;
  };
  RIFFLE_HD State begin(int i) const {
    const std::uint32_t own = atomic_load(&link[i]);
    return {own, own, 0};
  }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float) const {
    const std::uint32_t other = atomic_load(&link[order[j]]);
    if (other > state.largest) state.largest = other;
    ++state.count;  // itself too
  }
  RIFFLE_HD void end(State& state, int) const {
    if (state.count > atomic_load(most)) atomic_max(most, state.count);
    if (state.largest == state.own) return;
    atomic_max(&link[state.own], state.largest);
    atomic_store(changed, 1u);
  }
};

struct CutChains {
  std::uint32_t* link;
  RIFFLE_HD void operator()(std::int64_t i) const {
    std::uint32_t end = atomic_load(&link[i]);
    for (std::uint32_t next = atomic_load(&link[end]); next != end; next = atomic_load(&link[end])) end = next;
    atomic_store(&link[i], end);
  }
};

struct CountMembers {
  const std::uint32_t* link;
  std::uint32_t* members;  ///< (count) of the group that ends at that particle; 0: none does
  RIFFLE_HD void operator()(std::int64_t i) const { atomic_add(&members[link[i]], 1u); }
};

/// Without initialisers, as shared memory needs it.
struct Groups {
  std::uint32_t count, largest, single;
};

struct SummarizeGroups {
  const std::uint32_t* members;
  RIFFLE_HD static Groups identity() { return {0, 0, 0}; }
  RIFFLE_HD static Groups combine(Groups a, const Groups& b) {
    return {a.count + b.count, a.largest > b.largest ? a.largest : b.largest, a.single + b.single};
  }
  RIFFLE_HD Groups operator()(std::int64_t i) const {
    return {members[i] > 0 ? 1u : 0u, members[i], members[i] == 1 ? 1u : 0u};
  }
};

ContactReport measure(const Device& device, const Vec4* position, int particles, const SimulationSetup& setup) {
  const auto count = static_cast<std::size_t>(particles);
  const float h = setup.support_radius();
  NeighborSearch search(device, measuring_search(setup));
  Buffer<Vec4> sorted(device);
  build_sorted(search, position, particles, setup.domain, h, sorted);
  Buffer<std::uint32_t> link(device, count), members(device, count), changed(device, 1), most(device, 1);
  most.fill_zero();
  parallel_for(device, "point to itself", particles, PointToItself{link.data()});
  do {
    changed.fill_zero();
    for_each_neighbor_in_grid(search, "join neighbours", sorted.data(), position, particles, h,
                              JoinNeighbors{search.order(), link.data(), changed.data(), most.data()});
    parallel_for(device, "cut chains", particles, CutChains{link.data()});
  } while (changed.to_host()[0] != 0);
  members.fill_zero();
  parallel_for(device, "count members", particles, CountMembers{link.data(), members.data()});
  const auto groups = reduce<Groups>(device, "groups in contact", particles, SummarizeGroups{members.data()});
  ContactReport report;
  report.particles = particles;
  report.alone = static_cast<int>(groups.single);
  report.apart = particles - static_cast<int>(groups.largest);
  report.groups = static_cast<int>(groups.count);
  report.most_neighbors = std::max(static_cast<int>(most.to_host()[0]) - 1, 0);  // a NaN does not even find itself
  if (solver_info(setup).has_density)
    report.usual_neighbors = std::max(sites_in_ball(setup.domain.dimension, double{h} / setup.spacing) - 1, 1.0);
  return report;
}

}  // namespace

ContactReport measure_contact(const Simulation& simulation) {
  return measure(simulation.device(), simulation.particles().get<Vec4>("position").data(), simulation.particle_count(),
                 simulation.setup());
}

ContactReport measure_contact(const SimulationState& state, const Device& device) {
  const Buffer<Vec4> position(device, state.require<Vec4>("position"));
  return measure(device, position.data(), state.count, state.setup);
}

}  // namespace riffle
