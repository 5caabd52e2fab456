/// Plane flows between walls at y = 0 and y = L, periodic along x. Poiseuille and Couette flow start from rest (Morris,
/// Fox and Zhu 1997: L = 1 mm, nu = 1e-6 m^2/s, V0 = 1.25e-5 m/s; poiseuille_morris.csv and couette_morris.csv have the
/// series). The others are a plug between walls that slip, and the Couette flow of two layers whose viscosities differ
/// by a factor of four; the steady shear stress is the same in both layers.
///
/// Accepted with 40 particles across: relative L2 of v_x at most 1 % at each listed time, transverse speeds below
/// 1e-3 V0, the plug even within 1 %.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/cases.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kChannelWidth = 1e-3, kChannelViscosity = 1e-6, kSpeed = 1.25e-5;

SimulationSetup channel(int across) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  setup.domain.axis[0] = Axis::Periodic;
  setup.domain.axis[1] = Axis::Walled;
  setup.spacing = static_cast<float>(kChannelWidth / across);
  setup.domain.max = {8 * setup.spacing, static_cast<float>(kChannelWidth), 1};  // 4 support radii
  setup.gravity = {};
  setup.fluids.emplace_back();
  BodySetup body;
  body.max = setup.domain.max;
  setup.bodies.push_back(body);
  setup.wcsph.speed_of_sound = static_cast<float>(10 * kSpeed);
  setup.wcsph.artificial_viscosity = 0;
  setup.wcsph.negative_pressure = true;  // full: no free surface
  return setup;
}

struct ProfileError {
  double relative = 0;    ///< L2 of v_x less the profile over L2 of the profile
  double transverse = 0;  ///< largest |v_y| [m/s]
  double deviation = 0;   ///< largest |v_x - profile| [m/s]
};

template <class Profile>
ProfileError compare(const Simulation& simulation, const Profile& profile) {
  const auto position = by_id<Vec4>(simulation, "position"), velocity = by_id<Vec4>(simulation, "velocity");
  ProfileError error;
  double difference2 = 0, profile2 = 0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double expected = profile(double{position[i].y}), difference = velocity[i].x - expected;
    difference2 += difference * difference;
    profile2 += expected * expected;
    error.deviation = std::max(error.deviation, std::fabs(difference));
    error.transverse = std::max(error.transverse, std::fabs(double{velocity[i].y}));
  }
  error.relative = std::sqrt(difference2 / profile2);
  return error;
}

Series profile_of(const Simulation& simulation, const std::string& label) {
  std::vector<std::pair<double, double>> points;
  const auto position = by_id<Vec4>(simulation, "position"), velocity = by_id<Vec4>(simulation, "velocity");
  for (std::size_t i = 0; i < position.size(); ++i)
    if (position[i].x < simulation.setup().spacing) points.emplace_back(position[i].y, velocity[i].x);
  std::sort(points.begin(), points.end());
  Series series{label, {}, {}};
  for (const auto& [y, v] : points) {
    series.x.push_back(1e3 * y);
    series.y.push_back(v / kSpeed);
  }
  return series;
}

/// Compares the flow with a table of v(y) at several times.
CaseResult start_up(const CaseContext& context, const SimulationSetup& setup, const std::string& table_name,
                    const std::string& name, const std::string& title) {
  const ReferenceTable table = context.table(table_name);
  const std::vector<double> y = table.numbers("y");
  // "inf": by then the slowest part of the start has decayed to e^-10.
  const std::pair<const char*, double> times[] = {
      {"0.0225", 0.0225}, {"0.045", 0.045}, {"0.1125", 0.1125}, {"0.225", 0.225}, {"inf", 1.0}};
  Simulation simulation(context.noted(setup), context.device);
  CaseResult result;
  Curve curve{name, title, "y [mm]", "v / V0", {}, {}};
  double transverse = 0;
  for (const auto& [text, time] : times) {
    if (!context.full() && time > 0.2) break;
    run_until(simulation, time, [&](double t) { context.progress(t, "from rest"); });
    std::vector<double> v = table.numbers(std::string("v_t=") + text);
    const ProfileError error = compare(simulation, [&](double at) { return interpolate(y, v, at); });
    result.checks.push_back(at_most(fmt::format("relative L2 error of v_x at {} s", text), error.relative, 0.01,
                                    "series solution; bound for a good scheme"));
    transverse = std::max(transverse, error.transverse);
    curve.measured.push_back(profile_of(simulation, std::string(text) + " s"));
    Series exact{std::string("exact, ") + text + " s", {}, {}};
    for (std::size_t k = 0; k < y.size(); ++k) {
      exact.x.push_back(1e3 * y[k]);
      exact.y.push_back(v[k] / kSpeed);
    }
    curve.reference.push_back(exact);
  }
  result.checks.push_back(below("transverse speed", transverse / kSpeed, 1e-3, "the flow is plane", "V0"));
  result.curves.push_back(curve);
  return result;
}

CaseResult run_poiseuille(const CaseContext& context) {
  SimulationSetup setup = channel(context.full() ? 40 : 20);
  setup.gravity.x = static_cast<float>(8 * kChannelViscosity * kSpeed / (kChannelWidth * kChannelWidth));
  return start_up(context, setup, "poiseuille_morris.csv", "velocity", "Plane Poiseuille flow from rest");
}

/// Two layers, first at rest, between a wall that moves and one that does not. The steady v is linear in each layer,
/// and the interface moves at V0 mu_2 / (mu_1 + mu_2), where mu_1 is the viscosity of the lower layer.
ProfileError two_layers(const CaseContext& context, int across) {
  SimulationSetup setup = channel(across);
  setup.fluids.push_back(setup.fluids[0]);
  setup.fluids[1].name = "thin";
  setup.fluids[0].viscosity = 4e-6f;
  setup.bodies.push_back(setup.bodies[0]);
  setup.bodies[0].max.y = setup.bodies[1].min.y = static_cast<float>(0.5 * kChannelWidth);
  setup.bodies[1].fluid = 1;
  setup.wcsph.wall_velocity[1][1] = {static_cast<float>(kSpeed), 0, 0};
  Simulation simulation(context.noted(setup), context.device);
  run_until(simulation, context.full() ? 2.0 : 1.0, [&](double t) { context.progress(0.5 * t, "two layers"); });
  return compare(simulation, [&](double y) {
    const double at_interface = 0.2 * kSpeed, half = 0.5 * kChannelWidth;
    return y < half ? at_interface * y / half : at_interface + (kSpeed - at_interface) * (y - half) / half;
  });
}

CaseResult run_couette(const CaseContext& context) {
  SimulationSetup setup = channel(context.full() ? 40 : 20);
  setup.wcsph.wall_velocity[1][1] = {static_cast<float>(kSpeed), 0, 0};
  CaseResult result =
      start_up(context.part(0, 0.5), setup, "couette_morris.csv", "velocity", "Plane Couette flow from rest");
  const ProfileError layers = two_layers(context.part(0.5, 1), context.full() ? 40 : 12);
  result.checks.push_back(at_most("relative L2 error of v_x in two layers, viscosities 4 to 1", layers.relative, 0.01,
                                  "piecewise linear, the same stress in both"));
  return result;
}

CaseResult run_free_slip(const CaseContext& context) {
  SimulationSetup setup = channel(context.full() ? 40 : 20);
  setup.wcsph.walls = WallSlip::FreeSlip;
  setup.bodies[0].jitter = 0.1f;  // otherwise rows of particles would slide past a wall of rows
  const double a = 8 * kChannelViscosity * kSpeed / (kChannelWidth * kChannelWidth),
               end = context.full() ? 0.125 : 0.0625;
  setup.gravity.x = static_cast<float>(a);
  Simulation simulation(context.noted(setup), context.device);
  run_until(simulation, end, [&](double t) { context.progress(t / end, "between walls that slip"); });
  const ProfileError error = compare(simulation, [&](double) { return a * end; });
  CaseResult result;
  result.checks.push_back(below("largest deviation from an even plug", error.deviation / (a * end), 0.01,
                                "a body force without friction", "of its speed"));
  result.curves.push_back({"velocity",
                           "A body force between walls that slip",
                           "y [mm]",
                           "v / V0",
                           {profile_of(simulation, "particles")},
                           {{"a t", {0, 1}, {a * end / kSpeed, a * end / kSpeed}}}});
  return result;
}

}  // namespace

ValidationCase poiseuille_case() {
  return {"poiseuille", "plane Poiseuille flow from rest (WCSPH, 2-D)", "20 particles across", "40 particles across",
          run_poiseuille};
}

ValidationCase couette_case() {
  return {"couette", "plane Couette flow from rest, and of two fluids (WCSPH, 2-D)",
          "20 particles across, two fluids 12", "40 particles across", run_couette};
}

ValidationCase free_slip_channel_case() {
  return {"free_slip_channel", "a body force between walls that slip (WCSPH, 2-D)", "20 particles across",
          "40 particles across", run_free_slip};
}

}  // namespace riffle
