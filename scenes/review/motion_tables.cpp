#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "scenes/review/subjects.h"
#include "sim/motion/motion_table_file.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr double kDegree = 0.017453292519943295;
constexpr double kLeastAngle = 30 * kDegree;  // a smaller change is no jump

bool setup_is_flat(const SceneDraft& draft) { return draft.scene.simulation.domain.dimension == 2; }

/// @param moved  a motion, or the change of gravity
template <class Moved>
void follow_table(SceneDraft& draft, Moved& moved, const std::string& key,
                  std::span<const motion_table::Column> columns, Findings& out) {
  if (moved.file.empty()) return;
  const std::filesystem::path file = std::filesystem::path(draft.scene.path).parent_path() / moved.file;
  try {
    moved.follow(motion_table::read(file, columns));
  } catch (const InputError& error) {
    out.refuse(key, error.what());
    return;
  }
  draft.scene.inputs.push_back(file.string());
}

/// @return false when it was refused
bool review_jumps(const SimulationSetup& setup, const SolidDrive& drive, const std::string& key, Findings& out) {
  const double way = 0.5 * double{setup.spacing};
  const auto jump = motion_table::find_jump(drive.rows->knots(), {way, way, way, kLeastAngle});
  if (!jump) return true;
  const Units& units = units_of(setup);
  const bool turns = jump->value == 3;
  const std::string change = turns ? fmt::format("the angle by {:g} degrees", jump->change / kDegree)
                                   : fmt::format("{} by {:g} {}", kAxisNames[jump->value], jump->change, units.length);
  out.refuse(key,
             fmt::format("{}: changes {} between {:g} and {:g} {}, more than ten times as fast as before and after; "
                         "allowed: {}",
                         drive.file, change, jump->from, jump->to, units.time,
                         turns ? "angles that go on beyond 360 degrees, and more rows across fast turns"
                               : "more rows across fast parts"));
  return false;
}

void review_table(SceneDraft& draft, SolidDrive& drive, const std::string& key, Findings& out) {
  follow_table(draft, drive, key, motion_table::kMotionColumns, out);
  if (!drive.rows || !review_jumps(draft.scene.simulation, drive, key, out)) return;
  if (setup_is_flat(draft) && drive.table.fastest(2) > 0) {
    out.refuse(key, fmt::format("{}: moves along z in a 2-D scene; allowed: along x and y", drive.file));
    return;
  }
  if (drive.table.fastest(3) > 0 && !drive.rotates)
    out.refuse(key,
               fmt::format("{}: has angles, but there is no axis; allowed: with `rotation`, of which `rate` may be 0",
                           drive.file));
}

}  // namespace

void review_motion_tables(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  if (!out.intact({"dimension", "particles", "solids"})) return;
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
    review_table(draft, setup.solid_regions[i].drive, fmt::format("solids[{}].motion.table", i), out);
  review_table(draft, setup.tank, "domain.motion.table", out);
  GravityChange& change = setup.gravity_change;
  follow_table(draft, change, "gravity_change.table", motion_table::kGravityColumns, out);
  if (!change.rows || !setup_is_flat(draft)) return;
  for (const MotionKnot& knot : change.rows->knots())
    if (knot.value[2] != 0) {
      out.refuse("gravity_change.table", fmt::format("{}: found {:g} for z at {:g} in a 2-D scene; allowed: 0, or no z",
                                                     change.file, knot.value[2], knot.time));
      return;
    }
}

}  // namespace riffle::scenes
