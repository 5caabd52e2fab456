#include "sim/measure/domain_size.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"

namespace riffle {

namespace {

struct ComplexSum {
  double re, im;
};

/// Grid points and waves along the axes. A flat axis has one point and the wave 0.
struct WaveGrid {
  int points[3], waves[3];  ///< waves: the most periods
  double inverse[3];        ///< 1 / edge
};

/// cell += 1 or -1, in two's complement
struct CountOnGrid {
  WaveGrid grid;
  Vec3 low;
  int dimension;
  const Vec4* position;
  const std::uint32_t* fluid;
  std::uint32_t* cell;  ///< x fastest

  RIFFLE_HD int place(float x, float min, int axis) const {
    const double share = (double{x} - min) * grid.inverse[axis];
    return static_cast<int>(static_cast<std::int64_t>(floor(share * grid.points[axis])) & (grid.points[axis] - 1));
  }
  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(position[i]);
    if (!(fabsf(x.x) < 1e9f) || !(fabsf(x.y) < 1e9f) || !(fabsf(x.z) < 1e9f)) return;
    const int a = place(x.x, low.x, 0), b = place(x.y, low.y, 1), c = dimension == 3 ? place(x.z, low.z, 2) : 0;
    const std::int64_t at = (static_cast<std::int64_t>(c) * grid.points[1] + b) * grid.points[0] + a;
    atomic_add(&cell[at], fluid[i] == 0 ? 1u : 0xffffffffu);
  }
};

RIFFLE_HD inline ComplexSum grid_value(std::uint32_t count) {
  return {static_cast<double>(static_cast<std::int32_t>(count)), 0};
}
RIFFLE_HD inline ComplexSum grid_value(ComplexSum sum) { return sum; }

/// out[o][w][i] = sum over t of in[o][i][t] exp(-2 pi i (w + first) t / points); o, i are what stays of the other axes.
template <class In>
struct TransformAxis {
  int points, waves, first;
  std::int64_t inner;
  const ComplexSum* turn;  ///< (points) exp(-2 pi i t / points)
  const In* in;
  ComplexSum* out;

  RIFFLE_HD void operator()(std::int64_t k) const {
    const std::int64_t i = k % inner, rest = k / inner;
    const auto w = static_cast<int>(rest % waves);
    const In* from = in + ((rest / waves) * inner + i) * points;
    const int period = (w + first + points) & (points - 1);
    ComplexSum sum{0, 0};
    int phase = 0;
    for (int t = 0; t < points; ++t) {
      const ComplexSum a = grid_value(from[t]), b = turn[phase];
      sum.re += a.re * b.re - a.im * b.im;
      sum.im += a.re * b.im + a.im * b.re;
      phase = (phase + period) & (points - 1);
    }
    out[k] = sum;
  }
};

Buffer<ComplexSum> wave_turns(const Device& device, int points) {
  std::vector<ComplexSum> table;
  for (int t = 0; t < points; ++t) {
    const double angle = 2 * std::numbers::pi * t / points;
    table.push_back({std::cos(angle), -std::sin(angle)});
  }
  return {device, table};
}

/// @param outer, inner  product of the numbers of values along the axes before and after
template <class In>
Buffer<ComplexSum> transform_axis(const Device& device, const Buffer<In>& in, int points, int waves, int first,
                                  std::int64_t outer, std::int64_t inner) {
  const std::int64_t count = outer * waves * inner;
  Buffer<ComplexSum> out(device, static_cast<std::size_t>(count));
  const Buffer<ComplexSum> turn = wave_turns(device, points);
  parallel_for(device, "transform axis", count,
               TransformAxis<In>{points, waves, first, inner, turn.data(), in.data(), out.data()});
  synchronize(device);  // the table ends here
  return out;
}

WaveGrid wave_grid(const SimulationSetup& setup, double most) {
  WaveGrid grid{};
  const Vec3 extent = setup.domain.extent();
  for (int a = 0; a < 3; ++a) {
    grid.points[a] = 1;
    if (a >= setup.domain.dimension) continue;
    const double edge = component(extent, a);
    grid.inverse[a] = 1 / edge;
    grid.waves[a] = static_cast<int>(std::floor(most * edge));
    while (grid.points[a] < 8 * grid.waves[a]) grid.points[a] *= 2;
  }
  return grid;
}

}  // namespace

bool has_domain_size(const SimulationSetup& setup) {
  if (setup.fluids.size() != 2) return false;
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (!setup.domain.periodic(a)) return false;
  return true;
}

double largest_wave_number(const SimulationSetup& setup) {
  double longest = 0;
  for (int a = 0; a < setup.domain.dimension; ++a)
    longest = std::max(longest, double{component(setup.domain.extent(), a)});
  return std::min(1 / (kShortestWave * setup.support_radius()), kMostWaves / longest);
}

double domain_size(const Simulation& simulation) {
  const Device& device = simulation.device();
  const SimulationSetup& setup = simulation.setup();
  const ParticleSet& particles = simulation.particles();
  std::int64_t of_first = 0;
  for (const std::uint32_t fluid : particles.get<std::uint32_t>("fluid").to_host()) of_first += fluid == 0 ? 1 : 0;
  if (std::min(of_first, particles.count() - of_first) < kLeastOfAFluid)
    return std::numeric_limits<double>::quiet_NaN();
  const double most = largest_wave_number(setup);
  const WaveGrid grid = wave_grid(setup, most);
  const int(&points)[3] = grid.points;
  const int(&waves)[3] = grid.waves;
  const auto rows = static_cast<std::int64_t>(points[1]) * points[2];
  Buffer<std::uint32_t> cells(device, static_cast<std::size_t>(rows * points[0]));
  cells.fill_zero();
  parallel_for(device, "count on a grid", particles.count(),
               CountOnGrid{grid, setup.domain.min, setup.domain.dimension, particles.get<Vec4>("position").data(),
                           particles.get<std::uint32_t>("fluid").data(), cells.data()});
  // k and -k have the same S, so that no wave with a negative x is needed.
  const int of_x = waves[0] + 1, of_y = 2 * waves[1] + 1, of_z = 2 * waves[2] + 1;
  const Buffer<ComplexSum> along_x = transform_axis(device, cells, points[0], of_x, 0, 1, rows);
  const Buffer<ComplexSum> along_y = transform_axis(device, along_x, points[1], of_y, -waves[1], of_x, points[2]);
  const Buffer<ComplexSum> along_z =
      transform_axis(device, along_y, points[2], of_z, -waves[2], std::int64_t{of_x} * of_y, 1);

  double sum = 0, weighted = 0;
  std::size_t at = 0;
  for (const ComplexSum& amplitude : along_z.to_host()) {
    const auto z = static_cast<int>(at) % of_z - waves[2], y = static_cast<int>(at) / of_z % of_y - waves[1],
               x = static_cast<int>(at) / of_z / of_y;
    ++at;
    const double k = std::sqrt(std::pow(x * grid.inverse[0], 2) + std::pow(y * grid.inverse[1], 2) +
                               std::pow(z * grid.inverse[2], 2));
    if (!(k > 0) || k > most * (1 + 1e-9)) continue;
    const double s = (amplitude.re * amplitude.re + amplitude.im * amplitude.im) * (x == 0 ? 0.5 : 1);
    sum += s;
    weighted += s * k;
  }
  return sum / weighted;
}

}  // namespace riffle
