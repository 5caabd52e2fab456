#include "sim/fluid_surface/fluid_surface.h"

#include <cmath>
#include <limits>

#include "core/device/memory.h"
#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "sim/fluid_surface/block_set.h"
#include "sim/fluid_surface/cell_cases.h"
#include "sim/fluid_surface/field_kernels.cuh"
#include "sim/fluid_surface/mesh_kernels.cuh"
#include "sim/fluid_surface/surface_limits.h"

namespace riffle {

using namespace fluid_surface;

struct FluidSurface::Impl {
  Impl(const Device& d, const Domain& box, float s) : device(d), domain(box), spacing(s) {
    require_three_dimensions(domain);
    cases.assign(std::span<const CellCases>(&cell_cases(), 1));
  }

  Device device;
  Domain domain;
  float spacing;
  SurfaceReport report;
  Workspace memory{device};
  KeySorter sorter{device};
  BlockSet occupied{device}, blocks{device};
  Buffer<CellCases>& cases = memory.make();
  Buffer<std::uint32_t>& images = memory.make();
  Buffer<Vec4>& unsorted = memory.make();
  Buffer<std::uint64_t>& unsorted_keys = memory.make();
  Buffer<Vec4>& points = memory.make();
  Buffer<std::uint64_t>& keys = memory.make();
  Buffer<Vec4>& shapes = memory.make();
  Buffer<float>& coordinates = memory.make();
  Buffer<PointRun>& runs = memory.make();
  Buffer<float>& values = memory.make();
  Buffer<std::uint8_t>& signs = memory.make();
  Buffer<std::uint32_t>& marked = memory.make();
  Buffer<std::uint32_t>& places = memory.make();
  Buffer<std::uint32_t>& list = memory.make();
  Buffer<std::uint32_t>& around = memory.make();
  Buffer<std::uint8_t>& cells = memory.make();
  Buffer<std::uint32_t>& first_vertex = memory.make();
  Buffer<std::uint32_t>& first_triangle = memory.make();
  Buffer<Vec3>& vertices = memory.make();
  Buffer<Vec3>& normals = memory.make();
  Buffer<Triangle>& triangles = memory.make();
  ScratchMemory& scratch = memory.make();

  /// Nodes lie half a cell beside the box's lower faces, so that a wall runs between two of them.
  SurfaceGrid grid() const {
    const float cell = kCell * spacing;
    return {domain.min - 0.5f * Vec3{cell, cell, cell}, cell};
  }

  ChosenParticles chosen(const Vec4* position, const std::uint32_t* fluid, int which) const {
    ChosenParticles c{position,
                      which == kAllFluids ? nullptr : fluid,
                      static_cast<std::uint32_t>(which),
                      grid(),
                      kFarthest * (1 / (kSideCells * kCell)),
                      domain.min,
                      domain.max,
                      {0, 0, 0}};
    // The nodes beside a face are within a cell of it; their kernels follow from the neighbours.
    const float reach = (kMostWidth + kSpreadReach + kCell) * spacing;
    c.low = domain.min - Vec3{reach, reach, reach};
    c.high = domain.max + Vec3{reach, reach, reach};
    c.period = {domain.periodic(0) ? domain.extent().x : 0, domain.periodic(1) ? domain.extent().y : 0,
                domain.periodic(2) ? domain.extent().z : 0};
    return c;
  }

  /// @throws Unavailable before anything is allocated that does not fit
  void require(double bytes, const char* what, double count) const { require_bytes(device, bytes, what, count); }

  /// What an array takes beyond the `bytes` that it has now and gives back first.
  static double grown(std::size_t bytes, double needed) { return needed > double(bytes) ? needed - double(bytes) : 0; }

  void find(const Vec4* position, const std::uint32_t* fluid, int count, int which, const SurfaceView& solids) {
    report = {};
    const ChosenParticles choice = chosen(position, fluid, which);
    const auto extent = reduce<SurfaceExtent>(device, "extent of a surface", count, FindExtent{choice});
    report.particles = extent.used;
    report.non_finite = extent.non_finite;
    report.too_far = extent.too_far;
    if (extent.copies == 0) return;
    require_at_most(std::uint64_t{1} << 31, "particles and periodic images", extent.copies);
    BlockBox box;
    constexpr int kMargin = 2;  // neighbours of neighbours
    box.low = {extent.low[0] - kMargin, extent.low[1] - kMargin, extent.low[2] - kMargin};
    const auto size = [&](int a) {
      return static_cast<std::uint64_t>(extent.high[a] - extent.low[a] + 2 * kMargin + 1);
    };
    box.nx = size(0), box.ny = size(1), box.nz = size(2);
    sort_points(choice, box, count, extent.copies);
    find_ellipsoids(box);
    fill_blocks(box, solids);
    list_surface_blocks(box);
    make_mesh(box);
  }

  void sort_points(const ChosenParticles& choice, const BlockBox& box, int count, std::uint64_t copies) {
    const auto n = static_cast<std::size_t>(copies), all = static_cast<std::size_t>(count);
    const double per_point =
        3 * sizeof(float) + 4 * sizeof(Vec4) + 2 * sizeof(std::uint64_t) + 8 * sizeof(std::uint32_t);
    require(grown(points.bytes(), n * double(sizeof(Vec4))) / sizeof(Vec4) * per_point, "particles", double(n));
    images.resize(all);
    unsorted.resize(n), unsorted_keys.resize(n), points.resize(n), keys.resize(n);
    parallel_for(device, "count images", count, CountImages{choice, images.data()});
    exclusive_scan(device, images.data(), images.data(), all, scratch);
    parallel_for(device, "write images", count,
                 WriteImages{choice, box, images.data(), unsorted.data(), unsorted_keys.data()});
    const std::uint32_t* const order = sorter.sort(unsorted_keys.data(), n, box.count());
    parallel_for(device, "sort surface points", static_cast<std::int64_t>(n),
                 SortPoints{order, unsorted.data(), unsorted_keys.data(), points.data(), keys.data()});
  }

  void find_runs(const BlockSet& of, const BlockBox& box) {
    const std::size_t n = std::size_t{of.count()} * kRuns;
    runs.resize(n);
    parallel_for(device, "runs of points", static_cast<std::int64_t>(n),
                 FindRuns{of.map().keys, box, occupied.map(), occupied.begin(), runs.data()});
  }

  void find_ellipsoids(const BlockBox& box) {
    const std::size_t n = points.size();
    occupied.assign(keys.data(), n, box);
    find_runs(occupied, box);
    shapes.resize(2 * n);
    coordinates.resize(3 * n);
    const auto size = static_cast<std::int64_t>(n);
    float *const x = coordinates.data(), *const y = x + n, *const z = y + n;
    parallel_for(device, "split coordinates", size, SplitCoordinates{points.data(), x, y, z});
    const auto launch = [&](const auto& ellipsoids) { parallel_for(device, "ellipsoids", size, ellipsoids); };
    const Coordinates at{x, y, z};
    if (device.is_cuda())
      launch(FindEllipsoids<1>{occupied.block_of(), runs.data(), at, points.data(), shapes.data(), spacing});
    else
      launch(FindEllipsoids<8>{occupied.block_of(), runs.data(), at, points.data(), shapes.data(), spacing});
  }

  void fill_blocks(const BlockBox& box, const SurfaceView& solids) {
    blocks.assign_around(occupied, box, sorter);
    const std::size_t n = blocks.count();
    report.blocks = n;
    const double per_block =
        kBlockPlaces * sizeof(float) + kPlanes + kRuns * sizeof(PointRun) + 4 * sizeof(std::uint32_t);
    require(
        grown(values.bytes(), double(n) * kBlockPlaces * sizeof(float)) / (kBlockPlaces * sizeof(float)) * per_block,
        "blocks of cells", double(n));
    find_runs(blocks, box);
    values.resize(n * kBlockPlaces);
    signs.resize(n * kPlanes);
    const auto fill = [&](const auto& planes, int parts) {
      parallel_for(device, "surface field", static_cast<std::int64_t>(n) * parts, planes);
    };
    const Clip clip{domain, spacing, solids};
    const BlockSet& all = blocks;
    if (device.is_cuda())
      fill(
          FillPlanes<1>(all, box, grid(), runs.data(), points.data(), shapes.data(), clip, values.data(), signs.data()),
          kPlanes);
    else
      fill(FillPlanes<kPlanes>(all, box, grid(), runs.data(), points.data(), shapes.data(), clip, values.data(),
                               signs.data()),
           1);
  }

  void list_surface_blocks(const BlockBox& box) {
    const std::size_t n = blocks.count();
    const auto size = static_cast<std::int64_t>(n);
    const BlockMap map = blocks.map();
    marked.resize(n), places.resize(n);
    parallel_for(device, "mark surface blocks", size,
                 MarkSurfaceBlocks{map.keys, box, map, signs.data(), marked.data()});
    exclusive_scan(device, marked.data(), places.data(), n, scratch);
    const std::size_t found = element_of(device, places.data(), n - 1) + element_of(device, marked.data(), n - 1);
    list.resize(found);
    around.resize(27 * found);
    parallel_for(device, "list surface blocks", size,
                 ListSurfaceBlocks{marked.data(), places.data(), list.data(), places.data()});
    parallel_for(device, "blocks around surface", static_cast<std::int64_t>(27 * found),
                 FindNeighborBlocks{map.keys, box, map, list.data(), around.data()});
  }

  void make_mesh(const BlockBox& box) {
    const std::size_t n = list.size() * kBlockPlaces;
    if (n == 0) return;
    const auto size = static_cast<std::int64_t>(n);
    require_at_most((std::uint64_t{1} << 32) / CellCases::kMostTriangles, "cells that it may go through", n);
    const SurfaceNodes nodes{values.data(), around.data()};
    require(grown(cells.bytes(), double(n)) * (1 + 2 * sizeof(std::uint32_t)), "cells", double(n));
    cells.resize(n), first_vertex.resize(n), first_triangle.resize(n);
    parallel_for(device, "count triangles", size,
                 CountInCell{nodes, cases.data(), cells.data(), first_vertex.data(), first_triangle.data()});
    report.vertices = running_sum(first_vertex);
    report.triangles = running_sum(first_triangle);
    try {
      require(grown(vertices.bytes(), report.vertices * double(sizeof(Vec3))) * 2 +
                  grown(triangles.bytes(), report.triangles * double(sizeof(Triangle))),
              "triangles", report.triangles);
      vertices.resize(report.vertices), normals.resize(report.vertices), triangles.resize(report.triangles);
    } catch (const Unavailable&) {
      report.vertices = report.triangles = 0;
      throw;
    }
    parallel_for(device, "surface vertices", size,
                 WriteVertices{nodes, blocks.map().keys, box, grid(), list.data(), cells.data(), first_vertex.data(),
                               vertices.data(), normals.data()});
    parallel_for(device, "surface triangles", size,
                 WriteTriangles{nodes, cases.data(), places.data(), cells.data(), first_vertex.data(),
                                first_triangle.data(), triangles.data()});
  }

  /// Replaces the counts by the sums of those before them. @return the sum of all
  std::uint32_t running_sum(Buffer<std::uint32_t>& counts) {
    const std::uint32_t last = element_of(device, counts.data(), counts.size() - 1);
    exclusive_scan(device, counts.data(), counts.data(), counts.size(), scratch);
    return last + element_of(device, counts.data(), counts.size() - 1);
  }
};

FluidSurface::FluidSurface(const Device& device, const Domain& domain, float spacing)
    : impl_(std::make_unique<Impl>(device, domain, spacing)) {}
FluidSurface::~FluidSurface() = default;
FluidSurface::FluidSurface(FluidSurface&&) noexcept = default;

const SurfaceReport& FluidSurface::find(const Vec4* position, const std::uint32_t* fluid, int count, int which,
                                        const SurfaceView& solids) {
  impl_->find(position, fluid, count, which, solids);
  synchronize(impl_->device);
  return impl_->report;
}

const SurfaceReport& FluidSurface::report() const { return impl_->report; }
const Vec3* FluidSurface::vertices() const { return impl_->vertices.data(); }
const Vec3* FluidSurface::normals() const { return impl_->normals.data(); }
const Triangle* FluidSurface::triangles() const { return impl_->triangles.data(); }

SurfaceMesh FluidSurface::to_host() const {
  const SurfaceReport& found = impl_->report;
  SurfaceMesh mesh;
  mesh.vertices.resize(found.vertices);
  mesh.normals.resize(found.vertices);
  mesh.triangles.resize(found.triangles);
  copy_to_host(impl_->device, mesh.vertices.data(), vertices(), found.vertices * sizeof(Vec3));
  copy_to_host(impl_->device, mesh.normals.data(), normals(), found.vertices * sizeof(Vec3));
  copy_to_host(impl_->device, mesh.triangles.data(), triangles(), found.triangles * sizeof(Triangle));
  return mesh;
}

std::size_t FluidSurface::memory_bytes() const {
  return impl_->memory.bytes() + impl_->sorter.memory_bytes() + impl_->occupied.memory_bytes() +
         impl_->blocks.memory_bytes();
}

}  // namespace riffle
