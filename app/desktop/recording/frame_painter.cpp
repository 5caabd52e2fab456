#include "app/desktop/recording/frame_painter.h"

#include "app/run/scene_view.h"

namespace riffle {

Renderer& FramePainter::draw(const ParticleFrame& frame, const Scene& scene, const PictureLook& look) {
  if (!renderer_ || will_restart(frame)) {
    renderer_.reset();
    stream_.emplace(frame.device);
    renderer_ = std::make_unique<Renderer>(width_, height_, stream_->device(), look.options);
  }
  renderer_->set_options(look.options);
  const PictureExtras extras(frame, scene.simulation.domain, look.extras, look.camera, look.scale);
  renderer_->draw(frame.view(stream_->device()), look.camera, look.scale, box_of(scene.simulation.domain),
                  look.caption ? picture_caption(scene, frame.time, frame.count) : "", extras.view());
  stream_->synchronize();
  return *renderer_;
}

}  // namespace riffle
