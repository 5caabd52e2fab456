/// Depths and lengths that a wave is given, against those of the water and the tank at the start.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scenes/review/subjects.h"
#include "sim/motion/wavemaker.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr double kSpacings = 1.5;     // a particle more or less is the lattice's doing
constexpr double kRelative = 0.03;    // of the water's depth: the wave's height follows it by less
constexpr double kPartOfWave = 0.02;  // of a half wave that may be missing at a wall

bool far_apart(double given, double water, double spacing) {
  return std::fabs(given - water) > std::max(kSpacings * spacing, kRelative * water);
}

/// [m] From the lowest point of the bodies to the top of those that reach down to it; nothing if these tops differ, or if
/// water flows in later.
std::optional<double> water_depth(const SimulationSetup& setup) {
  if (setup.bodies.empty() || !setup.inlets.empty()) return std::nullopt;
  const double spacing = setup.spacing;
  double bottom = INFINITY;
  for (const BodySetup& body : setup.bodies) bottom = std::min(bottom, double{bounds_of(body).min.y});
  bottom = std::max(bottom, double{setup.domain.min.y});
  std::optional<double> top;
  for (const BodySetup& body : setup.bodies) {
    const Bounds bounds = bounds_of(body);
    if (bounds.min.y > bottom + kSpacings * spacing) continue;
    if (top && std::fabs(*top - bounds.max.y) > kSpacings * spacing) return std::nullopt;
    top = bounds.max.y;
  }
  // Layers: what lies on it belongs to the water.
  for (bool grows = true; grows && top;) {
    grows = false;
    for (const BodySetup& body : setup.bodies) {
      const Bounds bounds = bounds_of(body);
      if (std::fabs(bounds.min.y - *top) > kSpacings * spacing || bounds.max.y <= *top + kSpacings * spacing) continue;
      top = bounds.max.y;
      grows = true;
    }
  }
  if (!top) return std::nullopt;
  return std::min(*top, double{setup.domain.max.y}) - bottom;
}

void review_wavemaker_depth(const SimulationSetup& setup, const WavemakerSetup& wave, const std::string& key,
                            Findings& out) {
  const std::optional<double> water = water_depth(setup);
  const double gravity = -double{setup.gravity.y};
  if (!water || !(*water > 0) || !(gravity > 0) || !far_apart(wave.depth, *water, setup.spacing)) return;
  const double k = wavemaker::wave_number(wave.period, *water, gravity);
  const double height = wavemaker::stroke(wave, gravity) * wavemaker::height_over_stroke(wave.kind, k * *water);
  out.warn(WarningKind::WaveDepth, key + ".depth",
           fmt::format("{:g} {} is not the depth of the water at the start, {:.4g} {}: the waves become about {:.3g} "
                       "{} high instead of {:g} {}",
                       wave.depth, units_of(setup).length, *water, units_of(setup).length, height,
                       units_of(setup).length, wave.height, units_of(setup).length));
}

void review_standing_wave(const SimulationSetup& setup, const BodySetup& body, const std::string& key, Findings& out) {
  const FlowSetup& flow = body.flow;
  const Domain& domain = setup.domain;
  const Bounds bounds = bounds_of(body);
  const auto reach = [&](int axis) {
    return std::pair(std::max(component(bounds.min, axis), component(domain.min, axis)),
                     std::min(component(bounds.max, axis), component(domain.max, axis)));
  };
  const char* const unit = units_of(setup).length;
  const auto [bottom, top] = reach(flow.across);
  const double water = double{top} - bottom;
  if (far_apart(flow.depth, water, setup.spacing))
    out.warn(WarningKind::WaveDepth, key + ".depth",
             fmt::format("{:g} {} is not the depth of the water, {:.4g} {}: the motion at the start is not that of a "
                         "standing wave in it",
                         flow.depth, unit, water, unit));
  const auto [left, right] = reach(flow.along);
  const double slack = kSpacings * double{setup.spacing};
  const double least = component(domain.min, flow.along), most = component(domain.max, flow.along);
  const bool periodic = domain.periodic(flow.along);
  if (left > least + slack || right < most - slack || (!periodic && !domain.walled(flow.along))) return;
  // Between walls whole numbers of half waves fit, along a periodic axis of waves.
  const double length = most - least, part = periodic ? flow.wavelength : 0.5 * flow.wavelength;
  const double count = length / part, whole = std::max(1.0, std::round(count));
  if (std::fabs(count - whole) <= kPartOfWave * std::max(1.0, whole)) return;
  out.warn(WarningKind::WaveDoesNotFit, key + ".wavelength",
           fmt::format("{:g} {} does not fit into the {} along {}, {:.4g} {} long, where {} waves stand: it holds "
                       "{:.3g} of them. {:.4g} {} fits",
                       flow.wavelength, unit, periodic ? "periodic axis" : "tank", kAxisNames[flow.along], length, unit,
                       periodic ? "whole" : "whole numbers of half", count, length / whole * (periodic ? 1 : 2), unit));
}

}  // namespace

void review_water_depths(const SceneDraft& draft, Findings& out) {
  const SimulationSetup& setup = draft.scene.simulation;
  if (!out.intact({"dimension", "domain", "particles", "bodies", "gravity", "solids", "inlets"})) return;
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
    if (const WavemakerSetup& wave = setup.solid_regions[i].drive.wave; wave.given)
      review_wavemaker_depth(setup, wave, fmt::format("solids[{}].motion.wave", i), out);
  for (std::size_t i = 0; i < setup.bodies.size(); ++i)
    if (setup.bodies[i].flow.flow == Flow::StandingWave)
      review_standing_wave(setup, setup.bodies[i], fmt::format("bodies[{}].flow.standing_wave", i), out);
}

}  // namespace riffle::scenes
