/// A slightly deformed drop of radius 1, density 1 and surface tension 1 in empty space. The case compares the
/// frequency of its oscillation with Rayleigh's (capillary_drop_modes.csv): omega^2 = n (n^2 - 1) sigma / (rho R^3) in
/// 2-D, n (n - 1) (n + 2) sigma / (rho R^3) in 3-D. Accepted: 5 %.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "validation/cases.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

struct Drop {
  int dimension = 2, mode = 2;
  int per_radius = 20;  ///< particles
  float speed_of_sound = 10;
  TensionModel model = TensionModel::Continuum;
};

SimulationSetup drop_setup(const Drop& drop) {
  SimulationSetup setup;
  setup.domain.dimension = drop.dimension;
  setup.domain.min = {-2, -2, -2};
  setup.domain.max = {2, 2, 2};
  setup.gravity = {};
  setup.spacing = 1.0f / static_cast<float>(drop.per_radius);
  setup.support_ratio = 3.5f;
  setup.fluids.emplace_back();
  setup.fluids[0].rest_density = 1;
  setup.fluids[0].viscosity = 0.01f;
  setup.fluids[0].surface_tension = 1;
  setup.wcsph.speed_of_sound = drop.speed_of_sound;
  setup.wcsph.artificial_viscosity = 0;
  setup.wcsph.negative_pressure = true;
  setup.wcsph.tension_model = drop.model;
  return setup;
}

/// Every particle is a separate body.
void place(SimulationSetup& setup, const std::vector<Vec4>& position) {
  setup.bodies.clear();
  const float half = 0.5f * setup.spacing;
  for (const Vec4& p : position) {
    BodySetup body;
    body.min = xyz(p) - Vec3{half, half, half};
    body.max = xyz(p) + Vec3{half, half, half};
    setup.bodies.push_back(body);
  }
}

/// Moment of the mode's deformation, 0 for a round drop: the mean of r^n cos(n phi) about the centre (2-D) or of r^2
/// P_2 (3-D).
double mode_moment(const std::vector<Vec4>& position, const Drop& drop) {
  double cx = 0, cy = 0, cz = 0, sum = 0;
  for (const Vec4& p : position) cx += p.x, cy += p.y, cz += p.z;
  const double n = double(position.size());
  cx /= n, cy /= n, cz /= n;
  for (const Vec4& p : position) {
    const double x = p.x - cx, y = p.y - cy, z = p.z - cz;
    if (drop.dimension == 3)
      sum += y * y - 0.5 * (x * x + z * z);
    else
      sum += drop.mode == 2 ? y * y - x * x : y * (3 * x * x - y * y);
  }
  return sum / n;
}

struct DampedOscillation {
  double frequency = 0, decay = 0, residual = 0;  ///< omega, rate, rms of what is left over the amplitude
};

/// Least-squares fit of e^(-b t) (A cos wt + B sin wt) + C, with w between 0.5 and 1.5 times the expected value.
DampedOscillation fit_oscillation(const std::vector<double>& t, const std::vector<double>& y, double expected) {
  const auto residual2 = [&](double w, double b) {
    double m[3][4] = {};
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double e = std::exp(-b * t[k]);
      const double f[3] = {e * std::cos(w * t[k]), e * std::sin(w * t[k]), 1};
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) m[r][c] += f[r] * f[c];
        m[r][3] += f[r] * y[k];
      }
    }
    double right[3] = {m[0][3], m[1][3], m[2][3]}, square = 0;
    for (const double v : y) square += v * v;
    for (int p = 0; p < 3; ++p)
      for (int r = 0; r < 3; ++r) {
        if (r == p) continue;
        const double factor = m[r][p] / m[p][p];
        for (int c = p; c < 4; ++c) m[r][c] -= factor * m[p][c];
      }
    for (int p = 0; p < 3; ++p) square -= right[p] * m[p][3] / m[p][p];
    return square;
  };
  DampedOscillation best;
  double least = 1e300, half_w = 0.5 * expected, half_b = 0.25 * expected, w0 = expected, b0 = half_b;
  for (int level = 0; level < 6; ++level) {
    const double w1 = w0, b1 = b0;
    for (int i = -10; i <= 10; ++i)
      for (int j = -10; j <= 10; ++j) {
        const double w = w1 + 0.1 * i * half_w, b = b1 + 0.1 * j * half_b;
        const double square = w > 0 ? residual2(w, b) : 1e300;
        if (square < least) least = square, w0 = w, b0 = b;
      }
    half_w *= 0.25, half_b *= 0.25;
  }
  double square = 0;
  for (const double v : y) square += v * v;
  return {w0, b0, std::sqrt(std::fmax(0.0, least) / square)};
}

struct Oscillation {
  double expected = 0;
  DampedOscillation fit;
  Series deformation;
};

Oscillation oscillate(const CaseContext& context, const Drop& drop, double frequency_of_unit_drop) {
  SimulationSetup setup = drop_setup(drop);
  const std::string what = fmt::format("{}-D, mode {}", drop.dimension, drop.mode);
  BodySetup round;
  round.shape = Shape::Sphere;
  round.radius = 1;
  setup.bodies.push_back(round);
  setup.wcsph.damping_rate = 4;  // the lattice's steps settle into a round surface
  setup.wcsph.damping_time = 2;
  std::vector<Vec4> position;
  {
    Simulation simulation(context.noted(setup), context.device);
    run_until(simulation, 2, [&](double t) { context.progress(0.2 * t, what); });
    position = by_id<Vec4>(simulation, "position");
  }
  setup.wcsph.damping_rate = setup.wcsph.damping_time = 0;
  // Small enough that no part of the surface curves inward, where only cohesion would hold it: mode n bends the surface
  // by (n^2 - 1) a.
  const float a = drop.mode == 3 ? 0.05f : 0.1f;
  for (Vec4& p : position) {
    if (drop.mode == 3) {
      p = {p.x + 2 * a * p.x * p.y, p.y + a * (p.x * p.x - p.y * p.y), p.z, 0};
    } else if (drop.dimension == 2) {
      p = {p.x / (1 + a), p.y * (1 + a), 0, 0};
    } else {
      const float side = 1 / std::sqrt(1 + a);
      p = {p.x * side, p.y * (1 + a), p.z * side, 0};
    }
  }
  place(setup, position);
  // The lattice's volume differs slightly from the ball's.
  const double volume = double(position.size()) * setup.particle_volume();
  const double radius =
      drop.dimension == 2 ? std::sqrt(volume / std::numbers::pi) : std::cbrt(0.75 * volume / std::numbers::pi);
  Oscillation result;
  result.expected = frequency_of_unit_drop * std::pow(radius, -1.5);
  result.deformation.label = what;
  Simulation simulation(context.noted(setup), context.device);
  const double end = 3 * std::numbers::pi / result.expected;  // one and a half periods
  constexpr int kSamples = 60;
  for (int k = 0; k <= kSamples; ++k) {
    const double t = end * k / kSamples;
    if (k > 0) run_until(simulation, t, [&](double now) { context.progress(0.4 + 0.6 * now / end, what); });
    result.deformation.x.push_back(t);
    result.deformation.y.push_back(mode_moment(by_id<Vec4>(simulation, "position"), drop));
  }
  result.fit = fit_oscillation(result.deformation.x, result.deformation.y, result.expected);
  return result;
}

CaseResult run_capillary_drop(const CaseContext& context) {
  const ReferenceTable table = context.table("capillary_drop_modes.csv");
  const auto frequency = table.numbers("omega_inviscid");  // rows: 2-D modes 2 and 3, 3-D modes 2 and 3
  std::vector<std::pair<Drop, double>> drops;
  if (context.full()) {
    drops = {{{2, 2, 20}, frequency[0]},
             {{2, 3, 20}, frequency[1]},
             {{3, 2, 12}, frequency[2]},
             {{2, 2, 20, 10, TensionModel::Akinci}, frequency[0]}};
  } else {
    drops = {{{2, 2, 10}, frequency[0]}};
  }
  CaseResult result;
  Curve curve{"deformation", "A drop oscillates", "t", "moment of the mode / R^n", {}, {}};
  double part = 0;
  for (const auto& [drop, expected] : drops) {
    const double next = part + 1.0 / double(drops.size());
    const Oscillation found = oscillate(context.part(part, next), drop, expected);
    part = next;
    const bool akinci = drop.model == TensionModel::Akinci;
    const std::string name =
        fmt::format("frequency over Rayleigh's, {}-D, mode {}{}", drop.dimension, drop.mode, akinci ? ", akinci" : "");
    const double ratio = found.fit.frequency / found.expected;
    result.checks.push_back(akinci ? figure(name, ratio) : within(name, ratio, 1, 0.05, "Rayleigh 1879"));
    result.checks.push_back(figure("  growth of the amplitude (viscosity alone: below 0)", -found.fit.decay, "1/s"));
    if (!akinci) curve.measured.push_back(found.deformation);
  }
  result.curves.push_back(curve);
  return result;
}

}  // namespace

ValidationCase capillary_drop_case() {
  return {"capillary_drop", "oscillation of a drop under surface tension (WCSPH)",
          "2-D mode 2, 10 particles per radius", "2-D modes 2 and 3, 20 particles per radius; 3-D mode 2, 12",
          run_capillary_drop};
}

}  // namespace riffle
