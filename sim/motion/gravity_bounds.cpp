#include "sim/motion/gravity_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/motion/gravity_field.h"
#include "sim/setup.h"

namespace riffle {

namespace {

constexpr int kTimes = 256;  // of the ramps, and as many of the time after them
constexpr int kRows = 4096;  // of a table, at most

/// [s] From 0 on; the only one of constant gravity.
std::vector<double> times_of(const GravitySources& sources) {
  std::vector<double> times{0};
  if (!sources.changing()) return times;
  const DriveParts& tank = sources.tank;
  double longest = std::max(sources.change.oscillation.period, std::max(tank.sway.period, tank.swing.period));
  const double rate = std::fabs(double{tank.rate} + drive_place::kTurn * tank.turns);
  if (tank.rotates && rate > 0) longest = std::max(longest, drive_place::kTurn / rate);
  const double first =
      std::min(tank.given ? tank.from : sources.change.from, sources.change.given ? sources.change.from : tank.from);
  const double steady = std::max(tank.given ? double{tank.from} + tank.ramp : 0,
                                 sources.change.given ? double{sources.change.from} + sources.change.ramp : 0);
  const auto rows_of = [&](const MotionTableView& table, double from) {
    const int rows = std::min(table.count, kRows);
    for (int k = 0; k < rows; ++k)
      times.push_back(from + table.knots[static_cast<std::int64_t>(k) * (table.count - 1) / (rows - 1)].time);
  };
  rows_of(tank.table, tank.from);
  rows_of(sources.change.table, sources.change.from);
  for (int k = 0; k <= kTimes; ++k) {
    times.push_back(first + (steady - first) * k / kTimes);
    times.push_back(steady + 2 * longest * k / kTimes);
  }
  return times;
}

/// The domain's corners.
std::vector<Vec3> corners_of(const Domain& domain) {
  std::vector<Vec3> corners;
  for (int corner = 0; corner < (1 << domain.dimension); ++corner)
    corners.push_back({corner & 1 ? domain.max.x : domain.min.x, corner & 2 ? domain.max.y : domain.min.y,
                       corner & 4 ? domain.max.z : domain.min.z});
  return corners;
}

template <class F>
void for_each_gravity(const SimulationSetup& setup, const F& f) {
  const GravitySources sources = gravity_sources(setup);
  const std::vector<Vec3> corners = corners_of(setup.domain);
  for (const double time : times_of(sources)) {
    const ApparentGravity apparent = apparent_gravity_at(sources, time);
    for (const Vec3& corner : corners) {
      const Vec3 of_tank = apparent.of_tank(corner);
      f(of_tank);
      if (!sources.force.given()) continue;
      f(of_tank + sources.force.acceleration);
      f(of_tank - sources.force.acceleration);
    }
  }
}

}  // namespace

double most_gravity(const SimulationSetup& setup) {
  double most2 = 0;
  for_each_gravity(setup, [&](Vec3 g) { most2 = std::max(most2, double{length2(g)}); });
  return std::sqrt(most2);
}

double most_gravity_change(const SimulationSetup& setup) {
  if (!gravity_sources(setup).changing()) return 0;
  double most2 = 0;
  for_each_gravity(setup, [&](Vec3 g) { most2 = std::max(most2, double{length2(g - setup.gravity)}); });
  return std::sqrt(most2);
}

GravityRange gravity_range(const SimulationSetup& setup) {
  GravityRange range;
  for_each_gravity(setup, [&](Vec3 g) {
    for (int a = 0; a < setup.domain.dimension; ++a) {
      range.least[a] = std::min(range.least[a], double{component(g, a)});
      range.most[a] = std::max(range.most[a], double{component(g, a)});
    }
  });
  return range;
}

Vec3 gravity_at_start(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  const GravitySources sources = gravity_sources(setup);
  const Vec3 g =
      sources.changing() ? apparent_gravity_at(sources, 0).of_tank(0.5f * (domain.min + domain.max)) : setup.gravity;
  float largest = 0, along[3] = {0, 0, 0};
  for (int a = 0; a < domain.dimension; ++a) largest = std::max(largest, std::fabs(component(g, a)));
  for (int a = 0; a < domain.dimension; ++a)
    if (!(std::fabs(component(g, a)) < 0.001f * largest)) along[a] = component(g, a);
  return {along[0], along[1], along[2]};
}

}  // namespace riffle
