#include "app/run/unwrapped_positions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "sim/by_id.h"

namespace riffle {

namespace {

/// Of half the extent: the reported speeds are those of some moments, and late by a step or two.
constexpr double kShareOfHalf = 0.4;

}  // namespace

UnwrappedPositions::UnwrappedPositions(const Simulation& simulation)
    : domain_(simulation.setup().domain), wrapped_(by_id<Vec4>(simulation, "position")), turns_(3 * wrapped_.size()) {
  time_ = simulation.latest().time;
  shortest_ = std::numeric_limits<double>::infinity();
  for (int a = 0; a < domain_.dimension; ++a)
    if (domain_.periodic(a)) shortest_ = std::min(shortest_, double{component(domain_.extent(), a)});
}

void UnwrappedPositions::follow(const Simulation& simulation) {
  const StepReport known = simulation.latest();
  way_ += known.max_speed * std::max(0.0, known.time - time_);
  time_ = std::max(time_, known.time);
  if (way_ > kShareOfHalf * 0.5 * shortest_) look(simulation);
}

void UnwrappedPositions::look(const Simulation& simulation) {
  const std::vector<Vec4> at = by_id<Vec4>(simulation, "position");
  for (int a = 0; a < domain_.dimension; ++a) {
    if (!domain_.periodic(a)) continue;
    const float half = 0.5f * component(domain_.extent(), a);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const float way = component(xyz(at[i]), a) - component(xyz(wrapped_[i]), a);
      int& turns = turns_[3 * i + static_cast<std::size_t>(a)];
      if (way > half)
        --turns;
      else if (way < -half)
        ++turns;
    }
  }
  wrapped_ = at;
  way_ = 0;
}

std::vector<float> UnwrappedPositions::now(const Simulation& simulation) {
  look(simulation);
  std::vector<float> places;
  places.reserve(turns_.size());
  for (std::size_t i = 0; i < wrapped_.size(); ++i)
    for (int a = 0; a < 3; ++a) {
      const double turns = turns_[3 * i + static_cast<std::size_t>(a)];
      const double extent = a < domain_.dimension && domain_.periodic(a) ? component(domain_.extent(), a) : 0.0f;
      places.push_back(static_cast<float>(component(xyz(wrapped_[i]), a) + turns * extent));
    }
  return places;
}

}  // namespace riffle
