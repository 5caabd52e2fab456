#include "app/run/movie_frames.h"

#include <utility>

namespace riffle {

void MovieFrames::add(int frames) {
  reads_.push_back(frames);
  frames_ += frames;
  ++drawn_;
}

bool MovieFrames::extend(int frames) {
  if (reads_.empty() && pictures_.empty()) return false;
  (reads_.empty() ? pictures_.back().frames : reads_.back()) += frames;
  frames_ += frames;
  return true;
}

void MovieFrames::collect(const NextImage& next, bool wait) {
  while (!reads_.empty()) {
    std::optional<render::Image> image = next(wait);
    if (!image) break;
    pictures_.push_back({std::move(*image), reads_.front()});
    reads_.pop_front();
  }
}

void MovieFrames::pass_on(bool wait, std::size_t kept) {
  while (pictures_.size() > kept && (wait || !sink_->full())) {
    Picture& picture = pictures_.front();
    if (--picture.frames > 0) {
      sink_->write(picture.image);
      continue;
    }
    sink_->write(std::move(picture.image));
    pictures_.pop_front();
  }
}

}  // namespace riffle
