#pragma once
/// The searches that `riffle audit` compares with all pairs: every method in each of its variants.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/run/audit_state.h"
#include "neighbors/audit/audit_search.h"

namespace riffle {

/// One variant of one search, over all the states of the run.
struct AuditCandidate {
  std::string name;  ///< "hoetzlein", "rtnn by OptiX"
  std::string use;
  SearchSettings settings;
  bool keep = false;   ///< one search object for the whole run, as a simulation has
  bool lists = false;  ///< list_neighbors() after each build
  /// The particles stay in the search's own order from state to state, as in a simulation. Only then can a skin spare a
  /// build, and lists that are older than the state are compared.
  bool follows = false;

  std::string refused;  ///< why, the first time; "" when never
  std::uint64_t states = 0, refusals = 0;
  std::uint64_t wrong_states = 0;
  std::uint64_t spared_builds = 0;  ///< states at which a skin kept the lists of an earlier state
  SearchAudit sum;                  ///< over the states
  std::vector<std::string> first;   ///< wrong pairs, in words

  std::unique_ptr<NeighborSearch> kept;
  std::vector<std::uint32_t> order;  ///< ids in the order in which the particles are kept
};

/// @param scene its cells are those of each variant that has none of its own (a number of cells: of its method's variants
/// only), and its spacing is that of the particles
std::vector<AuditCandidate> audit_candidates(const Device& device, const SearchSettings& scene);

/// Builds the candidate's search on the state and compares. A refusal is counted.
/// @throws RuntimeFailure if building fails otherwise
void examine(AuditCandidate& candidate, const AuditOracle& oracle, const AuditedState& state);

/// "right", "right, refused at times", "WRONG", "refused" or "not compared"
std::string verdict(const AuditCandidate& candidate);

/// Searches that refused every state in each of their variants, in the order of the candidates.
std::vector<std::string> never_compared(const std::vector<AuditCandidate>& candidates);

}  // namespace riffle
