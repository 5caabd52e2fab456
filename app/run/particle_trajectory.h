#pragma once
/// Formats that have all moments of a run in one file, which grows by a frame at a time.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/run/particle_export.h"

namespace riffle {

class ParticleTrajectory {
 public:
  /// @param frames that the file has already
  explicit ParticleTrajectory(std::filesystem::path file, std::size_t frames = 0)
      : file_(std::move(file)), frames_(frames) {}
  virtual ~ParticleTrajectory() = default;
  ParticleTrajectory(const ParticleTrajectory&) = delete;
  ParticleTrajectory& operator=(const ParticleTrajectory&) = delete;

  /// Adds a frame, or leaves the file as it was. The first frame of a new file replaces a file of that name.
  /// @throws RuntimeFailure with the file, the frame and the reason
  void add(const ParticleTable& table);

  /// The text of the file beside it that other programs open; "": none is needed.
  virtual std::string companion() const { return ""; }

  const std::filesystem::path& file() const { return file_; }
  std::size_t frames() const { return frames_; }

 protected:
  /// @throws RuntimeFailure with the reason alone; the file is then as it was
  virtual void write_frame(const ParticleTable& table) = 0;

 private:
  std::filesystem::path file_;
  std::size_t frames_;
};

/// A new file. Writes nothing before the first frame. @throws InputError where the ending is that of another format
std::unique_ptr<ParticleTrajectory> begin_trajectory(const std::filesystem::path& file);

/// Goes on with a file. It stays as it is until the next frame.
/// @param keep is told the frames' times and says how many of them stay
/// @throws InputError if the file is damaged or of another format
std::unique_ptr<ParticleTrajectory> continue_trajectory(
    const std::filesystem::path& file, const std::function<std::size_t(const std::vector<double>&)>& keep);

}  // namespace riffle
