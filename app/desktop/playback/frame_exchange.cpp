#include "app/desktop/playback/frame_exchange.h"

#include <utility>

namespace riffle::desktop {

render::ParticleView ParticleFrame::view(const Device& drawing) const {
  render::ParticleView view;
  view.device = drawing;
  view.count = count;
  view.position = vertices.data();
  view.gathered = true;
  view.radius = radius;
  view.spacing = spacing;
  if (speed.size() > 0) view.speed = speed.data();
  return view;
}

ParticleFrame& FrameExchange::begin_write() { return frames_[static_cast<std::size_t>(writing_)]; }

void FrameExchange::end_write() {
  const std::lock_guard lock(mutex_);
  frames_[static_cast<std::size_t>(writing_)].number = ++number_;
  std::swap(writing_, newest_);
  fresh_ = any_ = true;
}

const ParticleFrame* FrameExchange::read() {
  const std::lock_guard lock(mutex_);
  if (!any_) return nullptr;
  if (fresh_) {
    std::swap(newest_, reading_);
    fresh_ = false;
  }
  return &frames_[static_cast<std::size_t>(reading_)];
}

bool FrameExchange::consumed() const {
  const std::lock_guard lock(mutex_);
  return !fresh_;
}

}  // namespace riffle::desktop
