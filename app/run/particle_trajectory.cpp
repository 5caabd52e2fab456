#include "app/run/particle_trajectory.h"

#include <fmt/format.h>

#include "app/run/trajectory_formats.h"
#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

struct TrajectoryFormat {
  ParticleFormat format;
  std::unique_ptr<ParticleTrajectory> (*begin)(const fs::path&);
  std::unique_ptr<ParticleTrajectory> (*go_on)(const fs::path&, const KeepFrames&);
};

constexpr TrajectoryFormat kTrajectoryFormats[] = {
    {ParticleFormat::Hdf5, begin_particle_hdf5, continue_particle_hdf5},
    {ParticleFormat::LammpsDump, begin_lammps_dump, continue_lammps_dump},
    {ParticleFormat::Gsd, begin_gsd, continue_gsd},
};

const TrajectoryFormat& trajectory_format(const fs::path& file) {
  const ParticleFormat format = particle_format(file);
  for (const TrajectoryFormat& row : kTrajectoryFormats)
    if (row.format == format) return row;
  throw InputError(fmt::format("'{}': files of this format have one moment each", file.string()));
}

}  // namespace

void ParticleTrajectory::add(const ParticleTable& table) {
  try {
    write_frame(table);
  } catch (const std::bad_alloc&) {
    throw RuntimeFailure(
        fmt::format("{}: cannot be written: out of memory, in frame {} at {:g}", file_.string(), frames_, table.time));
  } catch (const RuntimeFailure& failure) {
    throw RuntimeFailure(fmt::format("{}: cannot be written: {}, in frame {} at {:g}{}", file_.string(), failure.what(),
                                     frames_, table.time,
                                     frames_ > 0 ? fmt::format("; the file has the frames before it") : ""));
  }
  ++frames_;
}

std::unique_ptr<ParticleTrajectory> begin_trajectory(const fs::path& file) {
  return trajectory_format(file).begin(file);
}

std::unique_ptr<ParticleTrajectory> continue_trajectory(const fs::path& file, const KeepFrames& keep) {
  return trajectory_format(file).go_on(file, keep);
}

}  // namespace riffle
