#pragma once
/// Solid walls as particles with computed volumes, after Akinci, Ihmsen, Akinci, Solenthaler and Teschner 2012,
/// "Versatile rigid-fluid coupling for incompressible SPH".
///
/// Here a wall particle is a fluid particle that is held in place: it has a density from the fluid around it, hence a
/// pressure, and pushes back with it. The force then derives from an energy, and walls that do not move do no work, so
/// that a fluid at rest stays at rest. The paper's own pressure force mirrors the fluid particle's pressure in one of
/// the two terms, which doubles the pressure in the layer at the wall. Mirrored in both terms, or extrapolated (Adami,
/// Hu and Adams 2012), it is not a gradient and keeps a tank of water boiling: rms speeds of 0.02 to 0.5 sqrt(gH) on
/// the resting tank, against 1e-4 here.

#include <memory>

#include "core/device/buffer.h"
#include "core/math/domain.h"
#include "neighbors/neighbor_search.h"
#include "sim/kernel.h"
#include "sim/start/sampling.h"

namespace riffle {

class Boundary {
 public:
  Boundary(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel);

  /// Whether the constructor would make the same walls from these arguments.
  bool serves(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel) const;

  int count() const { return search_.count(); }
  const NeighborSearch& search() const { return search_; }  ///< not built if count() is 0

  /// (count) in the search's order; w is V_b / V_0 with V_b = 1 / sum_k W_bk over a lattice without gaps: the walls,
  /// the sites behind them and the fluid at rest in front of them.
  const Vec4* particles() const { return particles_.data(); }

  /// (count) [1/m^d] The rest density 1 / V_0 minus the fluid's sum_j W_bj when fluid at rest fills the lattice in
  /// front of the wall.
  const float* solid_density() const { return solid_density_.data(); }

  /// `kept` if its walls match, otherwise new walls: making them takes longer than the rest of a simulation's start.
  static std::shared_ptr<const Boundary> make(const Device& device, const SimulationSetup& setup,
                                              const SmoothingKernel& kernel,
                                              const std::shared_ptr<const Boundary>& kept);

  std::size_t memory_bytes() const { return particles_.bytes() + solid_density_.bytes() + search_.memory_bytes(); }
  /// Approximate [bytes] of the setup's `count` wall particles: memory_bytes() before they exist.
  static double estimate_bytes(const Device& device, const SimulationSetup& setup, std::int64_t count);

 private:
  Domain domain_;
  float spacing_, support_ratio_;
  KernelKind kernel_;
  NeighborSearch search_;
  Buffer<Vec4> particles_;
  Buffer<float> solid_density_;
};

}  // namespace riffle
