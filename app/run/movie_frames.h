#pragma once
/// The way of a movie's pictures from the renderer to the file. A picture is read back while the next ones are drawn,
/// and may stand for several frames.

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "app/run/frame_sink.h"
#include "render/view.h"

namespace riffle {

class MovieFrames {
 public:
  /// The oldest picture that is being read back, if it is ready; with `wait`, waits for it.
  using NextImage = std::function<std::optional<render::Image>(bool wait)>;

  explicit MovieFrames(std::shared_ptr<FrameSink> sink) : sink_(std::move(sink)) {}

  /// A picture began to be read back. @param frames of the movie that it stands for, at least 1
  void add(int frames);

  /// The newest picture stands for more frames. @return whether there is a picture yet
  bool extend(int frames);

  /// Takes the pictures that are ready. @param wait  for all others too
  void collect(const NextImage& next, bool wait);

  /// Passes pictures on, all but the newest `kept`. Of a sink that ends early: drops them, all but a first frame.
  /// @param wait  for a full sink; otherwise it stops there
  /// @throws as FrameSink::write()
  void pass_on(bool wait, std::size_t kept = 0);

  /// When more than `most` pictures wait, drops every second one; the picture before it stands for its frames.
  void thin_out(std::size_t most);

  std::size_t reading() const { return reads_.size(); }     ///< pictures that are being read back
  std::size_t waiting() const { return pictures_.size(); }  ///< pictures that are ready and not passed on
  int frames() const { return frames_; }                    ///< of the movie, since construction
  int pictures() const { return drawn_; }                   ///< the same without repetitions
  FrameSink& sink() const { return *sink_; }
  const std::shared_ptr<FrameSink>& shared_sink() const { return sink_; }

 private:
  struct Picture {
    render::Image image;
    int frames;
  };

  std::shared_ptr<FrameSink> sink_;
  std::deque<int> reads_;  ///< frames that each picture stands for, of those that are being read back
  std::deque<Picture> pictures_;
  int frames_ = 0, drawn_ = 0;
};

}  // namespace riffle
