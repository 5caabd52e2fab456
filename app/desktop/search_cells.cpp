#include "app/desktop/search_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "core/memory.h"
#include "neighbors/neighbor_search.h"
#include "sim/solver.h"

namespace riffle {

namespace {

GridOverlay overlay_of(const Grid& grid, bool flat) {
  GridOverlay overlay;
  overlay.origin = grid.origin;
  overlay.cell = flat ? Vec3{grid.cell.x, grid.cell.y, 1} : grid.cell;
  overlay.counts[0] = grid.size.x;
  overlay.counts[1] = grid.size.y;
  overlay.counts[2] = grid.size.z;
  return overlay;
}

/// The boxes of the deepest level of a tree that has at most kMostTreeBoxes of them.
std::vector<BoxView> boxes_of(const TreeView& tree, const Device& device, bool flat) {
  if (tree.leaves == 0) return {};
  std::vector<TreeNode> nodes(2 * static_cast<std::size_t>(tree.leaves) - 1);
  copy_to_host(device, nodes.data(), tree.nodes, nodes.size() * sizeof(TreeNode));
  std::vector<std::uint32_t> level{0};
  for (;;) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t node : level) {
      if (node >= tree.inner_nodes()) {
        next.push_back(node);
        continue;
      }
      const std::uint32_t first = nodes[node].left;
      next.push_back(first);
      next.push_back(nodes[first].rope);
    }
    if (next.size() == level.size() || next.size() > kMostTreeBoxes) break;
    level = std::move(next);
  }
  std::vector<BoxView> boxes;
  for (const std::uint32_t node : level)
    if (nodes[node].low.x <= nodes[node].high.x) boxes.push_back({nodes[node].low, nodes[node].high, flat});
  return boxes;
}

struct DescribeCells {
  const NeighborSearch& search;
  std::string method;
  float h;  ///< [m] support radius
  bool flat;

  SearchCells operator()(const GridView& view) const { return of(view.grid); }
  SearchCells operator()(const ListView& view) const { return of(view.grid.grid); }
  SearchCells operator()(const CsrView& view) const { return of(view.grid.grid); }
  SearchCells operator()(const BucketView& view) const { return of(view.grid); }
  SearchCells operator()(const TileView& view) const {
    return {overlay_of(view.coarse, flat),
            {},
            fmt::format("{}: coarse cells, {}. Each is searched in a fine grid of its own of {} cells.", method,
                        sizes(view.coarse), numbers(view.fine))};
  }
  SearchCells operator()(const TreeView& view) const {
    SearchCells cells{{}, boxes_of(view, search.device(), flat), ""};
    cells.text = fmt::format("{} has no cells but a tree of {} boxes; one level of it is shown.", method,
                             std::max(0, 2 * view.leaves - 1));
    return cells;
  }
  SearchCells operator()(const RayView&) const {
    return {{}, {}, method + " has no cells; the tree that its rays go through is the driver's and cannot be shown."};
  }
  template <class Other>
  SearchCells operator()(const Other&) const {
    return {{}, {}, method + " has no cells."};
  }

  SearchCells of(const Grid& grid) const {
    return {overlay_of(grid, flat), {}, fmt::format("{}: {}.", method, sizes(grid))};
  }
  std::string numbers(const Grid& grid) const {
    return flat ? fmt::format("{} x {}", grid.size.x, grid.size.y)
                : fmt::format("{} x {} x {}", grid.size.x, grid.size.y, grid.size.z);
  }
  std::string sizes(const Grid& grid) const {
    const Vec3 edge = 1 / h * grid.cell;
    return numbers(grid) + (flat ? fmt::format(" of {:.2f} x {:.2f} support radii", edge.x, edge.y)
                                 : fmt::format(" of {:.2f} x {:.2f} x {:.2f} support radii", edge.x, edge.y, edge.z));
  }
};

SearchCells describe(const NeighborSearch& search, const SimulationSetup& setup) {
  return std::visit(DescribeCells{search, std::string(to_string(search.settings().method)), setup.support_radius(),
                                  setup.domain.dimension == 2},
                    search.method_view());
}

}  // namespace

SearchCells cells_of(const Simulation& simulation) {
  const NeighborSearch& in_use = simulation.neighbor_search();
  const SimulationSetup& setup = simulation.setup();
  if (in_use.version() > 0) return describe(in_use, setup);
  try {
    NeighborSearch next(simulation.device(), in_use.settings());
    const ParticleSet& particles = simulation.particles();
    next.build(particles.get<Vec4>("position").data(), particles.count(), setup.domain, search_radius(setup));
    return describe(next, setup);
  } catch (const std::exception& failure) {  // the step will say so
    return {{}, {}, failure.what()};
  }
}

}  // namespace riffle
