/// Rozen, Boryczko and Alda 2008, "GPU bucket sort algorithm with applications to nearest-neighbour search": particles
/// in linked lists, one per cell. A build scatters to the heads of the lists (section 2); later builds alter the lists
/// only where particles changed cell (section 2.2).
///
/// A full build puts the particles in the order of their lists, so that a list is a run of consecutive particles. A
/// build after it is a re-sort: particles that changed cell leave their lists and enter others; nothing else is
/// written, and the order stays. Once more than a quarter of the particles has changed cell (counted on the device,
/// read late), the next build computes a new order.
///
/// The paper scans lists when particles leave. Here each particle that stays skips the leaving particles behind it, so
/// that no thread walks a long list. If more than 512 leave in a row, the list is taken apart and inserted again. On
/// the CPU, lists are kept in ascending order, so that a run is reproducible. A deterministic search builds from a
/// stable sort and never re-sorts.

#include <bit>
#include <vector>

#include "core/device/parallel.cuh"
#include "neighbors/bucket/bucket_insertion.h"
#include "neighbors/bucket/bucket_order.h"
#include "neighbors/bucket/bucket_resort.h"
#include "neighbors/grid/cell_occupancy.cuh"
#include "neighbors/grid/cell_table.h"
#include "neighbors/lists/late_count.h"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

struct FindCells {
  Grid grid;
  const Vec4* positions;
  std::uint32_t* cell;

  RIFFLE_HD void operator()(std::int64_t i) const { cell[i] = grid.index(grid.cell_of(xyz(positions[i]))); }
};

/// Whether a particle that has not moved is in the same numbered cell of both grids.
bool same_cells(const Grid& a, const Grid& b) {
  return a.origin == b.origin && a.inverse_cell == b.inverse_cell && a.size.x == b.size.x && a.size.y == b.size.y &&
         a.size.z == b.size.z && a.periodic_x == b.periodic_x && a.periodic_y == b.periodic_y &&
         a.periodic_z == b.periodic_z;
}

bool gives_orders(const SearchSettings& settings) {
  return settings.deterministic || settings.bucket_rebuild != BucketRebuild::Never;
}
bool resorts_lists(const SearchSettings& settings) {
  return !settings.deterministic && settings.bucket_rebuild != BucketRebuild::Always;
}

/// The tables that have an entry per cell.
struct CellTables {
  bool start, state, gained;

  CellTables(const SearchSettings& settings, const Device& device)
      : start(gives_orders(settings) && !settings.deterministic),
        state(resorts_lists(settings)),
        gained(resorts_lists(settings) && device.is_cpu()) {}

  std::size_t bytes_per_cell() const {  // a head in any case
    return sizeof(std::uint32_t) * (start ? 2 : 1) + sizeof(std::uint8_t) * ((state ? 1 : 0) + (gained ? 1 : 0));
  }
};

class BucketSearch : public SearchMethod {
 public:
  BucketSearch(const Device& device, const SearchSettings& settings)
      : device_(device), settings_(settings), inserter_(device, settings.insertion), moved_(device) {}

  void build(const BuildInput& input) override {
    const Grid grid = make_grid(input.domain, input.h, cube_size(settings_, input.domain, input.h, input.count));
    const bool again = listed_ && input.count == count_ && same_cells(grid, grid_) && !wants_full_build();
    listed_ = false;  // if this throws, the lists cannot be trusted
    grid_ = grid;
    count_ = input.count;
    sparse_note_.tell("bucket", settings_, input.domain, input.h, input.count, grid_.cell_count());
    if (again)
      resort(input.positions);
    else
      build_anew(input.positions);
    listed_ = true;
  }

  void forget() override { listed_ = false; }

  /// The cell of every particle, and how many have changed cell since the last order. On CUDA the order within lists
  /// depends on the timing of threads.
  KeptBuilds kept() const override {
    if (!listed_ || !resorts() || !device_.is_cpu()) return {};
    const std::vector<ResortCounts> counts = resort_counts_.to_host();
    return {cell_.to_host(), {double(counts[0].since_order)}};
  }

  bool restore(const BuildInput& input, const KeptBuilds& kept, bool listed) override {
    const auto n = static_cast<std::size_t>(input.count);
    if (!resorts() || !device_.is_cpu() || kept.words.size() != n || kept.numbers.size() != 1) return false;
    if (!(kept.numbers[0] >= 0 && kept.numbers[0] < 0x1p32)) return false;
    const Grid grid = make_grid(input.domain, input.h, cube_size(settings_, input.domain, input.h, input.count));
    // Cells of a state may be those of another grid: of another version, which numbered them otherwise.
    for (std::size_t i = 0; i < n; ++i)
      if (kept.words[i] >= grid.cells() ||
          (listed && kept.words[i] != grid.index(grid.cell_of(xyz(input.positions[i])))))
        return false;
    grid_ = grid;
    count_ = input.count;
    make_empty_lists();
    cell_.assign(kept.words);
    for (std::size_t i = n; i-- > 0;) {
      next_.data()[i] = head_.data()[kept.words[i]];
      head_.data()[kept.words[i]] = static_cast<std::uint32_t>(i);
    }
    const auto moved = static_cast<std::uint32_t>(kept.numbers[0]);
    resort_counts_.assign(std::vector<ResortCounts>{{moved, moved, 0}});
    if (orders()) {
      order_.resize(n);
      sorted_cell_.resize(n);
      moved_.request(&resort_counts_.data()->since_order);
    }
    reordered_ = false;
    listed_ = true;
    return true;
  }

  SearchView view() override { return BucketView{grid_, head_.data(), next_.data()}; }
  const std::uint32_t* order() const override { return reordered_ ? order_.data() : nullptr; }

  OccupancyStats occupancy() const override {
    if (!listed_) return {};
    const auto cells = static_cast<std::size_t>(grid_.cells());
    Buffer<std::uint32_t> start(device_, cells + 1);
    ScratchMemory scratch(device_);
    start.fill_zero();
    count_cells(device_, cell_.data(), count_, start.data());
    exclusive_scan(device_, start.data(), start.data(), cells + 1, scratch);
    return occupancy_of(device_, start.data(), grid_.cells(), count_);
  }

  SearchStats stats() const override {
    SearchStats stats{occupancy(), {}};
    const std::uint32_t moved = resort_counts_.empty() ? 0 : resort_counts_.to_host()[0].last;
    if (settings_.insertion == BucketInsertion::Iterative) {
      stats.counts.emplace_back("insertion rounds", double(inserter_.rounds()));
      stats.counts.emplace_back("inserted atomically after 64 rounds", double(inserter_.handed_over()));
    }
    stats.counts.emplace_back(std::string(kResorted), double(moved));
    stats.counts.emplace_back("full builds", double(full_builds_));
    stats.counts.emplace_back("re-sorts", double(resorts_));
    return stats;
  }

  std::size_t memory_bytes() const override { return memory_.bytes() + inserter_.memory_bytes(); }

 private:
  bool orders() const { return gives_orders(settings_); }
  bool resorts() const { return resorts_lists(settings_); }

  bool wants_full_build() {
    if (!resorts()) return true;
    return orders() && std::uint64_t{moved_.latest()} * 4 > static_cast<std::uint64_t>(count_);
  }

  std::size_t cell_table_bytes() const {
    return head_.bytes() + start_.bytes() + list_state_.bytes() + gained_.bytes();
  }

  /// Resizes all tables with an entry per cell at once: a re-sort allocates nothing.
  void resize_cell_tables() {
    const CellTables tables(settings_, device_);
    require_cell_table(device_, grid_, tables.bytes_per_cell(), cell_table_bytes());
    const auto cells = static_cast<std::size_t>(grid_.cells());
    head_.resize(cells);
    if (tables.start) start_.resize(cells + 1);
    if (tables.state) list_state_.resize(cells);
    if (tables.gained) gained_.resize(cells);
  }

  BucketLists lists() { return {head_.data(), next_.data(), cell_.data(), count_, grid_.cells()}; }

  void make_empty_lists() {
    resize_cell_tables();
    const auto n = static_cast<std::size_t>(count_);
    next_.resize(n);
    cell_.resize(n);
    resort_counts_.resize(1);
    resort_counts_.fill_zero();
    moved_.forget();
    fill_bytes(device_, head_.data(), 0xff, head_.size() * sizeof(std::uint32_t));
  }

  void build_anew(const Vec4* positions) {
    make_empty_lists();
    if (settings_.deterministic)
      order_by_stable_sort(positions);
    else
      insert_and_order(positions);
    reordered_ = orders();
    ++full_builds_;
  }

  void insert_and_order(const Vec4* positions) {
    inserter_.insert_all(grid_, positions, lists());
    if (!orders()) {
      if (device_.is_cpu()) sort_lists(lists(), nullptr, nullptr);
      return;
    }
    order_.resize(static_cast<std::size_t>(count_));
    sorted_cell_.resize(static_cast<std::size_t>(count_));
    long_lists_.resize(1);
    long_lists_.fill_zero();
    order_by_lists(device_, lists(), start_.data(), order_.data(), sorted_cell_.data(), long_lists_.data(), scratch_);
    cell_.swap(sorted_cell_);
    renumber_lists(device_, lists());
  }

  void order_by_stable_sort(const Vec4* positions) {
    const auto n = static_cast<std::size_t>(count_);
    order_.resize(n);
    sorted_cell_.resize(n);
    index_.resize(n);
    fill_iota(device_, index_.data(), n);
    parallel_for(device_, "find cells", count_, FindCells{grid_, positions, cell_.data()});
    const int bits = std::bit_width(static_cast<std::uint64_t>(grid_.cells() - 1));
    sort_pairs(device_, cell_.data(), sorted_cell_.data(), index_.data(), order_.data(), n, bits, scratch_);
    cell_.swap(sorted_cell_);
    renumber_lists(device_, lists());
  }

  void resort(const Vec4* positions) {
    ResortCounts* counts = resort_counts_.data();
    unlink_moved(device_, grid_, positions, lists(), list_state_.data(), gained_.data(), counts);
    inserter_.insert_pending(lists(), list_state_.data(), &counts->last);
    if (device_.is_cpu()) sort_lists(lists(), list_state_.data(), gained_.data());
    if (orders()) moved_.request(&counts->since_order);
    reordered_ = false;
    ++resorts_;
  }

  Device device_;
  SearchSettings settings_;
  BucketInserter inserter_;
  LateCount moved_;  ///< particles that changed cell since the last order
  Grid grid_;
  SparseBoxNote sparse_note_;
  int count_ = 0;
  bool listed_ = false;     ///< the lists match grid_ and count_
  bool reordered_ = false;  ///< by the last build
  std::int64_t full_builds_ = 0, resorts_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& head_ = memory_.make();          ///< (cells)
  Buffer<std::uint32_t>& start_ = memory_.make();         ///< (cells + 1)
  Buffer<std::uint8_t>& list_state_ = memory_.make();     ///< (cells)
  Buffer<std::uint8_t>& gained_ = memory_.make();         ///< (cells) on the CPU
  Buffer<std::uint32_t>& next_ = memory_.make();          ///< (count) by the caller's index since the last build
  Buffer<std::uint32_t>& cell_ = memory_.make();          ///< (count) the same
  Buffer<std::uint32_t>& sorted_cell_ = memory_.make();   ///< (count) working memory of full builds
  Buffer<std::uint32_t>& order_ = memory_.make();         ///< (count)
  Buffer<std::uint32_t>& index_ = memory_.make();         ///< (count) 0, 1, 2, ...; deterministic builds
  Buffer<ResortCounts>& resort_counts_ = memory_.make();  ///< (1)
  Buffer<std::uint32_t>& long_lists_ = memory_.make();    ///< (1) whether there are long lists
  ScratchMemory& scratch_ = memory_.make();
};

SearchMemory bucket_memory(const SearchSettings& settings, const SearchLoad& load) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  const double n = double(load.particles);
  double bytes = 2 * word * n;                                                               // next, cell
  if (gives_orders(settings)) bytes += 2 * word * n;                                         // order, sorted cell
  if (settings.deterministic) bytes += word * n + sort_memory(load.device, load.particles);  // index
  const double per_cell = double(CellTables(settings, load.device).bytes_per_cell());
  return {bytes +
          per_cell * count_cells(load.domain, load.h, cube_size(settings, load.domain, load.h, load.particles))};
}

constexpr MethodOption kBucketOptions[] = {
    {"iterative", [](SearchSettings& s) { s.insertion = BucketInsertion::Iterative; }, true},
    {"no order", [](SearchSettings& s) { s.bucket_rebuild = BucketRebuild::Never; }},
    {"no order, iterative",
     [](SearchSettings& s) {
       s.bucket_rebuild = BucketRebuild::Never;
       s.insertion = BucketInsertion::Iterative;
     }},
};

}  // namespace

NeighborMethodInfo bucket_method() {
  return {
      .method = NeighborMethod::Bucket,
      .name = "bucket",
      .summary =
          "linked lists per cell; only particles that changed cell are sorted again (Rozen, Boryczko and Alda 2008)",
      .color = "#ff7f0e",
      .options = kBucketOptions,
      .make = make_search<BucketSearch>,
      .memory = bucket_memory};
}

}  // namespace riffle
