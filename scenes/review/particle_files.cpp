#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "core/error.h"
#include "scenes/review/subjects.h"
#include "sim/start/particle_file.h"

namespace riffle::scenes {

bool read_particles(SceneDraft& draft, std::size_t index, const std::string& key, Findings& out) {
  BodySetup& body = draft.scene.simulation.bodies[index];
  const SceneDraft::Body& wanted = draft.bodies[index];
  std::shared_ptr<const FileParticles> cloud;
  try {
    cloud = read_particle_file(std::filesystem::path(draft.scene.path).parent_path() / wanted.file);
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
  if (!wanted.only && fluids.size() > 1 && draft.scene.simulation.fluids.size() > 1)
    out.warn(WarningKind::FluidsOfFileAsOne, key + ".particles",
             fmt::format("takes particles of {} fluids as one; `only` takes those of one fluid", fluids.size()));
  out.idle(WarningKind::FillingOfFile, {key + ".filling", "has no effect on particles from a file"},
           out.given(key + ".filling"));
  body.particles.from = std::move(cloud);
  if (wanted.only) body.particles.only = static_cast<std::uint8_t>(*wanted.only);
  body.shape = Shape::Box;
  body.min = extent_of(body.particles).bounds.min;
  body.max = extent_of(body.particles).bounds.max;
  if (draft.scene.simulation.domain.dimension == 2) body.min.z = body.max.z = 0;
  return true;
}

}  // namespace riffle::scenes
