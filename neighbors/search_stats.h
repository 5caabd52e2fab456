#pragma once
/// Statistics that a search reports after a build.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace riffle {

/// How the particles are spread over the cells.
struct OccupancyStats {
  std::int64_t cells = 0;
  std::int64_t occupied = 0;
  std::uint32_t max = 0;  ///< particles in the fullest cell
  double mean = 0;        ///< particles per occupied cell
};

/// A count that only some methods have: rounds of the iterative insertion, the border's share, pairs listed ...
struct SearchCount {
  std::string name;
  double value = 0;
};

/// The neighbour lists that traversals read.
enum class ListKind {
  NotYet,    ///< nothing was built, or other particles have come since
  None,      ///< every traversal searches
  Slices,    ///< on CUDA: ListView
  Rows,      ///< one after the other: CsrView
  OfMethod,  ///< the method's own result is a list
};

struct ListStats {
  ListKind kind = ListKind::NotYet;
  int width = 0;                  ///< of slices: entries that there is room for per particle
  std::uint32_t longest = 0;      ///< of slices: most neighbours of a particle
  std::uint32_t overflowing = 0;  ///< of slices: particles with more neighbours than the width, listed elsewhere
  std::uint32_t searching = 0;    ///< of slices: those of them for which no memory was kept; the grid is searched
  std::uint64_t builds = 0;       ///< lists made so far
};

std::string_view name_of(ListKind kind);  ///< "not_yet", "none", "slices", "rows", "method"
/// "136 entries per particle"
std::string describe(const ListStats& lists, std::int64_t particles);

struct SearchStats {
  OccupancyStats occupancy;
  std::vector<SearchCount> counts;

  bool built() const { return occupancy.cells > 0 || !counts.empty(); }
  const SearchCount* find(std::string_view name) const;  ///< nullptr if this method does not count it
};

inline constexpr std::string_view kResorted = "particles re-sorted";  ///< of the last build of `bucket`

/// "317 of 1,000 cells occupied, up to 8 particles in one; full builds 3, re-sorts 120"; "" before the first build
std::string describe(const SearchStats& search);

}  // namespace riffle
