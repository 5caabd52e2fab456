#include "sim/measure/unwrapped_positions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/device/parallel.cuh"
#include "core/error.h"

namespace riffle {

namespace {

/// Of half the extent: the reported speeds are those of some moments, and late by a step or two.
constexpr double kShareOfHalf = 0.4;

struct KeepPlaces {
  const Vec4* position;
  const std::uint32_t* id;
  Vec4* wrapped;

  RIFFLE_HD void operator()(std::int64_t i) const { wrapped[id[i]] = position[i]; }
};

struct CountTurns {
  Vec3 period;  ///< [m] 0 along axes that are not periodic
  const Vec4* position;
  const std::uint32_t* id;
  Vec4* wrapped;
  BoxTurns* turns;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t k = id[i];
    if (!is_finite(xyz(wrapped[k]))) {
      wrapped[k] = position[i];
      return;
    }
    for (int a = 0; a < 3; ++a) {
      const float half = 0.5f * component(period, a);
      if (!(half > 0)) continue;
      const float way = component(xyz(position[i]), a) - component(xyz(wrapped[k]), a);
      if (way > half)
        --turns[k].along[a];
      else if (way < -half)
        ++turns[k].along[a];
    }
    wrapped[k] = position[i];
  }
};

}  // namespace

UnwrappedPositions::UnwrappedPositions(const Simulation& simulation)
    : wrapped_(simulation.device()), turns_(simulation.device()) {
  const ParticleSet& particles = simulation.particles();
  const auto& id = particles.get<std::uint32_t>("id");
  make_room(simulation.next_id());
  parallel_for(simulation.device(), "keep places", particles.count(),
               KeepPlaces{particles.get<Vec4>("position").data(), id.data(), wrapped_.data()});
  time_ = simulation.latest().time;
  shortest_ = std::numeric_limits<double>::infinity();
  const Domain& domain = simulation.setup().domain;
  const Vec3 extent = domain.extent();
  period_ = {domain.periodic(0) ? extent.x : 0, domain.periodic(1) ? extent.y : 0, domain.periodic(2) ? extent.z : 0};
  for (int a = 0; a < 3; ++a)
    if (component(period_, a) > 0) shortest_ = std::min(shortest_, double{component(period_, a)});
}

UnwrappedPositions::UnwrappedPositions(const Simulation& simulation, const SimulationState& state)
    : UnwrappedPositions(simulation) {
  if (state.turns.empty() && state.clock.step > 0)
    throw Unavailable("nobody has counted how often particles went round the box before");
  if (state.turns.empty()) return;
  const auto& id = state.require<std::uint32_t>("id");
  std::vector<BoxTurns> turns(turns_.size());
  for (std::size_t i = 0; i < id.size(); ++i) turns[id[i]] = state.turns[i];
  turns_.assign(turns);
}

void UnwrappedPositions::follow(const Simulation& simulation) {
  const StepReport known = simulation.latest();
  way_ += known.max_speed * std::max(0.0, known.time - time_);
  time_ = std::max(time_, known.time);
  if (way_ > kShareOfHalf * 0.5 * shortest_) look(simulation);
}

void UnwrappedPositions::make_room(std::uint32_t ids) {
  const std::size_t before = wrapped_.size();
  if (ids <= before) return;
  const Device device = wrapped_.device();
  const std::size_t size = std::max<std::size_t>(ids, before + before / 2);
  Buffer<Vec4> wrapped(device, size);
  Buffer<BoxTurns> turns(device, size);
  fill_bytes(device, wrapped.data(), 0xff, size * sizeof(Vec4));  // NaN
  turns.fill_zero();
  copy_on_device(device, wrapped.data(), wrapped_.data(), before * sizeof(Vec4));
  copy_on_device(device, turns.data(), turns_.data(), before * sizeof(BoxTurns));
  wrapped_.swap(wrapped);
  turns_.swap(turns);
}

void UnwrappedPositions::look(const Simulation& simulation) {
  const ParticleSet& particles = simulation.particles();
  make_room(simulation.next_id());
  parallel_for(simulation.device(), "count turns", particles.count(),
               CountTurns{period_, particles.get<Vec4>("position").data(), particles.get<std::uint32_t>("id").data(),
                          wrapped_.data(), turns_.data()});
  way_ = 0;
}

std::vector<float> UnwrappedPositions::now(const Simulation& simulation) {
  look(simulation);
  std::vector<std::uint32_t> ids = simulation.particles().get<std::uint32_t>("id").to_host();
  std::sort(ids.begin(), ids.end());
  const std::vector<BoxTurns> turns = turns_.to_host();
  const std::vector<Vec4> wrapped = wrapped_.to_host();
  std::vector<float> places;
  places.reserve(3 * ids.size());
  for (const std::uint32_t k : ids)
    for (int a = 0; a < 3; ++a)
      places.push_back(
          static_cast<float>(component(xyz(wrapped[k]), a) + turns[k].along[a] * double{component(period_, a)}));
  return places;
}

void UnwrappedPositions::add_to(SimulationState& state, const Simulation& simulation) {
  look(simulation);
  const std::vector<BoxTurns> turns = turns_.to_host();
  state.turns.clear();
  state.turns.reserve(static_cast<std::size_t>(state.count));
  for (const std::uint32_t id : state.require<std::uint32_t>("id")) state.turns.push_back(turns[id]);
}

}  // namespace riffle
