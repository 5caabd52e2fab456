#include "app/desktop/playback/kept/kept_runs.h"

#include <algorithm>
#include <set>
#include <utility>

namespace riffle::desktop {

namespace {

/// [bytes] of its rows, for the table and for the plots; the record of the plots has two copies of them.
std::size_t bytes_of_rows(const KeptRun& run) {
  std::size_t sum = 0;
  if (run.series && run.series->rows() > 0)
    sum += run.series->rows() * run.series->row_values(run.series->rows() - 1).size() * sizeof(double);
  if (const auto view = run.diagnostics.view())
    sum += 2 * view->history.buckets().size() *
           (sizeof(SeriesHistory::Bucket) + view->history.channels() * sizeof(SeriesHistory::Extent));
  return sum;
}

}  // namespace

std::size_t KeptRuns::budget() const {
  return budget_ ? *budget_
                 : std::min<std::size_t>((free_memory(Device{}) + bytes() + row_bytes()) / 8, std::size_t{2} << 30);
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
  while (row_bytes() > most && release_rows()) continue;
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
      release_run(entry.run);
      return true;
    }
  return false;
}

std::size_t KeptRuns::row_bytes() const {
  std::size_t sum = 0;
  for (const Entry& entry : runs_) sum += bytes_of_rows(entry.run);
  return sum;
}

bool KeptRuns::release_rows() {
  for (Entry& entry : runs_)
    if (!entry.run.now && entry.run.diagnostics.view()) {
      entry.run.diagnostics = {};
      return true;
    }
  // Not the newest: nobody was told that its moments could go.
  for (Entry& entry : runs_)
    if (entry.run.now && &entry != &runs_.back()) {
      release_run(entry.run);
      entry.run.diagnostics = {};
      return true;
    }
  return false;
}

/// The scene stays, from which it begins again.
void KeptRuns::release_run(KeptRun& run) {
  run.now.reset();
  run.edited_from.reset();
  run.history.clear();
  run.series.reset();
}

const KeptRun* KeptRuns::find(std::uint64_t state) const {
  const auto at = std::find_if(runs_.begin(), runs_.end(), [&](const Entry& entry) { return entry.state == state; });
  return at == runs_.end() ? nullptr : &at->run;
}

void KeptRuns::forget(std::uint64_t state) {
  std::erase_if(runs_, [&](const Entry& entry) { return entry.state == state; });
}

}  // namespace riffle::desktop
