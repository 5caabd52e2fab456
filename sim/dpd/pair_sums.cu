#include "core/device/reduce.cuh"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"
#include "sim/dpd/dpd.h"
#include "sim/dpd/dpd_kernels.cuh"

namespace riffle::dpd {

namespace {

struct SumPairs {
  const Vec4* of;
  const std::uint32_t* foreign;  ///< flags of particles that do not count; nullptr: none
  RIFFLE_HD static PairSums identity() { return {0, 0, 0, 0}; }
  RIFFLE_HD static PairSums combine(const PairSums& a, const PairSums& b) {
    return {a.energy + b.energy, a.conservative + b.conservative, a.thermostat + b.thermostat, a.count + b.count};
  }
  RIFFLE_HD PairSums operator()(std::int64_t i) const {
    if (foreign && foreign[i] != 0) return identity();
    return {double{of[i].x}, double{of[i].y}, double{of[i].z}, double{of[i].w}};
  }
};

}  // namespace

PairSums DpdSolver::sum_pairs(const ParticleSet& particles, const NeighborSearch& search,
                              const ClockState& clock) const {
  const Device& device = particles.device();
  const auto n = static_cast<std::size_t>(particles.count());
  const Vec4* position = particles.get<Vec4>("position").data();
  const Vec4* predicted = particles.get<Vec4>("predicted velocity").data();
  const Buffer<float>* stream =
      setup_.dpd.random == RandomKind::KarpinskiStream ? &particles.get<float>("random") : nullptr;
  Buffer<Vec4> sorted(device), sorted_predicted(device);
  Buffer<float> sorted_random(device);
  Buffer<std::uint32_t> sorted_foreign(device);
  const std::uint32_t* foreign = foreign_flags(particles);
  NeighborSearch own(device, {NeighborMethod::Hoetzlein});
  const bool at_hand = started_ && search.version() == search_version_ && search.count() == particles.count();
  if (!at_hand) {  // before the first step, or after a change of the search
    build_sorted(own, position, particles.count(), setup_.domain, setup_.dpd.cutoff, sorted);
    sorted_predicted.resize(n);
    sorted_random.resize(stream ? n : 0);
    const GatherArray arrays[] = {{predicted, sorted_predicted.data(), 16},
                                  {stream ? stream->data() : nullptr, sorted_random.data(), 4}};
    gather(device, own.order(), n, arrays, stream ? 2 : 1);
    if (foreign) {
      sorted_foreign.resize(n);
      const GatherArray flags{foreign, sorted_foreign.data(), 4};
      gather(device, own.order(), n, &flags, 1);
      foreign = sorted_foreign.data();
    }
    position = sorted.data();
    predicted = sorted_predicted.data();
  } else if (stream) {
    sorted_random.resize(n);
    copy_on_device(device, sorted_random.data(), stream->data(), n * sizeof(float));
  }
  Buffer<ClockState> at(device, 1);
  ClockState last = clock;
  last.dt = clock.last_dt;  // after the end of a run dt is 0
  at.assign({&last, 1});
  Buffer<Vec4> sums(device, n);
  // The random numbers of the last evaluation: they follow from pair and step, except those of streams, which have
  // advanced.
  with_numbers(setup_, at.data(), !started_, sorted_random.data(), [&](const auto& numbers) {
    using Numbers = std::decay_t<decltype(numbers)>;
    DpdForces<Numbers> forces{table_,         numbers,  1 / setup_.dpd.cutoff,
                              setup_.gravity, nullptr,  false,
                              false,          position, predicted,
                              at.data(),      nullptr,  nullptr,
                              nullptr};
    for_each_neighbor(at_hand ? search : own, "virial", position, setup_.dpd.cutoff,
                      DpdVirial<Numbers>{forces, sums.data()});
  });
  return reduce<PairSums>(device, "sum pairs", particles.count(), SumPairs{sums.data(), foreign});
}

}  // namespace riffle::dpd
