#pragma once
/// Whether places lie in a setup's solids, or near them, as they are at time 0. For the host; kernels have SurfaceView.

#include <cstddef>
#include <optional>

#include "sim/walls/solid_surfaces.h"

namespace riffle {

class SolidsAtRest {
 public:
  explicit SolidsAtRest(const SimulationSetup& setup);

  bool empty() const { return flat_.shapes.empty(); }
  const FlatRegions& regions() const { return flat_; }

  /// Whether x is nearer than that [m] to one of them; with a negative distance whether it lies that deep in one.
  bool nearer(Vec3 x, float distance) const;

  /// To the nearest surface, if it is nearer than `reach` [m]; else kNowhere.
  SurfaceDistance nearest(Vec3 x, float reach) const;

  /// Calls visit(solid, distance) for each solid that may be nearer than `reach`.
  template <class Visit>
  void for_each_near(Vec3 x, float reach, const Visit& visit) const {
    view_.for_each_near(x, reach, [&](std::uint32_t solid, SurfaceDistance d) { visit(std::size_t{solid}, d); });
  }

  /// The one that x lies in, deeper than a particle at rest on its surface may; nothing if x is outside of all.
  std::optional<std::size_t> around(Vec3 x) const;

 private:
  static constexpr float kOnSurface = 0.02f;  // [spacings]
  FlatRegions flat_;
  FoundSolids found_;
  SurfaceView view_;
};

}  // namespace riffle
