/// Zhu 2022, "RTNN: accelerating neighbor search using hardware ray tracing": the search turned round, as a ray of no length
/// cast from each particle into a tree of boxes of half-width h round all others. Here a box may as well be a point and
/// the ray a ball: the tree does not depend on h, and what the boxes of a leaf have in common is tested once.
///
/// The particles' own order is the Morton curve's, so that queries next to each other take the same way down the tree:
/// what the paper's scheduling is for.

#include <algorithm>

#include "core/error.h"
#include "neighbors/lbvh.h"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

/// The domain's box, and as much around it as leaves codes for what is inside: of 2^21 cells 2^14.
BoundingBox frame_of(const Domain& domain) {
  const Vec3 room = 64 * domain.extent();
  BoundingBox frame{domain.min - room, domain.max + room};
  const BoundingBox most = BoundingBox::everything();
  const auto within = [](Vec3 x, const BoundingBox& b) {
    return Vec3{std::clamp(x.x, b.low.x, b.high.x), std::clamp(x.y, b.low.y, b.high.y),
                std::clamp(x.z, b.low.z, b.high.z)};
  };
  return {within(frame.low, most), within(frame.high, most)};
}

class RtnnSearch : public SearchMethod {
 public:
  RtnnSearch(const Device& device, const SearchSettings& settings)
      : settings_(settings), tree_(device, settings.tree_leaf) {}

  void build(const BuildInput& input) override {
    make_grid(input.domain, input.h);  // only for its checks
    h_ = input.h;
    reordered_ = !try_refit(input);
    if (!reordered_) {
      ++refits_;
      return;
    }
    built_ = false;
    tree_.build(input.positions, input.count, input.domain.dimension, frame_of(input.domain));
    dimension_ = input.domain.dimension;
    built_ = true;
    ++full_builds_;
  }

  SearchView view() const override {
    TreeView view = tree_.view();
    view.build_radius = h_;
    return view;
  }
  const std::uint32_t* order() const override { return reordered_ ? tree_.order() : nullptr; }

  /// By cubes of the Morton curve, the smallest that are no smaller than h, as they were when the tree was made.
  OccupancyStats occupancy() const override {
    if (!built_) return {};
    const CrowdStats crowds = tree_.crowds(h_);
    OccupancyStats stats;
    stats.cells = static_cast<std::int64_t>(std::min(crowds.cubes, 9e18));
    stats.occupied = crowds.occupied;
    stats.max = crowds.max;
    stats.mean = stats.occupied > 0 ? double(tree_.count()) / double(stats.occupied) : 0;
    return stats;
  }

  SearchStats stats() const override {
    return {occupancy(),
            {{"leaves", double(tree_.view().leaves)},
             {"full builds", double(full_builds_)},
             {"refits", double(refits_)},
             {"boxes more than doubled", grown_}}};
  }

  std::size_t memory_bytes() const override { return tree_.memory_bytes(); }

 private:
  /// So many boxes, in share of all, may have more than doubled until a tree is made anew.
  static constexpr double kMostGrown = 0.1;

  bool try_refit(const BuildInput& input) {
    grown_ = 0;
    if (!built_ || settings_.deterministic || settings_.tree_rebuild == TreeRebuild::Always) return false;
    if (input.count != tree_.count() || input.count == 0 || input.domain.dimension != dimension_) return false;
    grown_ = tree_.refit(input.positions, 0.1f * input.h);
    return grown_ <= kMostGrown;
  }

  SearchSettings settings_;
  Lbvh tree_;
  float h_ = 0;
  int dimension_ = 0;
  bool built_ = false;
  bool reordered_ = false;  ///< by the last build
  double grown_ = 0;        ///< share of boxes, at the last build
  std::int64_t full_builds_ = 0, refits_ = 0;
};

}  // namespace

std::unique_ptr<SearchMethod> make_rtnn_search(const Device& device, const SearchSettings& settings) {
  return std::make_unique<RtnnSearch>(device, settings);
}

}  // namespace riffle
