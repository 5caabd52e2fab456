#include "app/desktop/playback/sampled/pair_distribution.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/timing/seconds_since.h"

namespace riffle::desktop {

namespace {

/// [m] kReach spacings, or half of the shortest periodic axis.
double reach_in(const SimulationSetup& setup) {
  double reach = PairDistribution::kReach * double{setup.spacing};
  for (int axis = 0; axis < setup.domain.dimension; ++axis)
    if (setup.domain.periodic(axis)) reach = std::min(reach, 0.5 * double{component(setup.domain.extent(), axis)});
  return reach;
}

double filled_share(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  double share = simulation.particle_count();
  for (int axis = 0; axis < setup.domain.dimension; ++axis)
    share *= double{setup.spacing} / double{component(setup.domain.extent(), axis)};
  return share;
}

}  // namespace

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
  sum_->add(simulation);
  view.states = sum_->states();
  view.filled = filled_share(simulation);
  for (int axis = 0; axis < setup.domain.dimension; ++axis)
    view.has_walls = view.has_walls || setup.domain.walled(axis);
  // The sum compares with particles that are spread over the whole domain.
  const double scale = view.filled < DistributionView::kFull ? view.filled : 1;
  view.g = sum_->values();
  for (double& g : view.g) g *= scale;
  for (int bin = 0; bin < kBins; ++bin) view.r.push_back(sum_->radius(bin));
  const double h = double{setup.support_radius()};
  view.neighbors = h <= reach_ ? sum_->neighbors_within(h) : std::numeric_limits<double>::quiet_NaN();
}

void PairDistribution::sample(Simulation& simulation, double wall) {
  const auto begin = std::chrono::steady_clock::now();
  DistributionView view;
  view.from = view.to = simulation.finish().time;
  const double reach = reach_in(simulation.setup());
  const bool goes_on = sum_ && view_ && view_->why_none.empty() && view_->to < view.to && reach == reach_;
  if (goes_on) view.from = view_->from;
  if (!goes_on) sum_.emplace(reach, kBins);
  reach_ = reach;
  moment_ = simulation.moment();
  try {
    add(simulation, view);
  } catch (const Unavailable& shortage) {  // a run must not end for it
    view.why_none = shortage.what();
  }
  const double took = seconds_since(begin);
  next_ = wall + took + std::max(kLeastInterval, took / kMostShare);
  view_ = std::make_shared<const DistributionView>(std::move(view));
}

}  // namespace riffle::desktop
