#include "sim/measure/observables.h"

#include <cmath>
#include <numbers>
#include <string>

#include "core/device/atomic.h"
#include "core/error.h"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"
#include "sim/by_id.h"
#include "sim/measure/measuring_search.h"

namespace riffle {

namespace {

constexpr int kCopies = 64;  // of the histogram, so that threads seldom write to the same one

struct CountDistances {
  float bins_per_length;
  int bins;
  float near2;               ///< [m^2]
  std::uint32_t* histogram;  ///< (kCopies, bins + 1): the last one counts the pairs that are nearer than that

  struct State {
    std::uint32_t* histogram;
    std::uint32_t near;
  };
  RIFFLE_HD State begin(int i) const { return {histogram + (i % kCopies) * (bins + 1), 0}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float r2) const {
    const int bin = static_cast<int>(sqrtf(r2) * bins_per_length);
    atomic_add(&state.histogram[bin < bins ? bin : bins - 1], 1u);
    if (r2 < near2) ++state.near;
  }
  RIFFLE_HD void end(State& state, int) const {
    if (state.near > 0) atomic_add(&state.histogram[bins], state.near);
  }
};

double shell(int dimension, double r) {
  return dimension == 2 ? std::numbers::pi * r * r : 4.0 / 3.0 * std::numbers::pi * r * r * r;
}

}  // namespace

RadialDistribution::RadialDistribution(double r_max, int bins, double near)
    : r_max_(r_max), near_(near), pairs_(static_cast<std::size_t>(bins), 0.0) {}

void RadialDistribution::add(const Simulation& simulation, double volume) {
  const Device& device = simulation.device();
  const Domain& domain = simulation.setup().domain;
  const int n = simulation.particle_count();
  if (n < 2) return;
  const auto bins = static_cast<int>(pairs_.size());
  const auto near = static_cast<float>(near_);
  NeighborSearch search(device, measuring_search(simulation.setup()));
  Buffer<Vec4> sorted(device);
  build_sorted(search, simulation.particles().get<Vec4>("position").data(), n, domain, static_cast<float>(r_max_),
               sorted);
  Buffer<std::uint32_t> histogram(device, static_cast<std::size_t>(kCopies * (bins + 1)));
  histogram.fill_zero();
  for_each_neighbor(search, "distances", sorted.data(), static_cast<float>(r_max_),
                    CountDistances{static_cast<float>(bins / r_max_), bins, near * near, histogram.data()});
  const std::vector<std::uint32_t> counts = histogram.to_host();
  for (int k = 0; k < kCopies; ++k) {
    const std::uint32_t* const copy = counts.data() + k * (bins + 1);
    for (int b = 0; b < bins; ++b) pairs_[static_cast<std::size_t>(b)] += copy[b];
    pairs_near_ += copy[bins];
  }
  if (volume == 0) {
    volume = 1;
    for (int a = 0; a < domain.dimension; ++a) volume *= component(domain.extent(), a);
  }
  particles_ += n;
  // A particle does not see itself, only the other n - 1.
  expected_ += n * ((n - 1) / volume);
  dimension_ = domain.dimension;
  ++states_;
}

void RadialDistribution::join(const RadialDistribution& other) {
  for (std::size_t b = 0; b < pairs_.size(); ++b) pairs_[b] += other.pairs_[b];
  pairs_near_ += other.pairs_near_;
  particles_ += other.particles_;
  expected_ += other.expected_;
  if (other.states_ > 0) dimension_ = other.dimension_;
  states_ += other.states_;
}

std::vector<double> RadialDistribution::values() const {
  std::vector<double> g(pairs_.size(), 0.0);
  const double width = r_max_ / static_cast<double>(pairs_.size());
  for (std::size_t b = 0; b < g.size() && states_ > 0; ++b) {
    const double volume = shell(dimension_, width * double(b + 1)) - shell(dimension_, width * double(b));
    g[b] = pairs_[b] / (expected_ * volume);
  }
  return g;
}

double RadialDistribution::neighbors_near() const { return particles_ > 0 ? pairs_near_ / particles_ : 0; }

MeanSquareDisplacement::MeanSquareDisplacement(const Simulation& simulation)
    : begin_(simulation.latest().time),
      domain_(simulation.setup().domain),
      id_(by_id<std::uint32_t>(simulation, "id")),
      last_(by_id<Vec4>(simulation, "position")),
      start_(last_) {
  turns_.assign(3 * last_.size(), 0);
}

/// The positions of the particles that are still followed.
std::vector<Vec4> MeanSquareDisplacement::follow(const Simulation& simulation) {
  std::vector<Vec4> now = by_id<Vec4>(simulation, "position");
  const auto id = by_id<std::uint32_t>(simulation, "id");
  if (id == id_) return now;
  std::size_t kept = 0;
  for (std::size_t i = 0, k = 0; i < id_.size(); ++i) {
    while (k < id.size() && id[k] < id_[i]) ++k;
    if (k == id.size() || id[k] != id_[i]) continue;
    id_[kept] = id_[i], last_[kept] = last_[i], start_[kept] = start_[i], now[kept] = now[k];
    for (std::size_t a = 0; a < 3; ++a) turns_[3 * kept + a] = turns_[3 * i + a];
    ++kept;
  }
  id_.resize(kept), last_.resize(kept), start_.resize(kept), now.resize(kept), turns_.resize(3 * kept);
  return now;
}

void MeanSquareDisplacement::add(const Simulation& simulation) {
  const std::vector<Vec4> now = follow(simulation);
  const double extent[3] = {double{domain_.extent().x}, double{domain_.extent().y}, double{domain_.extent().z}};
  double mean[3] = {}, square = 0;
  const auto n = static_cast<double>(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    double moved2 = 0;
    for (int a = 0; a < domain_.dimension; ++a) {
      std::int32_t& turns = turns_[3 * i + static_cast<std::size_t>(a)];
      if (domain_.periodic(a))
        turns -= static_cast<std::int32_t>(
            std::lround((double{component(xyz(now[i]), a)} - component(xyz(last_[i]), a)) / extent[a]));
      const double moved = double{component(xyz(now[i]), a)} - component(xyz(start_[i]), a) + turns * extent[a];
      mean[a] += moved / n;
      moved2 += moved * moved;
    }
    square += moved2 / n;
  }
  last_ = now;
  for (const double m : mean) square -= m * m;
  samples_.push_back({simulation.latest().time - begin_, square});
}

double MeanSquareDisplacement::diffusion(double from, double to) const {
  double n = 0, t = 0, v = 0, tt = 0, tv = 0;
  for (const Sample& s : samples_) {
    if (s.time < from || s.time > to) continue;
    n += 1, t += s.time, v += s.value, tt += s.time * s.time, tv += s.time * s.value;
  }
  const double spread = n * tt - t * t;
  if (!(spread > 0))
    throw InputError("no line fits the displacements of " + std::to_string(static_cast<int>(n)) + " samples between " +
                     std::to_string(from) + " and " + std::to_string(to) + "; at least two are needed");
  return (n * tv - t * v) / spread / (2 * domain_.dimension);
}

}  // namespace riffle
