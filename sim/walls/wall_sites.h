#pragma once
/// The wall sites of several solids, weighed once, in the frames of their solids: what does not change when they move.

#include <cstdint>
#include <vector>

#include "core/device/workspace.h"
#include "sim/kernel.h"
#include "sim/setup.h"
#include "sim/walls/solid.h"

namespace riffle {

/// Sites of several solids at one place are one particle, as in the corners between the domain's faces. One place means
/// that the placed coordinates are equal as floats; sites that differ by rounding are two particles. Solids that share
/// a wall site are parts of one lattice and are weighed together, and so are those of a group; all others are weighed as if
/// they were alone. Driven solids share no site. Within a lattice each place counts once: as wall if a solid has a wall site
/// there, else as behind, else as front.
class WallSites {
  Workspace memory_;

 public:
  /// The solids are weighed, and share sites, where they are placed now.
  WallSites(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel,
            const std::vector<Solid>& solids);

  const std::vector<Pose>& weighed_at() const { return weighed_at_; }  ///< of the solids, in the constructor
  int count() const { return static_cast<int>(site_.size()); }
  std::size_t bytes() const { return memory_.bytes(); }

  int still() const { return still_; }  ///< so many sites, the first ones, are of solids that steps do not drive

  /// All in one order: those of driven solids last; then by place (z, then y, then x), then by solid.
  const Vec4* site() const { return site_.data(); }                     ///< (count) [m]; w is V_b / V_0
  const float* solid_density() const { return solid_density_.data(); }  ///< (count) [1/m^d]
  const std::uint32_t* solid() const { return solid_.data(); }          ///< (count) index of the solid
  /// (count) see sim/walls/surface_bend.h; nullptr: all surfaces are flat.
  const float* bend() const { return bend_.empty() ? nullptr : bend_.data(); }
  /// (count) the first of the sites that are at one place; nullptr: no place has several.
  const std::uint32_t* first() const { return first_.empty() ? nullptr : first_.data(); }

  static constexpr std::size_t kBytesPerSite = sizeof(Vec4) + sizeof(float) + sizeof(std::uint32_t);
  static constexpr std::size_t kBytesPerSiteIfBent = sizeof(float);
  static constexpr std::size_t kBytesPerSiteIfShared = sizeof(std::uint32_t);

 private:
  std::vector<Pose> weighed_at_;
  int still_ = 0;
  Buffer<Vec4>& site_ = memory_.make();
  Buffer<float>& solid_density_ = memory_.make();
  Buffer<std::uint32_t>& solid_ = memory_.make();
  Buffer<std::uint32_t>& first_ = memory_.make();
  Buffer<float>& bend_ = memory_.make();
};

}  // namespace riffle
