#pragma once
/// The destination of a recording's frames: a movie, or numbered pictures in a folder. Written on a thread of its own.

#include <cstdint>
#include <filesystem>
#include <memory>

#include "render/view.h"

namespace riffle {

class FrameSink {
 public:
  virtual ~FrameSink() = default;  ///< drops a movie that was not finished; whole pictures stay

  virtual bool full() const = 0;  ///< write() would wait now

  /// @throws RuntimeFailure with the reason why this or an earlier frame could not be written
  virtual void write(render::Image frame) = 0;

  /// Waits until everything is written. @throws RuntimeFailure likewise
  virtual void finish() = 0;

  /// What is not written yet is dropped from now on, all but a first frame, so that finish() is quick and its result is
  /// whole. May be called while another thread is in write() or finish().
  virtual void end_early() = 0;
  virtual bool ended_early() const = 0;

  virtual int frames() const = 0;            ///< accepted so far
  virtual int written() const = 0;           ///< of these; from any thread
  virtual std::uintmax_t bytes() const = 0;  ///< written so far
};

/// @throws as VideoWriter
std::unique_ptr<FrameSink> make_movie_sink(const std::filesystem::path& file, int width, int height,
                                           double frames_per_second);

/// frame_000001.png ... in a folder that is made. @throws RuntimeFailure when it cannot be
std::unique_ptr<FrameSink> make_picture_sink(const std::filesystem::path& folder);

}  // namespace riffle
