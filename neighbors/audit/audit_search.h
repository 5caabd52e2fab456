#pragma once
/// Compares a built search, particle by particle, with the true neighbours.

#include <cstdint>
#include <vector>

#include "neighbors/audit/neighbor_faults.h"
#include "neighbors/brute/all_pairs.h"
#include "neighbors/neighbor_search.h"

namespace riffle {

/// The correct result on one cloud, computed once for all searches that are compared with it.
class AuditOracle {
 public:
  /// askers: particles of the cloud to compare, ascending. The cloud's positions must outlive the oracle.
  AuditOracle(const Device& device, const ParticleCloud& cloud, std::vector<std::uint32_t> askers);

  /// Takes the result of another search as correct: faster than testing every pair, and as good unless both make the
  /// same mistake. Builds the reference on the cloud. @throws the exceptions of build()
  AuditOracle(const ParticleCloud& cloud, std::vector<std::uint32_t> askers, NeighborSearch& reference);

  const Device& device() const { return device_; }
  const ParticleCloud& cloud() const { return cloud_; }
  const std::vector<std::uint32_t>& askers() const { return askers_; }
  const std::vector<NeighborDigest>& digests() const { return digests_; }  ///< by asker
  std::uint64_t pairs() const;                                             ///< (i, j) of all askers i

 private:
  Device device_;
  ParticleCloud cloud_;
  std::vector<std::uint32_t> askers_;
  std::vector<NeighborDigest> digests_;
};

struct SearchAudit {
  std::uint64_t particles = 0;  ///< compared
  std::uint64_t pairs = 0;      ///< (i, j) that they have
  std::uint64_t differing = 0;  ///< particles whose neighbours are not the true ones
  std::uint64_t examined = 0;   ///< of these, compared pair by pair: at most kMostExamined; the counts below are theirs
  std::uint64_t missing = 0, extra = 0, duplicate = 0;  ///< (i, j)
  std::uint64_t asymmetric = 0;                         ///< wrong {i, j} that i has more often or less often than j has
  bool asymmetric_somewhere = false;  ///< over all particles of the cloud, compared or not: some i has j, and j lacks i
  std::uint64_t unvisited = 0;        ///< particles of the cloud that did not get exactly one begin and one end
  /// The first faults, at most kMostFaults, in the cloud's indices. They come from testing every pair, whatever the
  /// oracle's reference: if the reference is the wrong one, there are none.
  std::vector<PairFault> faults;

  static constexpr std::uint64_t kMostExamined = 20000;
  static constexpr std::size_t kMostFaults = 20;

  bool right() const { return differing == 0 && !asymmetric_somewhere && unvisited == 0; }
};

/// positions: (count) in the order the search wants, on its device; original: (count) on the device, the cloud's index
/// for each index of the search, nullptr if they are equal. Waits.
SearchAudit audit_search(const NeighborSearch& search, const Vec4* positions, const std::uint32_t* original,
                         const AuditOracle& oracle);

/// Builds on the oracle's cloud, copies it in the search's order, lists the neighbours if `lists` is set, and audits.
/// @throws the exceptions of build()
SearchAudit build_and_audit(NeighborSearch& search, const AuditOracle& oracle, bool lists);

}  // namespace riffle
