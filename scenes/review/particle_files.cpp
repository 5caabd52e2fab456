#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <vector>

#include "core/error.h"
#include "scenes/review/subjects.h"
#include "sim/start/close_pairs.h"
#include "sim/start/particle_file.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

/// Places that the bodies take from files.
std::vector<Vec3> places_of_files(const SimulationSetup& setup) {
  std::vector<Vec3> places;
  for (const BodySetup& body : setup.bodies) {
    if (!body.particles) continue;
    const FileParticles& file = *body.particles.from;
    for (std::size_t i = 0; i < file.size(); ++i) {
      Vec3 place = file.position[i];
      if (setup.domain.dimension == 2) place.z = 0;
      if (body.particles.takes(i) && !in_any(body.without, place, setup.domain.dimension)) places.push_back(place);
    }
  }
  return places;
}

/// What find_close_pairs() finds, and what it found last if that was the same question.
ClosePairs close_pairs_of(std::vector<Vec3> places, const Domain& domain, float within, float spacing) {
  static std::mutex mutex;
  static std::vector<Vec3> asked;
  static Domain in;
  static float radius = 0;
  static ClosePairs found;
  const std::lock_guard lock(mutex);
  const bool same = radius == within && asked.size() == places.size() && in == domain &&
                    std::equal(asked.begin(), asked.end(), places.begin());
  if (same) return found;
  found = find_close_pairs(places, domain, within, spacing);
  asked = std::move(places), in = domain, radius = within;
  return found;
}

/// A scene that is to go on from the particles of a run usually has the equilibration of that run.
void warn_of_moved_particles(const SceneDraft& draft, std::size_t index, Findings& out) {
  const SimulationSetup& setup = draft.scene.simulation;
  const auto first = std::find_if(draft.bodies.begin(), draft.bodies.end(),
                                  [](const SceneDraft::Body& body) { return !body.file.empty(); });
  if (!(setup.start.equilibration > 0) || first != draft.bodies.begin() + static_cast<std::ptrdiff_t>(index)) return;
  out.warn(WarningKind::EquilibrationMovesFile, "start.equilibration",
           fmt::format("found {:g} {}: before time 0 it moves the particles that bodies[{}] takes from a file, so that "
                       "the run does not go on from the file; 0 leaves them where they are",
                       setup.start.equilibration, units_of(setup).time, index));
}

}  // namespace

void warn_of_close_particles(const SimulationSetup& setup, float part, const char* consequence, Findings& out) {
  if (!out.none_refused()) return;
  const auto from_file = std::find_if(setup.bodies.begin(), setup.bodies.end(),
                                      [](const BodySetup& body) { return bool(body.particles); });
  if (from_file == setup.bodies.end()) return;
  std::vector<Vec3> places = places_of_files(setup);
  const std::size_t all = places.size();
  ClosePairs pairs;
  try {
    pairs = close_pairs_of(std::move(places), setup.domain, part * setup.spacing, setup.spacing);
  } catch (const std::exception&) {  // too large for a search: the run says so
    return;
  }
  if (pairs.particles == 0) return;
  std::string place;
  for (int a = 0; a < setup.domain.dimension; ++a)
    place += fmt::format("{}{:g}", a == 0 ? "[" : ", ", component(pairs.place, a));
  out.warn(WarningKind::ParticlesTogether, fmt::format("bodies[{}].particles", from_file - setup.bodies.begin()),
           fmt::format("has {} of {} particles within {} of another one, and the nearest two are {} apart, at {}]: "
                       "there the fluid has more particles than it should have{}",
                       pairs.particles, all, length_text(setup, part * setup.spacing),
                       length_text(setup, pairs.nearest), place, consequence));
}

bool read_particles(SceneDraft& draft, std::size_t index, const std::string& key, Findings& out) {
  BodySetup& body = draft.scene.simulation.bodies[index];
  const SceneDraft::Body& wanted = draft.bodies[index];
  std::shared_ptr<const FileParticles> cloud;
  const std::filesystem::path file = std::filesystem::path(draft.scene.path).parent_path() / wanted.file;
  try {
    cloud = read_particle_file(file);
  } catch (const InputError& error) {
    out.refuse(key + ".particles.file", error.what());
    return false;
  }
  const std::set<int> fluids(cloud->fluid.begin(), cloud->fluid.end());
  if (wanted.only && !fluids.contains(*wanted.only)) {
    std::string has;
    for (const int fluid : fluids) has += (has.empty() ? "" : ", ") + std::to_string(fluid);
    out.refuse(key + ".particles.only", fmt::format("found {}; allowed: all{}", *wanted.only,
                                                    has.empty() ? ", since the file has no fluids" : ", " + has));
    return false;
  }
  if (!wanted.only && fluids.size() > 1)
    out.warn(WarningKind::FluidsOfFileAsOne, key + ".particles",
             fmt::format("takes particles of {} fluids as one; `only` takes those of one fluid", fluids.size()));
  warn_of_moved_particles(draft, index, out);
  out.idle(WarningKind::FillingOfFile, {key + ".filling", "has no effect on particles from a file"},
           out.given(key + ".filling"));
  draft.scene.inputs.push_back(file.string());
  body.particles.from = std::move(cloud);
  if (wanted.only) body.particles.only = static_cast<std::uint8_t>(*wanted.only);
  body.shape = Shape::Box;
  body.min = extent_of(body.particles).bounds.min;
  body.max = extent_of(body.particles).bounds.max;
  if (draft.scene.simulation.domain.dimension == 2) body.min.z = body.max.z = 0;
  return true;
}

}  // namespace riffle::scenes
