#include "app/desktop/playback/sampled/pair_distribution.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/error.h"
#include "core/timing/seconds_since.h"

namespace riffle::desktop {

void PairDistribution::show(bool on) {
  if (on == on_) return;
  on_ = on;
  begin_again();
}

void PairDistribution::begin_again() {
  sum_.reset();
  view_.reset();
}

void PairDistribution::add(Simulation& simulation, DistributionView& view) {
  const SimulationSetup& setup = simulation.setup();
  sum_->add(simulation, distribution_volume(simulation));
  view.states = sum_->states();
  for (int axis = 0; axis < setup.domain.dimension; ++axis)
    view.has_walls = view.has_walls || setup.domain.walled(axis);
  view.g = sum_->values();
  for (int bin = 0; bin < kBins; ++bin) view.r.push_back(sum_->radius(bin));
  const bool reaches_h = double{setup.support_radius()} <= reach_;
  view.neighbors = reaches_h ? sum_->neighbors_near() : std::numeric_limits<double>::quiet_NaN();
}

/// Begins a view where the one before it ends.
void PairDistribution::take_over(const DistributionView& before, DistributionView& view) {
  view.from = before.from;
  view.least_filled = std::min(view.least_filled, before.least_filled);
  view.most_filled = std::max(view.most_filled, before.most_filled);
}

void PairDistribution::sample(Simulation& simulation, double wall) {
  const auto begin = std::chrono::steady_clock::now();
  DistributionView view;
  view.from = view.to = simulation.finish().time;
  const double reach = distribution_reach(simulation.setup());
  const bool goes_on = sum_ && view_ && view_->why_none.empty() && view_->to < view.to && reach == reach_;
  if (!goes_on) sum_.emplace(reach, kBins, std::min(reach, double{simulation.setup().support_radius()}));
  reach_ = reach;
  moment_ = simulation.moment();
  try {
    if (simulation.particle_count() >= 2) {
      view.least_filled = view.most_filled = filled_share(simulation);
      if (goes_on) take_over(*view_, view);
      add(simulation, view);
    } else if (goes_on) {
      view = *view_;  // the states before count as they did
    } else {
      view.why_none = "fewer than two particles";
    }
  } catch (const Unavailable& shortage) {  // a run must not end for it
    view.why_none = shortage.what();
  }
  const double took = seconds_since(begin);
  next_ = wall + took + std::max(kLeastInterval, took / kMostShare);
  view_ = std::make_shared<const DistributionView>(std::move(view));
}

}  // namespace riffle::desktop
