#include "neighbors/points/point_search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/device/parallel.cuh"
#include "core/error.h"
#include "core/text/log_write.h"
#include "neighbors/points/point_boxes.h"
#include "neighbors/points/point_costs.h"
#include "neighbors/points/point_optix.h"
#include "neighbors/points/point_parts.h"
#include "neighbors/points/point_tree.h"
#include "neighbors/points/query_bundles.h"

namespace riffle {

struct PointSearch::Request {
  const Vec4* queries;
  int count;
  float radius;
  int capacity;
  const PointSearchSettings& settings;
  bool nearest;
};

namespace {

constexpr float kInfinity = BoundingBox::kInfinity;

/// Half the edge of the cube round a query that contains its megacell with `rings` rings.
double half_width(const Megacells& cells, int rings) {
  return (rings + 1.0) * double{cells.grid().edge} + cells.margin();
}

double megacell_edge(const Megacells& cells, int rings) { return (2.0 * rings + 1) * double{cells.grid().edge}; }

/// How far away the nearest K points may be.
double nearest_reach(const Megacells& cells, int rings, int dimension, MegacellReach reach) {
  const double edge = megacell_edge(cells, rings);
  if (reach == MegacellReach::EqualVolume)
    return dimension == 2 ? edge / std::sqrt(3.14159265358979) : edge * std::cbrt(3 / (4 * 3.14159265358979));
  return std::sqrt(double(dimension)) * half_width(cells, rings) * (1 + 1e-5);
}

/// Points in a cell that are many for a search of the nearest K.
std::uint32_t crowd_of(int capacity) { return 8 * static_cast<std::uint32_t>(std::clamp(capacity, 8, 1 << 28)); }

/// Finds the part of each query, and of the query at each place of the order so far.
struct FindParts {
  const std::uint32_t *order, *width_of, *part_of_width;
  std::uint32_t *part_of, *index;

  RIFFLE_HD void operator()(std::int64_t t) const {
    const std::uint32_t q = order ? order[t] : static_cast<std::uint32_t>(t);
    part_of[t] = part_of_width[width_of[q]];
    index[t] = q;
  }
};

}  // namespace

PointSearch::PointSearch(const Device& device, int leaf_size)
    : device_(device),
      tree_(device, leaf_size),
      boxes_(std::make_unique<PointBoxes>(device)),
      cells_(device),
      query_codes_(device) {}

PointSearch::~PointSearch() = default;

void PointSearch::build(const Vec4* points, int count, int dimension) {
  if (count < 0) throw InputError("point search: " + std::to_string(count) + " points; it must be 0 or more");
  if (dimension != 2 && dimension != 3)
    throw InputError("point search: " + std::to_string(dimension) + " dimensions; they must be 2 or 3");
  const PointStage stage(timer_, "bvh");
  dimension_ = dimension;
  tree_.build(points, count, dimension, BoundingBox::everything());
  sorted_.resize(static_cast<std::size_t>(count));
  const GatherArray array{points, sorted_.data(), sizeof(Vec4)};
  gather(device_, tree_.order(), static_cast<std::size_t>(count), &array, 1);
  optix_has_points_ = false;
  boxes_->clear();
}

void PointSearch::check(const Request& request) const {
  const auto refuse = [](const std::string& what) { throw InputError("point search: " + what); };
  const PointSearchSettings& s = request.settings;
  if (!(request.radius >= 0)) refuse("radius " + std::to_string(request.radius) + "; it must be 0 or more");
  if (request.capacity < 1) refuse("K = " + std::to_string(request.capacity) + "; it must be at least 1");
  if (request.count < 0) refuse(std::to_string(request.count) + " queries; it must be 0 or more");
  if (!(s.box_scale > 0 && s.box_scale <= 1))
    refuse("box_scale " + std::to_string(s.box_scale) + "; it must be above 0 and at most 1");
  if (!request.nearest && !(request.radius < kInfinity) && (!s.sphere_test || s.box_scale != 1))
    refuse("boxes of an infinite radius; sphere_test and box_scale need a finite one");
}

void PointSearch::prepare(const Request& request, PointMatches& matches) const {
  const std::size_t places = static_cast<std::size_t>(request.count) * static_cast<std::size_t>(request.capacity);
  matches.capacity = request.capacity;
  matches.index.resize(places);
  matches.distance.resize(places);
  const auto queries = static_cast<std::size_t>(request.count);
  matches.count.resize(request.settings.count && !request.nearest ? queries : 0);
  if (counts_) counts_->calls.resize(queries), counts_->nodes.resize(queries);
}

void PointSearch::schedule(const Request& request) {
  const auto n = static_cast<std::size_t>(request.count);
  query_order_ = nullptr;
  if (request.settings.order == QueryOrder::Morton) {
    const PointStage stage(timer_, "opt");
    query_codes_.sort(request.queries, request.count, dimension_, BoundingBox::everything());
    query_order_ = query_codes_.order();
  } else if (request.settings.order == QueryOrder::FirstHit) {
    for (Buffer<std::uint32_t>* array : {&hit_, &sorted_hit_, &index_, &scheduled_}) array->resize(n);
    const int most = find_first_hits(request);
    const PointStage stage(timer_, "opt");
    sort_pairs(device_, hit_.data(), sorted_hit_.data(), index_.data(), scheduled_.data(), n,
               std::bit_width(static_cast<unsigned>(most)), scratch_);
    query_order_ = scheduled_.data();
  }
}

/// The number of each partition's bundle.
std::vector<int> PointSearch::bundles(const Request& request) const {
  if (const std::vector<int>& given = request.settings.bundles; !given.empty()) {
    if (given.size() != partitions_.size())
      throw InputError("point search: " + std::to_string(given.size()) + " numbers of bundles for " +
                       std::to_string(partitions_.size()) + " partitions; there must be one for each");
    std::vector<int> numbers, bundle;  // as they come, so that none is left out
    for (const int number : given) {
      const auto known = std::find(numbers.begin(), numbers.end(), number);
      bundle.push_back(static_cast<int>(known - numbers.begin()));
      if (known == numbers.end()) numbers.push_back(number);
    }
    return bundle;
  }
  if (request.settings.bundle) {
    const QueryEnd end = request.nearest ? QueryEnd::Nearest : QueryEnd::Enough;
    return bundle_partitions(partitions_, end, request.capacity, dimension_,
                             bundle_costs_of(device_, request.settings.structure, tree_.count(), end));
  }
  std::vector<int> alone(partitions_.size());
  std::iota(alone.begin(), alone.end(), 0);
  return alone;
}

/// Used for widths inside the sphere, or, for the nearest points, for those with a reach below the radius.
double PointSearch::reach_of(const Request& request, int width) const {
  return request.nearest ? nearest_reach(cells_, kMegacellRings[width], dimension_, request.settings.reach)
                         : half_width(cells_, kMegacellRings[width]);
}

/// (widths + 1) how many queries have each width, and none.
std::vector<std::uint32_t> PointSearch::count_widths(const Request& request) {
  const double inside =
      request.nearest ? double{request.radius} : double{request.radius} / std::sqrt(double(dimension_)) * (1 - 1e-5);
  int widths = 0;
  while (widths < kMegacellWidths && reach_of(request, widths) < inside) ++widths;
  width_of_.resize(static_cast<std::size_t>(request.count));
  histogram_.resize(static_cast<std::size_t>(widths) + 1);
  cells_.find(request.queries, request.count, request.capacity, widths, width_of_.data(), histogram_.data());
  return histogram_.to_host();
}

/// Whether cells are so large that a query among most points would search far more of them than it wants, and `grid_memory`
/// has room for finer ones. In a tree of the points they are of no use: there the nearest K shrink their own ball. It depends on the points
/// and on the memory alone, so that the parts of a search are those of searches for some of its queries.
bool PointSearch::needs_finer_cells(const Request& request) const {
  if (!request.nearest || request.settings.structure == PointStructure::Points) return false;
  const double finer = std::pow(Megacells::kFineCells / Megacells::kCells, 1.0 / dimension_);
  if (2 * reach_of(request, 0) / finer > double{request.radius}) return false;
  if (double(request.settings.grid_memory) < 2 * Megacells::kCells * tree_.count() * sizeof(std::uint32_t))
    return false;
  return 2 * std::int64_t{cells_.crowded(sorted_.data(), tree_.count(), crowd_of(request.capacity))} > tree_.count();
}

/// Parts the queries by the width of their megacells. Queries without a width are searched as if unpartitioned.
void PointSearch::partition(const Request& request) {
  const PointStage stage(timer_, "opt");
  const auto n = static_cast<std::size_t>(request.count);
  const BoundingBox bounds = tree_.bounds();
  const auto build = [&](double cells) {
    cells_.build(sorted_.data(), tree_.count(), bounds, request.radius, request.settings.grid_memory, cells);
  };
  build(Megacells::kCells);
  if (needs_finer_cells(request)) {
    try {
      build(Megacells::kFineCells);
    } catch (const Unavailable& shortage) {
      log::write(log::Level::Warning,
                 std::string("megacells stay coarse, so that partitions bring less: ") + shortage.what());
      build(Megacells::kCells);
    }
  }
  const std::vector<std::uint32_t> histogram = count_widths(request);
  const auto widths = static_cast<int>(histogram.size()) - 1;

  const Vec3 extent = bounds.high - bounds.low;
  const double cloud = tree_.count() > 0 ? double{std::max({extent.x, extent.y, extent.z, 0.0f})} : 0;
  std::vector<QueryPartition>& partitions = partitions_;
  std::vector<std::uint32_t> part_of_width(histogram.size(), 0);
  std::vector<double> reaches;
  for (int width = 0; width <= widths; ++width) {
    if (histogram[static_cast<std::size_t>(width)] == 0) continue;
    const bool whole = width == widths;
    part_of_width[static_cast<std::size_t>(width)] = static_cast<std::uint32_t>(partitions.size());
    reaches.push_back(whole ? double{kInfinity} : reach_of(request, width));
    // All that is known of the whole sphere is that it holds fewer than K points: its own cube stands in.
    const double sphere = std::min(2 * double{request.radius}, 2 * cloud + double{cells_.grid().edge});
    partitions.push_back({.queries = double(histogram[static_cast<std::size_t>(width)]),
                          .cell = whole ? sphere : megacell_edge(cells_, kMegacellRings[width]),
                          .width = whole ? sphere : 2 * reaches.back(),
                          .whole = whole});
  }
  partition_of_width_ = part_of_width;
  const std::vector<int> bundle = bundles(request);

  parts_.assign(partitions.size(), {});
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    SearchPart& part = parts_[static_cast<std::size_t>(bundle[p])];
    part.queries += static_cast<std::int64_t>(partitions[p].queries);
    part.reach = std::max(part.reach, reaches[p]);
  }
  for (std::uint32_t& part : part_of_width)
    if (!bundle.empty()) part = static_cast<std::uint32_t>(bundle[part]);
  while (!parts_.empty() && parts_.back().queries == 0) parts_.pop_back();

  part_of_width_.assign(part_of_width);
  for (Buffer<std::uint32_t>* array : {&part_of_, &sorted_part_, &index_, &parted_}) array->resize(n);
  parallel_for(device_, "find parts", request.count,
               FindParts{query_order_, width_of_.data(), part_of_width_.data(), part_of_.data(), index_.data()});
  sort_pairs(device_, part_of_.data(), sorted_part_.data(), index_.data(), parted_.data(), n,
             std::bit_width(parts_.size()), scratch_);
  query_order_ = parted_.data();
}

/// Half-width of the boxes of all that is asked for.
double PointSearch::whole_box(const Request& request) {
  return request.nearest ? double{request.radius} : double{request.settings.box_scale * request.radius};
}

/// The boxes of each part, and whether what is in them is known to be in range.
void PointSearch::fit_boxes(const Request& request) {
  const PointSearchSettings& s = request.settings;
  const double whole = whole_box(request);
  // The squares of the smallest floats are too coarse for a proof that a cube lies within a sphere.
  const bool provable = request.radius > 1e-15f;
  for (SearchPart& part : parts_) {
    part.box = std::min(part.reach, whole);
    part.sphere = request.nearest || (s.sphere_test && !(provable && part.reach < double{kInfinity}));
  }
}

void PointSearch::search(const Request& request, PointMatches& matches) {
  check(request);
  prepare(request, matches);
  parts_.assign(1, {request.count, double{kInfinity}});
  partitions_.clear();
  met_twice_ = 0;
  if (request.count == 0) return;
  schedule(request);
  // With boxes instead of spheres, or when all points are to be counted, partitioning would find fewer.
  const PointSearchSettings& s = request.settings;
  if (s.partition && (request.nearest || (!s.count && s.sphere_test && s.box_scale == 1))) partition(request);
  fit_boxes(request);
  search_parts({sorted_.data(), tree_.order(), tree_.count(), dimension_, request.queries, query_order_, request.count,
                request.radius, request.capacity, request.nearest, s, parts_, matches, counts_, timer_});
}

/// The first hit of each query in its structure, for the order of the queries: hit_, and their numbers: index_.
/// @return the largest value there can be in hit_: no hit
int PointSearch::find_first_hits(const Request& request) {
  const auto boxes = [&] {
    const auto half = static_cast<float>(whole_box(request));
    if (!boxes_->has(half)) {
      const PointStage stage(timer_, "bvh");
      boxes_->build(tree_.view(), half);
    }
    const PointStage stage(timer_, "first search");
    find_first_boxes(device_, tree_.view(), *boxes_, sorted_.data(), request.queries, request.count, hit_.data(),
                     index_.data());
    return tree_.count();
  };
  const auto leaves = [&] {
    const PointStage stage(timer_, "first search");
    find_first_leaves(device_, tree_.view(), request.queries, request.count, request.radius, hit_.data(),
                      index_.data());
    return tree_.view().leaves;
  };
  switch (request.settings.structure) {
    case PointStructure::Points: return leaves();
    case PointStructure::Boxes: return boxes();
    case PointStructure::Optix:
      if (!(request.radius < kInfinity)) return leaves();  // all boxes are in reach of all queries
      find_first_boxes_by_optix(device_, by_optix(whole_box(request)), request.queries, request.count,
                                static_cast<float>(whole_box(request)), hit_.data(), index_.data(), timer_);
      return tree_.count();
  }
  return 0;
}

/// Answers the queries in the structure that the settings name.
void PointSearch::search_parts(const PartsSearch& search) {
  switch (search.settings.structure) {
    case PointStructure::Points: return search_point_tree(device_, tree_.view(), search);
    case PointStructure::Boxes: return search_boxes(device_, tree_.view(), *boxes_, search);
    case PointStructure::Optix: {
      double narrowest = double{kInfinity};
      for (const SearchPart& part : search.parts) narrowest = std::min(narrowest, part.box);
      met_twice_ = search_by_optix(device_, by_optix(narrowest), tree_.view(), search, met_twice_queries_);
      if (met_twice_ > 0 && !std::exchange(said_met_twice_, true))
        log::write(log::Level::Info, "point search, structure: optix: " + std::to_string(met_twice_) + " of " +
                                         std::to_string(search.query_count) +
                                         " queries met a point twice; the tree of the points answers such queries");
      if (search.match_count()) {  // a ray may meet a box twice, which a count would not notice
        const PointStage stage(timer_, "count");
        count_in_point_tree(device_, tree_.view(), search);
      }
      return;
    }
  }
}

/// OptiX with the points of the last build. narrowest: half-width of the boxes.
OptixPoints& PointSearch::by_optix(double narrowest) {
  if (!optix_) optix_ = OptixPoints::make(device_);
  if (!optix_has_points_) {
    optix_->take(sorted_.data(), tree_.order(), tree_.count());
    const BoundingBox box = tree_.bounds();
    optix_farthest_ = 0;
    for (const Vec3 corner : {box.low, box.high})
      for (int a = 0; a < dimension_; ++a)
        optix_farthest_ = std::max(optix_farthest_, std::fabs(double{component(corner, a)}));
  }
  optix_has_points_ = true;
  // Much farther away the driver was seen to miss boxes. Infinite ones hold everything.
  constexpr double most = 0x1p20;
  if (narrowest < double{kInfinity} && std::isfinite(optix_farthest_) &&
      optix_farthest_ + narrowest > most)  // a query beyond it meets nothing
    throw Unavailable("point search, structure: optix searches coordinates of up to 2^20, and " +
                      std::to_string(optix_farthest_) + " is there; use structure: points or boxes");
  return *optix_;
}

void PointSearch::range_search(const Vec4* queries, int query_count, float radius, int capacity,
                               const PointSearchSettings& settings, PointMatches& matches) {
  search({queries, query_count, radius, capacity, settings, false}, matches);
}

void PointSearch::knn(const Vec4* queries, int query_count, int capacity, float radius,
                      const PointSearchSettings& settings, PointMatches& matches) {
  search({queries, query_count, radius, capacity, settings, true}, matches);
}

std::vector<std::uint32_t> PointSearch::partition_of_queries() const {
  if (partitions_.empty()) return {};
  std::vector<std::uint32_t> partition = width_of_.to_host();
  for (std::uint32_t& p : partition) p = partition_of_width_[p];
  return partition;
}

std::size_t PointSearch::memory_bytes() const {
  return memory_.bytes() + tree_.memory_bytes() + boxes_->memory_bytes() + cells_.memory_bytes() +
         query_codes_.memory_bytes() + (optix_ ? optix_->memory_bytes() : 0);
}

}  // namespace riffle
