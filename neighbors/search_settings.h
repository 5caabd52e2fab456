#pragma once
/// How a neighbour search is set: what a user chooses, and what the program adds.

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
  Iterative,  ///< the paper's: every particle writes its cell's head, the winner is in, the others try again
};
inline constexpr Word<BucketInsertion> kInsertionWords[] = {{BucketInsertion::Atomic, "atomic"},
                                                            {BucketInsertion::Iterative, "iterative"}};
constexpr std::span<const Word<BucketInsertion>> words_of(BucketInsertion) { return kInsertionWords; }

/// When `bucket` gives its particles a new order. A build between two orders is a re-sort: particles that changed cell
/// change lists, and nothing else moves. Values other than Automatic are for measurements. A deterministic search always
/// orders.
enum class BucketRebuild {
  Automatic,  ///< once more than a quarter of the particles changed cell since the last order
  Always,     ///< at every build: no re-sorts
  Never,      ///< order() is nullptr: lists of the particles as they stand, from the first build on
};

/// When `rtnn` rebuilds its tree. Otherwise build() only refits the boxes: they follow the particles, which keep their
/// order. Values other than Automatic are for measurements. A deterministic search always rebuilds.
enum class TreeRebuild {
  Automatic,  ///< once boxes have grown much
  Always,     ///< at every build
};

/// What `rtnn` searches its boxes with.
enum class TreeStructure {
  Automatic,  ///< OptiX where the GPU has RT cores, else Lbvh
  Lbvh,       ///< this program's own tree (neighbors/tree/lbvh.h)
  Optix,      ///< the driver's OptiX, on CUDA only; where it is missing the log says why, and Lbvh takes its place
};
inline constexpr Word<TreeStructure> kStructureWords[] = {
    {TreeStructure::Automatic, "auto"}, {TreeStructure::Lbvh, "lbvh"}, {TreeStructure::Optix, "optix"}};
constexpr std::span<const Word<TreeStructure>> words_of(TreeStructure) { return kStructureWords; }

/// What a user chooses. A setting that belongs to one method is kept for when that method is chosen.
struct MethodSettings {
  NeighborMethod method = NeighborMethod::Hoetzlein;
  float skin = 0;        ///< Verlet list: the search is built for h + skin * h and kept while that is exact; 0: none
  float cell_ratio = 0;  ///< least edge of a cell in support radii, 0.25 to 4; 0: the method's own choice
  Int3 cell_count{};     ///< cells per axis, if given outright; 0: by cell_ratio
  GridTable table = GridTable::Automatic;               ///< of `green`
  BucketInsertion insertion = BucketInsertion::Atomic;  ///< of `bucket`
  TreeStructure structure = TreeStructure::Automatic;   ///< of `rtnn`

  friend bool operator==(const MethodSettings&, const MethodSettings&) = default;
};

/// What a NeighborSearch is made from.
struct SearchSettings : MethodSettings {
  bool deterministic = false;       ///< the order of particles within a cell does not depend on the timing of threads
  bool static_sources = false;      ///< built once and queried from elsewhere: also marks the cells with nothing near
  bool track_displacement = false;  ///< keeps a copy of the positions for displacement_exceeds()
  bool list_always = false;         ///< list_neighbors() lists whatever the method and the device
  BucketRebuild bucket_rebuild = BucketRebuild::Automatic;
  TreeRebuild tree_rebuild = TreeRebuild::Automatic;  ///< of `rtnn`
  int tree_leaf = 0;  ///< particles per leaf of `rtnn` by a tree, 1 to 256; 0: the fastest on the device
  /// [bytes] of `thrust_pairs`: what a search may allocate beside the list of pairs, and keeps until the next build. Its
  /// particles and cells come first. A chunk of candidates gets the rest, or a quarter if that is more.
  std::size_t pair_memory = std::size_t{256} << 20;
};

/// The one spelling of a search: "hoetzlein", "rtnn by OptiX", "hoetzlein with skin 0.1".
std::string search_name(std::string_view method, bool by_optix, float skin = 0);
std::string search_name(NeighborMethod method, TreeStructure structure, float skin = 0);

}  // namespace riffle
