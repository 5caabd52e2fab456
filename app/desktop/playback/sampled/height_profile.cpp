#include "app/desktop/playback/sampled/height_profile.h"

#include <algorithm>
#include <chrono>

#include "core/error.h"
#include "core/timing/seconds_since.h"

namespace riffle::desktop {

void HeightProfile::show(std::optional<Quantity> quantity, LayerAxis axis) {
  if (quantity == quantity_ && axis == axis_) return;
  quantity_ = quantity;
  axis_ = axis;
  values_ = {};  // frees its memory
  view_.reset();
}

void HeightProfile::sample(Simulation& simulation, double wall) {
  const auto begin = std::chrono::steady_clock::now();
  ProfileView view;
  view.quantity = *quantity_;
  view.axis = axis_;
  view.time = simulation.finish().time;
  view.moment = simulation.moment();
  if (view.quantity == Quantity::Pressure && axis_ == LayerAxis::Height)
    view.at_rest = hydrostatic_pressure(simulation.setup(), simulation.particle_count());
  const std::string lacking = quantity_info(view.quantity).lacking(simulation.setup());
  try {
    if (lacking.empty())
      view.layers = mean_over_layers(simulation, view.quantity, values_, axis_);
    else
      view.why_none = lacking + " do not have it";
  } catch (const Unavailable& shortage) {  // a run must not end for it
    view.why_none = shortage.what();
  }
  const double took = seconds_since(begin);
  view.ms = 1e3 * took;
  next_ = wall + took + std::max(kLeastInterval, took / kMostShare);
  view_ = std::make_shared<const ProfileView>(std::move(view));
}

}  // namespace riffle::desktop
