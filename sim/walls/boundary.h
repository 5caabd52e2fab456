#pragma once
/// Solids as wall particles with computed volumes, after Akinci, Ihmsen, Akinci, Solenthaler and Teschner 2012,
/// "Versatile rigid-fluid coupling for incompressible SPH". The domain's walled faces are one solid.
///
/// Here a wall particle is a fluid particle that is held in place: it has a density from the fluid around it, hence a
/// pressure, and pushes back with it. The force then derives from an energy, and walls that do not move do no work, so
/// that a fluid at rest stays at rest. The paper's own pressure force mirrors the fluid particle's pressure in one of
/// the two terms, which doubles the pressure in the layer at the wall. Mirrored in both terms, or extrapolated (Adami,
/// Hu and Adams 2012), it is not a gradient and keeps a tank of water boiling: rms speeds of 0.02 to 0.5 sqrt(gH) on
/// the resting tank, against 1e-4 here.

#include <memory>
#include <span>

#include "neighbors/lists/static_pairs.h"
#include "sim/walls/placed_walls.h"
#include "sim/walls/solid_surfaces.h"
#include "sim/walls/wall_motion.h"

namespace riffle {

/// The walls of one simulation. The particles are shared with other simulations that have the same; velocities are its
/// own.
class Boundary {
 public:
  /// The walls of setup.solids, or else the domain's walled faces with the setup's face velocities.
  /// kept: the walls of another simulation, which are shared if PlacedWalls::serves() says so; or nullptr. Making them
  /// takes longer than the rest of a simulation's start.
  /// @throws InputError as check_placement()
  Boundary(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel,
           const std::shared_ptr<PlacedWalls>& kept = nullptr);

  int count() const { return walls_->count(); }
  int most() const { return walls_->most(); }                        ///< count() with any placements
  const NeighborSearch& search() const { return walls_->search(); }  ///< not built if count() is 0

  /// (count) in the search's order; w is V_b / V_0 with V_b = 1 / sum_k W_bk over a lattice without gaps: the walls,
  /// the sites behind them and the fluid at rest in front of them.
  const Vec4* particles() const { return walls_->particles(); }

  /// (count) [1/m^d] The rest density 1 / V_0 minus the fluid's sum_j W_bj when fluid at rest fills the lattice in
  /// front of the wall.
  const float* solid_density() const { return walls_->solid_density(); }

  /// (count) [m/s], in w 0; nullptr: all walls are at rest.
  const Vec4* velocities() const { return moving_ ? velocity_.data() : nullptr; }
  /// For viscosity, which has to know more of how they move.
  WallMotion motion() const {
    return {velocities(), walls_->solid(), moving_ && turning_ ? table_.data() : nullptr, walls_->bend()};
  }
  /// Velocities, for whoever knows better how free bodies move than their frames do.
  Vec4* velocities_of_bodies() { return velocity_.data(); }

  /// (count) index into solids(), the lowest where several share the site; nullptr: the domain's faces.
  const std::uint32_t* solid() const { return walls_->solid(); }

  /// As they are placed now; empty: the domain's faces.
  const std::vector<Solid>& solids() const { return solids_; }

  /// Changes where the solids are and how they move, all at once. If a pose changes, all particles are placed and the
  /// search is built again, and count() may change: sites that several solids shared when the walls were made are one
  /// particle only while they are at one place. Weights and solid densities stay those of the sites: a solid does not
  /// notice another one that comes near. If only motions change, only velocities are computed.
  /// placements: one for each of solids()
  /// @throws InputError as check_placement(), or for another number of them: nothing has then changed. Unavailable if
  /// memory is short: solids() are then as before, but the walls may be placed nowhere, and a step throws. Another
  /// place() that succeeds, with the old placements for example, puts that right.
  void place(std::span<const Placement> placements);

  /// Places the driven solids where the frames of their regions are, with the motions that stand there. Asynchronous.
  /// Without driven solids it does nothing. @param at_end  of the step, otherwise at its start
  /// @throws Unavailable if memory is short for the search
  void drive(const SolidSurfaces& surfaces, bool at_end);

  /// Finds the pairs of fluid and wall particles within h of each other, for the traversals of sim/walls/wall_traversal.cuh
  /// at these positions. Call it in each step after the search was built. Does nothing on the CPU.
  void find_pairs(const NeighborSearch& search, const Vec4* positions, float h) {
    if (count() > 0) pairs_.build(walls_->search(), particles(), search, positions, h);
  }
  const StaticPairs& pairs() const { return pairs_; }

  /// For the constructor of another Boundary.
  const std::shared_ptr<PlacedWalls>& shared() const { return walls_; }

  std::size_t memory_bytes() const {
    return walls_->memory_bytes() + velocity_.bytes() + table_.bytes() + pairs_.memory_bytes();
  }
  /// Approximate [bytes] of the setup's `count` wall particles: memory_bytes() before they exist.
  static double estimate_bytes(const Device& device, const SimulationSetup& setup, std::int64_t count);

 private:
  void reserve_velocities();
  void find_velocities();

  std::vector<Solid> solids_;
  FaceVelocities belts_;  ///< of the domain's faces
  std::shared_ptr<PlacedWalls> walls_;
  bool moving_ = false, turning_ = false;
  Buffer<Vec4> velocity_;
  Buffer<SolidMotion> table_;
  StaticPairs pairs_;
};

}  // namespace riffle
