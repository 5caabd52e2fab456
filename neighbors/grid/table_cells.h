#pragma once
/// How large the cells of a method's table are. Private to neighbors/.

#include <cstdint>
#include <string_view>

#include "core/device/device.h"
#include "core/math/domain.h"
#include "core/math/vec.h"
#include "neighbors/grid/grid.h"
#include "neighbors/search_settings.h"

namespace riffle {

/// The cell size from the settings, or else the method's own choice of edges in support radii.
CellSize cell_size(const SearchSettings& settings, Vec3 own_choice);

/// With more cells than this, a table with an entry per cell takes longer to fill and to read than it saves.
inline double most_dense_cells(std::int64_t particles) { return 16.0 * double(particles) + 1e6; }

/// The fastest cells of a table in a dense fluid on CUDA, as edges in support radii. They are short along x: rows then
/// end close to where the ball ends, and a row's many cells are still one range. With many neighbours they are divided
/// across too, so that rows leave out more of the ball's corners; with few, reading more rows costs more than that saves
/// (measured with 28 to 166 neighbours in 3-D). Walls are read by scattered queries, for which two parts are enough.
Vec3 fastest_cells(const SearchSettings& settings, float h);
inline constexpr Vec3 kLongRows{0.25f, 1, 1};  ///< those for few neighbours

/// Edge of cubic cells [support radii] at which building a table and searching it take least together; 1 or more. The
/// cells of a box that is nearly empty grow until there are a few per particle. Those of a dense fluid in a large box
/// grow much later: each query reads more candidates in larger cells. How dense the fluid is follows from
/// SearchSettings::spacing. Where that is not known, it is taken as two particles per h along each axis: in clusters the
/// density may be anything, and small cells that are not needed cost less than large ones that are crowded. A table is
/// also limited to the cells that can be numbered.
float table_cell_edge(const SearchSettings& settings, const Domain& domain, float h, std::int64_t particles);

/// Cell size of a method with a table of cells: by the settings, or else `finest` [support radii] on CUDA, while the box
/// has few enough of those cells, or else table_cell_edge(). The CPU tests eight candidates at a time and is faster with
/// long rows.
CellSize table_cell_size(const Device& device, const SearchSettings& settings, Vec3 finest, const Domain& domain,
                         float h, std::int64_t particles);

/// Cell size of a method that has no use for cells shorter than h.
CellSize cube_size(const SearchSettings& settings, const Domain& domain, float h, std::int64_t particles);

/// Says once in the log that a method's cells are larger than the support radius because the box is nearly empty.
class SparseBoxNote {
 public:
  void tell(std::string_view method, const SearchSettings& settings, const Domain& domain, float h,
            std::int64_t particles, double cells);

 private:
  bool told_ = false;
};

}  // namespace riffle
