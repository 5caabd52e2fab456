#include "scenes/document/ways_to_give.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scenes/document/yaml_writer.h"
#include "sim/shapes/shape.h"

namespace riffle::scenes {

namespace {

/// A number of two digits, as people write.
std::string about(double value) {
  if (value == 0 || !std::isfinite(value)) return "0";
  return number_text(static_cast<float>(std::stod(fmt::format("{:.2g}", value))));
}

Bounds of_domain(const Scene& scene) { return {scene.simulation.domain.min, scene.simulation.domain.max}; }

/// Of a region, within the domain; the domain's where the region has none of its own.
Bounds within_domain(const Scene& scene, const Region& region) {
  const Bounds domain = of_domain(scene);
  Bounds bounds = bounds_of(region);
  const Vec3 &least = domain.min, &most = domain.max;
  bounds.min = {std::max(bounds.min.x, least.x), std::max(bounds.min.y, least.y), std::max(bounds.min.z, least.z)};
  bounds.max = {std::min(bounds.max.x, most.x), std::min(bounds.max.y, most.y), std::min(bounds.max.z, most.z)};
  for (int a = 0; a < scene.simulation.domain.dimension; ++a)
    if (!(component(bounds.max, a) > component(bounds.min, a))) return domain;
  return bounds;
}

/// The part of the scene that a key is about: that of a body or a solid, otherwise the domain.
Bounds place_of(const std::string& path, const Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  const auto entry = [&](const char* list) -> std::optional<std::size_t> {
    if (!path.starts_with(std::string(list) + "[")) return std::nullopt;
    return std::stoul(path.substr(path.find('[') + 1));
  };
  if (const auto i = entry("bodies"); i && *i < setup.bodies.size()) return within_domain(scene, setup.bodies[*i]);
  if (const auto i = entry("solids"); i && *i < setup.solid_regions.size())
    return within_domain(scene, setup.solid_regions[*i]);
  return of_domain(scene);
}

std::string place_text(Vec3 place, int dimension) {
  std::string text;
  for (int a = 0; a < dimension; ++a) text += (a == 0 ? "[" : ", ") + about(component(place, a));
  return text + "]";
}

std::vector<WayToGive> flows(const Bounds& place, const Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  const Vec3 size = place.max - place.min, middle = 0.5f * (place.min + place.max);
  const double length = std::min(size.x, size.y), gravity = std::sqrt(double{length2(setup.gravity)});
  const double speed = 0.1 * std::sqrt((gravity > 0 ? gravity : 1) * length);
  const std::string rate = about(2 * speed / length), center = place_text(middle, setup.domain.dimension);
  const std::string surface = place_text({place.min.x, place.max.y, middle.z}, setup.domain.dimension);
  std::vector<WayToGive> ways;
  for (const char* name : {"shear", "rotation", "strain"})
    ways.push_back({name, fmt::format("{{{}: {{rate: {}, center: {}}}}}", name, rate, center)});
  ways.push_back({"taylor_green", fmt::format("{{taylor_green: {{speed: {}, wavelength: {}, center: {}}}}}",
                                              about(speed), about(size.x), center)});
  ways.push_back(
      {"standing_wave", fmt::format("{{standing_wave: {{speed: {}, wavelength: {}, depth: {}, center: {}}}}}",
                                    about(speed), about(size.x), about(size.y), surface)});
  return ways;
}

std::string sway(const Bounds& place, int dimension) {
  const float way = 0.05f * (place.max.x - place.min.x);
  return fmt::format("{{amplitude: {}, period: 1}}", place_text({way, 0, 0}, dimension));
}

std::string rotation(const Bounds& place, int dimension) {
  return fmt::format("{{about: {}, rate: 1}}", place_text(0.5f * (place.min + place.max), dimension));
}

std::string wave(const Scene& scene) {
  const float depth = 0.5f * scene.simulation.domain.extent().y;
  return fmt::format("{{height: {}, period: 1, depth: {}}}", about(0.05 * depth), about(depth));
}

}  // namespace

std::vector<WayToGive> ways_to_give(const Parameter& key, const Scene& scene) {
  const bool is_map = std::ranges::any_of(key.forms, [](const Form& form) { return form.kind == Form::Kind::Map; });
  if (!is_map) return {};
  const int dimension = scene.simulation.domain.dimension;
  const std::string last = key.path.substr(key.path.rfind('.') + 1);
  const Bounds place = place_of(key.path, scene);
  if (last == "flow") return flows(place, scene);
  if (last == "sway") return {{"given", sway(place, dimension)}};
  if (last == "rotation") return {{"given", rotation(place, dimension)}};
  if (last == "wave") return {{"given", wave(scene)}};
  if (last == "motion") {
    std::vector<WayToGive> ways = {{"sway", "{sway: " + sway(place, dimension) + "}"},
                                   {"rotation", "{rotation: " + rotation(place, dimension) + "}"}};
    if (key.path.starts_with("solids")) ways.push_back({"wave", "{wave: " + wave(scene) + "}"});
    return ways;
  }
  if (key.path == "start.interface" && scene.simulation.fluids.size() > 1) {
    const std::vector<FluidSetup>& fluids = scene.simulation.fluids;
    const Vec3 size = place.max - place.min;
    return {{"given", fmt::format("{{upper: {}, lower: {}, height: {}, amplitude: {}, wavelength: {}}}",
                                  string_text(fluids[1].name), string_text(fluids[0].name),
                                  about(place.min.y + 0.5 * size.y), about(0.02 * size.y), about(size.x))}};
  }
  if (key.example.empty()) return {};
  return {{"given", key.example}};
}

}  // namespace riffle::scenes
