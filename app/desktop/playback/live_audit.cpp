#include "app/desktop/playback/live_audit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "core/timing/seconds_since.h"

namespace riffle::desktop {

namespace {

constexpr std::size_t kLines = 5;

AuditOracle oracle_for(const Simulation& simulation, NeighborMethod against, std::uint64_t step) {
  const ParticleCloud cloud = live_cloud(simulation);
  std::vector<std::uint32_t> askers = compared_particles(simulation, step);
  if (against == NeighborMethod::BruteForce) return {simulation.device(), cloud, std::move(askers)};
  SearchSettings settings;
  settings.method = against;
  settings.spacing = simulation.setup().spacing;
  NeighborSearch reference(simulation.device(), settings);
  return {cloud, std::move(askers), reference};
}

/// A search that is compared with itself is right whatever it finds.
std::string nothing_to_compare(NeighborMethod in_use) {
  const std::string choose = "Choose another method after \u201cagainst\u201d, or use another search.";
  if (in_use == NeighborMethod::BruteForce)
    return "brute_force is in use, which is the reference itself: there is nothing to compare it with. " + choose;
  return fmt::format("{} is in use and would be compared with itself. {}", to_string(in_use), choose);
}

void add(SearchAudit& sum, const SearchAudit& audit) {
  sum.particles += audit.particles, sum.pairs += audit.pairs;
  sum.differing += audit.differing, sum.examined += audit.examined;
  sum.missing += audit.missing, sum.extra += audit.extra, sum.duplicate += audit.duplicate;
  sum.asymmetric += audit.asymmetric, sum.unvisited += audit.unvisited;
  sum.asymmetric_somewhere |= audit.asymmetric_somewhere;
}

}  // namespace

void LiveAudit::set(const AuditSettings& settings) {
  const AuditSettings& now = status_.settings;
  if (settings.on == now.on && settings.every == now.every && settings.against == now.against) return;
  *this = LiveAudit();
  status_.settings = settings;
}

bool LiveAudit::due(std::uint64_t step) const {
  if (!status_.settings.on) return false;
  return !last_step_ || step < *last_step_ || step - *last_step_ >= static_cast<std::uint64_t>(status_.settings.every);
}

NeighborSearch& LiveAudit::search_for(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  // With a skin the particles would have to stay in this search's order from build to build, but they are in the order
  // of the simulation's own search. So such a search is rebuilt for each check.
  const bool keep = setup.neighbors.skin == 0;
  if (!kept_ || !keep || !(kept_->device() == simulation.device()) || *kept_setup_ != setup.neighbors) {
    kept_ = std::make_unique<NeighborSearch>(simulation.device(), search_settings(setup, setup.neighbors));
    kept_setup_ = setup.neighbors;
  }
  return *kept_;
}

std::optional<std::string> LiveAudit::check(Simulation& simulation) {
  const auto begin = std::chrono::steady_clock::now();
  const StepReport clock = simulation.finish();
  last_step_ = clock.step;
  if (const NeighborMethod in_use = simulation.setup().neighbors.method; in_use == status_.settings.against) {
    status_.refused = nothing_to_compare(in_use);
    return std::nullopt;
  }
  status_.step = clock.step;
  status_.time = clock.time;
  try {
    const AuditOracle oracle = oracle_for(simulation, status_.settings.against, clock.step);
    const SearchAudit audit = build_and_audit(search_for(simulation), oracle, true);
    status_.refused.clear();
    status_.ms = 1e3 * seconds_since(begin);
    const std::string method(to_string(simulation.setup().neighbors.method));
    // Only messages need the positions on the host.
    const AuditedState state =
        audit.right() ? AuditedState{clock.step, clock.time, {}, {}} : audited_state(simulation, clock);
    return take(audit, method, state, oracle.cloud());
  } catch (const std::bad_alloc&) {
    status_.refused = "out of memory";
  } catch (const std::exception& refusal) {
    status_.refused = refusal.what();
  }
  kept_.reset();
  return std::nullopt;
}

std::optional<std::string> LiveAudit::take(const SearchAudit& audit, const std::string& method,
                                           const AuditedState& state, const ParticleCloud& cloud) {
  status_.step = state.step;
  status_.time = state.time;
  if (method != status_.method) {  // the counts are those of another search
    const AuditStatus before = std::exchange(status_, {});
    status_.settings = before.settings;
    status_.ms = before.ms;
    status_.step = state.step;
    status_.time = state.time;
    wrong_before_ = false;
  }
  status_.method = method;
  status_.compared = static_cast<int>(audit.particles);
  ++status_.checks;
  add(status_.sum, audit);
  if (audit.right()) {
    wrong_before_ = false;
    return std::nullopt;
  }
  ++status_.wrong_checks;
  std::vector<std::string> lines = fault_lines(audit, state, cloud);
  if (lines.size() > kLines) lines.resize(kLines);
  if (status_.first.empty()) status_.first = lines;
  if (std::exchange(wrong_before_, true)) return std::nullopt;
  return fmt::format(
      "{} against {}: {} of {} particles have wrong neighbours; pairs missing {}, extra {}, twice {}\n{}", method,
      to_string(status_.settings.against), audit.differing, audit.particles, audit.missing, audit.extra,
      audit.duplicate, fmt::join(lines, "\n"));
}

}  // namespace riffle::desktop
