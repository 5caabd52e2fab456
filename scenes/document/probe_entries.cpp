#include "scenes/document/probe_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/math/even_places.h"
#include "scenes/document/key_path.h"
#include "scenes/document/yaml_writer.h"
#include "sim/walls/inside_solids.h"

namespace riffle::scenes {

namespace {

const Location kOfProbe{"", 0, 0};

/// To a thousandth of the spacing: no rounding errors show as digits.
std::string number_of(float value, const SimulationSetup& setup) {
  const double unit = std::pow(10.0, std::floor(std::log10(double{setup.spacing})) - 3);
  return number_text(static_cast<float>(std::round(value / unit) * unit));
}

std::string place_of(Vec3 place, const SimulationSetup& setup) {
  std::string text;
  for (int a = 0; a < setup.domain.dimension; ++a) text += (a ? ", " : "[") + number_of(component(place, a), setup);
  return text + "]";
}

Node entry_of(const std::string& yaml) {
  Problems problems;
  Node node = parse_value(yaml, kOfProbe, "probes", problems);
  problems.throw_if_any();
  return node;
}

/// The name, with a number behind it where a probe has it.
std::string free_name(const std::string& wanted, const Scene& scene) {
  const auto taken = [&](const std::string& name) {
    for (std::size_t p = 0; p < scene.probes.size(); ++p)
      if (probe_name(scene.probes, p) == name) return true;
    return false;
  };
  std::string name = wanted;
  for (int k = 2; taken(name); ++k) name = fmt::format("{}_{}", wanted, k);
  return name;
}

void name_it(Node& entry, const std::string& wanted, const Scene& scene) {
  Problems none;
  put(entry, "name", string_text(free_name(wanted, scene)), kOfProbe, none);
}

Vec3 free_place(const SimulationSetup& setup) {
  const Vec3 size = setup.domain.extent(), middle = setup.domain.min + 0.5f * size;
  if (setup.solid_regions.empty()) return middle;
  const SolidsAtRest solids(setup);
  if (!solids.around(middle)) return middle;
  constexpr int kTries = 200;
  for (int k = 0; k < kTries; ++k) {
    const Vec3 share = even_place(k, setup.domain.dimension);
    const Vec3 place = setup.domain.min + Vec3{share.x * size.x, share.y * size.y, share.z * size.z};
    if (!solids.around(place)) return place;
  }
  return middle;
}

/// A place whose vertical line meets as few solids as can be: in the middle, if it meets none there.
Vec3 free_column(const SimulationSetup& setup) {
  const Vec3 size = setup.domain.extent(), middle = setup.domain.min + 0.5f * size;
  if (setup.solid_regions.empty()) return middle;
  const SolidsAtRest solids(setup);
  constexpr int kTries = 200, kHeights = 32;
  const auto inside = [&](Vec3 place) {
    int count = 0;
    for (int k = 0; k < kHeights; ++k) {
      place.y = setup.domain.min.y + (static_cast<float>(k) + 0.5f) / kHeights * size.y;
      count += solids.around(place) ? 1 : 0;
    }
    return count;
  };
  Vec3 best = middle;
  int least = inside(middle);
  for (int k = 0; k < kTries && least > 0; ++k) {
    const Vec3 share = even_place(k, setup.domain.dimension);
    const Vec3 place = setup.domain.min + Vec3{share.x * size.x, share.y * size.y, share.z * size.z};
    if (const int count = inside(place); count < least) best = place, least = count;
  }
  return best;
}

}  // namespace

Node probe_at(Vec3 place, const Scene& scene) {
  Node entry = entry_of(fmt::format("{{point: {}}}", place_of(place, scene.simulation)));
  name_it(entry, fmt::format("probe_{}", scene.probes.size() + 1), scene);
  return entry;
}

Node new_probe(const std::string& kind, const Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  if (kind == "point") return probe_at(free_place(setup), scene);
  const Vec3 low = setup.domain.min, high = setup.domain.max, size = setup.domain.extent();
  const Vec3 middle = low + 0.5f * size;
  const auto text = [&](Vec3 v) { return place_of(v, setup); };
  const bool deep = setup.domain.dimension == 3;
  const auto face = [&](Vec3 corner, Vec3 side, Vec3 other) {
    return fmt::format("{{corner: {}, side: {}{}}}", text(corner), text(side),
                       deep ? ", other_side: " + text(other) : std::string());
  };
  std::string yaml;
  ProbeKind measures = ProbeKind::Plane;
  if (kind == "line") {
    measures = ProbeKind::Line;
    yaml = fmt::format("{{from: {}, to: {}}}", text({low.x, middle.y, middle.z}), text({high.x, middle.y, middle.z}));
  } else if (kind == "level") {
    measures = ProbeKind::Level;
    const Vec3 at = free_column(setup);
    yaml = fmt::format("{{from: {}, to: {}}}", text({at.x, low.y, at.z}), text({at.x, high.y, at.z}));
  } else if (kind == "flow") {
    measures = ProbeKind::Flow;
    yaml = face({middle.x, low.y, low.z}, {0, size.y, 0}, {0, 0, size.z});
  } else {
    yaml = face({low.x, low.y, middle.z}, {size.x, 0, 0}, {0, size.y, 0});
  }
  Node entry = entry_of(fmt::format("{{{}: {}}}", kind, yaml));
  const auto alike = std::ranges::count(scene.probes, measures, &ProbeSetup::kind);
  name_it(entry, fmt::format("{}_{}", kind, alike + 1), scene);
  return entry;
}

Node copied_probe(const Node& original, std::size_t probe, const Scene& scene) {
  Node entry = original;
  name_it(entry, probe_name(scene.probes, probe), scene);
  return entry;
}

}  // namespace riffle::scenes
