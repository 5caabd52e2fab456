#pragma once
/// Particles of the worker into a picture of any size, beside the window's own.

#include <memory>
#include <optional>

#include "app/desktop/playback/frame_exchange.h"
#include "app/desktop/recording/picture_extras.h"
#include "core/device/device_stream.h"
#include "render/renderer.h"
#include "scenes/scene.h"

namespace riffle {

/// How a picture looks. What the window and what is saved have in common.
struct PictureLook {
  Camera camera;
  ColorScale scale;
  RenderOptions options;
  ExtrasChoice extras;
  bool caption = true;  ///< time and number of particles, at the lower left
};

/// Needs its OpenGL context current, from the first draw() to the end.
class FramePainter {
 public:
  FramePainter(int width, int height) : width_(width), height_(height) {}

  /// Returns when the frame has been read, and may be given back. @param scene that the frame is of
  Renderer& draw(const ParticleFrame& frame, const Scene& scene, const PictureLook& look);

  Renderer* renderer() { return renderer_.get(); }  ///< nullptr before the first draw()

  /// Whether the next draw() of this frame makes another renderer, with which pictures that are still read would be lost.
  bool will_restart(const ParticleFrame& frame) const { return stream_ && !(stream_->device() == frame.device); }

  int width() const { return width_; }
  int height() const { return height_; }

 private:
  int width_, height_;
  std::optional<DeviceStream> stream_;  // outlives the renderer that draws from it
  std::unique_ptr<Renderer> renderer_;
};

}  // namespace riffle
