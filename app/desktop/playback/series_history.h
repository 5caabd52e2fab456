#pragma once
/// Numbers over the simulated time of a run of any length, in bounded memory: when there are too many samples,
/// neighbours in time are merged, and a merged bucket keeps their extremes.

#include <cstdint>
#include <span>
#include <vector>

namespace riffle::desktop {

class SeriesHistory {
 public:
  static constexpr std::size_t kBuckets = 1024;

  /// One channel within a bucket. NaN if no sample was a number.
  struct Extent {
    double low, high, last;
  };
  struct Bucket {
    double begin = 0, end = 0;  ///< [s] of its first and its last sample
    std::uint32_t samples = 0;
    std::vector<Extent> channels;
  };

  explicit SeriesHistory(std::size_t channels = 0, std::size_t most = kBuckets) : channels_(channels), most_(most) {}

  /// @param values one per channel. A time at or before the last one first cuts the history there.
  void add(double time, std::span<const double> values);

  /// Forgets the samples after that time; a bucket that reaches beyond it is removed as a whole.
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

}  // namespace riffle::desktop
