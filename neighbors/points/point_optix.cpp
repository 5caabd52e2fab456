#include "neighbors/points/point_optix.h"

#include "neighbors/order/bounding_box.h"

namespace riffle {

namespace {

void build(OptixPoints& boxes, float half, StageTimer* timer) {
  if (boxes.has(half)) return;
  const PointStage stage(timer, "bvh");
  boxes.build(half);
}

}  // namespace

void require_structure(const Device& device, PointStructure structure) {
  if (structure == PointStructure::Optix) OptixPoints::make(device);
}

void search_by_optix(OptixPoints& boxes, const PartsSearch& search) {
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
  launch.whole = search.match_count() != nullptr;
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
