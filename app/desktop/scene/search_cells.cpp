#include "app/desktop/scene/search_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "core/device/memory.h"
#include "neighbors/neighbor_search.h"
#include "sim/simulation.h"
#include "sim/solver.h"

namespace riffle::desktop {

namespace {

render::GridOverlay overlay_of(const Grid& grid, bool flat) {
  render::GridOverlay overlay;
  overlay.origin = grid.origin;
  overlay.cell = flat ? Vec3{grid.cell.x, grid.cell.y, 1} : grid.cell;
  overlay.counts[0] = grid.size.x;
  overlay.counts[1] = grid.size.y;
  overlay.counts[2] = grid.size.z;
  return overlay;
}

/// One node of a tree, copied from its device.
struct ReadNode {
  std::uint32_t index;
  TreeNode node;
};

ReadNode read_node(const TreeView& tree, const Device& device, std::uint32_t index) {
  ReadNode read{index, {}};
  copy_to_host(device, &read.node, tree.nodes + index, sizeof read.node);
  return read;
}

/// The boxes of the deepest level that has at most kMostTreeBoxes of them. Reads only the nodes down to that level: a
/// tree on the device may be large.
std::vector<render::BoxView> boxes_of(const TreeView& tree, const Device& device, bool flat) {
  if (tree.leaves == 0) return {};
  const auto is_inner = [&](const ReadNode& read) { return read.index < tree.inner_nodes(); };
  std::vector<ReadNode> level{read_node(tree, device, 0)};
  for (;;) {
    const auto inner = static_cast<std::size_t>(std::count_if(level.begin(), level.end(), is_inner));
    if (inner == 0 || level.size() + inner > kMostTreeBoxes) break;
    std::vector<ReadNode> next;
    for (const ReadNode& read : level) {
      if (!is_inner(read)) {
        next.push_back(read);
        continue;
      }
      next.push_back(read_node(tree, device, read.node.left));
      next.push_back(read_node(tree, device, next.back().node.rope));
    }
    level = std::move(next);
  }
  std::vector<render::BoxView> boxes;
  for (const auto& [index, node] : level)
    if (node.low.x <= node.high.x) boxes.push_back({node.low, node.high, flat});
  return boxes;
}

std::string numbers(const Grid& grid, bool flat) {
  return flat ? fmt::format("{} x {}", grid.size.x, grid.size.y)
              : fmt::format("{} x {} x {}", grid.size.x, grid.size.y, grid.size.z);
}

/// h: [m] support radius
std::string sizes(const Grid& grid, float h, bool flat) {
  const Vec3 edge = 1 / h * grid.cell;
  return numbers(grid, flat) +
         (flat ? fmt::format(" of {:.2f} x {:.2f} support radii", edge.x, edge.y)
               : fmt::format(" of {:.2f} x {:.2f} x {:.2f} support radii", edge.x, edge.y, edge.z));
}

SearchCells describe(const NeighborSearch& search, const SimulationSetup& setup) {
  const std::string method(to_string(search.settings().method));
  const bool flat = setup.domain.dimension == 2;
  const ShownCells shown = std::visit([](const auto& view) { return view.shown(); }, search.method_view());
  if (shown.tree)
    return {{},
            boxes_of(*shown.tree, search.device(), flat),
            fmt::format("{} has no cells but a tree of {} boxes; one level is shown.", method,
                        std::max(0, 2 * shown.tree->leaves - 1))};
  if (!shown.grid) return {{}, {}, fmt::format("{} has {}.", method, shown.instead)};
  const std::string cells = sizes(*shown.grid, setup.support_radius(), flat);
  return {overlay_of(*shown.grid, flat),
          {},
          shown.fine ? fmt::format("{}: coarse cells, {}. Each is searched in a fine grid of its own of {} cells.",
                                   method, cells, numbers(*shown.fine, flat))
                     : fmt::format("{}: {}.", method, cells)};
}

}  // namespace

SearchCells cells_of(const Simulation& simulation) {
  const NeighborSearch& in_use = simulation.neighbor_search();
  const SimulationSetup& setup = simulation.setup();
  if (in_use.build_radius() > 0) return describe(in_use, setup);
  try {
    NeighborSearch next(simulation.device(), in_use.settings());
    const ParticleSet& particles = simulation.particles();
    next.build(particles.get<Vec4>("position").data(), particles.count(), setup.domain, search_radius(setup));
    return describe(next, setup);
  } catch (const std::exception& failure) {  // the next step reports it
    return {{}, {}, failure.what()};
  }
}

}  // namespace riffle::desktop
