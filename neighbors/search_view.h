#pragma once
/// The data that a traversal reads from a built search: plain structs that kernels take by value.

#include <cstdint>
#include <string_view>
#include <variant>

#include "neighbors/grid/grid.h"
#include "neighbors/separation.h"

namespace riffle {

/// How list_neighbors() treats a view.
enum class PairLists {
  Listed,  ///< on CUDA always, elsewhere if the settings ask for it
  Own,     ///< nothing: the view is a list already
};

struct TreeView;

/// The part of a view that a picture shows: a grid, a tree, or words.
struct ShownCells {
  const Grid* grid = nullptr;
  const Grid* fine = nullptr;  ///< in each of the grid's cells
  const TreeView* tree = nullptr;
  std::string_view instead = {};  ///< the method's words if it has neither: "no cells"
};

// Besides its traversal (neighbors/traverse.cuh) each view declares lists() and shown(). A function that only one view
// has (queries of a TiledView or a RayView, the structure of `rtnn`) stands in that view.

/// Particles sorted by cell: those of cell c are cell_start[c] .. cell_start[c+1]-1.
///
/// With fewer slots than the grid has cells the table is folded: cell c has slot c modulo 2^slot_bits and shares it
/// with the cells of other laps, c / 2^slot_bits. A particle's lap tells to which of these cells it belongs, so that
/// sharing costs only time.
struct GridView {
  Grid grid;
  const std::uint32_t* cell_start = nullptr;  ///< (cells + 1), or (slots + 1) where folded
  /// (cells) 0 where no particle is in reach of any point of the cell; or nullptr
  const std::uint8_t* cell_has_neighbors = nullptr;
  const std::uint32_t* lap = nullptr;  ///< (particles) in the search's order; nullptr: not folded
  int slot_bits = 0;

  PairLists lists() const { return PairLists::Listed; }
  ShownCells shown() const { return {.grid = &grid}; }
};

/// Four entries of a neighbour list.
struct alignas(16) ListQuad {
  std::uint32_t j[4];
};

/// Neighbours listed per particle, four at a time, in slices of 32 particles, so that a warp reads them in order: entry k
/// of particle i is quads[(i / 32 * (width / 4) + k / 4) * 32 + i % 32].j[k % 4]. A particle with count[i] > width has its
/// entries one after the other in the pool; the first word of its first quad says where. If they have no place there, the
/// grid is searched for its neighbours.
struct ListView {
  static constexpr std::uint32_t kNoPlace = 0xffffffffu;
  GridView grid;
  const ListQuad* quads = nullptr;       ///< (quads_of(particles, width))
  const std::uint32_t* count = nullptr;  ///< (particles)
  int width = 0;                         ///< a multiple of 4
  const ListQuad* pool = nullptr;

  RIFFLE_HD static std::int64_t quad(int i, int k, int width) {
    return (std::int64_t{i / 32} * (width / 4) + k / 4) * 32 + i % 32;
  }
  static std::size_t quads_of(int particles, int width) {
    return (static_cast<std::size_t>(particles) + 31) / 32 * 32 * (static_cast<std::size_t>(width) / 4);
  }
  PairLists lists() const { return PairLists::Own; }
  ShownCells shown() const { return grid.shown(); }
};

/// The rows of those queries that may have neighbours. Row r is that of query[r]; below `capacity` it has list r.
struct RowView {
  const std::uint32_t* query = nullptr;  ///< (rows)
  const std::uint32_t* rows = nullptr;   ///< (1) their number
  int capacity = 0;
  int launched = 0;  ///< rows that a launch should have threads for; if there are more, threads take several
  ListView list;     ///< its grid is searched for rows without a list
};

/// Neighbours listed one particle after the other: those of i are neighbor[start[i]] .. neighbor[end[i] - 1].
struct CsrView {
  GridView grid;                            ///< of thrust_pairs, for external queries
  const std::uint64_t* start = nullptr;     ///< (particles)
  const std::uint64_t* end = nullptr;       ///< (particles)
  const std::uint32_t* neighbor = nullptr;  ///< (pairs, rounded up to a multiple of 4), aligned to 16 bytes

  PairLists lists() const { return PairLists::Own; }
  ShownCells shown() const { return grid.shown(); }
};

/// Linked lists: head[c] is the first particle of cell c, next[i] the one after i; kEnd ends a list.
struct BucketView {
  static constexpr std::uint32_t kEnd = 0xffffffffu;
  Grid grid;
  const std::uint32_t* head = nullptr;  ///< (cells)
  const std::uint32_t* next = nullptr;  ///< (particles)

  PairLists lists() const { return PairLists::Listed; }
  ShownCells shown() const { return {.grid = &grid}; }
};

/// A grid in which a tile, or a box of one, sorts its candidates: in coordinates of its own, whose origin is the lower
/// corner less the reach.
struct FineGrid {
  Grid grid;
  Vec3 length{};  ///< period [m] of axes that are periodic in the domain but not in the grid; else 0
  Vec3 lead{};    ///< from the grid's lower corner, reach included, to the tile's or box's [m]; where periodic: 0
};

/// Two levels. Particles are sorted by coarse cell, and within a cell into sections: the inner one and those of the
/// border. One block per coarse cell collects the cell's particles and those within reach in the neighbours' borders,
/// and sorts them into a fine grid of its own.
///
/// Of 27 sections the border is sorted by the faces it touches: section sx + 3 sy + 9 sz of a cell holds the particles
/// near its lower face (s = 0), its upper face (2) or neither (1) on each axis; 13 is the inner one. A neighbour reads
/// those near it. Of 2 sections the first is the border, which every neighbour reads, and the second the inner one.
struct TileView {
  static constexpr int kMostSections = 27;
  Grid coarse;
  const std::uint32_t* section_start = nullptr;  ///< (sections * coarse cells + 1)
  const std::uint8_t* split = nullptr;           ///< (coarse cells) 0: too many particles, all of them are in section 0
  int sections = kMostSections;
  FineGrid fine;

  RIFFLE_HD std::uint32_t first_section(std::uint32_t cell) const {
    return static_cast<std::uint32_t>(sections) * cell;
  }
  RIFFLE_HD int inner_section() const { return sections == kMostSections ? 13 : 1; }
};

/// Some queries of a crowded coarse cell: those in a box of it (neighbors/fenns/tile_boxes.cuh).
struct TilePart {
  static constexpr std::uint16_t kLast = 0x8000;
  std::uint32_t cell = 0;   ///< coarse
  std::uint16_t box = 1;    ///< its number; with kLast the rest of the box's queries belong to this part, however many
  std::uint16_t slice = 0;  ///< the box's queries from kPartQueries * slice on
};

/// The work list of crowded cells. Blocks take the parts in turn.
struct TileParts {
  const TilePart* part = nullptr;
  const std::uint32_t* count = nullptr;  ///< (1) their number
  int blocks = 0;                        ///< that take them; 0: no cell can be crowded
};

/// How a coarse cell is halved: into boxes, which are halved again, down to 2^kLevels.
struct TileHalving {
  static constexpr int kLevels = 12;
  std::uint8_t axis[kLevels] = {};  ///< across which a box of each level is halved
  FineGrid fine[kLevels + 1];       ///< for a box of each level
};

/// External queries by coarse cell: those of cell c are index[start[c]] .. index[start[c+1]-1].
struct QueryBins {
  const std::uint32_t* start = nullptr;  ///< (coarse cells + 1)
  const std::uint32_t* index = nullptr;  ///< (queries)
  TileParts parts;                       ///< of the queries
};

class QueryBinner {
 public:
  /// queries: (count) on the search's device. Asynchronous. The bins are valid until the next call.
  virtual QueryBins bin(const Vec4* queries, int count) = 0;

 protected:
  ~QueryBinner() = default;
};

/// The tiles, and the object that bins external queries.
struct TiledView {
  TileView tiles;
  TileParts parts;  ///< of the particles
  TileHalving halving;
  QueryBinner* binner = nullptr;  ///< never null, and valid as long as the search

  PairLists lists() const { return PairLists::Listed; }
  ShownCells shown() const { return {.grid = &tiles.coarse, .fine = &tiles.fine.grid}; }
};

/// A node of a tree of boxes. A particle below it is in reach of a query only if the box is.
struct alignas(16) TreeNode {
  Vec3 low{};            ///< corners of the box; low > high: no particle with a finite position
  std::uint32_t left{};  ///< first child; the second child is the first one's rope. Unused in a leaf
  Vec3 high{};           ///< upper corner
  std::uint32_t rope{};  ///< the node to visit next when this one is done or out of reach; kEnd: none
};

/// A tree of boxes round the particles, in the order of their Morton codes: leaf k holds particles leaf_size * k ..
/// leaf_size * (k + 1) - 1. Nodes 0 .. leaves-2 are inner ones; the leaves follow them; node 0 is the root.
struct TreeView {
  static constexpr std::uint32_t kEnd = 0xffffffffu;
  const TreeNode* nodes = nullptr;        ///< (2 leaves - 1)
  const std::uint32_t* parent = nullptr;  ///< (2 leaves - 1) of each node; kEnd for the root
  int leaves = 0;
  int leaf_size = 1;
  int particles = 0;
  float build_radius = 0;  ///< since the build, particles may have moved by (build_radius - h of a query) / 2

  RIFFLE_HD std::uint32_t inner_nodes() const { return leaves > 0 ? static_cast<std::uint32_t>(leaves) - 1 : 0; }
  RIFFLE_HD int leaf_begin(std::uint32_t leaf) const { return static_cast<int>(leaf) * leaf_size; }
  RIFFLE_HD int leaf_end(std::uint32_t leaf) const {
    const int begin = leaf_begin(leaf);
    return particles - begin < leaf_size ? particles : begin + leaf_size;
  }
  PairLists lists() const { return PairLists::Listed; }
  ShownCells shown() const { return {.tree = this}; }
  static constexpr std::string_view kStructure = "lbvh";
};

class QueryLister {
 public:
  /// Lists, for each query, the particles that may be within h of it. The rows are exact even if particles have moved
  /// since the build by half of the difference between its radius and h. queries: (count) on the search's device.
  /// Waits. The rows are valid until the next call.
  virtual CsrView list(const Vec4* queries, int count, float h) = 0;

 protected:
  ~QueryLister() = default;
};

/// Neighbours that rays found when the search was built, and the object that casts rays for external queries.
struct RayView {
  CsrView rows;
  QueryLister* lister = nullptr;  ///< never null, and valid as long as the search

  PairLists lists() const { return PairLists::Own; }
  ShownCells shown() const {
    return {.instead = "no cells. The tree that its rays traverse belongs to the driver and cannot be shown"};
  }
  static constexpr std::string_view kStructure = "optix";
};

/// Empty: every pair is a candidate.
struct BruteForceView {
  PairLists lists() const { return PairLists::Listed; }
  ShownCells shown() const { return {.instead = "no cells"}; }
};

using SearchView = std::variant<GridView, ListView, CsrView, BucketView, TiledView, TreeView, RayView, BruteForceView>;

/// The structure in which `rtnn` searches its boxes: "lbvh" or "optix". "" for other views.
inline std::string_view structure_of(const SearchView& view) {
  if (std::holds_alternative<TreeView>(view)) return TreeView::kStructure;
  if (std::holds_alternative<RayView>(view)) return RayView::kStructure;
  return {};
}

}  // namespace riffle
