#include "neighbors/points/point_optix.h"

#include "neighbors/order/bounding_box.h"
#include "neighbors/points/point_tree.h"

namespace riffle {

namespace {

void build(OptixPoints& boxes, float half, StageTimer* timer) {
  if (boxes.has(half)) return;
  const PointStage stage(timer, "bvh");
  boxes.build(half);
}

/// Answers the first `count` of `queries`, as `search` asks for.
void answer_by_tree(const Device& device, const TreeView& tree, const PartsSearch& search, const std::uint32_t* queries,
                    int count) {
  const std::vector<SearchPart> all{{count, double{BoundingBox::kInfinity}}};
  search_point_tree(device, tree,
                    {.points = search.points,
                     .original = search.original,
                     .count = search.count,
                     .dimension = search.dimension,
                     .queries = search.queries,
                     .order = queries,
                     .query_count = count,
                     .radius = search.radius,
                     .capacity = search.capacity,
                     .nearest = search.nearest,
                     .settings = search.settings,
                     .parts = all,
                     .matches = search.matches,
                     .counts = nullptr,
                     .timer = search.timer});
}

}  // namespace

void require_structure(const Device& device, PointStructure structure) {
  if (structure == PointStructure::Optix) OptixPoints::make(device);
}

std::int64_t search_by_optix(const Device& device, OptixPoints& boxes, const TreeView& tree, const PartsSearch& search,
                             Buffer<std::uint32_t>& met_twice) {
  const PointSearchSettings& s = search.settings;
  const bool boxed = !search.nearest && (!s.sphere_test || s.box_scale != 1);
  if (search.counts) search.counts->nodes.resize(0);
  PointLaunch launch;
  launch.queries = search.queries;
  launch.order = search.order;
  launch.index = search.matches.index.data();
  launch.distance = search.matches.distance.data();
  launch.calls = search.counts ? search.counts->calls.data() : nullptr;
  launch.radius2 = search.radius2();
  launch.capacity = search.capacity;
  launch.task = search.nearest ? PointTask::Nearest : PointTask::Any;
  const bool heap = search.nearest && search.capacity > kMostNearest;
  if (heap) {
    met_twice.resize(1 + static_cast<std::size_t>(search.query_count));
    fill_bytes(device, met_twice.data(), 0, sizeof(std::uint32_t));
    launch.met_twice = met_twice.data();
  }
  for (const SearchPart& part : search.parts) {
    const auto half = static_cast<float>(part.box);
    build(boxes, half, search.timer);
    // The driver's boxes are wider than `half` by what rounding may lose. Without a sphere test that is too wide.
    launch.sphere = part.sphere;
    launch.box = boxed || !part.sphere ? half : BoundingBox::kInfinity;
    const PointStage stage(search.timer, "search");
    boxes.trace(launch, part.queries);
    launch.first += static_cast<std::uint64_t>(part.queries);
  }
  if (!heap) return 0;
  std::uint32_t twice = 0;
  copy_to_host(device, &twice, met_twice.data(), sizeof twice);
  if (twice > 0) answer_by_tree(device, tree, search, met_twice.data() + 1, static_cast<int>(twice));
  return twice;
}

void find_first_boxes_by_optix(const Device& device, OptixPoints& boxes, const Vec4* queries, int query_count,
                               float half, std::uint32_t* hit, std::uint32_t* index, StageTimer* timer) {
  build(boxes, half, timer);
  const PointStage stage(timer, "first search");
  PointLaunch launch;
  launch.queries = queries;
  launch.hit = hit;
  launch.task = PointTask::First;
  boxes.trace(launch, query_count);
  fill_iota(device, index, static_cast<std::size_t>(query_count));
}

}  // namespace riffle
