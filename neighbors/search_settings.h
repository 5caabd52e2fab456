#pragma once
/// The settings of a neighbour search: those that a user chooses, and those that the program adds.

#include <cstddef>
#include <string>
#include <string_view>

#include "core/math/vec.h"
#include "core/text/words.h"
#include "neighbors/method.h"

namespace riffle {

/// Whether `green` keeps a slot for every cell of the box.
enum class GridTable {
  Automatic,  ///< dense while there are at most a few cells per particle, else folded
  Dense,
  Folded,  ///< memory proportional to the particles, however large the box
};
inline constexpr Word<GridTable> kGridTableWords[] = {
    {GridTable::Automatic, "automatic"}, {GridTable::Dense, "dense"}, {GridTable::Folded, "hashed"}};
constexpr std::span<const Word<GridTable>> words_of(GridTable) { return kGridTableWords; }

/// How `bucket` puts particles into its lists.
enum class BucketInsertion {
  Atomic,     ///< one exchange per particle
  Iterative,  ///< the paper's: each particle writes its cell's head, the winner is in, the others retry
};
inline constexpr Word<BucketInsertion> kInsertionWords[] = {{BucketInsertion::Atomic, "atomic"},
                                                            {BucketInsertion::Iterative, "iterative"}};
constexpr std::span<const Word<BucketInsertion>> words_of(BucketInsertion) { return kInsertionWords; }

/// When `bucket` computes a new order of its particles. A build between two orders is a re-sort: only particles that
/// changed cell change lists; nothing else moves. Values other than Automatic are for measurements. A deterministic
/// search computes an order at every build.
enum class BucketRebuild {
  Automatic,  ///< once more than a quarter of the particles changed cell since the last order
  Always,     ///< at every build: no re-sorts
  Never,      ///< order() is nullptr: lists of the particles in their given order, from the first build on
};

/// When `rtnn` rebuilds its tree. Otherwise build() only refits the boxes: they follow the particles, which keep their
/// order. Values other than Automatic are for measurements. A deterministic search always rebuilds.
enum class TreeRebuild {
  Automatic,  ///< once boxes have grown much
  Always,     ///< at every build
};

/// The structure in which `rtnn` searches its boxes.
enum class TreeStructure {
  Automatic,  ///< the faster one where the GPU has OptiX and the search is not deterministic, else Lbvh
  Lbvh,       ///< this program's own tree (neighbors/tree/lbvh.h)
  Optix,      ///< the driver's OptiX, only on CUDA; Unavailable if it is missing
};
inline constexpr Word<TreeStructure> kStructureWords[] = {
    {TreeStructure::Automatic, "auto"}, {TreeStructure::Lbvh, "lbvh"}, {TreeStructure::Optix, "optix"}};
constexpr std::span<const Word<TreeStructure>> words_of(TreeStructure) { return kStructureWords; }

/// Into how many sections `fenns` sorts the particles of a coarse cell.
enum class TileSections {
  TwentySeven,  ///< by the faces of the cell that are near
  Two,          ///< the paper's: border and inner section
};
inline constexpr Word<TileSections> kSectionWords[] = {{TileSections::TwentySeven, "27"}, {TileSections::Two, "2"}};
constexpr std::span<const Word<TileSections>> words_of(TileSections) { return kSectionWords; }

/// The settings that a user chooses. A setting of one method is kept while another method is chosen.
struct MethodSettings {
  NeighborMethod method = NeighborMethod::Hoetzlein;
  float skin = 0;        ///< Verlet list: the search is built for h + skin * h and kept while that is exact; 0: none
  float cell_ratio = 0;  ///< least edge of a cell in support radii, 0.25 to 4; 0: the method's own choice
  Int3 cell_count{};     ///< cells per axis, if given directly; 0: by cell_ratio
  GridTable table = GridTable::Automatic;               ///< of `green`
  BucketInsertion insertion = BucketInsertion::Atomic;  ///< of `bucket`
  TreeStructure structure = TreeStructure::Automatic;   ///< of `rtnn`
  TileSections sections = TileSections::TwentySeven;    ///< of `fenns`

  friend bool operator==(const MethodSettings&, const MethodSettings&) = default;
};

/// The settings from which a NeighborSearch is made.
struct SearchSettings : MethodSettings {
  bool deterministic = false;   ///< the order of particles within a cell does not depend on the timing of threads
  bool static_sources = false;  ///< rarely built, for external queries: also marks the cells with nothing near
  bool list_always = false;     ///< list_neighbors() makes lists for any method and device
  BucketRebuild bucket_rebuild = BucketRebuild::Automatic;
  TreeRebuild tree_rebuild = TreeRebuild::Automatic;  ///< of `rtnn`
  int tree_leaf = 0;  ///< particles per leaf of `rtnn` by a tree, 1 to 256; 0: the fastest on the device
  /// [bytes] for `thrust_pairs`: memory that a search may allocate beside the pair list and keeps until the next build.
  /// Its particles and cells come first. A chunk of candidates gets the rest, or a quarter if that is more.
  std::size_t pair_memory = std::size_t{256} << 20;
  float spacing = 0;  ///< [m] distance of neighbouring particles in a dense fluid; 0: not known
};

/// The one spelling of a search: "hoetzlein", "rtnn by OptiX", "hoetzlein with skin 0.1".
std::string search_name(std::string_view method, bool by_optix, float skin = 0);
std::string search_name(NeighborMethod method, TreeStructure structure, float skin = 0);

}  // namespace riffle
