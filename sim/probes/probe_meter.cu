#include "sim/probes/probe_meter.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/device/algorithms.h"
#include "core/device/parallel.cuh"
#include "core/math/cross_product.h"
#include "neighbors/separation.h"
#include "sim/probes/probe_kernels.cuh"
#include "sim/probes/probe_places.h"

namespace riffle {

namespace probe_kernels {

constexpr std::size_t kRingBytes = 16u << 20;
constexpr std::size_t kMostRows = 4096;

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
  float longest_step;  ///< [s]

  ProbeCellTable table;
  SmoothingKernel kernel;
  double flow_scale;  ///< of a kernel whose integral is 1 over `kernel`
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
        longest_step(simulation.stable_dt()),
        kernel(solver_info(simulation.setup()).has_density
                   ? make_kernel(KernelKind::WendlandC2, dimension, subject.support_radius, subject.spacing)
                   : make_normalized_kernel(KernelKind::WendlandC2, dimension, subject.support_radius)),
        flow_scale(
            double{make_normalized_kernel(KernelKind::WendlandC2, dimension, subject.support_radius).value_scale} /
            kernel.value_scale),
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
    reset_clock();
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
      if (job.flow) job.slab = slab_of(probe, places[p], setup);
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

  FlowSlab slab_of(const ProbeSetup& probe, const ProbePlaces& at, const SimulationSetup& setup) const {
    FlowSlab slab{};
    slab.normal = positive_direction(probe, dimension);
    if (solver_info(setup).has_density) return slab;
    const Vec3 a = (1 / static_cast<float>(at.parts[0])) * probe.side,
               b = dimension == 3 ? (1 / static_cast<float>(at.parts[1])) * probe.other_side : Vec3{0, 0, 1};
    const Vec3 across_a = cross_product(b, slab.normal), across_b = cross_product(slab.normal, a);
    slab.first = (1 / dot(across_a, a)) * across_a;
    if (dimension == 3) slab.second = (1 / dot(across_b, b)) * across_b;
    slab.inverse_width = 1 / (kFlowHalfWidth * setup.support_radius());
    slab.inverse_part = static_cast<float>(1 / at.area);
    return slab;
  }

  void reset_clock() {
    SampleClock start;
    start.every = std::isfinite(every) ? every : 1;
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
                    jobs.data(),   solver_info(simulation.setup()).has_density ? kInFluid : kInThinFluid};
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
          values.push_back(sum * places[p].area * flow_scale);
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
  // On a GPU the host knows the clock of a few steps ago. Those in flight are at most as long as steps of a fluid at rest.
  const StepReport known = simulation.latest();
  const double dt = double{known.dt}, reached = known.time + 1e-3 * dt;
  const double in_flight = double(simulation.steps_in_flight());
  const double perhaps = reached + in_flight * std::max(dt, double{m.longest_step});
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
