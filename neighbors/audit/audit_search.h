#pragma once
/// A built search, compared particle by particle with the neighbours there are.

#include <cstdint>
#include <vector>

#include "neighbors/audit/neighbor_faults.h"
#include "neighbors/brute/all_pairs.h"
#include "neighbors/neighbor_search.h"

namespace riffle {

/// What a search must find on one cloud: worked out once, for all the searches that are held against it.
class AuditOracle {
 public:
  /// askers: particles of the cloud that are compared, ascending. The cloud's positions must outlive the oracle.
  AuditOracle(const Device& device, const ParticleCloud& cloud, std::vector<std::uint32_t> askers);

  /// What another search finds is held to be right: quicker than looking at every pair, and as good while the two have no
  /// mistake in common. It is built on the cloud. @throws what building throws
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
  std::uint64_t differing = 0;  ///< particles whose neighbours are not the right ones
  std::uint64_t examined = 0;  ///< of these, looked at pair by pair: at most kMostExamined; the counts below are theirs
  std::uint64_t missing = 0, extra = 0, duplicate = 0;  ///< (i, j)
  std::uint64_t asymmetric = 0;       ///< {i, j} among the wrong ones where i has j more often than j has i, or less
  bool asymmetric_somewhere = false;  ///< over all particles of the cloud, compared or not: some i has j and not j i
  std::uint64_t unvisited = 0;        ///< particles of the cloud that did not get exactly one begin and one end
  /// The first, at most kMostFaults; in the cloud's indices. Against every pair, whatever the oracle's reference: none
  /// where the reference is the one that is wrong.
  std::vector<PairFault> faults;

  static constexpr std::uint64_t kMostExamined = 20000;
  static constexpr std::size_t kMostFaults = 20;

  bool right() const { return differing == 0 && !asymmetric_somewhere && unvisited == 0; }
};

/// positions: (count) in the order the search wants, on its device; original: (count) on the device, the cloud's index
/// by the search's, nullptr where they are the same. Waits.
SearchAudit audit_search(const NeighborSearch& search, const Vec4* positions, const std::uint32_t* original,
                         const AuditOracle& oracle);

/// Builds on the oracle's cloud, puts a copy of it in the search's order, lists the neighbours if asked to, and audits.
/// @throws what building throws
SearchAudit build_and_audit(NeighborSearch& search, const AuditOracle& oracle, bool lists);

}  // namespace riffle
