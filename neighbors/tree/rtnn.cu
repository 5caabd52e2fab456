/// Zhu 2022, "RTNN: accelerating neighbor search using hardware ray tracing": the inverted search. Each particle casts
/// a very short ray into a tree of boxes of half-width h round all others. Here a box may also be a point, and the
/// ray a ball: the tree then does not depend on h, and the common part of a leaf's boxes is tested once.
///
/// The particles' own order is the Morton curve's, so that adjacent queries take the same path down the tree: the
/// purpose of the paper's scheduling.

#include <algorithm>

#include "core/error.h"
#include "neighbors/order/crowd_occupancy.h"
#include "neighbors/search_method.h"
#include "neighbors/tree/lbvh.h"
#if RIFFLE_WITH_CUDA
#include <atomic>

#include "core/text/log_write.h"
#include "neighbors/optix/optix_search.h"
#endif

namespace riffle {

namespace {

/// On the CPU and on CUDA.
class LbvhSearch : public SearchMethod {
 public:
  LbvhSearch(const Device& device, const SearchSettings& settings)
      : settings_(settings), tree_(device, settings.tree_leaf) {}

  void build(const BuildInput& input) override {
    make_grid(input.domain, input.h);  // only to run its checks
    h_ = input.h;
    reordered_ = !try_refit(input);
    if (!reordered_) {
      ++refits_;
      return;
    }
    built_ = false;
    tree_.build(input.positions, input.count, input.domain.dimension, morton_frame(input.domain));
    dimension_ = input.domain.dimension;
    built_ = true;
    ++full_builds_;
  }

  void forget() override { built_ = false; }

  /// The tree without its boxes. On CUDA a tree that is refitted does not make a run repeat.
  KeptBuilds kept() const override {
    if (!built_ || !refits() || !tree_.device().is_cpu()) return {};
    return tree_.kept();
  }

  bool restore(const BuildInput& input, const KeptBuilds& kept, bool /*listed*/) override {
    if (!refits() || !tree_.device().is_cpu()) return false;
    const int dimension = input.domain.dimension;
    built_ = tree_.restore(kept, input.positions, input.count, dimension, morton_frame(input.domain));
    if (!built_) return false;
    h_ = input.h;
    dimension_ = dimension;
    reordered_ = false;
    return true;
  }

  SearchView view() override {
    TreeView view = tree_.view();
    view.build_radius = h_;
    return view;
  }
  const std::uint32_t* order() const override { return reordered_ ? tree_.order() : nullptr; }

  /// By cubes of the Morton curve, the smallest ones with an edge of at least h, for the positions of the last rebuild.
  OccupancyStats occupancy() const override {
    if (!built_) return {};
    return occupancy_of(tree_.crowds(h_), tree_.count());
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
  /// The tree is rebuilt once more than this fraction of the boxes has more than doubled in size.
  static constexpr double kMostGrown = 0.1;

  bool refits() const { return !settings_.deterministic && settings_.tree_rebuild != TreeRebuild::Always; }

  bool try_refit(const BuildInput& input) {
    grown_ = 0;
    if (!built_ || !refits()) return false;
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
  double grown_ = 0;        ///< fraction of boxes, at the last build
  std::int64_t full_builds_ = 0, refits_ = 0;
};

#if RIFFLE_WITH_CUDA
/// OptiX, if the settings name it or the GPU has RT cores, and if the driver provides it. nullptr: lbvh.
std::shared_ptr<OptixContext> optix_for(const Device& device, const SearchSettings& settings, std::string* why_not) {
  if (device.is_cpu() || settings.structure == TreeStructure::Lbvh) return nullptr;
  return OptixContext::of(device, settings.structure == TreeStructure::Optix, why_not);
}
#endif

std::unique_ptr<SearchMethod> make_rtnn_search(const Device& device, const SearchSettings& settings) {
  const bool optix_by_name = settings.structure == TreeStructure::Optix;
  if (optix_by_name && device.is_cpu())
    throw Unavailable(
        "neighbors.structure: optix runs only on an NVIDIA GPU, and this search is on the CPU; allowed there: auto, "
        "lbvh");
#if RIFFLE_WITH_CUDA
  std::string why_not;
  if (auto context = optix_for(device, settings, &why_not))
    return make_optix_search(device, settings, std::move(context));
  static std::atomic<bool> said{false};
  if (optix_by_name && !said.exchange(true))
    log::write(log::Level::Warning, "rtnn searches with lbvh, since OptiX cannot be used: " + why_not);
#endif
  return std::make_unique<LbvhSearch>(device, settings);
}

SearchMemory rtnn_memory(const SearchSettings& settings, const SearchLoad& load) {
#if RIFFLE_WITH_CUDA
  if (optix_for(load.device, settings, nullptr)) return optix_memory(settings, load);
#endif
  return {Lbvh::estimate(load.device, settings.tree_leaf, load.particles)};
}

constexpr MethodOption kOptions[] = {
    {"new tree", [](SearchSettings& s) { s.tree_rebuild = TreeRebuild::Always; }, true},
    {"leaves of one particle", [](SearchSettings& s) { s.tree_leaf = 1; }},
};

}  // namespace

NeighborMethodInfo rtnn_method() {
  return {.method = NeighborMethod::Rtnn,
          .name = "rtnn",
          .summary = "search as ray casting: a tree of boxes in Morton order, no cells (Zhu 2022)",
          .color = "#555555",
          .has_cells = false,
          .options = kOptions,
          .make = make_rtnn_search,
          .memory = rtnn_memory};
}

}  // namespace riffle
