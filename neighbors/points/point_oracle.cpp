#include "neighbors/points/point_oracle.h"

#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "neighbors/separation.h"

namespace riffle {

namespace {

float distance2(Vec4 a, Vec4 b) { return squared_length(separation(xyz(a), xyz(b), {})); }

/// Histogram of squared distances by the leading bits of their floats: 64 bins per doubling.
constexpr int kBinBits = 23 - 6;
constexpr std::size_t kBins = (std::size_t{0x7f800000} >> kBinBits) + 1;

/// Keeps the nearest of the matches it is given.
class NearestMatches {
 public:
  explicit NearestMatches(std::size_t keep) : keep_(keep) {}

  void add(PointMatch match) {
    if (keep_ == 0 || (full_ && !(match < farthest_))) return;
    matches_.push_back(match);
    if (matches_.size() == 2 * keep_) drop_the_farther_half();
  }
  std::vector<PointMatch> sorted() && {
    std::sort(matches_.begin(), matches_.end());
    if (matches_.size() > keep_) matches_.resize(keep_);
    return std::move(matches_);
  }

 private:
  void drop_the_farther_half() {
    const auto last = matches_.begin() + static_cast<std::ptrdiff_t>(keep_ - 1);
    std::nth_element(matches_.begin(), last, matches_.end());
    farthest_ = *last;
    full_ = true;
    matches_.resize(keep_);
  }

  std::size_t keep_;
  bool full_ = false;      ///< `keep` matches were found that are no farther away than
  PointMatch farthest_{};  ///< this one
  std::vector<PointMatch> matches_;
};

/// name(p): the index of the p-th of these points.
template <class Name>
PointsWithin within_of(Vec4 query, std::span<const Vec4> points, float radius2, std::size_t keep, const Name& name) {
  PointsWithin all;
  NearestMatches nearest(keep);
  for (std::size_t p = 0; p < points.size(); ++p)
    if (const float r2 = distance2(query, points[p]); r2 < radius2) {
      ++all.count;
      nearest.add({r2, name(p)});
    }
  all.nearest = std::move(nearest).sorted();
  return all;
}

}  // namespace

std::vector<PointsWithin> points_within(std::span<const Vec4> points, std::span<const Vec4> queries, float radius,
                                        std::size_t keep) {
  std::vector<PointsWithin> all(queries.size());
  tbb::parallel_for(std::size_t{0}, queries.size(), [&](std::size_t q) {
    all[q] = within_of(queries[q], points, radius * radius, keep,
                       [](std::size_t p) { return static_cast<std::int32_t>(p); });
  });
  return all;
}

PointsByX PointsByX::of(std::span<const Vec4> points) {
  struct Place {
    float x;
    std::int32_t index;
    bool operator<(const Place& other) const { return x < other.x || (x == other.x && index < other.index); }
  };
  std::vector<Place> places;
  places.reserve(points.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    if (!std::isnan(points[p].x)) places.push_back({points[p].x, static_cast<std::int32_t>(p)});
  tbb::parallel_sort(places.begin(), places.end());
  PointsByX sorted;
  sorted.point.reserve(places.size());
  sorted.index.reserve(places.size());
  for (const Place& place : places) {
    sorted.point.push_back(points[static_cast<std::size_t>(place.index)]);
    sorted.index.push_back(place.index);
  }
  return sorted;
}

std::vector<PointsWithin> points_within(const PointsByX& points, std::span<const Vec4> queries, float radius,
                                        std::size_t keep) {
  std::vector<PointsWithin> all(queries.size());
  const std::vector<Vec4>& at = points.point;
  tbb::parallel_for(std::size_t{0}, queries.size(), [&](std::size_t q) {
    const float x = queries[q].x;
    const auto begin = std::partition_point(at.begin(), at.end(), [&](Vec4 p) { return x - p.x >= radius; });
    const auto end = std::partition_point(begin, at.end(), [&](Vec4 p) { return p.x - x < radius; });
    const auto first = static_cast<std::size_t>(begin - at.begin());
    all[q] = within_of(queries[q], std::span(begin, end), radius * radius, keep,
                       [&](std::size_t p) { return points.index[first + p]; });
  });
  return all;
}

std::vector<double> radii_of_mean_counts(std::span<const Vec4> points, std::span<const Vec4> queries,
                                         std::span<const double> means) {
  tbb::combinable<std::vector<std::uint64_t>> partial([] { return std::vector<std::uint64_t>(kBins); });
  tbb::parallel_for(std::size_t{0}, queries.size(), [&](std::size_t q) {
    std::vector<std::uint64_t>& bins = partial.local();
    for (const Vec4& p : points)
      if (const float r2 = distance2(queries[q], p); r2 >= 0)  // skips points that are not finite
        ++bins[std::bit_cast<std::uint32_t>(r2) >> kBinBits];
  });
  std::vector<std::uint64_t> bins(kBins);
  partial.combine_each([&](const std::vector<std::uint64_t>& some) {
    for (std::size_t b = 0; b < kBins; ++b) bins[b] += some[b];
  });
  std::vector<double> radii;
  for (const double mean : means) {
    std::uint64_t sum = 0;
    std::size_t last = 0;
    for (std::size_t b = 0; b + 1 < kBins; ++b) {  // the last bin holds infinite distances
      if (bins[b] == 0) continue;
      sum += bins[b], last = b;
      if (double(sum) >= mean * double(queries.size())) break;
    }
    radii.push_back(std::sqrt(double{std::bit_cast<float>(static_cast<std::uint32_t>(last + 1) << kBinBits)}));
  }
  return radii;
}

}  // namespace riffle
