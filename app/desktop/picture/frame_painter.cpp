#include "app/desktop/picture/frame_painter.h"

#include "app/desktop/playback/frame_exchange.h"
#include "app/run/scene_view.h"
#include "render/particles/gather_vertices.h"
#include "scenes/scene.h"

namespace riffle::desktop {

bool FramePainter::prepare(const ParticleFrame& frame, int width, int height, const render::RenderOptions& options) {
  if (!renderer_ || will_restart(frame)) {
    renderer_.reset();
    stream_.emplace(frame.device);
    renderer_ = std::make_unique<render::Renderer>(width, height, stream_->device(), options);
    return true;
  }
  const bool resized = renderer_->width() != width || renderer_->height() != height;
  if (resized) renderer_->resize(width, height);
  return resized;
}

bool FramePainter::will_restart(const ParticleFrame& frame) const {
  return stream_ && !(stream_->device() == frame.device);
}

render::ValueRange FramePainter::measure_range(const ParticleFrame& frame) const {
  return riffle::render::measure_range(frame.view(stream_->device()));
}

void FramePainter::draw(const ParticleFrame& frame, const scenes::Scene& scene, const PictureLook& look) {
  renderer_->set_options(look.options);
  const Domain& domain = scene.simulation.domain;
  const PictureExtras extras(frame, domain, look.extras, look.camera, look.scale);
  renderer_->draw(frame.view(stream_->device()), look.camera, look.scale, box_of(domain),
                  look.caption ? picture_caption(scene, frame.time, frame.count) : "", extras.view());
  neighborhood_ = extras.neighborhood();
}

}  // namespace riffle::desktop
