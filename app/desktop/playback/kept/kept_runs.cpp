#include "app/desktop/playback/kept/kept_runs.h"

#include <algorithm>
#include <set>
#include <utility>

namespace riffle::desktop {

std::size_t KeptRuns::budget() const {
  return budget_ ? *budget_ : std::min<std::size_t>((free_memory(Device{}) + bytes()) / 8, std::size_t{2} << 30);
}

std::size_t KeptRuns::bytes() const {
  std::set<const SimulationState*> states;
  for (const Entry& entry : runs_) {
    if (entry.run.now) states.insert(entry.run.now.get());
    if (entry.run.edited_from) states.insert(entry.run.edited_from.get());
    for (const auto& moment : entry.run.history.moments()) states.insert(moment.get());
  }
  std::size_t sum = 0;
  for (const SimulationState* state : states) sum += state->bytes();
  return sum;
}

void KeptRuns::put(std::uint64_t state, KeptRun run) {
  forget(state);
  runs_.push_back({state, std::move(run)});
  const std::size_t most = budget();
  while (bytes() > most && release_something()) continue;
}

bool KeptRuns::release_something() {
  for (Entry& entry : runs_)
    if (entry.run.now && entry.run.history.keep_ends(entry.run.now->clock.time)) return true;
  for (Entry& entry : runs_)
    if (entry.run.edited_from) {
      entry.run.edited_from.reset();
      return true;
    }
  for (Entry& entry : runs_)
    if (entry.run.now) {
      entry.run.now.reset();
      entry.run.history.clear();
      return true;
    }
  return false;
}

const KeptRun* KeptRuns::find(std::uint64_t state) const {
  const auto at = std::find_if(runs_.begin(), runs_.end(), [&](const Entry& entry) { return entry.state == state; });
  return at == runs_.end() ? nullptr : &at->run;
}

void KeptRuns::forget(std::uint64_t state) {
  std::erase_if(runs_, [&](const Entry& entry) { return entry.state == state; });
}

}  // namespace riffle::desktop
