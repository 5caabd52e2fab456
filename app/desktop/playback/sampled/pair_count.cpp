#include "app/desktop/playback/sampled/pair_count.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/error.h"
#include "core/timing/seconds_since.h"

namespace riffle::desktop {

void PairCount::count(Simulation& simulation, double wall) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<float> resorted = std::move(status_.resorted);
  status_ = {};
  counted_ = true;
  try {
    const NeighborReport now = simulation.neighbors();
    status_.fluid = now.mean;
    status_.walls = now.walls;
    status_.search = now.search;
    if (const SearchCount* const moved = now.search.find(kResorted)) {
      constexpr std::size_t kKept = 300;
      if (resorted.size() == kKept) resorted.erase(resorted.begin());
      resorted.push_back(static_cast<float>(moved->value / std::max(1, simulation.particle_count())));
      status_.resorted = std::move(resorted);
    }
  } catch (const Unavailable& shortage) {  // a run must not end for it
    status_.resorted = std::move(resorted);
    status_.why_none = shortage.what();
  }
  const double took = seconds_since(begin);
  status_.ms = 1e3 * took;
  next_ = wall + took + std::max(kLeastInterval, took / kMostShare);
}

}  // namespace riffle::desktop
