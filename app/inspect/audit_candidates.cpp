#include "app/inspect/audit_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/device/memory.h"
#include "core/error.h"
#include "neighbors/tree/tree_structures.h"

namespace riffle {

namespace {

void add_candidates(std::vector<AuditCandidate>& all, const NeighborMethodInfo& info, TreeStructure structure,
                    const Device& device, const SearchSettings& scene) {
  const bool optix = structure == TreeStructure::Optix;
  const auto add = [&](const std::string& use) -> AuditCandidate& {
    AuditCandidate& c = all.emplace_back();
    c.name = search_name(info.method, structure);
    c.use = use;
    c.settings.method = info.method;
    c.settings.structure = structure;
    c.settings.spacing = scene.spacing;
    c.settings.cell_ratio = scene.cell_ratio;
    if (info.method == scene.method) c.settings.cell_count = scene.cell_count;  // others may not serve so many
    return c;
  };
  add("new search");
  add("rebuilt").keep = true;
  if (info.method == NeighborMethod::BruteForce) return;  // it has neither cells nor an order
  if (info.has_cells) {
    for (const auto& [use, ratio] : {std::pair{"cells of h/2", 0.5f}, std::pair{"cells of 2 h", 2.0f}}) {
      SearchSettings& settings = add(use).settings;
      settings.cell_ratio = ratio;
      settings.cell_count = {};
    }
  }
  for (const MethodOption& option : info.options) {
    AuditCandidate& c = add(std::string(option.name) + (option.built_again ? ", rebuilt" : ""));
    option.choose(c.settings);
    c.keep = option.built_again;
  }
  for (const float skin : {0.1f, 0.5f}) {  // one that `auto` tries, and one that spares many builds
    AuditCandidate& c = add(fmt::format("lists, skin {:g}", skin));
    c.settings.skin = skin;
    c.keep = c.lists = c.follows = true;
  }
  if (device.is_cpu()) return;
  if (!optix) {  // which lists by itself
    AuditCandidate& lists = add("with lists, rebuilt");
    lists.lists = true;
    lists.keep = true;
  }
  add("deterministic").settings.deterministic = true;
}

constexpr std::uint32_t kNone = ~0u;

/// The index in the state of each id, kNone where no particle has it.
std::vector<std::uint32_t> index_by_id(const AuditedState& state) {
  if (state.ids.empty()) return {};
  std::vector<std::uint32_t> index(*std::max_element(state.ids.begin(), state.ids.end()) + std::size_t{1}, kNone);
  for (std::size_t i = 0; i < state.ids.size(); ++i) index[state.ids[i]] = static_cast<std::uint32_t>(i);
  return index;
}

/// The same as build_and_audit(), on particles in the candidate's order.
SearchAudit build_and_audit_followed(AuditCandidate& c, NeighborSearch& search, const AuditOracle& oracle,
                                     const AuditedState& state) {
  const std::vector<std::uint32_t> index = index_by_id(state);
  const auto is_there = [&](std::uint32_t id) { return id < index.size() && index[id] != kNone; };
  if (c.order.size() != state.ids.size() || !std::all_of(c.order.begin(), c.order.end(), is_there)) {
    c.order = state.ids;  // the first state, or particles were added or removed
    search.forget();
  }
  const Device& device = search.device();
  const auto in_order = [&] {
    std::vector<Vec4> positions;
    for (const std::uint32_t id : c.order) positions.push_back(state.positions[index[id]]);
    return Buffer<Vec4>(device, positions);
  };
  Buffer<Vec4> positions = in_order();
  const std::uint64_t version = search.version();
  const ParticleCloud& cloud = oracle.cloud();
  search.build(positions.data(), cloud.count, cloud.domain, cloud.h);
  c.spared_builds += search.version() == version;
  if (search.wants_reorder()) {
    std::vector<std::uint32_t> from(c.order.size());
    copy_to_host(device, from.data(), search.order(), from.size() * sizeof(std::uint32_t));
    std::vector<std::uint32_t> order;
    for (const std::uint32_t before : from) order.push_back(c.order[before]);
    c.order = std::move(order);
    positions = in_order();
  }
  search.list_neighbors(positions.data());
  std::vector<std::uint32_t> original;
  for (const std::uint32_t id : c.order) original.push_back(index[id]);
  return audit_search(search, positions.data(), Buffer<std::uint32_t>(device, original).data(), oracle);
}

void add(AuditCandidate& c, const SearchAudit& audit, const AuditedState& state, const ParticleCloud& cloud) {
  c.sum.particles += audit.particles, c.sum.pairs += audit.pairs;
  c.sum.differing += audit.differing, c.sum.examined += audit.examined;
  c.sum.missing += audit.missing, c.sum.extra += audit.extra, c.sum.duplicate += audit.duplicate;
  c.sum.asymmetric += audit.asymmetric, c.sum.unvisited += audit.unvisited;
  c.sum.asymmetric_somewhere |= audit.asymmetric_somewhere;
  if (audit.right()) return;
  ++c.wrong_states;
  for (const std::string& line : fault_lines(audit, state, cloud))
    if (c.first.size() < 5) c.first.push_back(line);
}

}  // namespace

std::vector<AuditCandidate> audit_candidates(const Device& device, const SearchSettings& scene) {
  std::vector<AuditCandidate> all;
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const TreeStructure structure : tree_structures(info.method, device))
      add_candidates(all, info, structure, device, scene);
  return all;
}

void examine(AuditCandidate& c, const AuditOracle& oracle, const AuditedState& state) {
  const auto note_refusal = [&](const std::exception& refusal) {
    ++c.refusals;
    if (c.refused.empty()) c.refused = refusal.what();
  };
  try {
    NeighborSearch* search = c.kept.get();
    std::unique_ptr<NeighborSearch> fresh;
    if (!search) {
      fresh = std::make_unique<NeighborSearch>(oracle.device(), c.settings);
      search = fresh.get();
    }
    const SearchAudit audit =
        c.follows ? build_and_audit_followed(c, *search, oracle, state) : build_and_audit(*search, oracle, c.lists);
    ++c.states;
    add(c, audit, state, oracle.cloud());
    if (c.keep && fresh) c.kept = std::move(fresh);
  } catch (const Unavailable& refusal) {
    note_refusal(refusal);
  } catch (const InputError& refusal) {
    note_refusal(refusal);
  } catch (const std::exception& error) {
    throw RuntimeFailure(fmt::format("{}, {}, at step {}: {}", c.name, c.use, state.step, error.what()));
  }
}

std::string verdict(const AuditCandidate& c) {
  if (c.wrong_states > 0) return "WRONG";
  if (c.states == 0) return c.refusals > 0 ? "refused" : "not compared";
  return c.refusals > 0 ? "right, refused at times" : "right";
}

std::vector<std::string> never_compared(const std::vector<AuditCandidate>& candidates) {
  std::vector<std::string> names;
  for (const AuditCandidate& c : candidates) {
    const bool compared = std::any_of(candidates.begin(), candidates.end(), [&](const AuditCandidate& other) {
      return other.name == c.name && (other.states > 0 || other.refusals == 0);
    });
    if (!compared && std::find(names.begin(), names.end(), c.name) == names.end()) names.push_back(c.name);
  }
  return names;
}

}  // namespace riffle
