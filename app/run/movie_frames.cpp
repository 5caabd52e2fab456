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

void MovieFrames::thin_out(std::size_t most) {
  if (pictures_.size() <= most) return;
  std::deque<Picture> rest;
  for (std::size_t k = 0; k < pictures_.size(); ++k) {
    const bool newest = k + 1 == pictures_.size();  // it has still to show how long it is seen
    if (k % 2 == 0 || newest) {
      rest.push_back(std::move(pictures_[k]));
    } else {
      rest.back().frames += pictures_[k].frames;
      --drawn_;
    }
  }
  pictures_ = std::move(rest);
}

void MovieFrames::pass_on(bool wait, std::size_t kept) {
  while (pictures_.size() > kept && (wait || !sink_->full())) {
    if (sink_->ended_early() && sink_->frames() > 0) return pictures_.clear();
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
