#pragma once
/// A movie file, written by ffmpeg while the simulation continues.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace riffle::render {

/// @throws InputError unless the path ends in .mp4, .m4v, .mov or .mkv
void require_movie_name(const std::string& path);

/// Frames go through a bounded queue to a separate thread, which feeds ffmpeg. The file appears under its name only
/// after finish() has succeeded; otherwise the destructor leaves nothing behind.
class VideoWriter {
 public:
  /// @param path ends in .mp4, .m4v, .mov or .mkv
  /// @param frames_per_second of the movie, > 0
  /// @throws InputError for another ending, Unavailable without ffmpeg or a usable encoder, RuntimeFailure otherwise
  VideoWriter(const std::string& path, int width, int height, double frames_per_second);
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  /// Waits only while the queue is full. @param rgb (height, width, 3), top row first
  /// @throws RuntimeFailure with ffmpeg's last lines if it has stopped
  void write(std::vector<std::uint8_t> rgb);

  /// The frames that ffmpeg has not got yet are dropped from now on, so that finish() is quick and the movie has what
  /// was encoded so far, at least one frame. May be called from any thread.
  void end_early();

  bool full() const;             ///< whether write() would wait now
  std::uintmax_t bytes() const;  ///< in the file so far

  /// Waits for the encoder and gives the file its name. @throws RuntimeFailure likewise; then there is no file.
  void finish();

  int frames() const;                  ///< accepted so far
  int written() const;                 ///< of these, what ffmpeg has got; from any thread
  const std::string& encoder() const;  ///< "libx264"

  /// Whether ffmpeg is on the PATH. @param version gets "5.1.6-0+deb12u1", or why not; may be nullptr
  static bool available(std::string* version);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace riffle::render
