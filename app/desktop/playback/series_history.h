#pragma once
/// Numbers over simulated time, for as long as a run lasts and in bounded memory: neighbours in time are merged once there
/// are too many, and what is merged keeps its extremes.

#include <cstdint>
#include <span>
#include <vector>

namespace riffle {

class SeriesHistory {
 public:
  static constexpr std::size_t kBuckets = 1024;

  /// Of one channel within a bucket. NaN where no sample was a number.
  struct Extent {
    double low, high, last;
  };
  struct Bucket {
    double begin = 0, end = 0;  ///< [s] of its first and its last sample
    std::uint32_t samples = 0;
    std::vector<Extent> channels;
  };

  explicit SeriesHistory(std::size_t channels = 0, std::size_t most = kBuckets) : channels_(channels), most_(most) {}

  /// values: one per channel. A time at or before the last one cuts first.
  void add(double time, std::span<const double> values);

  /// Forgets what was sampled after that time; a bucket that reaches beyond it goes as a whole.
  void cut_after(double time);

  bool empty() const { return buckets_.empty(); }
  std::size_t channels() const { return channels_; }
  const std::vector<Bucket>& buckets() const { return buckets_; }  ///< the oldest first; times ascend
  double end() const { return buckets_.empty() ? 0 : buckets_.back().end; }

 private:
  void halve();

  std::size_t channels_, most_;
  std::uint32_t per_bucket_ = 1;
  std::vector<Bucket> buckets_;
};

}  // namespace riffle
