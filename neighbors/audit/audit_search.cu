#include "neighbors/audit/audit_search.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/device/atomic.h"
#include "core/device/reduce.cuh"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"

namespace riffle {

namespace {

constexpr std::uint32_t kOneVisit = 0x10001u;  ///< one begin in the lower half, one end in the upper
constexpr std::uint32_t kNoSlot = ~0u;

RIFFLE_INLINE std::uint32_t cloud_index(const std::uint32_t* original, int i) {
  return original ? original[i] : static_cast<std::uint32_t>(i);
}

struct DigestNeighbors {
  const std::uint32_t* original;  ///< (count) or nullptr
  NeighborDigest* digests;        ///< (count) out, by the cloud's index
  std::uint64_t* balance;  ///< (count) out: + a hash of {i, j} for i < j, - for i > j: adds up to 0 over all pairs
                           ///< where i has j as often as j has i
  std::uint32_t* visits;   ///< (count) in and out

  struct State {
    NeighborDigest digest;
    std::uint64_t balance;
    std::uint32_t i;
  };
  RIFFLE_HD State begin(int i) const {
    const std::uint32_t own = cloud_index(original, i);
    atomic_add(&visits[own], 1u);
    return {{}, 0, own};
  }
  RIFFLE_HD void neighbor(State& state, int, int sorted_j, Vec3, float) const {
    const std::uint32_t i = state.i, j = cloud_index(original, sorted_j);
    add_neighbor(state.digest, j);
    const std::uint32_t low = i < j ? i : j, high = i < j ? j : i;
    const std::uint32_t a = mix_bits(low + 0x68bc21ebu * mix_bits(high)),
                        b = mix_bits(high + 0x02e5be93u * mix_bits(low));
    const std::uint64_t hash = (std::uint64_t{a} << 32) | b;
    state.balance += i < j ? hash : ~hash + 1;
  }
  RIFFLE_HD void end(State& state, int) const {
    digests[state.i] = state.digest;
    balance[state.i] = state.balance;
    atomic_add(&visits[state.i], 0x10000u);
  }
};

struct SumBalance {
  const std::uint64_t* balance;
  RIFFLE_HD static std::uint64_t identity() { return 0; }
  RIFFLE_HD static std::uint64_t combine(std::uint64_t a, std::uint64_t b) { return a + b; }
  RIFFLE_HD std::uint64_t operator()(std::int64_t i) const { return balance[i]; }
};

struct CountUnvisited {
  const std::uint32_t* visits;
  RIFFLE_HD static std::uint32_t identity() { return 0; }
  RIFFLE_HD static std::uint32_t combine(std::uint32_t a, std::uint32_t b) { return a + b; }
  RIFFLE_HD std::uint32_t operator()(std::int64_t i) const { return visits[i] == kOneVisit ? 0 : 1; }
};

/// Records the neighbours of the particles that have a slot.
struct RecordNeighbors {
  const std::uint32_t* original;
  const std::uint32_t* slot;   ///< (count) by the cloud's index, kNoSlot for none
  const std::uint64_t* start;  ///< (slots + 1)
  std::uint32_t* found;        ///< (start[slots]) out

  struct State {
    std::uint64_t next, end;
  };
  RIFFLE_HD State begin(int i) const {
    const std::uint32_t s = slot[cloud_index(original, i)];
    if (s == kNoSlot) return {0, 0};
    return {start[s], start[s + 1]};
  }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float) const {
    if (state.next < state.end) found[state.next++] = cloud_index(original, j);
  }
  RIFFLE_HD void end(State&, int) const {}
};

using Lists = std::map<std::uint32_t, std::vector<std::uint32_t>>;  ///< by the cloud's index

/// The neighbours that the search finds for some particles, by one more traversal of all.
Lists found_neighbors(const NeighborSearch& search, const Vec4* positions, const std::uint32_t* original, float h,
                      const std::vector<NeighborDigest>& digests, const std::vector<std::uint32_t>& wanted) {
  const Device& device = search.device();
  std::vector<std::uint32_t> slot(digests.size(), kNoSlot);
  std::vector<std::uint64_t> start(wanted.size() + 1, 0);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    slot[wanted[k]] = static_cast<std::uint32_t>(k);
    start[k + 1] = start[k] + digests[wanted[k]].count;
  }
  const Buffer<std::uint32_t> device_slot(device, slot);
  const Buffer<std::uint64_t> device_start(device, start);
  Buffer<std::uint32_t> found(device, start.back());
  for_each_neighbor(search, "record neighbours", positions, h,
                    RecordNeighbors{original, device_slot.data(), device_start.data(), found.data()});
  const std::vector<std::uint32_t> all = found.to_host();
  Lists lists;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    lists[wanted[k]].assign(all.begin() + static_cast<std::ptrdiff_t>(start[k]),
                            all.begin() + static_cast<std::ptrdiff_t>(start[k + 1]));
  return lists;
}

/// Among the wrong pairs, counts those that i and j do not have equally often.
std::uint64_t count_asymmetric(const std::vector<PairFault>& faults, const Lists& lists) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const PairFault& fault : faults) {
    const auto& of_i = lists.at(fault.i);
    const auto of_j = lists.find(fault.j);
    if (of_j == lists.end()) continue;
    if (std::count(of_i.begin(), of_i.end(), fault.j) != std::count(of_j->second.begin(), of_j->second.end(), fault.i))
      pairs.insert(fault.i < fault.j ? std::pair{fault.i, fault.j} : std::pair{fault.j, fault.i});
  }
  return pairs.size();
}

/// The result of a search, by the cloud's index.
struct Found {
  Buffer<NeighborDigest> digests;  ///< (count)
  Buffer<std::uint64_t> balance;   ///< (count)
  Buffer<std::uint32_t> visits;    ///< (count)
};

Found digest_neighbors(const NeighborSearch& search, const Vec4* positions, const std::uint32_t* original, int count,
                       float h) {
  const Device& device = search.device();
  const auto n = static_cast<std::size_t>(count);
  Found found{Buffer<NeighborDigest>(device, n), Buffer<std::uint64_t>(device, n), Buffer<std::uint32_t>(device, n)};
  found.digests.fill_zero();
  found.balance.fill_zero();
  found.visits.fill_zero();
  for_each_neighbor(search, "digest neighbours", positions, h,
                    DigestNeighbors{original, found.digests.data(), found.balance.data(), found.visits.data()});
  return found;
}

}  // namespace

AuditOracle::AuditOracle(const ParticleCloud& cloud, std::vector<std::uint32_t> askers, NeighborSearch& reference)
    : device_(reference.device()), cloud_(cloud), askers_(std::move(askers)) {
  if (askers_.empty()) return;
  Buffer<Vec4> sorted(device_);
  build_sorted(reference, cloud.positions, cloud.count, cloud.domain, cloud.h, sorted);
  const std::uint32_t* original = reference.wants_reorder() ? reference.order() : nullptr;
  const std::vector<NeighborDigest> all =
      digest_neighbors(reference, sorted.data(), original, cloud.count, cloud.h).digests.to_host();
  for (const std::uint32_t asker : askers_) digests_.push_back(all.at(asker));
}

AuditOracle::AuditOracle(const Device& device, const ParticleCloud& cloud, std::vector<std::uint32_t> askers)
    : device_(device), cloud_(cloud), askers_(std::move(askers)) {
  if (askers_.empty()) return;
  const Buffer<std::uint32_t> indices(device, askers_);
  digests_ = all_pairs_digests(device, cloud, {indices.data(), static_cast<int>(askers_.size())}).to_host();
}

std::uint64_t AuditOracle::pairs() const {
  std::uint64_t sum = 0;
  for (const NeighborDigest& digest : digests_) sum += digest.count;
  return sum;
}

SearchAudit audit_search(const NeighborSearch& search, const Vec4* positions, const std::uint32_t* original,
                         const AuditOracle& oracle) {
  const Device& device = search.device();
  const ParticleCloud& cloud = oracle.cloud();
  const auto n = static_cast<std::size_t>(cloud.count);
  SearchAudit audit;
  audit.particles = oracle.askers().size();
  audit.pairs = oracle.pairs();
  if (n == 0) return audit;

  const Found all = digest_neighbors(search, positions, original, cloud.count, cloud.h);
  audit.asymmetric_somewhere =
      reduce<std::uint64_t>(device, "sum balance", cloud.count, SumBalance{all.balance.data()}) != 0;
  audit.unvisited = reduce<std::uint32_t>(device, "count unvisited", cloud.count, CountUnvisited{all.visits.data()});

  const std::vector<NeighborDigest> found = all.digests.to_host();
  std::vector<std::uint32_t> differing;
  for (std::size_t k = 0; k < oracle.askers().size(); ++k)
    if (!(found[oracle.askers()[k]] == oracle.digests()[k])) differing.push_back(oracle.askers()[k]);
  audit.differing = differing.size();
  audit.examined = std::min<std::uint64_t>(differing.size(), SearchAudit::kMostExamined);
  differing.resize(audit.examined);
  if (differing.empty()) return audit;

  const auto expected = all_pairs_neighbors(device, cloud, differing);
  Lists lists = found_neighbors(search, positions, original, cloud.h, found, differing);
  std::vector<PairFault> faults;
  std::set<std::uint32_t> partners;
  for (std::size_t k = 0; k < differing.size(); ++k)
    for (const PairFault& fault : neighbor_faults(differing[k], expected[k], lists[differing[k]])) {
      faults.push_back(fault);
      ++(fault.kind == FaultKind::Missing ? audit.missing
         : fault.kind == FaultKind::Extra ? audit.extra
                                          : audit.duplicate);
      if (fault.j < n && !lists.contains(fault.j)) partners.insert(fault.j);
    }
  if (!partners.empty())
    lists.merge(found_neighbors(search, positions, original, cloud.h, found, {partners.begin(), partners.end()}));
  audit.asymmetric = count_asymmetric(faults, lists);
  faults.resize(std::min(faults.size(), SearchAudit::kMostFaults));
  audit.faults = std::move(faults);
  return audit;
}

SearchAudit build_and_audit(NeighborSearch& search, const AuditOracle& oracle, bool lists) {
  const ParticleCloud& cloud = oracle.cloud();
  Buffer<Vec4> sorted(search.device());
  build_sorted(search, cloud.positions, cloud.count, cloud.domain, cloud.h, sorted);
  const std::uint32_t* original = search.wants_reorder() ? search.order() : nullptr;
  if (lists) search.list_neighbors(sorted.data());
  return audit_search(search, sorted.data(), original, oracle);
}

}  // namespace riffle
