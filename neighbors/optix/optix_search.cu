/// Zhu 2022, section 3.1, in its original form: a box of half-width h round each particle, in a tree that the driver
/// builds and walks, with RT cores if the GPU has them; a very short ray from each query; and the sphere test for each
/// box that contains its origin. A ray costs more than reading an entry, and a step visits the same pairs more than
/// once. So a build lists the pairs: rays that count, a scan, rays that write. It waits for the device once, for the
/// number of pairs; what forbids the count is found out on the device and read with it. A build whose refit turns out to
/// be of no use searches in a tree of our own (refit_or_rebuild.h), and OptiX's tree is freed for it.
///
/// Queries are in the order of the Morton curve, so that adjacent rays take the same path: the paper's scheduling.

#include "neighbors/optix/optix_search.h"

#include <algorithm>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "core/text/log_write.h"
#include "neighbors/optix/optix_rows.h"
#include "neighbors/optix/refit_or_rebuild.h"
#include "neighbors/order/crowd_occupancy.h"

namespace riffle {

namespace {

struct PutBoxes {
  const Vec4* positions;
  RayFrame frame;
  RayBox* box;

  RIFFLE_HD void operator()(std::int64_t i) const { box[i] = ray_box(xyz(positions[i]), frame); }
};

/// Counts the particles that have left their places of the last rebuild, as the tree's boxes see it: a particle that
/// has crossed a periodic face is now at the other end of the tree.
struct CountMoved {
  const Vec4 *now, *then;
  RayFrame frame;
  float limit;

  RIFFLE_HD static int identity() { return 0; }
  RIFFLE_HD static int combine(int a, int b) { return a + b; }
  RIFFLE_HD int operator()(std::int64_t i) const {
    const Vec3 a = xyz(now[i]), b = xyz(then[i]);
    if (!is_finite(a) || !is_finite(b)) return is_finite(a) != is_finite(b) ? 1 : 0;
    const Vec3 d = ray_point(a, frame).at - ray_point(b, frame).at;
    return fabsf(d.x) <= limit && fabsf(d.y) <= limit && fabsf(d.z) <= limit ? 0 : 1;
  }
};

bool same_frame(const RayFrame& a, const RayFrame& b) {
  return a.wrap.length == b.wrap.length && a.low == b.low && a.high == b.high && a.h == b.h;
}

/// [bytes] per particle of the driver's tree of boxes and of its memory while it is built, as measured on an H200.
constexpr std::size_t kDriverTree = 160;

bool refits(const SearchSettings& settings) {
  return !settings.deterministic && settings.tree_rebuild != TreeRebuild::Always;
}

class OptixSearch : public SearchMethod, private QueryLister {
 public:
  OptixSearch(const Device& device, const SearchSettings& settings, std::shared_ptr<OptixContext> optix,
              std::function<std::unique_ptr<SearchMethod>()> make_own_tree)
      : device_(device),
        settings_(settings),
        optix_(std::move(optix)),
        make_own_tree_(std::move(make_own_tree)),
        sorted_(device),
        rows_(device),
        query_rows_(device) {}

  void build(const BuildInput& input) override {
    make_grid(input.domain, input.h);  // only to run its checks
    if (input.count > optix::kMostBoxes)
      throw Unavailable("OptiX holds " + std::to_string(optix::kMostBoxes) + " boxes, and there are " +
                        std::to_string(input.count) + " particles; use neighbors.structure: lbvh");
    const RayFrame frame = ray_frame(input.domain, input.h);
    const bool follows = may_refit(input, frame);
    count_ = input.count;
    frame_ = frame;
    moved_ = 0;
    own_tree_.reset();  // only one of the two trees is there, so that the estimate counts OptiX's alone
    builds_.build(
        follows, [&](bool refit) { return list_pairs(input, refit); }, [&] { return build_own_tree(input); });
  }

  void forget() override { builds_.forget(); }

  SearchView view() override {
    if (builds_.by_own_tree()) return own_tree_->view();
    return RayView{rows_.view(), this};
  }
  const std::uint32_t* order() const override {
    if (builds_.by_own_tree()) return own_tree_->order();
    return reordered_ ? sorted_.order() : nullptr;
  }

  CsrView list(const Vec4* queries, int count, float h) override {
    // The boxes are of the build's positions: a particle that is within h now may have been this far away then.
    const double reach = (double{h} + std::max(h, frame_.h)) / 2 * (1 + 1e-5);
    const float reach2 = std::max(static_cast<float>(reach * reach), h * h);
    query_rows_.begin();
    query_rows_.trace(*optix_, launch(queries, reach2, false), count, settings_.deterministic, 0);
    return query_rows_.view();
  }

  /// For the particles as they were at the last rebuild.
  OccupancyStats occupancy() const override {
    if (builds_.by_own_tree()) return own_tree_->occupancy();
    return builds_.has_tree() ? occupancy_of(sorted_.crowds(frame_.h), count_) : OccupancyStats{};
  }

  SearchStats stats() const override {
    return {occupancy(),
            {{"boxes", double(count_)},
             {"full builds", double(builds_.rebuilds())},
             {"refits", double(builds_.refits())},
             {"refits refused", double(builds_.refused())},
             {"boxes moved on", moved_},
             {"pairs listed", double(rows_.pairs())}}};
  }

  std::size_t memory_bytes() const override {
    return memory_.bytes() + sorted_.memory_bytes() + rows_.memory_bytes() + query_rows_.memory_bytes() +
           (own_tree_ ? own_tree_->memory_bytes() : 0);
  }

 private:
  /// The tree is rebuilt once more than the fraction kMostMoved of the particles has moved by more than kFar times h.
  static constexpr float kMostMoved = 0.1f, kFar = 0.5f;

  bool may_refit(const BuildInput& input, const RayFrame& frame) const {
    return builds_.has_tree() && refits(settings_) && input.count == count_ && count_ > 0 && same_frame(frame, frame_);
  }

  /// Lists the pairs by a tree that is refitted or rebuilt. Waits once, whether or not it succeeds.
  /// @return false: too many particles have moved for a tree that is only refitted; nothing was listed
  bool list_pairs(const BuildInput& input, bool refit) {
    reordered_ = !refit;
    rows_.begin();
    if (refit) {
      count_moved(input.positions);
      take_as_they_are(input.positions);
    } else {
      sort(input);
      sorted_.estimate_pairs(points_.data(), frame_.h, pair_partial_, &rows_.sums()->crowd);
    }
    put_boxes();
    const int most = refit ? static_cast<int>(kMostMoved * static_cast<float>(count_)) : 0;
    const OptixSums sums =
        rows_.trace(*optix_, launch(points_.data(), input.h * input.h, true), count_, settings_.deterministic, most);
    if (refit) moved_ = double(sums.moved) / count_;
    return sums.moved <= most;
  }

  /// Waits for nothing: the device has nothing to do while OptiX's tree is freed. It is larger, and the next build is a
  /// full one. @return false: there is no memory for ours
  bool build_own_tree(const BuildInput& input) {
    build_scratch_.release();
    tree_memory_.release();
    tree_ = 0;  // a ray meets nothing in it
    try {
      own_tree_ = make_own_tree_();
      own_tree_->build(input);
    } catch (const Unavailable&) {
      own_tree_.reset();
      return false;
    }
    if (builds_.refused() == 1)
      log::write(
          log::Level::Info,
          "rtnn by OptiX: too many particles have moved too far for a refit; such a build takes our own tree, and "
          "the next one is a full build");
    return true;
  }

  void count_moved(const Vec4* positions) {
    moved_partial_.resize(reduction_blocks(count_));
    reduce_into(device_, "count moved", count_, CountMoved{positions, reference_.data(), frame_, kFar * frame_.h},
                moved_partial_, &rows_.sums()->moved);
  }

  void sort(const BuildInput& input) {
    const auto n = static_cast<std::size_t>(count_);
    sorted_.sort(input.positions, count_, input.domain.dimension, morton_frame(input.domain));
    points_.resize(n);
    const GatherArray array{input.positions, points_.data(), sizeof(Vec4)};
    gather(device_, sorted_.order(), n, &array, 1);
    if (!refits(settings_)) return;
    reference_.resize(n);
    copy_on_device(device_, reference_.data(), points_.data(), n * sizeof(Vec4));
  }

  void take_as_they_are(const Vec4* positions) {
    copy_on_device(device_, points_.data(), positions, points_.size() * sizeof(Vec4));
  }

  void put_boxes() {
    tree_ = 0;  // a ray meets nothing in it
    if (count_ == 0) return;
    box_.resize(static_cast<std::size_t>(count_));
    parallel_for(device_, "boxes for rays", count_, PutBoxes{points_.data(), frame_, box_.data()});
    if (reordered_) {
      const optix::BufferSizes sizes = optix_->sizes(box_.data(), count_);
      build_scratch_.resize(std::max(sizes.scratch, sizes.update_scratch));
      tree_memory_.resize(sizes.output);
    }
    tree_ = optix_->build(device_, box_.data(), count_, !reordered_, build_scratch_, tree_memory_);
  }

  OptixLaunch launch(const Vec4* queries, float h2, bool self) const {
    return {.sources = points_.data(),
            .queries = queries,
            .boxes = tree_,
            .start = nullptr,
            .neighbor = nullptr,
            .sums = nullptr,
            .most_pairs = 0,
            .frame = frame_,
            .h2 = h2,
            .most_moved = 0,
            .source_count = count_,
            .stride = 1,
            .self = self};
  }

  Device device_;
  SearchSettings settings_;
  std::shared_ptr<OptixContext> optix_;
  RayFrame frame_;
  int count_ = 0;
  RefitOrRebuild builds_;
  bool reordered_ = false;  ///< by the last build in OptiX's tree
  double moved_ = 0;        ///< fraction of particles, at the last build
  std::function<std::unique_ptr<SearchMethod>()> make_own_tree_;
  std::unique_ptr<SearchMethod> own_tree_;  ///< nullptr unless the last build's refit was refused
  MortonOrder sorted_;
  Workspace memory_{device_};
  Buffer<Vec4>& points_ = memory_.make();     ///< (count) in order, as they were at the last build
  Buffer<Vec4>& reference_ = memory_.make();  ///< (count) as they were at the last rebuild
  Buffer<RayBox>& box_ = memory_.make();      ///< (count)
  Buffer<std::byte>& build_scratch_ = memory_.make();
  Buffer<std::byte>& tree_memory_ = memory_.make();
  Buffer<int>& moved_partial_ = memory_.make();    ///< of a reduction
  Buffer<double>& pair_partial_ = memory_.make();  ///< of a reduction
  optix::Traversable tree_ = 0;
  OptixRows rows_, query_rows_;  ///< of the particles; of external queries
};

}  // namespace

SearchMemory optix_memory(const SearchSettings& settings, const SearchLoad& load) {
  const std::size_t positions = (refits(settings) ? 2 : 1) * sizeof(Vec4);  // at this build and at the last rebuild
  const double per_particle = double(positions + sizeof(RayBox) + kDriverTree);
  return {MortonOrder::estimate(load.device, load.particles) + OptixRows::estimate(load) +
              per_particle * double(load.particles),
          PairLists::Own};
}

std::unique_ptr<SearchMethod> make_optix_search(const Device& device, const SearchSettings& settings,
                                                std::shared_ptr<OptixContext> optix,
                                                std::function<std::unique_ptr<SearchMethod>()> make_own_tree) {
  return std::make_unique<OptixSearch>(device, settings, std::move(optix), std::move(make_own_tree));
}

}  // namespace riffle
