#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "scenes/review/subjects.h"
#include "sim/motion/wavemaker.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr double kMostStroke = 1e6;  // [m] as of other lengths of a motion

/// @return false when it was refused
bool review_wave(const SimulationSetup& setup, const SolidDrive& drive, const std::string& key, Findings& out) {
  const WavemakerSetup& wave = drive.wave;
  const Units& units = units_of(setup);
  const Vec3 g = setup.gravity;
  if (g.x != 0 || g.z != 0 || !(g.y < 0)) {
    out.refuse(key, fmt::format("found a gravity of {} {}; allowed: a gravity along -y, which the theory of wavemakers "
                                "is for",
                                place_text(setup, g), units.acceleration));
    return false;
  }
  if (setup.gravity_change.given || setup.tank.given) {
    out.refuse(key, fmt::format("stands beside `{}`; allowed: constant gravity and a domain that stands still, which "
                                "the theory of wavemakers is for",
                                setup.tank.given ? "domain.motion" : "gravity_change"));
    return false;
  }
  if (drive.sway.period > 0 || drive.rotates) {
    out.refuse(key, fmt::format("stands beside `{}`, which it sets itself; allowed: one of them, and `velocity` with "
                                "either",
                                drive.rotates ? "rotation" : "sway"));
    return false;
  }
  if (wave.direction.y != 0 || !(length2(wave.direction) > 0)) {
    out.refuse(key + ".direction",
               fmt::format("found {}; allowed: a level direction, with 0 along y, of any length above 0",
                           place_text(setup, wave.direction)));
    return false;
  }
  const bool flap = wave.kind == WavemakerKind::Flap;
  if (flap != wave.hinged) {
    out.refuse(key + ".hinge", flap
                                   ? "found none; allowed: a point of the axis that the flap swings about, at the floor"
                                   : "found one, but a piston has none; allowed: no hinge, or the kind flap");
    return false;
  }
  const double stroke = wavemaker::stroke(wave, -double{g.y});
  if (!(stroke <= kMostStroke)) {
    out.refuse(key, fmt::format("needs a stroke of {:g} {}; allowed: up to {:g} {}", stroke, units.length, kMostStroke,
                                units.length));
    return false;
  }
  return true;
}

void warn_of_breaking(const SimulationSetup& setup, const WavemakerSetup& wave, const std::string& key, Findings& out) {
  const Units& units = units_of(setup);
  const double k = wavemaker::wave_number(wave.period, wave.depth, -double{setup.gravity.y});
  const double steep = wavemaker::breaking_steepness(k * wave.depth) * 2 * std::numbers::pi / k;
  const double shallow = wavemaker::kBreakingDepthRatio * wave.depth;
  if (wave.height <= std::min(steep, shallow)) return;
  out.warn(WarningKind::WaveBreaks, key + ".height",
           fmt::format("{:g} {} is more than waves {:.3g} {} long in water {:g} {} deep can be high, {:.3g} {}: they "
                       "break at the solid and arrive lower",
                       wave.height, units.length, 2 * std::numbers::pi / k, units.length, wave.depth, units.length,
                       std::min(steep, shallow), units.length));
}

}  // namespace

void review_wavemakers(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (!out.intact({"dimension", "gravity", "solids"})) return;
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i) {
    SolidDrive& drive = setup.solid_regions[i].drive;
    if (!drive.wave.given) continue;
    const std::string key = fmt::format("solids[{}].motion.wave", i);
    if (!review_wave(setup, drive, key, out)) continue;
    wavemaker::apply(drive, -double{setup.gravity.y});
    warn_of_breaking(setup, drive.wave, key, out);
  }
}

}  // namespace riffle::scenes
