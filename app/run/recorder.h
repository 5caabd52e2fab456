#pragma once
/// Pictures and the movie of a run. Everything of render/ that the headless program uses is behind this.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/scene.h"
#include "sim/simulation.h"

namespace riffle {

class Recorder {
 public:
  /// @param draws  whether pictures are wanted besides the movie. If this machine cannot draw, there is a warning and the recorder does nothing: a run without pictures is still a
  /// run.
  /// @param movie  file, or empty for none
  /// Frames are at multiples of the frame interval.
  /// @param goes_on  [s] of the state that the run goes on from: the first frame is the one after it, so that the movie follows the
  /// one before without a frame twice
  /// @throws Unavailable when a movie is wanted and there is no ffmpeg; InputError for a file name that is no movie's
  Recorder(const scenes::Scene& scene, const Simulation& simulation, const std::filesystem::path& movie,
           bool draws = true, std::optional<double> goes_on = {});
  ~Recorder();  ///< drops a movie that was not finished

  bool can_draw() const;
  bool has_movie() const;

  /// Adds frames until the movie has caught up with the simulated time [s]; usually none or one. Each shows the particles
  /// at its own time: on the straight lines along which the last step moved them. Waits for the simulation if one is due.
  /// @throws RuntimeFailure when the encoder failed
  void record_until(double time, Simulation& simulation);

  /// Writes a PNG. @throws RuntimeFailure when it cannot be written
  void save_picture(const std::filesystem::path& file, const Simulation& simulation, double time);

  /// Completes the movie and gives it its name. One without a frame is dropped, with a warning. @throws RuntimeFailure when the encoder failed
  void finish_movie();

  void drop_movie();  ///< after a failure: no more frames, and no file

  /// Deviations from the request, in the order in which they were found; for the caller to log.
  const std::vector<std::string>& warnings() const;

  int movie_frames() const;
  std::string_view spheres() const;  ///< how the last picture's were drawn, "raster" or "splat"; "" before the first
  double seconds() const;            ///< of wall time spent in here

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace riffle
