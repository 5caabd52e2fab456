#include "app/desktop/playback/series_history.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace riffle::desktop {

namespace {

/// fmin and fmax skip NaN.
void merge(SeriesHistory::Bucket& into, const SeriesHistory::Bucket& later) {
  into.end = later.end;
  into.samples += later.samples;
  for (std::size_t c = 0; c < into.channels.size(); ++c) {
    SeriesHistory::Extent& a = into.channels[c];
    const SeriesHistory::Extent& b = later.channels[c];
    a = {std::fmin(a.low, b.low), std::fmax(a.high, b.high), b.last};
  }
}

}  // namespace

void SeriesHistory::add(double time, std::span<const double> values) {
  if (values.size() != channels_) throw std::logic_error("SeriesHistory: one value per channel is needed");
  if (!buckets_.empty() && time <= buckets_.back().end) {
    cut_after(time);
    if (!buckets_.empty() && buckets_.back().end == time) buckets_.pop_back();
  }
  Bucket sample{time, time, 1, {}};
  for (const double value : values) sample.channels.push_back({value, value, value});
  if (!buckets_.empty() && buckets_.back().samples < per_bucket_) {
    merge(buckets_.back(), sample);
    return;
  }
  if (buckets_.size() >= most_) halve();
  buckets_.push_back(std::move(sample));
}

void SeriesHistory::halve() {
  per_bucket_ *= 2;
  std::size_t to = 0;
  for (std::size_t from = 0; from < buckets_.size(); from += 2, ++to) {
    Bucket pair = std::move(buckets_[from]);
    if (from + 1 < buckets_.size()) merge(pair, buckets_[from + 1]);
    buckets_[to] = std::move(pair);
  }
  buckets_.resize(to);
}

void SeriesHistory::cut_after(double time) {
  while (!buckets_.empty() && buckets_.back().end > time) buckets_.pop_back();
  if (buckets_.empty()) per_bucket_ = 1;
}

}  // namespace riffle::desktop
