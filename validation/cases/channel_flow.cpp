/// Plane flows between walls at y = 0 and y = L, periodic along x. Poiseuille and Couette flow start from rest (Morris,
/// Fox and Zhu 1997: L = 1 mm, nu = 1e-6 m^2/s, V0 = 1.25e-5 m/s; poiseuille_morris.csv and couette_morris.csv have the
/// series). The others are a plug between walls that slip, and the Couette flow of two layers whose viscosities differ
/// by a factor of four; the steady shear stress is the same in both layers.
///
/// Accepted with 40 particles across: relative L2 of v_x at most 1 % at each listed time, transverse speeds below
/// 1e-3 V0, the plug even within 1 %. The flows from rest run with support ratios 2 and 3 and with 20 and 40 particles
/// across: a bias of the kernel's Laplacian is the same at every resolution, and a wrong velocity behind the walls gets
/// smaller with the spacing.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "validation/cases.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kChannelWidth = 1e-3, kChannelViscosity = 1e-6, kSpeed = 1.25e-5;

SimulationSetup channel(int across, float support_ratio = 2) {
  SimulationSetup setup;
  setup.domain.dimension = 2;
  setup.domain.axis[0] = Axis::Periodic;
  setup.domain.axis[1] = Axis::Walled;
  setup.spacing = static_cast<float>(kChannelWidth / across);
  setup.support_ratio = support_ratio;
  setup.domain.max = {4 * support_ratio * setup.spacing, static_cast<float>(kChannelWidth), 1};
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

struct Moment {
  const char* text;  ///< in the names of the table's columns [s]
  double time;       ///< [s]
};

/// "inf": by then the slowest part of the start has decayed to e^-10.
std::vector<Moment> moments(const CaseContext& context) {
  std::vector<Moment> all = {{"0.0225", 0.0225}, {"0.045", 0.045}, {"0.1125", 0.1125}};
  if (context.full()) all.insert(all.end(), {{"0.225", 0.225}, {"inf", 1.0}});
  return all;
}

/// A flow from rest, and the table of v(y) that it is compared with.
struct FlowFromRest {
  std::function<SimulationSetup(int across, float support_ratio)> setup;
  std::string table, title;
};

SimulationSetup poiseuille_setup(int across, float support_ratio) {
  SimulationSetup setup = channel(across, support_ratio);
  setup.gravity.x = static_cast<float>(8 * kChannelViscosity * kSpeed / (kChannelWidth * kChannelWidth));
  return setup;
}

SimulationSetup couette_setup(int across, float support_ratio) {
  SimulationSetup setup = channel(across, support_ratio);
  setup.wcsph.wall_velocity[1][1] = {static_cast<float>(kSpeed), 0, 0};
  return setup;
}

/// Calls visit(simulation, moment, exact profile) at each moment.
template <class Visit>
void follow(const CaseContext& context, const FlowFromRest& flow, int across, float support_ratio,
            const ReferenceTable& table, const Visit& visit) {
  Simulation simulation(context.noted(flow.setup(across, support_ratio)), context.device);
  const std::vector<Moment> all = moments(context);
  for (const Moment& moment : all) {
    run_until(simulation, moment.time,
              [&](double t) { context.progress(t / all.back().time, fmt::format("from rest, {} across", across)); });
    visit(simulation, moment, table.numbers(std::string("v_t=") + moment.text));
  }
}

CaseResult start_up(const CaseContext& context, const FlowFromRest& flow) {
  const ReferenceTable table = context.table(flow.table);
  const std::vector<double> y = table.numbers("y");
  const auto error_of = [&](const Simulation& simulation, const std::vector<double>& v) {
    return compare(simulation, [&](double at) { return interpolate(y, v, at); });
  };
  CaseResult result;
  Curve curve{"velocity", flow.title, "y [mm]", "v / V0", {}, {}};
  double transverse = 0;
  const int across = context.full() ? 40 : 20;
  follow(context.part(0, 0.4), flow, across, 2, table,
         [&](const Simulation& simulation, const Moment& moment, const std::vector<double>& v) {
           const ProfileError error = error_of(simulation, v);
           result.checks.push_back(
               context.check(fmt::format("relative L2 error of v_x at {} s", moment.text), error.relative));
           transverse = std::max(transverse, error.transverse);
           curve.measured.push_back(profile_of(simulation, std::string(moment.text) + " s"));
           Series exact{std::string("exact, ") + moment.text + " s", {}, {}};
           for (std::size_t k = 0; k < y.size(); ++k) {
             exact.x.push_back(1e3 * y[k]);
             exact.y.push_back(v[k] / kSpeed);
           }
           curve.reference.push_back(exact);
         });
  result.checks.push_back(context.check("transverse speed", transverse / kSpeed));
  struct Resolution {
    int across;
    float support_ratio;
  };
  double part = 0.4;
  for (const Resolution& r : {Resolution{across, 3}, Resolution{across / 2, 2}, Resolution{across / 2, 3}}) {
    double worst = 0;
    follow(context.part(part, part + 0.2), flow, r.across, r.support_ratio, table,
           [&](const Simulation& simulation, const Moment&, const std::vector<double>& v) {
             const double error = error_of(simulation, v).relative;
             worst = std::isnan(worst) || error <= worst ? worst : error;  // a NaN stays
           });
    result.checks.push_back(context.check(
        fmt::format("the worst of them with {} across, support_ratio {}", r.across, r.support_ratio), worst));
    part += 0.2;
  }
  result.curves.push_back(curve);
  return result;
}

CaseResult run_poiseuille(const CaseContext& context) {
  return start_up(context, {poiseuille_setup, "poiseuille_morris.csv", "Plane Poiseuille flow from rest"});
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
  CaseResult result =
      start_up(context.part(0, 0.5), {couette_setup, "couette_morris.csv", "Plane Couette flow from rest"});
  const ProfileError layers = two_layers(context.part(0.5, 1), context.full() ? 40 : 12);
  result.checks.push_back(context.check("relative L2 error of v_x in two layers, viscosities 4 to 1", layers.relative));
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
  result.checks.push_back(context.check("largest deviation from an even plug", error.deviation / (a * end)));
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
  return {"poiseuille", "plane Poiseuille flow from rest (WCSPH, 2-D)",
          "20 and 10 particles across, two support ratios", "40 and 20 particles across, two support ratios",
          run_poiseuille};
}

ValidationCase couette_case() {
  return {"couette", "plane Couette flow from rest, and of two fluids (WCSPH, 2-D)",
          "20 and 10 particles across, two support ratios; two fluids 12",
          "40 and 20 particles across, two support ratios; two fluids 40", run_couette};
}

ValidationCase free_slip_channel_case() {
  return {"free_slip_channel", "a body force between walls that slip (WCSPH, 2-D)", "20 particles across",
          "40 particles across", run_free_slip};
}

}  // namespace riffle
