#include "sim/measure/observables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/error.h"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"
#include "sim/by_id.h"
#include "sim/measure/measuring_search.h"

namespace riffle {

namespace {

constexpr int kCopies = 64;  // of the histogram, so that threads seldom write to the same one

/// out[i] = {x, y, z, fluid}
struct TagWithFluid {
  const Vec4* position;
  const std::uint32_t* fluid;
  Vec4* out;

  RIFFLE_HD void operator()(std::int64_t i) const {
    out[i] = make_vec4(xyz(position[i]), static_cast<float>(fluid[i]));
  }
};

struct CountDistances {
  const Vec4* tagged;  ///< in the traversal's order
  bool several;        ///< fluids
  float bins_per_length;
  int bins;
  int all_bins;              ///< of all pairs of fluids
  float near2;               ///< [m^2]
  std::uint32_t* histogram;  ///< (kCopies, all_bins + 1): the last one counts the pairs that are nearer than that

  struct State {
    std::uint32_t* histogram;
    std::uint32_t near;
    int fluid;
  };
  RIFFLE_HD int fluid_of(int i) const { return several ? static_cast<int>(tagged[i].w) : 0; }
  RIFFLE_HD State begin(int i) const { return {histogram + (i % kCopies) * (all_bins + 1), 0, fluid_of(i)}; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float r2) const {
    const int bin = static_cast<int>(sqrtf(r2) * bins_per_length);
    const int first = bins * fluid_pair(state.fluid, fluid_of(j));
    atomic_add(&state.histogram[first + (bin < bins ? bin : bins - 1)], 1u);
    if (r2 < near2) ++state.near;
  }
  RIFFLE_HD void end(State& state, int) const {
    if (state.near > 0) atomic_add(&state.histogram[all_bins], state.near);
  }
};

double shell(int dimension, double r) {
  return dimension == 2 ? std::numbers::pi * r * r : 4.0 / 3.0 * std::numbers::pi * r * r * r;
}

}  // namespace

RadialDistribution::RadialDistribution(double r_max, int bins, double near)
    : r_max_(r_max), near_(near), bins_(static_cast<std::size_t>(bins)) {}

void RadialDistribution::add(const Simulation& simulation, double volume) {
  const Device& device = simulation.device();
  const Domain& domain = simulation.setup().domain;
  const int n = simulation.particle_count();
  if (n < 2) return;
  const auto bins = static_cast<int>(bins_);
  const auto fluids = static_cast<int>(simulation.setup().fluids.size());
  const int kinds = fluids * (fluids + 1) / 2, all_bins = kinds * bins;
  const auto near = static_cast<float>(near_);
  const Buffer<std::uint32_t>& fluid = simulation.particles().get<std::uint32_t>("fluid");
  NeighborSearch search(device, measuring_search(simulation.setup()));
  Buffer<Vec4> tagged(device, static_cast<std::size_t>(n)), sorted(device);
  parallel_for(device, "tag fluid", n,
               TagWithFluid{simulation.particles().get<Vec4>("position").data(), fluid.data(), tagged.data()});
  build_sorted(search, tagged.data(), n, domain, static_cast<float>(r_max_), sorted);
  Buffer<std::uint32_t> histogram(device, static_cast<std::size_t>(kCopies * (all_bins + 1)));
  histogram.fill_zero();
  for_each_neighbor(search, "distances", sorted.data(), static_cast<float>(r_max_),
                    CountDistances{sorted.data(), fluids > 1, static_cast<float>(bins / r_max_), bins, all_bins,
                                   near * near, histogram.data()});
  const std::vector<std::uint32_t> counts = histogram.to_host();
  pairs_.resize(std::max(pairs_.size(), static_cast<std::size_t>(kinds)), Bins(bins_, 0.0));
  expected_.resize(pairs_.size(), 0.0);
  for (int k = 0; k < kCopies; ++k) {
    const std::uint32_t* const copy = counts.data() + k * (all_bins + 1);
    for (int b = 0; b < all_bins; ++b)
      pairs_[static_cast<std::size_t>(b / bins)][static_cast<std::size_t>(b % bins)] += copy[b];
    pairs_near_ += copy[all_bins];
  }
  if (volume == 0) {
    volume = 1;
    for (int a = 0; a < domain.dimension; ++a) volume *= component(domain.extent(), a);
  }
  particles_ += n;
  std::vector<double> of(static_cast<std::size_t>(fluids), 0.0);
  if (fluids == 1)
    of[0] = n;
  else
    for (const std::uint32_t f : fluid.to_host()) ++of[f];
  // A particle does not see itself, only the others of its fluid.
  for (int a = 0; a < fluids; ++a)
    for (int b = 0; b <= a; ++b) {
      const double own = of[static_cast<std::size_t>(a)], other = of[static_cast<std::size_t>(b)];
      expected_[static_cast<std::size_t>(fluid_pair(a, b))] += (a == b ? own * (own - 1) : 2 * own * other) / volume;
    }
  dimension_ = domain.dimension;
  ++states_;
}

void RadialDistribution::join(const RadialDistribution& other) {
  pairs_.resize(std::max(pairs_.size(), other.pairs_.size()), Bins(bins_, 0.0));
  expected_.resize(pairs_.size(), 0.0);
  for (std::size_t kind = 0; kind < other.pairs_.size(); ++kind) {
    for (std::size_t b = 0; b < bins_; ++b) pairs_[kind][b] += other.pairs_[kind][b];
    expected_[kind] += other.expected_[kind];
  }
  pairs_near_ += other.pairs_near_;
  particles_ += other.particles_;
  if (other.states_ > 0) dimension_ = other.dimension_;
  states_ += other.states_;
}

RadialDistribution::Bins RadialDistribution::ratio(const Bins& pairs, double expected) const {
  Bins g(bins_, 0.0);
  const double width = r_max_ / static_cast<double>(bins_);
  for (std::size_t b = 0; b < bins_ && states_ > 0; ++b) {
    const double volume = shell(dimension_, width * double(b + 1)) - shell(dimension_, width * double(b));
    g[b] = expected > 0 ? pairs[b] / (expected * volume) : std::numeric_limits<double>::quiet_NaN();
  }
  return g;
}

std::vector<double> RadialDistribution::values() const {
  Bins all(bins_, 0.0);
  double expected = 0;
  for (std::size_t kind = 0; kind < pairs_.size(); ++kind) {
    for (std::size_t b = 0; b < bins_; ++b) all[b] += pairs_[kind][b];
    expected += expected_[kind];
  }
  return ratio(all, expected);
}

std::vector<double> RadialDistribution::values(int fluid, int other) const {
  const auto kind = static_cast<std::size_t>(fluid_pair(fluid, other));
  return kind < pairs_.size() ? ratio(pairs_[kind], expected_[kind]) : ratio(Bins(bins_, 0.0), 0);
}

double RadialDistribution::neighbors_near() const { return particles_ > 0 ? pairs_near_ / particles_ : 0; }

namespace {

/// (fluids) Masses of their particles, in a unit that all share: particles of SPH have one volume.
std::vector<double> particle_masses(const SimulationSetup& setup) {
  std::vector<double> masses;
  for (const FluidSetup& fluid : setup.fluids)
    masses.push_back(double{setup.solver == SolverKind::Dpd ? fluid.mass : fluid.rest_density});
  return masses;
}

}  // namespace

MeanSquareDisplacement::MeanSquareDisplacement(const Simulation& simulation)
    : begin_(simulation.latest().time),
      domain_(simulation.setup().domain),
      mass_(particle_masses(simulation.setup())),
      id_(by_id<std::uint32_t>(simulation, "id")),
      last_(by_id<Vec4>(simulation, "position")),
      start_(last_),
      fluid_(by_id<std::uint32_t>(simulation, "fluid")) {
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
    fluid_[kept] = fluid_[i];
    for (std::size_t a = 0; a < 3; ++a) turns_[3 * kept + a] = turns_[3 * i + a];
    ++kept;
  }
  id_.resize(kept), last_.resize(kept), start_.resize(kept), now.resize(kept), turns_.resize(3 * kept);
  fluid_.resize(kept);
  return now;
}

void MeanSquareDisplacement::add(const Simulation& simulation) {
  const std::vector<Vec4> now = follow(simulation);
  const double extent[3] = {double{domain_.extent().x}, double{domain_.extent().y}, double{domain_.extent().z}};
  /// Sums over the particles of a fluid.
  struct Moved {
    double count = 0, square = 0, sum[3] = {};
  };
  const std::size_t fluids = mass_.size();
  std::vector<Moved> moved_of(fluids);
  for (std::size_t i = 0; i < now.size(); ++i) {
    Moved& sums = moved_of[fluids == 1 ? 0 : fluid_[i]];
    ++sums.count;
    for (int a = 0; a < domain_.dimension; ++a) {
      std::int32_t& turns = turns_[3 * i + static_cast<std::size_t>(a)];
      if (domain_.periodic(a))
        turns -= static_cast<std::int32_t>(
            std::lround((double{component(xyz(now[i]), a)} - component(xyz(last_[i]), a)) / extent[a]));
      const double moved = double{component(xyz(now[i]), a)} - component(xyz(start_[i]), a) + turns * extent[a];
      sums.sum[a] += moved;
      sums.square += moved * moved;
    }
  }
  last_ = now;
  Moved all;
  double mass = 0, center[3] = {};  // of all: how far their centre of mass has moved
  for (std::size_t f = 0; f < fluids; ++f) {
    const Moved& sums = moved_of[f];
    all.count += sums.count, all.square += sums.square;
    mass += mass_[f] * sums.count;
    for (int a = 0; a < 3; ++a) all.sum[a] += sums.sum[a], center[a] += mass_[f] * sums.sum[a];
  }
  for (double& c : center) c /= mass;
  // <|m - M|^2> with the centre's M
  const auto square = [&](const Moved& sums) {
    double about = sums.square / sums.count;
    for (int a = 0; a < 3; ++a) about += center[a] * center[a] - 2 * center[a] * sums.sum[a] / sums.count;
    return about;
  };
  std::vector<double> of_fluid;
  for (const Moved& sums : moved_of)
    of_fluid.push_back(sums.count > 0 ? square(sums) : std::numeric_limits<double>::quiet_NaN());
  samples_.push_back({simulation.latest().time - begin_, square(all), std::move(of_fluid)});
}

double MeanSquareDisplacement::diffusion(double from, double to, int fluid) const {
  double n = 0, t = 0, v = 0, tt = 0, tv = 0;
  for (const Sample& s : samples_) {
    if (s.time < from || s.time > to) continue;
    const double value = fluid == kAll ? s.value : s.of_fluid[static_cast<std::size_t>(fluid)];
    n += 1, t += s.time, v += value, tt += s.time * s.time, tv += s.time * value;
  }
  const double spread = n * tt - t * t;
  if (!(spread > 0))
    throw InputError("no line fits the displacements of " + std::to_string(static_cast<int>(n)) + " samples between " +
                     std::to_string(from) + " and " + std::to_string(to) + "; at least two are needed");
  return (n * tv - t * v) / spread / (2 * domain_.dimension);
}

}  // namespace riffle
