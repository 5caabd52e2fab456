/// Two mixed DPD fluids separate after a = 60 is switched on between them. The case compares the share of unlike pairs
/// and the domain size R with two LAMMPS runs, whose integrator is velocity-Verlet with lambda 0.5; a second case does
/// so with the other integrators and the other generator.
///
/// Single runs scatter, because few domains fit into the box. Standard deviation from seed to seed, of 8 runs of the
/// full size: unlike pairs 0.6, 1.3, 1.5, 4.7, 6.0 and 6.7 % at t = 2, 4, 10, 20, 30 and 40, R 0.7, 1.2, 1.2, 3.4, 4.4
/// and 4.2 %. The mean of those 8 runs lay 1.9, 2.5, 1.2, -0.6, 2.2 and 0.5 % above the mean of the reference's two (R:
/// -1.3, -1.6, -1.5, -0.1, -0.5, 1.3 %). At t = 200 the reference's two runs, 0.040 and 0.033, have a deviation of 13
/// %.
///
/// Acceptance: the mean of 16 runs within 6 % (unlike pairs; 8 % at t = 30 and 40) and 5 % (R), for the other variants
/// the mean of 8 runs within 6 % and 5 % at t = 4 and 10, 10 % and 7 % at t = 40; unlike pairs at t = 200, mean of 12,
/// between 0.03 and 0.045. With those deviations, and as far from the reference as those 8 runs, a right program misses
/// each of these at most once in 1,500 times. The reduced size has one seed and 4,096 particles, which scatter by 1.7
/// to 3.5 % (8 runs of each variant), and allows 15 %.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/math/statistics.h"
#include "validation/cases.h"
#include "validation/dpd_setups.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

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

SimulationSetup mixture(const DpdVariant& variant, double length, bool full, std::uint64_t seed) {
  const float edge = static_cast<float>(length);
  SimulationSetup setup = dpd_box({edge, edge, edge}, 0.04, seed);
  variant.apply(setup);
  setup.fluids.emplace_back();
  setup.fluids[0].name = std::string("A");
  setup.fluids[1].name = std::string("B");
  setup.dpd.repulsion.value[0][1] = setup.dpd.repulsion.value[1][0] = 60;
  setup.start.mixed = true;
  setup.start.equilibration = full ? 20.0f : 4.0f;
  return setup;
}

/// A time at which the states are compared, and how many of the seeds run that far.
struct SampledTime {
  double time;
  int seeds;
};

struct Separation {
  SampleMean unlike, size;
};

/// @param moments  ascending times, with ever fewer seeds
/// @return one per moment
std::vector<Separation> separate(const DpdVariant& variant, const std::vector<SampledTime>& moments,
                                 const CaseContext& context) {
  const bool full = context.full();
  const double length = full ? 17.610708 : 11.09407;
  std::vector<std::vector<double>> unlike(moments.size()), size(moments.size());
  const int seeds = moments.front().seeds;
  for (int seed = 1; seed <= seeds; ++seed) {
    Simulation simulation(context.noted(mixture(variant, length, full, static_cast<std::uint64_t>(seed))),
                          context.device);
    for (std::size_t k = 0; k < moments.size() && seed <= moments[k].seeds; ++k) {
      run_until(simulation, moments[k].time, [&](double now) {
        context.progress((seed - 1 + now / moments.back().time) / seeds,
                         fmt::format("{}, seed {} of {}", variant.name(), seed, seeds));
      });
      const auto x = by_id<Vec4>(simulation, "position");
      const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
      unlike[k].push_back(unlike_share(x, fluid, length));
      size[k].push_back(full ? domain_size(x, fluid, length) : 0);
    }
  }
  std::vector<Separation> result;
  for (std::size_t k = 0; k < moments.size(); ++k) result.push_back({mean_of(unlike[k]), mean_of(size[k])});
  return result;
}

/// LAMMPS, two seeds.
struct Published {
  explicit Published(const CaseContext& context) {
    const ReferenceTable table = context.table("dpd_phase_separation.csv");
    t = table.numbers("t"), unlike = table.numbers("unlike_frac_mean"), size = table.numbers("R_mean");
  }
  std::vector<double> t, unlike, size;
};

void compare(const CaseContext& context, const Published& published, const std::string& name, double time,
             const Separation& found, CaseResult& result) {
  const std::string at = fmt::format(" at t = {:g}", time);
  auto& checks = result.checks;
  checks.push_back(
      context.check(name + "unlike pairs" + at, found.unlike.mean, interpolate(published.t, published.unlike, time)));
  if (!context.full()) return;
  checks.push_back(figure("  its standard error", found.unlike.standard_error));
  checks.push_back(
      context.check(name + "domain size R" + at, found.size.mean, interpolate(published.t, published.size, time)));
  checks.push_back(figure("  its standard error", found.size.standard_error, "r_c"));
}

CaseResult run_phase_separation(const CaseContext& context) {
  const bool full = context.full();
  constexpr int kSeeds = 16, kLateSeeds = 12;
  std::vector<SampledTime> moments = {{2, 1}, {4, 1}};
  if (full) {
    moments.clear();
    for (const double time : {1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 40}) moments.push_back({time, kSeeds});
    for (const double time : {60, 80, 120, 160, 200}) moments.push_back({time, kLateSeeds});
  }
  const Published published(context);
  const std::vector<Separation> found = separate(dpd_variants().front(), moments, context);
  CaseResult result;
  Series shares{"Riffle", {}, {}}, sizes{"Riffle", {}, {}};
  for (std::size_t k = 0; k < moments.size(); ++k) {
    const double time = moments[k].time;
    shares.x.push_back(time), shares.y.push_back(found[k].unlike.mean);
    sizes.x.push_back(time), sizes.y.push_back(found[k].size.mean);
    for (const double compared : {2, 4, 10, 20, 30, 40})
      if (time == compared) compare(context, published, "", time, found[k], result);
  }
  if (full) {
    result.checks.push_back(context.check("unlike pairs at t = 200", found.back().unlike.mean));
    result.checks.push_back(figure("  its standard error", found.back().unlike.standard_error));
  }
  result.curves.push_back({"unlike_pairs",
                           "Share of unlike pairs",
                           "t",
                           "unlike pairs within r_c",
                           {shares},
                           {{"LAMMPS, mean of two seeds", published.t, published.unlike}},
                           true,
                           true});
  if (full)
    result.curves.push_back({"domain_size",
                             "Domain size",
                             "t",
                             "R [r_c]",
                             {sizes},
                             {{"LAMMPS, mean of two seeds", published.t, published.size}},
                             true,
                             true});
  return result;
}

CaseResult run_variants(const CaseContext& context) {
  constexpr int kSeeds = 8;
  std::vector<SampledTime> moments = {{2, 1}, {4, 1}};
  if (context.full()) moments = {{4, kSeeds}, {10, kSeeds}, {40, kSeeds}};
  const Published published(context);
  const auto variants = dpd_variants().subspan(1);
  CaseResult result;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const double share = 1.0 / double(variants.size());
    const std::vector<Separation> found =
        separate(variants[v], moments, context.part(share * double(v), share * double(v + 1)));
    for (std::size_t k = 0; k < moments.size(); ++k)
      compare(context, published, variants[v].name() + ": ", moments[k].time, found[k], result);
  }
  return result;
}

}  // namespace

ValidationCase dpd_phase_separation_case() {
  return {"dpd_phase_separation", "Two DPD fluids part", "4,096 particles, to t = 4, one seed",
          "16,384 particles, 16 seeds to t = 40, 12 of them to t = 200", run_phase_separation};
}

ValidationCase dpd_phase_separation_variants_case() {
  return {"dpd_phase_separation_variants", "Two DPD fluids part, with each generator and integrator",
          "4,096 particles, to t = 4, one seed each", "16,384 particles, to t = 40, 8 seeds each", run_variants};
}

}  // namespace riffle
