#include "sim/start/particle_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "core/error.h"
#include "core/text/input_bytes.h"
#include "sim/start/particle_files/particle_builder.h"

namespace riffle {

namespace {

struct FileKind {
  const char* ending;
  void (*read)(InputBytes&, ParticleBuilder&);
};
constexpr FileKind kFileKinds[] = {{".ply", read_particle_ply},
                                   {".vtp", read_particle_vtp},
                                   {".csv", read_particle_csv},
                                   {".data", read_particle_lammps_data},
                                   {".lammpstrj", read_particle_lammps_dump},
                                   {".dump", read_particle_lammps_dump}};

std::string allowed_endings() {
  std::string endings;
  for (const FileKind& kind : kFileKinds) endings += (endings.empty() ? "" : ", ") + std::string(kind.ending);
  return endings;
}

/// What a file was when it was read.
struct FileState {
  std::filesystem::file_time_type written;
  std::uintmax_t bytes = 0;

  bool operator==(const FileState&) const = default;
};

struct Remembered {
  FileState state;
  std::weak_ptr<const FileParticles> cloud;
};

}  // namespace

std::shared_ptr<const FileParticles> read_particle_file(const std::filesystem::path& file) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, Remembered> remembered;
  const std::string ending = file.extension().string();
  const auto kind = std::find_if(std::begin(kFileKinds), std::end(kFileKinds),
                                 [&](const FileKind& known) { return ending == known.ending; });
  if (kind == std::end(kFileKinds))
    throw InputError(fmt::format("{}: found the ending {}; allowed for particles: {}", file.string(), quote(ending),
                                 allowed_endings()));
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw InputError(file.string() + ": found no such file");
  if (!std::filesystem::is_regular_file(status))  // opening a pipe would wait for its other end
    throw InputError(file.string() + ": found no regular file; allowed: a file of particles");
  FileState state;
  state.written = std::filesystem::last_write_time(file, error);
  state.bytes = std::filesystem::file_size(file, error);
  const std::filesystem::path key = std::filesystem::absolute(file);
  const std::lock_guard lock(mutex);
  std::erase_if(remembered, [](const auto& entry) { return entry.second.cloud.expired(); });
  if (const auto found = remembered.find(key); found != remembered.end() && found->second.state == state)
    if (auto cloud = found->second.cloud.lock()) return cloud;
  InputBytes in(file);
  ParticleBuilder builder(file.string());
  kind->read(in, builder);
  auto cloud = builder.finish();
  remembered[key] = {state, cloud};
  return cloud;
}

}  // namespace riffle
