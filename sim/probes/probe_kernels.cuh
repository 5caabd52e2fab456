#pragma once
/// The kernels of a meter (probe_meter.h): when a sample is due, the particles near places, and the sums over them.

#include <cmath>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/math/symmetric.h"
#include "neighbors/separation.h"
#include "sim/kernel.h"
#include "sim/measure/particle_value.h"
#include "sim/probes/probe.h"
#include "sim/probes/probe_cells.h"
#include "sim/probes/probe_places.h"
#include "sim/step_control.h"

namespace riffle::probe_kernels {

/// When samples are due, on the device.
struct SampleClock {
  double every = 0;          ///< [s]
  std::uint64_t next = 0;    ///< multiple of `every` at which one is due
  std::uint32_t active = 0;  ///< whether the launches that follow sample
  std::uint32_t row = 0;     ///< of the sample
  std::uint32_t taken = 0;   ///< rows that are filled
};

/// Decides whether a sample is due now.
struct DecideSample {
  const ClockState* clock;
  SampleClock* sample;
  double* times;       ///< (rows + 1)
  std::uint32_t rows;  ///< of the ring; the row after them is for a sample that is forced
  bool forced;

  RIFFLE_HD void operator()(std::int64_t) const {
    // Steps are floats: a thousand of 0.02 s end slightly before 20 s.
    const double reached = clock->time + 1e-3 * static_cast<double>(clock->last_dt);
    const bool due = reached >= static_cast<double>(sample->next) * sample->every;
    sample->active = forced || (due && sample->taken < rows) ? 1 : 0;
    if (!sample->active) return;
    sample->row = forced ? rows : sample->taken++;
    times[sample->row] = clock->time;
    constexpr double kMost = 1e18;  // the largest that a whole number holds
    const double passed = floor(reached / sample->every);
    if (!forced) sample->next = static_cast<std::uint64_t>(passed < kMost ? passed : kMost) + 1;
  }
};

/// The particles near places, by slot.
struct NearParticles {
  const SampleClock* sample;
  ProbeCellTable cells;
  const Vec4* position;
  std::uint32_t* count;        ///< (slots + 1) 0 before and after a sample
  const std::uint32_t* begin;  ///< (slots + 1)
  std::uint32_t* listed;       ///< room for all; in any order
  std::uint32_t* particle;     ///< likewise, by id
};

struct CountNear {
  NearParticles near;
  RIFFLE_HD void operator()(std::int64_t i) const {
    if (!near.sample->active) return;
    if (const std::int32_t slot = near.cells(xyz(near.position[i])); slot >= 0) atomic_add(&near.count[slot], 1u);
  }
};

/// Counts back to 0.
struct ListNear {
  NearParticles near;
  RIFFLE_HD void operator()(std::int64_t i) const {
    if (!near.sample->active) return;
    constexpr std::uint32_t kMinusOne = 0xffffffffu;  // sums wrap
    const std::int32_t slot = near.cells(xyz(near.position[i]));
    if (slot >= 0)
      near.listed[near.begin[slot] + atomic_add(&near.count[slot], kMinusOne) - 1] = static_cast<std::uint32_t>(i);
  }
};

constexpr int kThreads = 32;  // of a block, for one place or slot

/// By id, so that sums depend neither on the order in which threads have listed the particles nor on that of the
/// particles. A particle's place is the number of smaller ids: slots have tens of particles.
struct SortSlots {
  NearParticles near;
  const std::uint32_t* id;

  struct Shared {};

  RIFFLE_HD void operator()(Block<kThreads>& block, Shared&) const {
    if (!near.sample->active) return;
    block.each_thread([&](int t) {
      const std::uint32_t begin = near.begin[block.index()], end = near.begin[block.index() + 1];
      for (std::uint32_t k = begin + static_cast<std::uint32_t>(t); k < end; k += kThreads) {
        const std::uint32_t own = id[near.listed[k]];
        std::uint32_t smaller = 0;
        for (std::uint32_t j = begin; j < end; ++j) smaller += id[near.listed[j]] < own ? 1 : 0;
        near.particle[begin + smaller] = near.listed[k];
      }
    });
  }
};

/// A place, and what is measured there.
struct PlaceJob {
  std::uint32_t place, probe;
  std::uint32_t out;  ///< in a row
};

/// Weighs particles near a part of a flow's parallelogram: those beside the part count, by a hat function of their
/// distance from the plane. So the sum over the parts is the mean of the flow through parallel planes, without a share of
/// the walls.
struct FlowSlab {
  Vec3 first, second;   ///< [1/m] r . first and r . second are within a half beside the part; in 2-D second is 0
  Vec3 normal;          ///< of length 1
  float inverse_width;  ///< [1/m] one over the half width of the hat; 0: the kernel weighs
  float inverse_part;   ///< [1/m^2] one over the part's area, in 2-D [1/m]

  RIFFLE_HD float operator()(Vec3 r) const {
    const float a = dot(r, first), b = dot(r, second), s = fabsf(dot(r, normal)) * inverse_width;
    const bool beside = a >= -0.5f && a < 0.5f && b >= -0.5f && b < 0.5f;
    return beside && s < 1 ? (1 - s) * inverse_width * inverse_part : 0.0f;
  }
};

/// What is measured at the places of a probe.
struct ProbeJob {
  Quantity quantity[kMostProbeQuantities];
  int quantities;
  bool linear;
  bool flow;
  FlowSlab slab;  ///< of a flow
};

/// What both kinds of sums read.
struct Surroundings {
  NearParticles near;
  PeriodicWrap wrap;
  SmoothingKernel kernel;
  float volume;                 ///< of a particle [m^d]
  const Vec4* place;            ///< w: room
  const std::uint32_t* first;   ///< of each place, in `around`
  const std::uint32_t* around;  ///< slots
  float* row;                   ///< of the ring's first row
  std::uint32_t stride;         ///< numbers of a row
  const PlaceJob* places;       ///< a block each
  const ProbeJob* probes;
  float least_share;  ///< of the room, that a place in the fluid has

  RIFFLE_HD float* out() const { return row + static_cast<std::size_t>(near.sample->row) * stride; }

  /// visit(particle, r from the place to it, V W)
  template <class Visit>
  RIFFLE_HD void each(std::uint32_t index, int thread, const Visit& visit) const {
    const Vec3 x = xyz(place[index]);
    const float h2 = kernel.h * kernel.h;
    for (std::uint32_t c = first[index]; c < first[index + 1]; ++c) {
      const std::uint32_t slot = around[c], end = near.begin[slot + 1];
      for (std::uint32_t k = near.begin[slot] + static_cast<std::uint32_t>(thread); k < end; k += kThreads) {
        const std::uint32_t j = near.particle[k];
        const PairTest pair = test_pair(xyz(near.position[j]), x, wrap, h2);
        if (pair.near()) visit(j, pair.r_ij, volume * kernel.value(sqrtf(pair.r2)));
      }
    }
  }
};

/// Sums of the threads of a block, in a fixed order.
template <class Sums>
struct SharedSums {
  Sums of[kThreads];
};

template <class Sums>
RIFFLE_HD void add_up(Block<kThreads>& block, SharedSums<Sums>& shared) {
  for (int stride = kThreads / 2; stride > 0; stride /= 2)
    block.each_thread([&](int t) {
      if (t < stride) shared.of[t].add(shared.of[t + stride]);
    });
}

/// The fluid's share of the room around a place, or the flow through it.
struct MeasureShare {
  Surroundings at;
  const Vec4* velocity;

  struct Sums {
    float sum;
    RIFFLE_HD void add(const Sums& other) { sum += other.sum; }
  };
  using Shared = SharedSums<Sums>;

  RIFFLE_HD void operator()(Block<kThreads>& block, Shared& shared) const {
    if (!at.near.sample->active) return;
    const PlaceJob job = at.places[block.index()];
    block.each_thread([&](int t) {
      const ProbeJob& probe = at.probes[job.probe];
      const bool flow = probe.flow;
      const FlowSlab slab = probe.slab;
      const bool by_slab = flow && slab.inverse_width > 0;
      float sum = 0;
      at.each(job.place, t, [&](std::uint32_t j, Vec3 r, float vw) {
        const float weight = by_slab ? at.volume * slab(r) : vw;
        sum += flow ? weight * dot(xyz(velocity[j]), slab.normal) : weight;
      });
      shared.of[t].sum = sum;
    });
    add_up(block, shared);
    block.each_thread([&](int t) {
      if (t != 0) return;
      const ProbeJob& probe = at.probes[job.probe];
      const float room = probe.flow && probe.slab.inverse_width > 0 ? 1.0f : at.place[job.place].w;
      at.out()[job.out] = room > 0 ? shared.of[0].sum / room : 0.0f;
    });
  }
};

/// Quantities at a place.
struct MeasureQuantities {
  Surroundings at;
  ParticleValue value;
  int dimension;

  struct Sums {
    float w;
    Vec3 x;                         ///< w r / h
    Symmetric3 xx;                  ///< w r r^T / h^2
    float q[kMostProbeQuantities];  ///< w q
    Vec3 qx[kMostProbeQuantities];  ///< w q r / h
    RIFFLE_HD void add(const Sums& other) {
      w += other.w;
      x += other.x;
      xx = xx + other.xx;
      for (int k = 0; k < kMostProbeQuantities; ++k) q[k] += other.q[k], qx[k] += other.qx[k];
    }
  };
  using Shared = SharedSums<Sums>;

  RIFFLE_HD void operator()(Block<kThreads>& block, Shared& shared) const {
    if (!at.near.sample->active) return;
    const PlaceJob job = at.places[block.index()];
    const ProbeJob& probe = at.probes[job.probe];
    block.each_thread([&](int t) {
      Sums& s = shared.of[t];
      s = Sums{};
      at.each(job.place, t, [&](std::uint32_t j, Vec3 r, float w) {
        const Vec3 x = at.kernel.inverse_h * r;
        s.w += w;
        s.x += w * x;
        add_outer(s.xx, w, x);
        for (int k = 0; k < probe.quantities; ++k) {
          const float q = w * known_value(probe.quantity[k], j);
          s.q[k] += q;
          s.qx[k] += q * x;
        }
      });
    });
    add_up(block, shared);
    block.each_thread([&](int t) {
      if (t != 0) return;
      const Sums& s = shared.of[0];
      const float room = at.place[job.place].w;
      const bool in_fluid = room > 0 && s.w >= at.least_share * room;
      float* const out = at.out() + job.out;
      const Vec3 middle = in_fluid ? (1 / s.w) * s.x : Vec3{0, 0, 0};
      Symmetric3 spread = (in_fluid ? 1 / s.w : 0.0f) * s.xx;
      add_outer(spread, -1, middle);
      if (dimension == 2) spread.zz = 0.5f * (spread.xx + spread.yy);
      const bool fits = probe.linear && in_fluid && is_solid(spread);
      const Symmetric3 inverted = fits ? inverse(spread) : Symmetric3{};
      for (int k = 0; k < probe.quantities; ++k) {
        const float mean = in_fluid ? s.q[k] / s.w : nanf("");
        const Vec3 gradient = fits ? inverted * ((1 / s.w) * s.qx[k] - mean * middle) : Vec3{0, 0, 0};
        out[k] = fits ? mean - dot(gradient, middle) : mean;
      }
    });
  }

 private:
  /// nan for what only the first step computes.
  RIFFLE_HD float known_value(Quantity which, std::uint32_t j) const {
    const bool computed = which == Quantity::Density || which == Quantity::Compression || which == Quantity::Pressure;
    return computed && value.density && value.density[j] == 0 ? nanf("") : value(which, j);
  }

  /// Whether the particles spread in all directions.
  RIFFLE_HD static bool is_solid(const Symmetric3& m) {
    const float determinant =
        m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
    const float mean = (m.xx + m.yy + m.zz) / 3;
    return determinant > 1e-2f * mean * mean * mean;
  }
};

}  // namespace riffle::probe_kernels
