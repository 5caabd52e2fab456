#pragma once
/// Particles that belong to another device: the halo around the particles of this one. A step reads them as neighbours
/// and moves none of them. The attribute "foreign" flags them; a set without foreign particles does not have it.
///
/// A foreign particle that becomes own again carries on from its position and velocity. WCSPH and PBF need nothing else;
/// WCSPH by continuity carries on from its compression too, DFSPH from its pressure, and implicit viscosity from its last
/// accelerations, which are refreshed. DPD also carries forces, earlier velocities or random numbers from step to step,
/// which nobody refreshes at foreign particles: sim/dpd/dpd.h says what takes their place. With DPD the run is then no
/// longer that of the undivided fluid bit for bit.

#include <cstdint>
#include <span>

#include "core/device/device.h"
#include "sim/particle_set.h"

namespace riffle {

struct ClockState;
struct SolveErrors;

/// (count) 1 for a foreign particle, else 0, on the device; nullptr: no particle is foreign.
inline const std::uint32_t* foreign_flags(const ParticleSet& particles) {
  return particles.has("foreign") ? particles.get<std::uint32_t>("foreign").data() : nullptr;
}

/// Particles that are not foreign. Waits if there are foreign ones.
int count_own(const ParticleSet& particles);

/// One array of a step: (count) elements on the particles' device, in their present order.
struct HaloField {
  const char* name;
  void* data;
  std::size_t element_bytes;
};

/// Brings foreign particles up to date in the midst of a step. Whoever divides a fluid among devices implements it; one
/// simulation runs on each.
///
/// Solvers call refresh() at the points that their headers name, in the same order on every device. With it, the values
/// of own particles are those of the undivided fluid, bit for bit if the searches are deterministic, when all particles
/// within the search radius of an own one are present in every step; at walls, within twice that radius. Without it, a
/// step computes intermediate values of foreign particles from the neighbours that are present, and their positions and
/// velocities are those from before the step: that is exact for WCSPH without surface tension if all particles within
/// twice the support radius are present, and an approximation otherwise.
///
/// Work of the step is queued on the device's stream before a call; what a call does is queued there too, or waits.
class Halo {
 public:
  virtual ~Halo() = default;

  /// Gives the elements of foreign particles in each field the values that their owners have at this point of the step.
  /// particles: "id" and "foreign" are in the order of the fields.
  virtual void refresh(const ParticleSet& particles, std::span<const HaloField> fields) = 0;

  /// Makes max_speed2_bits and max_acceleration2_bits of the clock, which are those of own particles, the largest of
  /// all devices: all of them then choose the same dt. clock: (1) on the device.
  virtual void share_maxima(const Device& device, ClockState* clock) = 0;

  /// Makes errors of an iteration (DFSPH), which are those of own particles, the sums and the largest of all devices: all
  /// of them then iterate as often. errors: (1) on the device.
  virtual void share_errors(const Device& device, SolveErrors* errors) = 0;

  /// Makes sums over own particles those of all devices, the same numbers on every one. sums: (count) on the device. DFSPH
  /// and implicit viscosity need them. A rounded sum depends on how the particles are divided, and with implicit viscosity
  /// so do then the last bits.
  virtual void share_sums(const Device& device, double* sums, int count) = 0;
};

}  // namespace riffle
