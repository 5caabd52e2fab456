/// The explicit pair list of the article "Fixed-Radius Neighbour Search Using Thrust", after Green 2010: sort the
/// particles by cell; for each particle write the candidates in the lower half of its surroundings, with flags for
/// those within h; keep the flagged ones. What differs here, and why:
/// - The article's arrays hold all candidates at once, some six times the pairs. Here they are worked on in chunks of
///   SearchSettings::pair_memory, and each chunk's half pairs go into the rows of both their particles, so that a
///   traversal has all neighbours of a particle together and nothing is summed with atomics.
/// - The article takes the grid's extents from the least and largest coordinates. Here the grid is the domain's box, as
///   for every method: one particle that has flown far away would make the cells of all others coarse or countless.
///   Particles outside the box are found because cells are clamped.
/// - The article writes i and j of a candidate that is a neighbour. Here i is not written: it follows from the counts.
///
/// The host waits twice per build, since the sizes of arrays depend on data: for the number of candidates, which
/// decides whether the list is possible at all, and for the number of pairs together with the boundaries of all chunks.

#include <algorithm>
#include <string>

#include "core/device/algorithms.h"
#include "core/error.h"
#include "core/text/number_text.h"
#include "neighbors/grid/cell_occupancy.cuh"
#include "neighbors/grid/cell_sort.h"
#include "neighbors/grid/cell_table.h"
#include "neighbors/lists/pair_kernels.cuh"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

/// Grows to n elements, and by an eighth more if it has grown before: the numbers of pairs and candidates change a
/// little with every build, and each allocation stops a GPU. Never grows beyond `most`.
template <class T>
void grow(Buffer<T>& buffer, std::uint64_t n, std::uint64_t most) {
  const bool grown_before = !buffer.empty();
  if (buffer.bytes() / sizeof(T) >= n) return;
  buffer.resize(static_cast<std::size_t>(grown_before ? std::max(n, std::min(n + n / 8, most)) : n));
}

/// [bytes] of working arrays per candidate: j, j of a pair, the flag, and a spare byte for the compaction.
constexpr std::uint64_t kBytesPerCandidate = 10;

/// Memory for a chunk: the rest of the budget, but at least a quarter of it, so that no chunk is tiny.
std::size_t chunk_memory(std::size_t budget, std::size_t taken) {
  return std::max(budget / 4, budget > taken ? budget - taken : 0);
}

/// A block keeps the ranges of its particles' candidates in shared memory: with cells that are divided across, there are
/// too many of them.
Vec3 finest_cells(const SearchSettings& settings) { return settings.static_sources ? Vec3{1, 1, 1} : kLongRows; }

class ThrustPairsSearch : public SearchMethod {
 public:
  ThrustPairsSearch(const Device& device, const SearchSettings& settings) : device_(device), settings_(settings) {}

  void build(const BuildInput& input) override {
    const Grid grid = make_table_grid(device_, settings_, finest_cells(settings_), input);
    sparse_note_.tell("thrust_pairs", settings_, input.domain, input.h, input.count, grid.cell_count());
    require_cell_table(device_, grid, sizeof(std::uint32_t), cell_start_.bytes());
    grid_ = grid;
    count_ = input.count;
    candidates_ = pairs_ = 0;
    chunk_begin_.clear();
    resize_for_particles();
    sort_particles(input.positions);
    query_ = {sorted_data(), sorted_data(), count_, input.h * input.h, periodic_wrap(input.domain), true};
    if (count_ > 0) list_pairs();
    peak_bytes_ = std::max(peak_bytes_, memory_bytes());
  }

  SearchView view() override {
    return CsrView{.grid = grid_view(), .start = start_.data(), .end = start_.data() + 1, .neighbor = neighbor_.data()};
  }

  const std::uint32_t* order() const override { return order_.data(); }

  OccupancyStats occupancy() const override {
    if (cell_start_.empty()) return {};  // never built
    return occupancy_of(device_, cell_start_.data(), grid_.cells(), count_);
  }

  SearchStats stats() const override {
    return {occupancy(),
            {{"candidates", static_cast<double>(candidates_)},
             {"half pairs", static_cast<double>(pairs_ / 2)},
             {"pairs listed", static_cast<double>(pairs_)},
             {"chunks", static_cast<double>(chunk_begin_.size())},
             {"peak bytes", static_cast<double>(peak_bytes_)}}};
  }

  std::size_t memory_bytes() const override { return memory_.bytes(); }

 private:
  static constexpr std::uint64_t kMostChunk = std::uint64_t{1} << 30;  ///< [candidates] numbered in 32 bits, signed
  static constexpr std::uint64_t kLeastChunk = 64;                     ///< however little memory is allowed
  static constexpr std::int64_t kSamples = 65536;

  GridView grid_view() const { return {.grid = grid_, .cell_start = cell_start_.data()}; }
  const Vec4* sorted_data() const { return reinterpret_cast<const Vec4*>(sorted_.data()); }

  /// Memory of the particles that is needed only during a build.
  std::size_t particle_bytes() const {
    return sorted_.bytes() + candidate_start_.bytes() + half_start_.bytes() + cursor_.bytes() + scratch_.bytes();
  }
  std::size_t chunk_bytes() const {
    return chunk_memory_.bytes() + selected_count_.bytes() + before_.bytes() + chunk_first_.bytes();
  }

  void resize_for_particles() {
    const auto n = static_cast<std::size_t>(count_);
    order_.resize(n);
    cell_start_.resize(static_cast<std::size_t>(grid_.cells()) + 1);
    start_.resize(n + 1);
    sorted_.resize(n * sizeof(Vec4));
    candidate_start_.resize(n + 1);
    half_start_.resize(n + 1);
    cursor_.resize(n);
    const std::size_t budget = settings_.pair_memory, taken = particle_bytes() + order_.bytes() + cell_start_.bytes();
    const std::size_t bytes = chunk_memory(budget, taken);
    chunk_candidates_ = std::clamp<std::uint64_t>(bytes / kBytesPerCandidate, kLeastChunk, kMostChunk);
    const std::size_t sort_bytes = 10 * n;  // and a little: keys and values once more
    if (chunk_memory_.bytes() > std::max(bytes, sort_bytes)) chunk_memory_.release();  // sized for fewer particles
    peak_bytes_ = memory_bytes();
  }

  /// Fills order_, cell_start_ and the sorted positions.
  void sort_particles(const Vec4* positions) {
    const auto n = static_cast<std::size_t>(count_);
    // Uses three of the four words that a sorted position will take.
    auto* key = reinterpret_cast<std::uint32_t*>(sorted_.data());
    std::uint32_t *index = key + n, *sorted_key = index + n;
    parallel_for(device_, "cell keys", count_, FindCellKeys{grid_, positions, key, index});
    sort_by_cell(device_,
                 {.key = key,
                  .sorted_key = sorted_key,
                  .index = index,
                  .order = order_.data(),
                  .cell_start = cell_start_.data(),
                  .count = count_,
                  .cells = grid_.cells(),
                  .largest_key = static_cast<std::uint64_t>(grid_.cells())},
                 {chunk_memory_, scratch_});
    const GatherArray array{positions, sorted_.data(), sizeof(Vec4)};
    gather(device_, order_.data(), n, &array, 1);
  }

  void list_pairs() {
    const auto n = static_cast<std::size_t>(count_);
    parallel_for(device_, "count candidates", std::int64_t{count_} + 1,
                 CountCandidates{grid_view(), sorted_data(), count_, candidate_start_.data()});
    exclusive_scan(device_, candidate_start_.data(), candidate_start_.data(), n + 1, scratch_);
    copy_to_host(device_, &candidates_, candidate_start_.data() + n, sizeof candidates_);
    require_feasible();

    cursor_.fill_zero();
    test_candidates("count pairs", 0, count_ - 1, 0, candidates_, CountPairs{half_start_.data(), cursor_.data()});
    parallel_for(device_, "measure rows", std::int64_t{count_} + 1,
                 MeasureRows{count_, half_start_.data(), cursor_.data(), start_.data()});
    exclusive_scan(device_, start_.data(), start_.data(), n + 1, scratch_);
    exclusive_scan(device_, half_start_.data(), half_start_.data(), n + 1, scratch_);

    const auto chunks = static_cast<std::size_t>((candidates_ + chunk_candidates_ - 1) / chunk_candidates_);
    chunk_first_.resize(chunks + 1);
    parallel_for(device_, "find chunks", static_cast<std::int64_t>(chunks) + 1,
                 FindChunks{candidate_start_.data(), start_.data(), count_, chunk_candidates_,
                            static_cast<std::int64_t>(chunks), chunk_first_.data()});
    chunk_begin_ = chunk_first_.to_host();
    pairs_ = chunk_begin_.back();
    chunk_begin_.pop_back();
    if (pairs_ == 0) return;
    allocate_list();
    before_.fill_zero();
    for (std::size_t c = 0; c < chunks; ++c) add_chunk(c);
    if (settings_.deterministic || device_.is_cpu())
      parallel_for(device_, "sort rows", count_, SortUpperHalves{start_.data(), half_start_.data(), neighbor_.data()});
  }

  void allocate_list() {
    const std::uint64_t chunk_bytes_needed = std::min(chunk_candidates_, candidates_) * kBytesPerCandidate;
    // A multiple of four entries, because a traversal reads four at once.
    const std::uint64_t entries = (pairs_ + 3) / 4 * 4;
    if (entries * sizeof(std::uint32_t) > neighbor_.bytes()) {
      const double bytes = double(entries) * sizeof(std::uint32_t) + double(chunk_bytes_needed);
      const std::size_t free = free_memory(device_) + neighbor_.bytes() + chunk_bytes();
      if (bytes > double(free)) refuse("", double(pairs_), bytes, free);
      grow(neighbor_, entries, free / 2 / sizeof(std::uint32_t) / 4 * 4);
      neighbor_.fill_zero();  // a traversal's batch may reach past the last row
    }
    const std::size_t held = chunk_memory_.bytes();
    grow(chunk_memory_, chunk_bytes_needed, chunk_candidates_ * kBytesPerCandidate);
    // Candidates that are no pairs are never written, but the compaction reads them.
    if (chunk_memory_.bytes() != held) chunk_memory_.fill_zero();
    selected_count_.resize(1);
    before_.resize(chunk_begin_.size() + 1);
  }

  /// Threads that share the candidates or pairs of one particle: 2^lane_bits on a GPU.
  int lane_bits() const { return device_.is_cuda() ? 3 : 0; }

  template <class Work>
  void test_candidates(const char* name, std::int64_t first, std::int64_t last, std::uint64_t begin, std::uint64_t end,
                       const Work& work) {
    using Kernel = TestCandidates<Work>;
    parallel_blocks<Kernel::kBlock>(
        device_, name, static_cast<int>((last - first) / Kernel::kBlock + 1),
        Kernel{grid_view(), query_, candidate_start_.data(), first, last, begin, end, 1 << lane_bits(), work});
  }

  void add_chunk(std::size_t c) {
    const std::uint64_t begin = c * chunk_candidates_, end = std::min(candidates_, begin + chunk_candidates_);
    const auto candidates = static_cast<std::size_t>(end - begin);
    auto* candidate = reinterpret_cast<std::uint32_t*>(chunk_memory_.data());
    auto* selected = candidate + candidates;  // at most all candidates are pairs
    auto* flag = reinterpret_cast<std::uint8_t*>(selected + candidates);
    // The next chunk's first particle may have candidates in this one.
    const auto first = static_cast<std::int64_t>(chunk_begin_[c]);
    const auto last = c + 1 < chunk_begin_.size() ? static_cast<std::int64_t>(chunk_begin_[c + 1]) : count_ - 1;
    test_candidates("pair candidates", first, last, begin, end, WriteCandidates{candidate, flag});
    select_flagged(device_, candidate, flag, selected, selected_count_.data(), candidates, scratch_);
    parallel_for(device_, "scatter pairs", (last - first + 1) << lane_bits(),
                 ScatterPairs{selected, selected_count_.data(), before_.data() + c, half_start_.data(), start_.data(),
                              cursor_.data(), neighbor_.data(), first, lane_bits()});
  }

  /// Ten million particles at one point have 10^14 pairs. Counting them would take hours, and refusing them must not:
  /// if even the candidates would not fit a list, a sample estimates how many of them are pairs. This test refuses only
  /// what is far from possible; the exact number decides later.
  void require_feasible() {
    if (candidates_ <= feasible_candidates_) return;
    const std::size_t free = free_memory(device_) + neighbor_.bytes() + chunk_bytes();
    constexpr double bytes_per_half_pair = 2 * sizeof(std::uint32_t);
    if (double(candidates_) * bytes_per_half_pair > double(free) && candidates_ >= std::uint64_t{kSamples}) {
      const auto found = reduce<std::int64_t>(
          device_, "sample candidates", kSamples,
          SampleCandidates{grid_view(), query_, candidate_start_.data(), candidates_ / std::uint64_t{kSamples}});
      const double half_pairs = double(candidates_) * double(found) / double(kSamples);
      constexpr std::int64_t significant = 64;  // found in the sample, accurate to an eighth
      if (found >= significant && half_pairs * bytes_per_half_pair > 2 * double(free))
        refuse("about ", 2 * half_pairs, half_pairs * bytes_per_half_pair, free);
    }
    feasible_candidates_ = candidates_ + candidates_ / 8;
  }

  [[noreturn]] void refuse(const char* about, double pairs, double bytes, std::size_t free) const {
    const auto number = [](double value) { return std::to_string(static_cast<unsigned long long>(value)); };
    throw Unavailable("thrust_pairs lists every pair: " + (about + number(pairs)) + " pairs of " +
                      std::to_string(count_) + " particles take " + about + bytes_text(bytes) + ", " +
                      bytes_text(static_cast<double>(free)) + " are free on the " +
                      std::string(to_string(device_.kind)) +
                      "; use a smaller support radius, or a method that keeps no list: hoetzlein, green, bucket");
  }

  Device device_;
  SearchSettings settings_;
  Grid grid_;
  SparseBoxNote sparse_note_;
  NeighborQuery query_;
  int count_ = 0;
  std::uint64_t candidates_ = 0;            ///< of the lower halves
  std::uint64_t feasible_candidates_ = 0;   ///< up to this many are known to be no reason to refuse
  std::uint64_t pairs_ = 0;                 ///< directed
  std::uint64_t chunk_candidates_ = 0;      ///< largest number in a chunk
  std::size_t peak_bytes_ = 0;              ///< of the last build
  std::vector<std::uint64_t> chunk_begin_;  ///< (chunks) first particle
  Workspace memory_{device_};
  Buffer<std::uint32_t>& order_ = memory_.make();            ///< (count)
  Buffer<std::uint32_t>& cell_start_ = memory_.make();       ///< (cells + 1)
  Buffer<std::uint64_t>& start_ = memory_.make();            ///< (count + 1)
  Buffer<std::uint32_t>& neighbor_ = memory_.make();         ///< (pairs, and up to three more)
  Buffer<std::byte>& sorted_ = memory_.make();               ///< (count) positions in order; keys before that
  Buffer<std::uint64_t>& candidate_start_ = memory_.make();  ///< (count + 1)
  Buffer<std::uint32_t>& half_start_ = memory_.make();       ///< (count + 1) modulo 2^32
  Buffer<std::uint32_t>& cursor_ = memory_.make();           ///< (count)
  /// For one chunk after the other: candidates' j, pairs' j and flags; before that, the sort's scratch memory.
  ScratchMemory& chunk_memory_ = memory_.make();
  Buffer<std::uint32_t>& selected_count_ = memory_.make();  ///< (1)
  Buffer<std::uint32_t>& before_ = memory_.make();       ///< (chunks + 1) half pairs of the chunks before, modulo 2^32
  Buffer<std::uint64_t>& chunk_first_ = memory_.make();  ///< (chunks + 1)
  ScratchMemory& scratch_ = memory_.make();
};

/// Mean volume of the cells that a ball of radius h reaches, in volumes of the ball (Steiner's formula).
double cells_per_ball(const SearchSettings& settings, const SearchLoad& load) {
  const CellSize size =
      table_cell_size(load.device, settings, finest_cells(settings), load.domain, load.h, load.particles);
  double edge[3] = {0, 0, 0};  // [h]
  for (int a = 0; a < load.domain.dimension; ++a) {
    const double extent = double{component(load.domain.extent(), a)} / load.h;
    edge[a] = size.count.x > 0 ? extent / component(size.count, a) : std::min(double{component(size.ratio, a)}, extent);
  }
  const auto [x, y, z] = edge;
  if (load.domain.dimension == 2) return (x * y + 2 * (x + y) + 3.14) / 3.14;
  return (x * y * z + 2 * (x * y + y * z + z * x) + 3.14 * (x + y + z) + 4.19) / 4.19;
}

SearchMemory thrust_pairs_memory(const SearchSettings& settings, const SearchLoad& load) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  const double n = double(load.particles), table = word * count_table_cells(settings, finest_cells(settings), load);
  // Order, half start, cursor; 64-bit start and first candidate; the sorted position.
  const double particles = (3 * word + 2 * sizeof(std::uint64_t) + sizeof(Vec4)) * n;
  const double list = word * load.neighbors * n;
  const double candidates = cells_per_ball(settings, load) / 2 * load.neighbors * n;  // each pair is tested once
  const auto taken = static_cast<std::size_t>(std::min(particles + table, 1e18));
  const double chunk = std::min(candidates * kBytesPerCandidate, double(chunk_memory(settings.pair_memory, taken)));
  return {particles + table + list + std::max(chunk, sort_memory(load.device, load.particles)), PairLists::Own};
}

constexpr MethodOption kPairOptions[] = {
    {"chunks of 1 MiB", [](SearchSettings& s) { s.pair_memory = std::size_t{1} << 20; }},
};

}  // namespace

NeighborMethodInfo thrust_pairs_method() {
  return {.method = NeighborMethod::ThrustPairs,
          .name = "thrust_pairs",
          .summary = "explicit pair list by candidates, flags and compaction, in chunks of bounded memory",
          .color = "#9467bd",
          .options = kPairOptions,
          .make = make_search<ThrustPairsSearch>,
          .memory = thrust_pairs_memory};
}

}  // namespace riffle
