#include "sim/start/fitting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "core/device/parallel.cuh"
#include "core/device/threads.h"
#include "core/math/periodic.h"
#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"
#include "sim/kernel.h"

namespace riffle {

namespace {

constexpr int kRounds = 20;
/// Of the squared spacing: 0.6 of what is stable for the shortest waves of a lattice, in 2-D and 3-D.
constexpr float kPerGradient = 0.25f;
constexpr float kLongestMove = 0.1f;  ///< [spacings] of a round
constexpr std::int64_t kGrain = 256;  ///< particles that a thread takes at a time
constexpr float kOccupied = 0.75f;    ///< [spacings] a site beyond a body is not there if a particle is as near

/// The distance from each query to the nearest source.
struct FindNearestSource {
  float* distance2;

  struct State {
    float least;
  };
  RIFFLE_HD State begin(int) const { return {kNowhere}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float r2) const {
    if (r2 < state.least) state.least = r2;
  }
  RIFFLE_HD void end(State& state, int i) const { distance2[i] = state.least; }
};

/// (queries) [m^2] kNowhere where no source is within `reach`.
std::vector<float> nearest2(const std::vector<Vec4>& sources, const std::vector<Vec4>& queries, const Domain& domain,
                            float reach) {
  std::vector<float> distance2(queries.size(), kNowhere);
  if (sources.empty() || queries.empty()) return distance2;
  const Device cpu;
  NeighborSearch search(cpu, {{.method = NeighborMethod::Green}, /*deterministic=*/true});
  const Buffer<Vec4> given(cpu, std::span<const Vec4>(sources)), asked(cpu, std::span<const Vec4>(queries));
  Buffer<Vec4> sorted(cpu);
  build_sorted(search, given.data(), static_cast<int>(sources.size()), domain, reach, sorted);
  for_each_neighbor_in_grid(search, "nearest source", sorted.data(), asked.data(), static_cast<int>(queries.size()),
                            reach, FindNearestSource{distance2.data()});
  return distance2;
}

/// The sum over the fluid.
struct DensityGradient {
  SmoothingKernel kernel;
  float volume;    ///< of a particle [m^d]
  Vec4* gradient;  ///< out: of the share that is filled [1/m]

  struct State {
    Vec3 sum;
  };
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2) const {
    state.sum += kernel.gradient_over_r(sqrtf(r2)) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const { gradient[i] = make_vec4(volume * state.sum); }
};

/// What a half-space adds to the gradient at a distance from it: the kernel's integral over a plane [1/m].
class PlaneIntegral {
 public:
  PlaneIntegral(const SmoothingKernel& kernel, int dimension) : per_h_(kEntries / kernel.h) {
    constexpr int kParts = 256;
    for (int k = 0; k < kEntries; ++k) {
      const double d = k / double{per_h_}, most = std::sqrt(std::max(0.0, double{kernel.h} * kernel.h - d * d));
      double sum = 0;
      for (int p = 0; p < kParts; ++p) {
        const double s = (p + 0.5) * most / kParts, w = kernel.value(static_cast<float>(std::hypot(d, s)));
        sum += w * (dimension == 3 ? 2 * std::numbers::pi * s : 2.0) * most / kParts;
      }
      integral_[static_cast<std::size_t>(k)] = static_cast<float>(sum);
    }
  }

  float operator()(float distance) const {
    const float place = std::fabs(distance) * per_h_;
    if (!(place < kEntries)) return 0;
    const auto k = static_cast<std::size_t>(place);
    const float share = place - static_cast<float>(k);
    return (1 - share) * integral_[k] + share * integral_[k + 1];
  }

 private:
  static constexpr int kEntries = 64;
  float per_h_;
  std::array<float, kEntries + 1> integral_{};  ///< the last one is 0
};

/// Moves one particle by its gradient and by what surfaces add to that.
class Mover {
 public:
  Mover(const SimulationSetup& setup, const SolidsAtRest& solids, const SmoothingKernel& kernel)
      : domain_(setup.domain),
        solids_(solids),
        spacing_(setup.spacing),
        reach_(kernel.h),
        plane_(kernel, setup.domain.dimension) {}

  Vec3 moved(Vec3 x, Vec3 gradient, std::uint8_t kind) const {
    solids_.for_each_near(x, reach_,
                          [&](std::size_t, SurfaceDistance d) { gradient -= plane_(d.distance) * d.normal; });
    for_each_face(kind, [&](int a, float face, float inwards) {
      add_component(gradient, a, -inwards * plane_(inwards * (component(x, a) - face)));
    });
    Vec3 step = -(kPerGradient * spacing_ * spacing_) * gradient;
    if (domain_.dimension == 2) step.z = 0;
    const float length = std::sqrt(length2(step)), most = kLongestMove * spacing_;
    if (!(length >= 0)) return x;
    const Vec3 to = outside(x + (length > most ? most / length : 1) * step, x, kind);
    return solids_.nearer(to, 0) ? x : to;  // between surfaces there is no room for it
  }

  /// No nearer to a surface than kFittedGap, unless another one is as near then.
  /// @param from  where it was: it may stay as near to a walled face
  Vec3 outside(Vec3 x, Vec3 from, std::uint8_t kind) const {
    const float least = kFittedGap * spacing_;
    if (const SurfaceDistance d = solids_.nearest(x, least); d.distance < least) {
      const Vec3 pushed = x + (least - d.distance) * d.normal;
      if (d.distance < 0 || !solids_.nearer(pushed, d.distance)) x = pushed;
    }
    for_each_face(kind, [&](int a, float face, float inwards) {
      const float gap = inwards * (component(x, a) - face);
      if (gap < least) add_component(x, a, inwards * (least - gap));
    });
    stay_within(x, from);
    return periodic_image(x, domain_);
  }

 private:
  static void add_component(Vec3& x, int a, float value) { (a == 0 ? x.x : a == 1 ? x.y : x.z) += value; }

  /// visit(axis, its coordinate, 1 or -1 into the domain) for faces that cut the body.
  template <class Visit>
  void for_each_face(std::uint8_t kind, const Visit& visit) const {
    for (int a = 0; a < domain_.dimension; ++a) {
      if (kind & LatticeSites::face_bit(a, false)) visit(a, component(domain_.min, a), 1.0f);
      if (kind & LatticeSites::face_bit(a, true)) visit(a, component(domain_.max, a), -1.0f);
    }
  }

  /// A particle goes no nearer to a walled face than kFittedGap, unless it was nearer.
  void stay_within(Vec3& x, Vec3 from) const {
    const float gap = kFittedGap * spacing_;
    for (int a = 0; a < domain_.dimension; ++a) {
      if (!domain_.walled(a)) continue;
      const float low = std::min(component(from, a), component(domain_.min, a) + gap),
                  high = std::max(component(from, a), component(domain_.max, a) - gap);
      add_component(x, a, std::clamp(component(x, a), low, high) - component(x, a));
    }
  }

  Domain domain_;
  const SolidsAtRest& solids_;
  float spacing_, reach_;
  PlaneIntegral plane_;
};

/// Places that are taken one after the other, each if none is near it. Lattices of several bodies, and images over periodic faces, have
/// sites beyond them at the same places.
class Occupied {
 public:
  Occupied(const Domain& domain, float distance) : domain_(domain), distance_(distance) {
    for (int a = 0; a < domain.dimension; ++a)
      if (domain.periodic(a))
        cells_[static_cast<std::size_t>(a)] =
            std::max<std::int64_t>(1, static_cast<std::int64_t>(component(domain.extent(), a) / distance));
  }

  /// @return false if one is nearer than the distance
  bool take(Vec3 x) {
    const Cell own = cell_of(x);
    for (int n = 0; n < (domain_.dimension == 3 ? 27 : 9); ++n) {
      const Cell beside =
          wrapped({own[0] + n % 3 - 1, own[1] + n / 3 % 3 - 1, domain_.dimension == 3 ? own[2] + n / 9 - 1 : 0});
      const auto [first, last] = places_.equal_range(beside);
      for (auto it = first; it != last; ++it)
        if (length2(nearest_image(x - it->second)) < distance_ * distance_) return false;
    }
    places_.emplace(own, x);
    return true;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;

  Cell cell_of(Vec3 x) const {
    Cell cell{0, 0, 0};
    for (std::size_t a = 0; a < static_cast<std::size_t>(domain_.dimension); ++a) {
      const int axis = static_cast<int>(a);
      const float width = cells_[a] > 0 ? component(domain_.extent(), axis) / static_cast<float>(cells_[a]) : distance_;
      cell[a] = static_cast<std::int64_t>(std::floor((component(x, axis) - component(domain_.min, axis)) / width));
    }
    return wrapped(cell);
  }
  Cell wrapped(Cell cell) const {
    for (std::size_t a = 0; a < 3; ++a)
      if (cells_[a] > 0) cell[a] = (cell[a] % cells_[a] + cells_[a]) % cells_[a];
    return cell;
  }
  Vec3 nearest_image(Vec3 r) const {
    const auto period = [&](int a) { return domain_.periodic(a) ? component(domain_.extent(), a) : 0; };
    return image_near(r, {0, 0, 0}, {period(0), period(1), period(2)});
  }

  Domain domain_;
  float distance_;
  Cell cells_{0, 0, 0};  ///< along periodic axes
  std::multimap<Cell, Vec3> places_;
};

std::vector<Vec4> with_zero(const std::vector<Vec3>& places) {
  std::vector<Vec4> all;
  all.reserve(places.size());
  for (const Vec3& x : places) all.push_back(make_vec4(x));
  return all;
}

}  // namespace

bool fit_to_solids(const SimulationSetup& setup, const SolidsAtRest& solids, const LatticeSites& sites,
                   std::vector<Vec4>& position, const SamplingProgress& progress) {
  const float spacing = setup.spacing, h = kFittedSupport * spacing, moves = kFitted * spacing;
  const Domain& domain = setup.domain;
  const std::vector<float> to_cut2 = nearest2(with_zero(sites.cuts), position, domain, moves + h);
  std::vector<std::size_t> moving;
  std::vector<Vec4> places, fixed;  // of those that move, and of those around them
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (!(to_cut2[i] < kNowhere)) continue;
    if (sites.kind[i] != 0 && to_cut2[i] < moves * moves)
      moving.push_back(i), places.push_back(make_vec4(xyz(position[i])));
    else
      fixed.push_back(make_vec4(xyz(position[i])));
  }
  if (moving.empty()) return false;
  progress.look();

  const SmoothingKernel kernel = make_kernel(KernelKind::WendlandC2, domain.dimension, h, spacing);
  const Mover mover(setup, solids, kernel);
  std::vector<Vec4> real = places;
  real.insert(real.end(), fixed.begin(), fixed.end());
  std::vector<Vec4> beyond;
  for (const Vec3& x : sites.beyond) beyond.push_back(make_vec4(mover.outside(x, x, LatticeSites::kOfLattice)));
  const std::vector<float> to_particle2 = nearest2(real, beyond, domain, kOccupied * spacing);
  Occupied occupied(domain, kOccupied * spacing);
  for (std::size_t k = 0; k < beyond.size(); ++k)
    if (!(to_particle2[k] < kNowhere) && occupied.take(xyz(beyond[k]))) fixed.push_back(beyond[k]);

  const Device cpu;
  const auto volume = static_cast<float>(std::pow(double{spacing}, domain.dimension));
  const auto count = static_cast<std::int64_t>(moving.size());
  std::vector<Vec4> all(places.size() + fixed.size()), gradient(places.size());
  std::copy(fixed.begin(), fixed.end(), all.begin() + count);
  for (std::size_t k = 0; k < places.size(); ++k)
    places[k] = make_vec4(mover.outside(xyz(places[k]), xyz(places[k]), sites.kind[moving[k]]));
  NeighborSearch search(cpu, {{.method = NeighborMethod::Green}, /*deterministic=*/true});
  Buffer<Vec4> sorted(cpu);
  for (int round = 0; round < kRounds; ++round) {
    progress.look();
    std::copy(places.begin(), places.end(), all.begin());
    build_sorted(search, all.data(), static_cast<int>(all.size()), domain, h, sorted);
    // A particle is its own neighbour here, which adds nothing at no distance.
    for_each_neighbor_in_grid(search, "density gradient", sorted.data(), places.data(), static_cast<int>(count), h,
                              DensityGradient{kernel, volume, gradient.data()});
    parallel_ranges(count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
        places[k] = make_vec4(mover.moved(xyz(places[k]), xyz(gradient[k]), sites.kind[moving[k]]));
    });
  }
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const Vec3 x = xyz(places[k]);
    position[moving[k]] = {x.x, x.y, x.z, position[moving[k]].w};
  }
  return true;
}

}  // namespace riffle
