#include "bench/rtnn/oracle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/terminal/signals.h"
#include "bench/rtnn/least_bundles.h"

namespace riffle::bench {

namespace {

/// A cloud in a tree, and searches by some of its queries.
class BundleTimes {
 public:
  BundleTimes(const Device& device, const RtnnCase& one, const RtnnInput& input)
      : device_(device), one_(one), points_(device, input.points()), search_(device, one.leaf), matches_(device) {
    search_.build(points_.data(), static_cast<int>(points_.size()), 3);
  }

  const PointSearch& search() const { return search_; }

  /// The least time of a few runs, of the trees of boxes and the searches of all; with `opt`, of putting the queries in
  /// order and in parts too [ms].
  double time(const std::vector<Vec4>& queries, const PointSearchSettings& settings, bool opt) {
    Buffer<Vec4> asking(device_, queries);
    StageTimer timer(device_);
    double least = 1e300;
    for (int run = 0; run < kOracleRuns; ++run) {
      timer.reset();
      search_.build(points_.data(), static_cast<int>(points_.size()), 3);  // forgets the boxes of the run before
      search_.time_stages(&timer);
      ask(asking, settings);
      search_.time_stages(nullptr);
      timer.collect(true);
      double sum = 0;
      for (const StageStats& s : timer.stats())
        if (s.name == "bvh" || s.name == "search" || (opt && s.name == "opt")) sum += s.mean_ms * double(s.count);
      if (run > 0 || kOracleRuns == 1) least = std::min(least, sum);
    }
    return least;
  }

  /// Of the partitions of `bundle` alone, as one bundle. part: (partitions) their queries.
  double time_of_bundle(const std::vector<int>& bundle, const std::vector<std::vector<Vec4>>& part,
                        PointSearchSettings settings) {
    std::vector<Vec4> queries;
    for (const int p : bundle) {
      const std::vector<Vec4>& some = part[static_cast<std::size_t>(p)];
      queries.insert(queries.end(), some.begin(), some.end());
    }
    settings.bundles.assign(bundle.size(), 0);
    return time(queries, settings, false);
  }

 private:
  static constexpr int kOracleRuns = 3;  ///< the first one warms up

  void ask(const Buffer<Vec4>& queries, const PointSearchSettings& settings) {
    const int n = static_cast<int>(queries.size());
    if (one_.task == RtnnTask::Knn)
      search_.knn(queries.data(), n, one_.neighbors, one_.radius, settings, matches_);
    else
      search_.range_search(queries.data(), n, one_.radius, one_.neighbors, settings, matches_);
  }

  Device device_;
  const RtnnCase& one_;
  Buffer<Vec4> points_;
  PointSearch search_;
  PointMatches matches_;
};

}  // namespace

OracleChoice ask_oracle(const Device& device, const RtnnCase& one, RtnnInput& input,
                        const PointSearchSettings& settings) {
  BundleTimes times(device, one, input);
  PointSearchSettings whole = settings, parted = settings;
  whole.partition = whole.bundle = parted.bundle = false;
  parted.partition = true;
  const double unparted = times.time(input.queries(), whole, true);
  times.time(input.queries(), parted, true);
  const int partitions = static_cast<int>(times.search().partitions().size());
  std::vector<std::vector<Vec4>> part(static_cast<std::size_t>(partitions));
  const std::vector<std::uint32_t> partition_of = times.search().partition_of_queries();
  for (std::size_t q = 0; q < partition_of.size(); ++q) part[partition_of[q]].push_back(input.queries()[q]);
  OracleChoice choice;
  choice.partition = true;
  choice.bundles = least_bundles(
      partitions, [&](const std::vector<int>& bundle) { return times.time_of_bundle(bundle, part, parted); },
      [] { return interrupted(); });
  parted.bundles = choice.bundles;
  const double best = times.time(input.queries(), parted, true);
  const std::string bundles = fmt::format("{}", fmt::join(choice.bundles, " "));
  const int measured = bundles_to_measure(partitions);
  if (best <= unparted) {
    choice.text = fmt::format("the partitions, the narrowest first, are in the bundles {}; measured bundles: {}",
                              bundles, measured);
  } else {
    choice.text = fmt::format("not partitioned: {:.4g} ms, and {:.4g} ms in the best bundles, {}; measured bundles: {}",
                              unparted, best, bundles, measured);
    choice.partition = false;
    choice.bundles.clear();
  }
  return choice;
}

}  // namespace riffle::bench
