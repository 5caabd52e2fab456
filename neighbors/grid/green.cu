/// Green 2008, "Particle-based fluid simulation": each particle gets its cell's number as a key; a radix sort by the
/// keys; then the start of each cell's particles in the sorted order.
///
/// With a folded ("hashed") table the key is the cell's number modulo the number of slots, so that memory follows the
/// particles and not the box. Unlike a scrambling hash this keeps the cells of a row adjacent, and rows remain ranges.
/// A particle's lap tells which of a slot's cells it is in, so two cells that share a slot cost only time and never a
/// pair (GridView).

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "core/device/algorithms.h"
#include "core/device/parallel.cuh"
#include "core/error.h"
#include "neighbors/grid/cell_occupancy.cuh"
#include "neighbors/grid/cell_sort.h"
#include "neighbors/grid/cell_table.h"
#include "neighbors/grid/static_neighborhoods.cuh"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

/// Slots of a folded table per particle, before rounding up to a power of two.
constexpr std::int64_t kSlotsPerParticle = 2;
constexpr std::int64_t kLeastSlots = 1024;

int folded_slot_bits(std::int64_t particles) {
  const std::int64_t wanted = std::max(kLeastSlots, kSlotsPerParticle * particles);
  return std::bit_width(static_cast<std::uint64_t>(wanted - 1));
}

/// A table for a box with very many cells of h is folded: small cells then cost nothing.
bool folds_table(const SearchSettings& settings, const Domain& domain, float h, std::int64_t particles) {
  const bool sparse = count_cells(domain, h, cell_size(settings, {1, 1, 1})) > most_dense_cells(particles);
  return settings.table == GridTable::Folded || (settings.table == GridTable::Automatic && sparse);
}

struct FindKeys {
  Grid grid;
  const Vec4* positions;
  std::int64_t slots;  ///< a power of two; 0: dense
  int slot_bits;
  std::uint32_t* key;  ///< (count) out
  std::uint32_t* lap;  ///< (count) out, folded only

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::int64_t c = grid.linear(grid.cell_of(xyz(positions[i])));
    if (slots == 0) {
      key[i] = static_cast<std::uint32_t>(c);
    } else {
      key[i] = static_cast<std::uint32_t>(c & (slots - 1));
      lap[i] = static_cast<std::uint32_t>(c >> slot_bits);
    }
  }
};

class GreenSearch : public SearchMethod {
 public:
  GreenSearch(const Device& device, const SearchSettings& settings) : device_(device), settings_(settings) {}

  void build(const BuildInput& input) override {
    count_ = input.count;
    const auto n = static_cast<std::size_t>(count_);
    choose_table(input);
    key_.resize(n);
    sorted_key_.resize(n);
    if (index_.size() != n) {
      index_.resize(n);
      fill_iota(device_, index_.data(), n);
    }
    order_.resize(n);
    lap_.resize(folded_ ? n : 0);
    sorted_lap_.resize(folded_ ? n : 0);
    const std::int64_t slots = table_size();
    cell_start_.resize(static_cast<std::size_t>(slots) + 1);

    parallel_for(device_, "find keys", count_,
                 FindKeys{grid_, input.positions, folded_ ? slots : 0, slot_bits_, key_.data(), lap_.data()});
    sort_by_cell(device_,
                 {.key = key_.data(),
                  .sorted_key = sorted_key_.data(),
                  .index = index_.data(),
                  .order = order_.data(),
                  .cell_start = cell_start_.data(),
                  .count = count_,
                  .cells = slots,
                  .largest_key = static_cast<std::uint64_t>(slots - 1)},
                 {scratch_, scratch_});
    if (folded_) {
      const GatherArray array{lap_.data(), sorted_lap_.data(), 4};
      gather(device_, order_.data(), n, &array, 1);
    }
    if (marks_neighborhoods()) mark_neighborhoods(device_, grid_view(), has_neighbors_);
  }

  SearchView view() override {
    GridView view = grid_view();
    if (marks_neighborhoods()) view.cell_has_neighbors = has_neighbors_.data();
    return view;
  }

  const std::uint32_t* order() const override { return order_.data(); }

  OccupancyStats occupancy() const override {
    if (cell_start_.empty()) return {};  // never built
    return occupancy_of(device_, cell_start_.data(), table_size(), count_);
  }

  SearchStats stats() const override {
    return {occupancy(), {{"cells of the box", grid_.cell_count()}, {"slots of the table", double(table_size())}}};
  }

  std::size_t memory_bytes() const override { return memory_.bytes(); }

 private:
  bool marks_neighborhoods() const { return settings_.static_sources && !folded_; }
  std::int64_t table_size() const { return folded_ ? std::int64_t{1} << slot_bits_ : grid_.cells(); }

  void choose_table(const BuildInput& input) {
    const CellSize coarse = cell_size(settings_, {1, 1, 1});
    folded_ = folds_table(settings_, input.domain, input.h, count_);
    slot_bits_ = 0;
    if (folded_) {
      slot_bits_ = folded_slot_bits(count_);
      // Short cells save nothing where particles are sparse. A lap has 32 bits: if the box is too large for them, the
      // cells grow and the table does not.
      const double most_cells = std::ldexp(1.0, 32 + slot_bits_);
      for (float scale = 1;; scale *= 1.25f) {
        grid_ = make_grid(input.domain, input.h, {scale * coarse.ratio, coarse.count});
        if (grid_.cell_count() <= most_cells) break;
        if (coarse.count.x > 0 || coarse.count.y > 0 || coarse.count.z > 0)
          throw InputError("green: " + std::to_string(grid_.size.x) + " x " + std::to_string(grid_.size.y) + " x " +
                           std::to_string(grid_.size.z) +
                           " cells were asked for (neighbors.cell), a folded table for " + std::to_string(count_) +
                           " particles tells at most 2^" + std::to_string(32 + slot_bits_) + " apart");
      }
    } else {
      grid_ = make_table_grid(device_, settings_, fastest_cells(settings_, input.h), input);
      sparse_note_.tell("green", settings_, input.domain, input.h, input.count, grid_.cell_count());
      require_cell_table(device_, grid_, sizeof(std::uint32_t) + (settings_.static_sources ? 1 : 0),
                         cell_start_.bytes());
    }
  }

  GridView grid_view() const {
    return {.grid = grid_,
            .cell_start = cell_start_.data(),
            .cell_has_neighbors = nullptr,
            .lap = folded_ ? sorted_lap_.data() : nullptr,
            .slot_bits = slot_bits_};
  }

  Device device_;
  SearchSettings settings_;
  Grid grid_;
  SparseBoxNote sparse_note_;
  bool folded_ = false;
  int slot_bits_ = 0;
  int count_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& key_ = memory_.make();           ///< (count) by input index
  Buffer<std::uint32_t>& sorted_key_ = memory_.make();    ///< (count) by sorted index
  Buffer<std::uint32_t>& index_ = memory_.make();         ///< (count) 0, 1, 2, ...
  Buffer<std::uint32_t>& order_ = memory_.make();         ///< (count) by sorted index
  Buffer<std::uint32_t>& lap_ = memory_.make();           ///< (count) by input index; folded only
  Buffer<std::uint32_t>& sorted_lap_ = memory_.make();    ///< (count) by sorted index; folded only
  Buffer<std::uint32_t>& cell_start_ = memory_.make();    ///< (cells or slots, + 1)
  Buffer<std::uint8_t>& has_neighbors_ = memory_.make();  ///< (cells) of static sources
  ScratchMemory& scratch_ = memory_.make();
};

SearchMemory green_memory(const SearchSettings& settings, const SearchLoad& load) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  const double n = double(load.particles);
  const double sorted = 4 * word * n + sort_memory(load.device, load.particles);  // key, sorted key, index, order
  if (folds_table(settings, load.domain, load.h, load.particles))
    return {sorted + 2 * word * n + word * std::ldexp(1.0, folded_slot_bits(load.particles))};  // laps; cell starts
  const double per_cell = word + (settings.static_sources ? sizeof(std::uint8_t) : 0);
  return {sorted + per_cell * count_table_cells(settings, fastest_cells(settings, load.h), load)};
}

constexpr MethodOption kGreenOptions[] = {
    {"dense table", [](SearchSettings& s) { s.table = GridTable::Dense; }},
    {"folded table", [](SearchSettings& s) { s.table = GridTable::Folded; }},
};

}  // namespace

NeighborMethodInfo green_method() {
  return {.method = NeighborMethod::Green,
          .name = "green",
          .summary = "uniform grid by cell keys and a radix sort; its table may be hashed (Green 2008)",
          .color = "#2ca02c",
          .options = kGreenOptions,
          .make = make_search<GreenSearch>,
          .memory = green_memory};
}

}  // namespace riffle
