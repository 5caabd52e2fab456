#pragma once
/// The surface of a fluid of particles as a closed mesh of triangles, on the device of the particles.
///
/// surface_field.h says what the surface is. Its triangles are those of marching cubes (cell_cases.h) in cells of half a
/// spacing. Only blocks of 4^3 cells that kernels reach exist, so memory and time follow the number of particles and not the
/// size of the box. The mesh is closed and 2-manifold: each edge belongs to exactly two triangles, which run along it in
/// opposite directions. On a device the same particles in the same order give the same mesh, bit for bit: blocks and the
/// cells in them are in the order of their places, x first.

#include <cstdint>
#include <memory>

#include "core/device/buffer.h"
#include "sim/meshes/triangle_mesh.h"
#include "sim/simulation.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle {

inline constexpr int kAllFluids = -1;

/// In the host's memory. Each vertex is there once.
struct SurfaceMesh : IndexedMesh {
  std::vector<Vec3> normals;  ///< (vertices) out of the fluid, of length 1: the field's gradient

  double volume() const;  ///< [m^3] that it encloses
};

struct SurfaceReport {
  std::uint32_t particles = 0;   ///< that the surface is of
  std::uint32_t non_finite = 0;  ///< left out, because their position is not finite
  std::uint32_t too_far = 0;     ///< left out, because they are further than kFarthest from the box's lower corner
  std::uint32_t vertices = 0, triangles = 0;
  std::uint64_t blocks = 0;  ///< of 4^3 cells
};

class FluidSurface {
 public:
  /// [spacings] The numbers of the blocks have 20 bits and a sign. At such distances positions are rounded to an eighth of
  /// a spacing.
  static constexpr float kFarthest = 2.0e6f;

  /// @throws InputError for a domain of two dimensions, in which a surface has no triangles
  FluidSurface(const Device& device, const Domain& domain, float spacing);
  ~FluidSurface();
  FluidSurface(FluidSurface&&) noexcept;

  /// Finds the surface of these particles. Waits.
  /// @param position (count) on the device; w does not matter
  /// @param fluid (count) on the device, of each particle; may be nullptr with kAllFluids
  /// @param which the fluid whose surface it is, or kAllFluids: that of all of them together
  /// @throws Unavailable if memory is short, with the bytes; there is then no mesh
  const SurfaceReport& find(const Vec4* position, const std::uint32_t* fluid, int count, int which = kAllFluids,
                            const SurfaceView& solids = {});

  const SurfaceReport& report() const;  ///< of the last find()
  const Vec3* vertices() const;         ///< (report().vertices) on the device
  const Vec3* normals() const;          ///< likewise
  const Triangle* triangles() const;    ///< (report().triangles) on the device
  SurfaceMesh to_host() const;

  std::size_t memory_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The surface of a simulation's fluids, clipped at its walls and at its solids where they are now.
class SimulationSurface {
 public:
  explicit SimulationSurface(const Simulation& simulation);  ///< @throws InputError as FluidSurface

  /// Of one fluid, or kAllFluids. Waits. @throws Unavailable if memory is short
  const FluidSurface& find(const Simulation& simulation, int which = kAllFluids);

 private:
  SurfaceView solids_now(const Simulation& simulation);

  FluidSurface surface_;
  SolidSurfaces solids_;
  Buffer<SurfaceFrame> frames_;  ///< (regions), or empty
};

}  // namespace riffle
