#pragma once
/// The particles of a grid that stay where they are, in the order of their cells. A build then sorts the other particles only
/// and merges the two, and gets what sorting all of them gives: within a cell the unmoved ones come first. Private to
/// neighbors/.

#include <cstdint>

#include "core/device/workspace.h"
#include "neighbors/grid/grid.h"

namespace riffle {

/// Particles that are sorted by cell.
struct CellOrder {
  std::int64_t count = 0;
  const std::uint32_t* order = nullptr;       ///< (count) position p is particle order[p]'s
  const std::uint32_t* cell = nullptr;        ///< (count) of particle i
  const std::uint32_t* cell_start = nullptr;  ///< (cells + 1)
};

class UnmovedPart {
 public:
  explicit UnmovedPart(const Device& device) : device_(device) {}

  /// Whether it has so many particles of such a grid.
  bool serves(const Domain& domain, const Grid& grid, int count) const;
  void forget() { count_ = 0; }

  /// Copies a build of the unmoved particles alone. near: (cells) its marks of cells with particles near, or nullptr
  void keep(const Domain& domain, const Grid& grid, const CellOrder& order, const std::uint8_t* near);

  /// Writes what a build of all particles has: the unmoved ones, then `moved`.
  /// order: (count of both) out; cell_start: (cells + 1) out; near: (cells) out, or nullptr
  void merge(const CellOrder& moved, std::uint32_t* order, std::uint32_t* cell_start, std::uint8_t* near) const;

  std::size_t table_bytes() const { return cell_start_.bytes() + near_.bytes(); }
  std::size_t bytes() const { return memory_.bytes(); }
  static double estimate(double cells, double count, bool marks);  ///< [bytes]

 private:
  Device device_;
  Domain domain_;
  Grid grid_;
  int count_ = 0;  ///< 0: nothing is kept
  Workspace memory_{device_};
  Buffer<std::uint32_t>& order_ = memory_.make();       ///< (count)
  Buffer<std::uint32_t>& cell_ = memory_.make();        ///< (count) in that order
  Buffer<std::uint32_t>& cell_start_ = memory_.make();  ///< (cells + 1)
  Buffer<std::uint8_t>& near_ = memory_.make();         ///< (cells), or empty
};

}  // namespace riffle
