/// The collapse of a water column against Martin and Moyce 1952, n^2 = 2 (height twice the width a = 57.15 mm):
/// front Z = x / a over T = t sqrt(2g/a) (table 2) and height at the back H = eta / 2a over tau = t sqrt(g/a) (table
/// 6).
///
/// Acceptance: relative rms of Z over 0.84 <= T <= 3.33 at most 5 % after one shift |dT| <= 0.2 (the gate takes time to
/// clear) and 10 % unshifted; slope of Z over 2 <= T <= 3.3 within 10 % of the table's 1.36; |H - table| at most 0.05
/// to tau = 2.45. For 40 particles per a; the shorter test has 20 and the same bounds for the front. The front is
/// the 99.5 % quantile of x over particles in contact with the bulk, that is with at least 60 % of its neighbours.

#include <algorithm>
#include <cstdio>

#include "reference.h"
#include "setups.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

constexpr double kWidth = 0.05715;

struct History {
  std::vector<double> T, front, height;
};

double front_of_bulk(const std::vector<Vec4>& x, float h) {
  std::vector<int> neighbors(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = i + 1; j < x.size(); ++j)
      if (length2(xyz(x[i]) - xyz(x[j])) < h * h) ++neighbors[i], ++neighbors[j];
  std::vector<int> sorted = neighbors;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
  const double bulk = sorted[sorted.size() / 2];
  std::vector<double> in_contact;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (neighbors[i] >= 0.6 * bulk) in_contact.push_back(x[i].x);
  std::sort(in_contact.begin(), in_contact.end());
  return in_contact[static_cast<std::size_t>(0.995 * double(in_contact.size() - 1))];
}

History collapse(int across, const Device& device) {
  SimulationSetup setup = column_setup(2, across, static_cast<float>(kWidth));
  setup.domain.max.x = static_cast<float>(6 * kWidth);
  Simulation simulation(setup, device);
  const double unit = std::sqrt(kWidth / (2 * 9.81));
  History history;
  for (int frame = 0; frame <= 71; ++frame) {
    if (frame > 0) run_until(simulation, 0.05 * frame * unit);
    const auto x = by_id<Vec4>(simulation, "position");
    history.T.push_back(0.05 * frame);
    history.front.push_back((front_of_bulk(x, setup.support_radius()) + 0.5 * setup.spacing) / kWidth);
    double top = 0;
    for (const Vec4& p : x)
      if (p.x < 2 * setup.spacing) top = std::max(top, double{p.y} + 0.5 * setup.spacing);
    history.height.push_back(top / (2 * kWidth));
  }
  return history;
}

double front_error(const History& history, const ReferenceColumn& table, double shift) {
  double sum = 0;
  int n = 0;
  for (std::size_t k = 0; k < table.x.size(); ++k) {
    if (table.x[k] < 0.84 - 1e-9) continue;
    const double z = ReferenceColumn::interpolate(history.T, history.front, table.x[k] - shift);
    sum += (z / table.y[k] - 1) * (z / table.y[k] - 1);
    ++n;
  }
  return std::sqrt(sum / n);
}

double front_slope(const History& history) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < history.T.size(); ++k) {
    if (history.T[k] < 2 - 1e-9 || history.T[k] > 3.3 + 1e-9) continue;
    n += 1;
    sx += history.T[k];
    sy += history.front[k];
    sxx += history.T[k] * history.T[k];
    sxy += history.T[k] * history.front[k];
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double height_error(const History& history) {
  const ReferenceColumn table("dam_break_height_martin_moyce.csv", 1, 2);
  double worst = 0;
  for (std::size_t k = 0; k < table.x.size(); ++k)
    if (table.x[k] <= 2.45 + 1e-9)
      worst = std::max(
          worst,
          std::fabs(ReferenceColumn::interpolate(history.T, history.height, table.x[k] * std::sqrt(2.0)) - table.y[k]));
  return worst;
}

void expect_front(const History& history, int across) {
  const ReferenceColumn table("dam_break_front_martin_moyce.csv", 1, 2);
  double best = 1, best_shift = 0;
  for (double shift = -0.2; shift <= 0.2001; shift += 0.01)
    if (const double error = front_error(history, table, shift); error < best) best = error, best_shift = shift;
  printf("%d particles per a: front rms %.4f unshifted, %.4f shifted by %+.2f; slope %.3f; height %.3f\n", across,
         front_error(history, table, 0), best, best_shift, front_slope(history), height_error(history));
  EXPECT_LE(front_error(history, table, 0), 0.10);
  EXPECT_LE(best, 0.05);
  EXPECT_NEAR(front_slope(history), 1.36, 0.136);
}

class DamBreakFront : public OnEachDevice {};

TEST_P(DamBreakFront, FollowsMartinAndMoyceWith20ParticlesPerWidth) { expect_front(collapse(20, device()), 20); }
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DamBreakFront);

class LongDamBreakFront : public OnEachDevice {};

TEST_P(LongDamBreakFront, FollowsMartinAndMoyceWith40ParticlesPerWidth) {
  const History history = collapse(40, device());
  expect_front(history, 40);
  EXPECT_LE(height_error(history), 0.05);
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDamBreakFront);

}  // namespace
}  // namespace riffle::test
