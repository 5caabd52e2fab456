#include "app/state/attribute_view.h"

#include <type_traits>

namespace riffle {

std::vector<AttributeView> views_of(const SimulationState& state) {
  std::vector<AttributeView> views;
  for (const AttributeValues& attribute : state.attributes)
    std::visit([&](const auto& values) { views.push_back({attribute.name, std::span(values)}); }, attribute.values);
  return views;
}

std::vector<AttributeView> views_of(const ParticleSet& particles) {
  std::vector<AttributeView> views;
  particles.for_each_attribute([&](const std::string& name, const auto& buffer) {
    using T = std::remove_const_t<std::remove_reference_t<decltype(*buffer.data())>>;
    views.push_back({name, std::span<const T>(buffer.data(), buffer.size())});
  });
  return views;
}

}  // namespace riffle
