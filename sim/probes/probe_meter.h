#pragma once
/// Measures with the probes of a scene while a simulation runs, at a rate of their own. No step waits for it.

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/probes/probe.h"
#include "sim/simulation.h"

namespace riffle {

struct ProbeSample {
  double time = 0;             ///< [s] simulated
  std::vector<double> values;  ///< in the order of probe_columns()
};

/// A value at a place is interpolated from the particles within the support radius, foreign ones too, by a Wendland C2
/// kernel. It is nan in the air, in a still solid and, of what steps compute, before the first step. In the air is where
/// the fluid's share of the room (probe_places.h) is below kInFluid, with DPD below kInThinFluid. A flow is the integral of
/// the kernel's sum of V_0 v over its places, over their room; with DPD it is the sum of V_0 v of the particles beside the
/// parallelogram, weighted by a hat function of their distance (kFlowHalfWidth): the mean of the flows through parallel
/// planes, which misses nothing beside walls and solids. The kernel is calibrated on the sites of the lattice, with DPD on the
/// integral, since its particles lie on none. That of a flow has the integral 1: particles pass a place, they do not stay on it, and
/// sites alone would make the kernel too small, by 2 to 3 % with a support of 2 spacings.
class ProbeMeter {
 public:
  /// @param every [s] simulated between samples; infinity: only measure() takes some
  ProbeMeter(const Simulation& simulation, std::span<const ProbeSetup> probes,
             double every = std::numeric_limits<double>::infinity());
  ~ProbeMeter();

  /// Whether it can go on with that simulation: its device, solver, support radius and the like are as they were.
  bool suits(const Simulation& simulation) const;

  const std::vector<ProbeColumn>& columns() const;

  /// Call it once before the first step and after every step: takes a sample if one is due. The device decides by its own
  /// clock, so the same steps are sampled in every run. Does not wait, unless it is full(): then it keeps the samples on
  /// the host.
  void after_step(const Simulation& simulation);

  /// Whether the device may have no room for another sample.
  bool full() const;

  /// The samples of after_step() since the last call, by time. Waits.
  std::vector<ProbeSample> collect();

  /// The present state. Waits.
  ProbeSample measure(const Simulation& simulation);

  std::size_t memory_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace riffle
