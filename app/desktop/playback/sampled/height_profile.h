#pragma once
/// A quantity against height, along a run: its mean over horizontal layers.

#include <memory>
#include <optional>
#include <string>

#include "sim/measure/layers.h"

namespace riffle::desktop {

/// The data that the window shows. A published one never changes.
struct ProfileView {
  Quantity quantity = Quantity::Pressure;
  LayerAxis axis = LayerAxis::Height;
  LayerMeans layers;
  std::optional<HydrostaticPressure> at_rest;  ///< beside the pressure
  double time = 0;                             ///< [s] simulated, of the layers
  std::uint64_t moment = 0;                    ///< Simulation::moment() likewise
  double ms = 0;                               ///< duration of the sample
  std::string why_none;                        ///< why there are no layers; "" if there are
};

class HeightProfile {
 public:
  static constexpr double kLeastInterval = 0.25;  ///< [s] of wall time between samples
  static constexpr double kMostShare = 0.02;      ///< largest share of the time for sampling

  void show(std::optional<Quantity> quantity, LayerAxis axis);  ///< nullopt: nothing is sampled
  std::optional<Quantity> shown() const { return quantity_; }
  LayerAxis axis() const { return axis_; }

  /// @param moment the simulation's @param wall [s] on a clock that only grows
  bool due(std::uint64_t moment, double wall) const {
    return quantity_ && (!view_ || (view_->moment != moment && wall >= next_));
  }

  void sample(Simulation& simulation, double wall);  ///< waits

  std::shared_ptr<const ProfileView> view() const { return view_; }  ///< nullptr before the first sample

 private:
  std::optional<Quantity> quantity_;
  LayerAxis axis_ = LayerAxis::Height;
  QuantityValues values_;
  std::shared_ptr<const ProfileView> view_;
  double next_ = 0;  ///< [s] on the wall
};

}  // namespace riffle::desktop
