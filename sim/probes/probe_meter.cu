#include "sim/probes/probe_meter.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/device/algorithms.h"
#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/math/symmetric.h"
#include "neighbors/separation.h"
#include "sim/kernel.h"
#include "sim/measure/particle_value.h"
#include "sim/probes/probe_cells.h"
#include "sim/probes/probe_places.h"
#include "sim/step_control.h"

namespace riffle {

namespace probe_kernels {

constexpr std::size_t kRingBytes = 16u << 20;
constexpr std::size_t kMostRows = 4096;

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

/// What is measured at the places of a probe.
struct ProbeJob {
  Quantity quantity[kMostProbeQuantities];
  int quantities;
  bool linear;
  bool flow;
  Vec3 normal;  ///< of a flow
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
      const Vec3 normal = probe.normal;
      float sum = 0;
      at.each(job.place, t,
              [&](std::uint32_t j, Vec3, float vw) { sum += flow ? vw * dot(xyz(velocity[j]), normal) : vw; });
      shared.of[t].sum = sum;
    });
    add_up(block, shared);
    block.each_thread([&](int t) {
      if (t != 0) return;
      const float room = at.place[job.place].w;
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
          const float q = w * value(probe.quantity[k], j);
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
      const bool in_fluid = room > 0 && s.w >= kInFluid * room;
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
  /// Whether the particles spread in all directions.
  RIFFLE_HD static bool is_solid(const Symmetric3& m) {
    const float determinant =
        m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
    const float mean = (m.xx + m.yy + m.zz) / 3;
    return determinant > 1e-2f * mean * mean * mean;
  }
};

/// What a meter was made for.
struct Subject {
  Device device;
  SolverKind solver;
  Domain domain;
  float support_radius, spacing;

  explicit Subject(const Simulation& simulation)
      : device(simulation.device()),
        solver(simulation.setup().solver),
        domain(simulation.setup().domain),
        support_radius(simulation.setup().support_radius()),
        spacing(simulation.setup().spacing) {}
  friend bool operator==(const Subject&, const Subject&) = default;
};

}  // namespace probe_kernels

using namespace probe_kernels;

struct ProbeMeter::Impl {
  Subject subject;
  int dimension;
  std::vector<ProbeSetup> probes;
  std::vector<ProbeColumn> columns;
  std::vector<std::vector<Quantity>> quantities;  ///< of each probe
  std::vector<ProbePlaces> places;                ///< of each probe
  std::vector<std::uint32_t> offsets;             ///< of each probe in a row
  std::uint32_t stride = 0;
  double every;

  ProbeCellTable table;
  SmoothingKernel kernel;
  std::size_t slots = 0;
  Buffer<Vec4> place;
  Buffer<std::int32_t> slot;
  Buffer<std::uint32_t> first, around, count, begin, listed, particle;
  Buffer<PlaceJob> of_quantities, of_shares;  ///< places
  Buffer<ProbeJob> jobs;                      ///< of each probe
  ScratchMemory scratch;
  Buffer<SampleClock> clock;
  Buffer<double> times;
  Buffer<float> ring;
  std::uint32_t rows = 0;      ///< of the ring
  std::uint32_t enqueued = 0;  ///< samples that may have been taken since collect()
  /// The multiple of `every` whose sample the device may not have taken yet, as far as the host knows.
  double next = 0;
  std::vector<ProbeSample> kept;

  Impl(const Simulation& simulation, std::span<const ProbeSetup> wanted, double interval)
      : subject(simulation),
        dimension(simulation.setup().domain.dimension),
        probes(wanted.begin(), wanted.end()),
        columns(probe_columns(wanted, simulation.setup())),
        every(interval),
        kernel(make_kernel(KernelKind::WendlandC2, dimension, subject.support_radius, subject.spacing)),
        place(subject.device),
        slot(subject.device),
        first(subject.device),
        around(subject.device),
        count(subject.device),
        begin(subject.device),
        listed(subject.device),
        particle(subject.device),
        of_quantities(subject.device),
        of_shares(subject.device),
        jobs(subject.device),
        scratch(subject.device),
        clock(subject.device),
        times(subject.device),
        ring(subject.device) {
    const AllProbePlaces all = place_probes(probes, simulation.setup());
    places = all.probes;
    make_jobs(simulation.setup());
    const ProbeCells cells = cells_around(all.places, subject.domain, subject.support_radius);
    slots = static_cast<std::size_t>(cells.used);
    place.assign(all.places);
    slot.assign(cells.slots);
    first.assign(cells.first);
    around.assign(cells.around);
    count.resize(slots + 1);
    count.fill_zero();
    begin.resize(slots + 1);
    table = cells.table;
    table.slot = slot.data();
    const std::size_t row_bytes = std::max<std::size_t>(1, stride) * sizeof(float);
    rows = std::isfinite(every)
               ? static_cast<std::uint32_t>(std::clamp<std::size_t>(kRingBytes / row_bytes, 1, kMostRows))
               : 0;
    ring.resize((rows + std::size_t{1}) * stride);
    times.resize(rows + std::size_t{1});
    reset_clock(0);
  }

  void make_jobs(const SimulationSetup& setup) {
    std::vector<PlaceJob> values, shares;
    std::vector<ProbeJob> all;
    for (std::size_t p = 0; p < probes.size(); ++p) {
      const ProbeSetup& probe = probes[p];
      quantities.push_back(measured_quantities(probe, setup));
      offsets.push_back(stride);
      ProbeJob job{};
      std::ranges::copy(quantities[p], job.quantity);
      job.quantities = static_cast<int>(quantities[p].size());
      job.linear = probe.fit == ProbeFit::Linear;
      job.flow = probe.kind == ProbeKind::Flow;
      job.normal = positive_direction(probe, dimension);
      all.push_back(job);
      const bool share = job.flow || probe.kind == ProbeKind::Level;
      const std::uint32_t each = share ? 1 : static_cast<std::uint32_t>(job.quantities);
      for (std::size_t k = 0; k < places[p].count && each > 0; ++k) {
        (share ? shares : values)
            .push_back({static_cast<std::uint32_t>(places[p].first + k), static_cast<std::uint32_t>(p), stride});
        stride += each;
      }
    }
    of_quantities.assign(values);
    of_shares.assign(shares);
    jobs.assign(all);
  }

  void reset_clock(double from) {
    SampleClock start;
    start.every = std::isfinite(every) ? every : 1;
    start.next = static_cast<std::uint64_t>(std::clamp(std::ceil(from / start.every - 1e-9), 0.0, 1e18));
    next = static_cast<double>(start.next);
    clock.assign(std::span<const SampleClock>(&start, 1));
  }

  void enqueue(const Simulation& simulation, bool forced) {
    const Device& device = subject.device;
    const ParticleSet& particles = simulation.particles();
    const std::int64_t n = particles.count();
    listed.resize(static_cast<std::size_t>(n));
    particle.resize(static_cast<std::size_t>(n));
    parallel_for(device, "probe: decide", 1,
                 DecideSample{simulation.clock(), clock.data(), times.data(), rows, forced});
    if (stride == 0) return;
    const NearParticles near{clock.data(),   table,        particles.get<Vec4>("position").data(),
                             count.data(),   begin.data(), listed.data(),
                             particle.data()};
    parallel_for(device, "probe: count", n, CountNear{near});
    exclusive_scan(device, count.data(), begin.data(), slots + 1, scratch);
    parallel_for(device, "probe: list", n, ListNear{near});
    parallel_blocks<kThreads>(device, "probe: sort", static_cast<int>(slots),
                              SortSlots{near, particles.get<std::uint32_t>("id").data()});
    const ParticleValue value = particle_value(simulation);
    Surroundings at{near,          periodic_wrap(subject.domain),
                    kernel,        static_cast<float>(simulation.setup().particle_volume()),
                    place.data(),  first.data(),
                    around.data(), ring.data(),
                    stride,        of_quantities.data(),
                    jobs.data()};
    parallel_blocks<kThreads>(device, "probe: quantities", static_cast<int>(of_quantities.size()),
                              MeasureQuantities{at, value, dimension});
    at.places = of_shares.data();
    parallel_blocks<kThreads>(device, "probe: share", static_cast<int>(of_shares.size()),
                              MeasureShare{at, value.velocity});
  }

  /// The numbers of a row as columns.
  std::vector<double> values_of(std::span<const float> row) const {
    std::vector<double> values;
    for (std::size_t p = 0; p < probes.size(); ++p) {
      const std::span<const float> own = row.subspan(offsets[p]);
      switch (probes[p].kind) {
        case ProbeKind::Point:
        case ProbeKind::Line:
        case ProbeKind::Plane:
          for (std::size_t k = 0; k < places[p].count * quantities[p].size(); ++k) values.push_back(double{own[k]});
          break;
        case ProbeKind::Level: {
          const FluidLevel found = fluid_level(own.first(places[p].count), places[p].step);
          values.push_back(found.level);
          values.push_back(found.wetted);
          break;
        }
        case ProbeKind::Flow: {
          double sum = 0;
          for (const float flow : own.first(places[p].count)) sum += double{flow};
          values.push_back(sum * places[p].area);
          break;
        }
      }
    }
    return values;
  }

  ProbeSample read(std::uint32_t row) const {
    ProbeSample sample;
    std::vector<float> numbers(stride);
    copy_to_host(subject.device, &sample.time, times.data() + row, sizeof sample.time);
    copy_to_host(subject.device, numbers.data(), ring.data() + std::size_t{row} * stride, stride * sizeof(float));
    sample.values = values_of(numbers);
    return sample;
  }

  void collect() {
    if (enqueued == 0) return;
    SampleClock now = clock.to_host().front();
    if (now.taken > 0) {
      std::vector<double> when(now.taken);
      std::vector<float> numbers(std::size_t{now.taken} * stride);
      copy_to_host(subject.device, when.data(), times.data(), when.size() * sizeof(double));
      copy_to_host(subject.device, numbers.data(), ring.data(), numbers.size() * sizeof(float));
      for (std::uint32_t k = 0; k < now.taken; ++k)
        kept.push_back({when[k], values_of(std::span<const float>(numbers).subspan(std::size_t{k} * stride, stride))});
      now.taken = 0;
      clock.assign(std::span<const SampleClock>(&now, 1));
    }
    enqueued = 0;
  }
};

ProbeMeter::ProbeMeter(const Simulation& simulation, std::span<const ProbeSetup> probes, double every)
    : impl_(std::make_unique<Impl>(simulation, probes, every)) {}

ProbeMeter::~ProbeMeter() = default;

bool ProbeMeter::suits(const Simulation& simulation) const { return impl_->subject == Subject(simulation); }

const std::vector<ProbeColumn>& ProbeMeter::columns() const { return impl_->columns; }

bool ProbeMeter::full() const { return impl_->rows > 0 && impl_->enqueued >= impl_->rows; }

void ProbeMeter::after_step(const Simulation& simulation) {
  Impl& m = *impl_;
  if (m.rows == 0) return;
  // On a GPU the host knows the clock of a few steps ago; those in flight may be longer than the last one.
  constexpr double kLonger = 1.5;
  const StepReport known = simulation.latest();
  const double dt = double{known.dt}, reached = known.time + 1e-3 * dt;
  const double in_flight = double(simulation.steps_in_flight());
  const double perhaps = reached + in_flight * kLonger * dt;
  const bool first_steps = in_flight > 0 && !(dt > 0);
  if (!first_steps && perhaps < m.next * m.every) return;
  if (full()) m.collect();
  m.enqueue(simulation, false);
  ++m.enqueued;
  if (reached >= m.next * m.every) m.next = std::floor(reached / m.every) + 1;
}

std::vector<ProbeSample> ProbeMeter::collect() {
  impl_->collect();
  return std::exchange(impl_->kept, {});
}

void ProbeMeter::continue_from(double time) { impl_->reset_clock(time); }

ProbeSample ProbeMeter::measure(const Simulation& simulation) {
  impl_->enqueue(simulation, true);
  return impl_->read(impl_->rows);
}

std::size_t ProbeMeter::memory_bytes() const {
  const Impl& m = *impl_;
  return m.place.bytes() + m.slot.bytes() + m.first.bytes() + m.around.bytes() + m.count.bytes() + m.begin.bytes() +
         m.listed.bytes() + m.particle.bytes() + m.scratch.bytes() + m.clock.bytes() + m.times.bytes() + m.ring.bytes();
}

}  // namespace riffle
