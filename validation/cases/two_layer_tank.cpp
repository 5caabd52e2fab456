/// Two fluids at rest in a tank, the light one above the heavy one, with density ratios 2 and 10; and a square drop of
/// either fluid in the other, without gravity. Accepted: no gap of more than a spacing at the interface, a pressure
/// that is continuous there and hydrostatic, each fluid within 1 % of its own density (that of the compressed column:
/// rho0 g H / c0^2 adds 1 % at the floor).
///
/// DFSPH with its defaults, also with a ratio of 100. Asked for are an interface thinner than a spacing and no speed above
/// 1e-3 sqrt(gH). The largest speed is 4 to 25 times that, and a figure without a bound.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/math/statistics.h"
#include "validation/cases.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kTankGravity = 9.81;
constexpr float kTankWidth = 0.25f;

SimulationSetup tank(int deep, float light, SolverKind solver) {
  SimulationSetup setup;
  setup.solver = solver;
  setup.domain.dimension = 2;
  setup.domain.max = {kTankWidth, 1.2f, 1};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = 1.0f / static_cast<float>(deep);
  setup.fluids.resize(2);
  setup.fluids[1].name = "light";
  setup.fluids[1].rest_density = light;
  setup.bodies.resize(2);
  setup.bodies[0].max = {kTankWidth, 0.5f, 1};
  setup.bodies[1].min.y = 0.5f;
  setup.bodies[1].max = {kTankWidth, 1, 1};
  setup.bodies[1].fluid = 1;
  if (solver != SolverKind::Wcsph) return setup;
  setup.support_ratio = 2.5f;
  setup.wcsph.speed_of_sound = static_cast<float>(10 * std::sqrt(kTankGravity));
  setup.wcsph.artificial_viscosity = 0.1f;
  setup.wcsph.damping_rate = 10;
  setup.wcsph.damping_time = 1;
  return setup;
}

struct Layers {
  double width = 0;            ///< highest heavy particle above the lowest light one, less than 0: apart [spacings]
  double gap = 0;              ///< lowest light particle above the highest heavy one, median over columns [spacings]
  double density[2] = {0, 0};  ///< largest deviation of a row's mean from the column's density, relative
  double pressure_step = 0;    ///< between the rows at the interface, less the hydrostatic step; relative to p there
  double speed = 0;            ///< rms at the end [sqrt(g H)]
  double fastest = 0;          ///< particle then [sqrt(g H)]
  Series pressure;
};

Layers settle(const CaseContext& context, int deep, float light, SolverKind solver) {
  const SimulationSetup setup = tank(deep, light, solver);
  const bool solved = solver == SolverKind::Dfsph;
  Simulation simulation(context.noted(setup), context.device);
  const double end = context.full() ? 4 : 1.5;
  run_until(simulation, end, [&](double t) { context.progress(t / end, fmt::format("ratio {:g}", 1000 / light)); });
  const auto position = by_id<Vec4>(simulation, "position"), velocity = by_id<Vec4>(simulation, "velocity");
  const auto density = by_id<float>(simulation, "density");
  const auto solution = solved ? by_id<float>(simulation, "pressure") : std::vector<float>{};
  const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
  const double dx = setup.spacing, c = setup.wcsph.speed_of_sound, stiffness = 1000 * c * c / 7;
  const double rest[2] = {1000, double{light}};
  Layers result;
  const int columns = static_cast<int>(kTankWidth / dx);
  std::vector<double> heavy_top(static_cast<std::size_t>(columns), 0.0), light_bottom(heavy_top.size(), 9.0);
  struct Row {
    double n[2] = {0, 0}, ratio[2] = {0, 0}, pressure = 0;
  };
  std::vector<Row> rows(static_cast<std::size_t>(deep) + 2);
  double speed2 = 0;
  const auto expected_pressure = [&](double y) {
    return kTankGravity * (y > 0.5 ? light * (1 - y) : light * 0.5 + 1000 * (0.5 - y));
  };
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double y = position[i].y, ratio = density[i] / rest[fluid[i]];
    const auto column = static_cast<std::size_t>(std::clamp(static_cast<int>(position[i].x / dx), 0, columns - 1));
    if (fluid[i] == 0)
      heavy_top[column] = std::max(heavy_top[column], y);
    else
      light_bottom[column] = std::min(light_bottom[column], y);
    Row& row = rows[static_cast<std::size_t>(std::clamp(static_cast<int>(y / dx), 0, deep + 1))];
    row.n[fluid[i]] += 1;
    row.ratio[fluid[i]] += ratio;
    row.pressure += solved ? solution[i] : std::max(0.0, stiffness * (std::pow(ratio, 7) - 1));
    result.fastest = std::max(result.fastest, std::sqrt(length2(xyz(velocity[i])) / kTankGravity));
    speed2 += length2(xyz(velocity[i]));
  }
  result.speed = std::sqrt(speed2 / double(position.size()) / kTankGravity);
  std::vector<double> gaps;
  for (std::size_t k = 0; k < heavy_top.size(); ++k) gaps.push_back((light_bottom[k] - heavy_top[k]) / dx - 1);
  result.gap = upper_median(gaps);
  result.width = (*std::max_element(heavy_top.begin(), heavy_top.end()) -
                  *std::min_element(light_bottom.begin(), light_bottom.end())) /
                 dx;
  double below = 0, above = 0;
  result.pressure.label = fmt::format("ratio {:g}", 1000 / light);
  for (int k = 0; k < deep - 3; ++k) {  // rows at the free surface lack density in any case
    const Row& row = rows[static_cast<std::size_t>(k)];
    const double y = (k + 0.5) * dx, n = row.n[0] + row.n[1];
    if (n < 1) continue;
    const double p = row.pressure / n;
    const double column_ratio = solved ? 1 : std::pow(1 + expected_pressure(y) / stiffness, 1.0 / 7);
    for (int f = 0; f < 2; ++f)
      if (row.n[f] >= 3)
        result.density[f] = std::max(result.density[f], std::fabs(row.ratio[f] / row.n[f] / column_ratio - 1));
    // Three rows on either side, each extrapolated hydrostatically to the interface.
    const double at_interface = p + expected_pressure(0.5) - expected_pressure(y);
    if (k >= deep / 2 - 3 && k < deep / 2) below += at_interface / 3;
    if (k >= deep / 2 && k < deep / 2 + 3) above += at_interface / 3;
    result.pressure.x.push_back(y);
    result.pressure.y.push_back(p);
  }
  result.pressure_step = std::fabs(below - above) / (kTankGravity * (0.5 * light + 500));
  return result;
}

/// What both solvers are asked for.
void report(const CaseContext& context, const Layers& layers, float ratio, CaseResult& result, Curve& curve) {
  const float light = 1000 / ratio;
  const std::string at = fmt::format(", ratio {:g}", ratio);
  result.checks.push_back(context.check("gap at the interface" + at, layers.gap));
  result.checks.push_back(context.check("step of p at the interface" + at, layers.pressure_step));
  result.checks.push_back(context.check("density of the heavy fluid" + at, layers.density[0]));
  result.checks.push_back(context.check("density of the light fluid" + at, layers.density[1]));
  result.checks.push_back(context.check("rms speed" + at, layers.speed));
  curve.measured.push_back(layers.pressure);
  curve.reference.push_back({fmt::format("hydrostatic, ratio {:g}", ratio),
                             {0, 0.5, 1},
                             {kTankGravity * (500 + 0.5 * light), kTankGravity * 0.5 * light, 0}});
}

/// The ratios that DFSPH is asked for.
CaseResult run_incompressible_layers(const CaseContext& context) {
  const int deep = context.full() ? 40 : 16;
  CaseResult result;
  Curve curve{"pressure", "Pressure in two fluids at rest", "height [m]", "p [Pa]", {}, {}};
  int k = 0;
  for (const float ratio : {2.0f, 10.0f, 100.0f}) {
    const float light = 1000 / ratio;
    const Layers layers = settle(context.part(k / 3.0, (k + 1) / 3.0), deep, light, SolverKind::Dfsph);
    ++k;
    const std::string at = fmt::format(", ratio {:g}", ratio);
    result.checks.push_back(context.check("highest heavy particle above the lowest light one" + at, layers.width));
    report(context, layers, ratio, result, curve);
    result.checks.push_back(context.check("largest speed" + at, layers.fastest));
  }
  result.curves.push_back(curve);
  return result;
}

/// @return the largest speed over c0 at the end.
double drop_at_rest(const CaseContext& context, int across, float inner, float outer) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.gravity = {};
  setup.spacing = 1.0f / static_cast<float>(across);
  setup.fluids.resize(2);
  setup.fluids[0].rest_density = inner;
  setup.fluids[1].rest_density = outer;
  const float low = 0.25f, high = 0.75f;
  const Vec3 boxes[5][2] = {{{low, low, 0}, {high, high, 1}},
                            {{0, 0, 0}, {1, low, 1}},
                            {{0, high, 0}, {1, 1, 1}},
                            {{0, low, 0}, {low, high, 1}},
                            {{high, low, 0}, {1, high, 1}}};
  for (int k = 0; k < 5; ++k) {
    BodySetup body;
    body.min = boxes[k][0];
    body.max = boxes[k][1];
    body.fluid = k == 0 ? 0 : 1;
    setup.bodies.push_back(body);
  }
  setup.wcsph.speed_of_sound = 10;
  Simulation simulation(context.noted(setup), context.device);
  run_until(simulation, 0.2);
  return simulation.diagnostics().max_speed / 10;
}

CaseResult run_two_layers(const CaseContext& context) {
  const int deep = context.full() ? 40 : 16;
  CaseResult result;
  Curve curve{"pressure", "Pressure in two fluids at rest", "height [m]", "p [Pa]", {}, {}};
  int k = 0;
  for (const float ratio : {2.0f, 10.0f}) {
    const float light = 1000 / ratio;
    const Layers layers = settle(context.part(0.45 * k, 0.45 * (k + 1)), deep, light, SolverKind::Wcsph);
    ++k;
    report(context, layers, ratio, result, curve);
  }
  result.curves.push_back(curve);
  const int across = context.full() ? 40 : 12;
  result.checks.push_back(
      context.check("speeds around a light drop at rest, ratio 10", drop_at_rest(context, across, 100, 1000)));
  result.checks.push_back(
      context.check("speeds around a heavy drop at rest, ratio 10", drop_at_rest(context, across, 1000, 100)));
  return result;
}

}  // namespace

ValidationCase two_layer_tank_case() {
  return {"two_layer_tank", "two fluids at rest, density ratios 2 and 10 (WCSPH, 2-D)", "16 spacings deep",
          "40 spacings deep", run_two_layers};
}

ValidationCase two_layer_tank_dfsph_case() {
  return {"two_layer_tank_dfsph", "two fluids at rest, density ratios 2, 10 and 100 (DFSPH, 2-D)",
          "16 spacings deep, 1.5 s", "40 spacings deep, 4 s", run_incompressible_layers};
}

}  // namespace riffle
