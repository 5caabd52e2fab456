#include "sim/guard/held_state.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/device/memory.h"
#include "sim/openings/openings.h"
#include "sim/particle_set.h"
#include "sim/solver_info.h"

namespace riffle {

void HeldState::clear() {
  rest_ = {};
  attributes_.clear();
}

void HeldState::take(const Simulation& simulation) {
  const ParticleSet& particles = simulation.particles();
  const auto capacity = static_cast<std::size_t>(particles.capacity());
  try {
    std::size_t place = 0;
    particles.for_each_attribute([&]<class T>(const std::string& name, const Buffer<T>& from) {
      if (place == attributes_.size() || attributes_[place].name != name) {
        attributes_.resize(place);  // attributes are only added; those behind it follow
        attributes_.push_back({name, Buffer<T>(particles.device(), capacity)});
      }
      Buffer<T>& to = std::get<Buffer<T>>(attributes_[place].values);
      if (to.size() < from.size()) to = Buffer<T>(particles.device(), capacity);
      copy_on_device(particles.device(), to.data(), from.data(), from.size() * sizeof(T));
      ++place;
    });
    attributes_.resize(place);
    rest_ = simulation.save_all_but_attributes();
  } catch (...) {
    clear();
    throw;
  }
}

SimulationState HeldState::state() const {
  if (empty()) throw std::logic_error("no state is held");
  SimulationState state = rest_;
  for (const Attribute& attribute : attributes_)
    std::visit(
        [&]<class T>(const Buffer<T>& from) {
          std::vector<T> values(static_cast<std::size_t>(state.count));
          copy_to_host(from.device(), values.data(), from.data(), values.size() * sizeof(T));
          state.attributes.push_back({attribute.name, std::move(values)});
        },
        attribute.values);
  return state;
}

std::size_t HeldState::memory_bytes() const {
  std::size_t sum = 0;
  for (const Attribute& attribute : attributes_)
    sum += std::visit([](const auto& values) { return values.bytes(); }, attribute.values);
  return sum;
}

std::size_t held_state_bytes(const SimulationSetup& setup, std::int64_t count) {
  const std::size_t all_solvers = 2 * sizeof(Vec4) + 2 * sizeof(std::uint32_t);
  const bool moved = std::any_of(setup.outlets.begin(), setup.outlets.end(), moves_out);
  const std::size_t leaving = (setup.outlets.empty() ? 0 : sizeof(std::uint32_t)) + (moved ? sizeof(Vec4) : 0);
  return static_cast<std::size_t>(count) * (all_solvers + leaving + solver_info(setup).state_bytes(setup));
}

}  // namespace riffle
