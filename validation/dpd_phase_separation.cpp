/// Two mixed DPD fluids separate after a = 60 is switched on between them. The case compares the share of unlike pairs
/// and the domain size R with two LAMMPS runs. Acceptance for the mean of four runs: unlike pairs within 6 % and R
/// within 5 % at t = 2, 4, 10, 20, 30, 40 (for a single run 10 % and 7 %); unlike pairs at t = 200 between 0.03 and
/// 0.045. The reduced size has 4,096 particles, runs to t = 4, and checks only unlike pairs.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "validation/cases.h"
#include "validation/dpd_setups.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

struct State {
  double unlike = 0, size = 0;
};

/// Share of unlike pairs among the pairs nearer than 1. Uses cells with edges of 1 or more.
double unlike_share(const std::vector<Vec4>& x, const std::vector<std::uint32_t>& fluid, double length) {
  const int cells = static_cast<int>(length);
  std::vector<std::vector<std::size_t>> of(static_cast<std::size_t>(cells) * cells * cells);
  const auto cell = [&](float c) { return std::min(cells - 1, std::max(0, static_cast<int>(c / length * cells))); };
  const auto index = [&](int a, int b, int c) {
    const auto wrap = [&](int k) { return (k + cells) % cells; };
    return (static_cast<std::size_t>(wrap(a)) * cells + wrap(b)) * cells + wrap(c);
  };
  for (std::size_t i = 0; i < x.size(); ++i) of[index(cell(x[i].x), cell(x[i].y), cell(x[i].z))].push_back(i);
  double pairs = 0, unlike = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int a = -1; a <= 1; ++a)
      for (int b = -1; b <= 1; ++b)
        for (int c = -1; c <= 1; ++c)
          for (const std::size_t j : of[index(cell(x[i].x) + a, cell(x[i].y) + b, cell(x[i].z) + c)]) {
            if (j <= i) continue;
            double d2 = 0;
            for (int k = 0; k < 3; ++k) {
              double d = double{component(xyz(x[i]), k)} - component(xyz(x[j]), k);
              d -= length * std::round(d / length);
              d2 += d * d;
            }
            if (d2 >= 1) continue;
            pairs += 1;
            unlike += fluid[i] != fluid[j];
          }
  return unlike / pairs;
}

/// 2 pi over the mean wave number of the structure factor S(k) = |sum_j s_j exp(-i k r_j)|^2 / N, s = +1 and -1, over
/// the integer vectors 0 < |m| <= 8. Positions are rounded to the nearest of 64 grid points per axis, as in the
/// reference.
double domain_size(const std::vector<Vec4>& x, const std::vector<std::uint32_t>& fluid, double length) {
  constexpr int grid = 64, most = 8;
  std::vector<double> cosine(grid), sine(grid);
  for (int k = 0; k < grid; ++k) {
    cosine[static_cast<std::size_t>(k)] = std::cos(2 * std::numbers::pi * k / grid);
    sine[static_cast<std::size_t>(k)] = std::sin(2 * std::numbers::pi * k / grid);
  }
  struct Point {
    int a, b, c;
    double sign;
  };
  std::vector<Point> points;
  const auto place = [&](float c) { return static_cast<int>(std::floor(c / length * grid)) & (grid - 1); };
  for (std::size_t i = 0; i < x.size(); ++i)
    points.push_back({place(x[i].x), place(x[i].y), place(x[i].z), fluid[i] == 0 ? 1.0 : -1.0});
  double sum = 0, weighted = 0;
  for (int a = 0; a <= most; ++a)
    for (int b = -most; b <= most; ++b)
      for (int c = -most; c <= most; ++c) {
        const int m2 = a * a + b * b + c * c;
        if (m2 == 0 || m2 > most * most) continue;
        double re = 0, im = 0;
        for (const Point& p : points) {
          const auto phase = static_cast<std::size_t>((a * p.a + b * p.b + c * p.c) & (grid - 1));
          re += p.sign * cosine[phase];
          im += p.sign * sine[phase];
        }
        const double s = (re * re + im * im) * (a == 0 ? 0.5 : 1.0);  // a and -a are the same vector
        sum += s;
        weighted += s * std::sqrt(double(m2));
      }
  return length * sum / weighted;
}

SimulationSetup mixture(double length, bool full, std::uint64_t seed) {
  const float edge = static_cast<float>(length);
  SimulationSetup setup = dpd_box({edge, edge, edge}, 0.04, seed);
  setup.fluids.emplace_back();
  setup.fluids[0].name = std::string("A");
  setup.fluids[1].name = std::string("B");
  setup.dpd.repulsion.value[0][1] = setup.dpd.repulsion.value[1][0] = 60;
  setup.dpd.lambda = 0.5f;
  setup.start.mixed = true;
  setup.start.equilibration = full ? 20.0f : 4.0f;
  return setup;
}

CaseResult run_phase_separation(const CaseContext& context) {
  const bool full = context.full();
  const double length = full ? 17.610708 : 11.09407;
  const int seeds = full ? 4 : 1;
  const ReferenceTable table = context.table("dpd_phase_separation.csv");
  const auto t = table.numbers("t"), unlike = table.numbers("unlike_frac_mean"), size = table.numbers("R_mean");
  std::vector<double> times = {2, 4};
  if (full) times = {1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 40, 60, 80, 120, 160, 200};
  std::vector<State> mean(times.size());
  for (int seed = 1; seed <= seeds; ++seed) {
    Simulation simulation(context.noted(mixture(length, full, static_cast<std::uint64_t>(seed))), context.device);
    for (std::size_t k = 0; k < times.size(); ++k) {
      run_until(simulation, times[k], [&](double now) {
        context.progress((seed - 1 + now / times.back()) / seeds, fmt::format("seed {} of {}", seed, seeds));
      });
      const auto x = by_id<Vec4>(simulation, "position");
      const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
      mean[k].unlike += unlike_share(x, fluid, length) / seeds;
      if (full) mean[k].size += domain_size(x, fluid, length) / seeds;
    }
  }
  CaseResult result;
  Series shares{"Riffle", {}, {}}, sizes{"Riffle", {}, {}};
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double time = times[k];
    shares.x.push_back(time), shares.y.push_back(mean[k].unlike);
    sizes.x.push_back(time), sizes.y.push_back(mean[k].size);
    const std::string at = fmt::format(" at t = {:g}", time);
    if (time == 200) result.checks.push_back(context.check("unlike pairs" + at, mean[k].unlike));
    if (time != 2 && time != 4 && time != 10 && time != 20 && time != 30 && time != 40) continue;
    result.checks.push_back(context.check("unlike pairs" + at, mean[k].unlike, interpolate(t, unlike, time)));
    if (full) result.checks.push_back(context.check("domain size R" + at, mean[k].size, interpolate(t, size, time)));
  }
  result.curves.push_back({"unlike_pairs",
                           "Share of unlike pairs",
                           "t",
                           "unlike pairs within r_c",
                           {shares},
                           {{"LAMMPS, mean of two seeds", t, unlike}},
                           true,
                           true});
  if (full)
    result.curves.push_back(
        {"domain_size", "Domain size", "t", "R [r_c]", {sizes}, {{"LAMMPS, mean of two seeds", t, size}}, true, true});
  return result;
}

}  // namespace

ValidationCase dpd_phase_separation_case() {
  return {"dpd_phase_separation", "Two DPD fluids part", "4,096 particles, to t = 4",
          "16,384 particles, to t = 200, four seeds", run_phase_separation};
}

}  // namespace riffle
