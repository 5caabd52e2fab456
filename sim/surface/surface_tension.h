#pragma once
/// The force of surface tension in a step, for every solver that knows it: sim/surface/tension_table.h has the formulas.
///
/// Refresh points (sim/halo.h): "surface" after the surface directions (Akinci: normals); with Continuum also "smooth"
/// after their smoothing.

#include "core/device/buffer.h"
#include "neighbors/neighbor_search.h"
#include "sim/halo.h"
#include "sim/kernel.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/surface/tension_table.h"
#include "sim/walls/boundary.h"

namespace riffle::surface {

class SurfaceTension {
 public:
  /// kernel: the solver's, for the normals of Akinci.
  SurfaceTension(const SimulationSetup& setup, const ParticleSet& particles, const SmoothingKernel& kernel);

  struct Step {
    ParticleSet& particles;  ///< "acceleration" in and out, "fluid"
    const NeighborSearch& search;
    const Boundary& boundary;
    const Vec4* volume;  ///< position; w: volume by the sum over neighbours [m^d], of foreign particles too
    Halo* halo;          ///< nullptr: none
  };
  /// Adds the acceleration by surface tension to the attribute "acceleration".
  void add_to_acceleration(const Step& step);

  void reserve(int capacity);
  std::size_t memory_bytes() const { return surface_.bytes() + smooth_.bytes(); }
  /// Bytes per fluid particle.
  static std::size_t particle_bytes(const SimulationSetup& setup);

 private:
  bool is_continuum() const { return model_ == TensionModel::Continuum; }

  TensionModel model_;
  int dimension_;
  SmoothingKernel kernel_;
  TensionTable table_;
  Buffer<Vec4> surface_;  ///< (N) and more: surface direction, sim/surface/tension_kernels.cuh
  Buffer<Vec4> smooth_;   ///< (N) and more: the same, smoothed; with Continuum only
};

}  // namespace riffle::surface
