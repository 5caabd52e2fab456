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
#include "neighbors/audit/measure_search.h"
#include "neighbors/optix/optix_search.h"
#include "neighbors/tree/automatic_tree.h"
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
/// By OptiX, with a tree that is always rebuilt where a refit is refused: its builds wait for nothing.
std::unique_ptr<SearchMethod> make_with_optix(const Device& device, const SearchSettings& settings,
                                              std::shared_ptr<OptixContext> optix) {
  SearchSettings rebuilt = settings;
  rebuilt.tree_rebuild = TreeRebuild::Always;
  return make_optix_search(device, settings, std::move(optix),
                           [device, rebuilt] { return std::make_unique<LbvhSearch>(device, rebuilt); });
}

void say_once(std::atomic<bool>& said, const std::string& line) {
  if (!said.exchange(true)) log::write(log::Level::Info, line);
}

/// [ms] of a build and a search, as in a run: the particles lie as the last build left them.
double time_tree(const Device& device, SearchSettings settings, TreeStructure structure, const BuildInput& input) {
  settings.structure = structure;
  settings.skin = 0;  // the radius includes it
  SearchMeasureInput measure;
  measure.cloud = {input.positions, input.count, input.domain, input.h};
  measure.previous = input.positions;
  measure.in_previous_order = measure.rebuild = true;
  measure.lists = true;
  measure.warm_up = 1;
  measure.runs = AutomaticTree::kRuns;
  return measure_search(device, settings, measure).total.median;
}

/// On a GPU: the structure that the settings leave to the program.
std::unique_ptr<SearchMethod> make_automatic(const Device& device, const SearchSettings& settings) {
  static std::atomic<bool> said_missing{false}, said_deterministic{false};
  if (settings.static_sources) return std::make_unique<LbvhSearch>(device, settings);  // built too seldom to measure
  // The order in which neighbours are added would depend on a measured time.
  if (settings.deterministic) {
    say_once(said_deterministic, "rtnn searches with lbvh: a deterministic run takes nothing that was chosen by time");
    return std::make_unique<LbvhSearch>(device, settings);
  }
  std::string why_not;
  const auto optix = OptixContext::of(device, false, &why_not);
  if (!optix) {
    say_once(said_missing, "rtnn searches with lbvh: OptiX cannot be used: " + why_not);
    return std::make_unique<LbvhSearch>(device, settings);
  }
  return std::make_unique<AutomaticTree>(AutomaticTree::Parts{
      .make = [device, settings, optix](TreeStructure structure) -> std::unique_ptr<SearchMethod> {
        if (structure == TreeStructure::Optix) return make_with_optix(device, settings, optix);
        return std::make_unique<LbvhSearch>(device, settings);
      },
      .measure = [device, settings](TreeStructure structure,
                                    const BuildInput& input) { return time_tree(device, settings, structure, input); },
      .say = [](const std::string& line) { log::write(log::Level::Info, line); }});
}
#endif

std::unique_ptr<SearchMethod> make_by_optix(const Device& device, [[maybe_unused]] const SearchSettings& settings) {
  if (device.is_cpu())
    throw Unavailable(
        "neighbors.structure: optix runs only on an NVIDIA GPU, and this search is on the CPU; allowed there: auto, "
        "lbvh");
#if RIFFLE_WITH_CUDA
  std::string why_not;
  if (auto context = OptixContext::of(device, true, &why_not))
    return make_with_optix(device, settings, std::move(context));
  throw Unavailable("neighbors.structure: optix cannot be used: " + why_not + "; allowed there: auto, lbvh");
#else
  throw Unavailable("neighbors.structure: optix is in no build without CUDA; allowed there: auto, lbvh");
#endif
}

std::unique_ptr<SearchMethod> make_rtnn_search(const Device& device, const SearchSettings& settings) {
  if (settings.structure == TreeStructure::Optix) return make_by_optix(device, settings);
#if RIFFLE_WITH_CUDA
  if (device.is_cuda() && settings.structure == TreeStructure::Automatic) return make_automatic(device, settings);
#endif
  return std::make_unique<LbvhSearch>(device, settings);
}

/// Of `auto`: the structure with the least memory, as measuring takes only what fits.
SearchMemory rtnn_memory(const SearchSettings& settings, const SearchLoad& load) {
#if RIFFLE_WITH_CUDA
  if (load.device.is_cuda() && settings.structure == TreeStructure::Optix) return optix_memory(settings, load);
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
