#pragma once
/// Wall particles where their solids are now, and the search on them. Simulations with the same walls share them, unless
/// a solid is driven.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/device/algorithms.h"
#include "core/device/workspace.h"
#include "neighbors/neighbor_search.h"
#include "sim/kernel.h"
#include "sim/setup.h"
#include "sim/walls/solid.h"
#include "sim/walls/surface_frame.h"
#include "sim/walls/wall_sites.h"

namespace riffle {

class PlacedWalls {
  Workspace memory_;

 public:
  /// The walls of setup.solids as they are placed there; if there are none, the domain's walled faces, which cannot be
  /// moved.
  PlacedWalls(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel);

  /// Whether the constructor would make the same walls from these arguments: at the same places with the same weights,
  /// which follow from where the solids were weighed. Solids that have moved since serve nobody until they are back.
  bool serves(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel) const;

  int count() const { return search_.count(); }
  int most() const { return sites_ ? sites_->count() : count(); }            ///< count() with any poses
  bool placed() const { return most() == 0 || search_.build_radius() > 0; }  ///< false after place() has failed
  int dimension() const { return domain_.dimension; }
  const NeighborSearch& search() const { return search_; }  ///< not built if count() is 0

  // In the search's order; sim/walls/boundary.h says what they are.
  const Vec4* particles() const { return particles_.data(); }
  const float* solid_density() const { return solid_density_.data(); }
  const std::uint32_t* solid() const { return solid_.empty() ? nullptr : solid_.data(); }
  const float* bend() const { return bend_.empty() ? nullptr : bend_.data(); }

  /// (count) [m/s] velocities in the search's order. A site of several solids has the mean of their velocities.
  /// table: working memory
  void find_velocities(std::span<const Solid> solids, Buffer<SolidMotion>& table, Buffer<Vec4>& velocity) const;
  void find_velocities(const FaceVelocities& belts, Buffer<Vec4>& velocity) const;  ///< of the domain's faces

  /// Places the solids elsewhere: the particles get their new positions and the search is built on them. It changes
  /// `walls` if nobody else has them and replaces them by others with the same sites otherwise. With solids that share
  /// sites it waits.
  /// @throws Unavailable if memory is short for the search. Walls that were replaced are then as before; others are not
  /// placed(): a step throws until place() succeeds.
  static void place(std::shared_ptr<PlacedWalls>& walls, std::span<const Placement> placements);

  /// Places the driven solids where their regions' frames are: solid s is region s - 1. The others stay where they are: their
  /// particles are not placed and sorted again, but moved to make room for those of the driven ones in the search's order.
  /// Finds the velocities once more. Asynchronous.
  /// frames: on the device; @param at_end  of the step, otherwise at its start
  /// table, velocity: those of the last find_velocities()
  /// @throws Unavailable if memory is short for the search
  void drive(const SurfaceFrame* frames, bool at_end, Buffer<SolidMotion>& table, Buffer<Vec4>& velocity);

  std::size_t memory_bytes() const { return memory_.bytes() + search_.memory_bytes() + (sites_ ? sites_->bytes() : 0); }
  /// Approximate [bytes] of the setup's `count` wall particles: memory_bytes() before they exist.
  static double estimate_bytes(const Device& device, const SimulationSetup& setup, std::int64_t count);

 private:
  PlacedWalls(const PlacedWalls& other, std::span<const Placement> placements);
  void place(std::span<const Placement> placements);
  void reserve();  ///< arrays for most() particles, so that in place() only the search may find memory short
  void place_sites(std::span<const Placement> placements);
  void place_sites();  ///< by pose_
  void take_particles(int count, Vec4* velocity, const SolidMotion* motion);

  Domain domain_;
  float spacing_, support_ratio_;
  float reach_;  ///< [m] that the search is built for: where particles move between their lists and a sum, more than h
  KernelKind kernel_;
  std::vector<Solid> solids_;               ///< with the poses of now; empty: the domain's faces
  std::shared_ptr<const WallSites> sites_;  ///< of the solids; nullptr: the domain's faces
  int stay_ = 0;  ///< particles of solids that are not driven, the first ones of those that the search is built on
  NeighborSearch search_;
  Buffer<Vec4>& particles_ = memory_.make();
  Buffer<float>& solid_density_ = memory_.make();
  // With solids only.
  Buffer<std::uint32_t>& solid_ = memory_.make();  ///< (count)
  Buffer<float>& bend_ = memory_.make();           ///< (count); empty: all surfaces are flat
  Buffer<std::uint32_t>& site_ = memory_.make();   ///< (count) the first of the particle's sites
  Buffer<Pose>& pose_ = memory_.make();            ///< (solids)
  Buffer<std::uint8_t>& driven_ = memory_.make();  ///< (solids); empty: none
  Buffer<Vec4>& at_ = memory_.make();              ///< (sites) place; w as in WallSites
  // With solids that share sites only.
  Buffer<std::uint32_t>& number_ = memory_.make();   ///< (sites) 0, 1, 2 ...
  Buffer<std::uint8_t>& leads_ = memory_.make();     ///< (sites) whether no site before it is at the same place
  Buffer<std::uint32_t>& leader_ = memory_.make();   ///< (count) the sites that lead
  Buffer<std::uint32_t>& leaders_ = memory_.make();  ///< (1)
  Buffer<Vec4>& leader_at_ = memory_.make();         ///< (count) their places
  ScratchMemory& scratch_ = memory_.make();
};

}  // namespace riffle
