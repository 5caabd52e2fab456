/// A slightly deformed drop of radius 1, density 1 and surface tension 1, in empty space or within another fluid. The
/// case compares the frequency of its oscillation with the exact one (capillary_drop_modes.csv; Rayleigh 1879, Lamb
/// 1932 section 275): omega^2 = n (n^2 - 1) sigma / ((rho + rho_outside) R^3) in 2-D, n (n - 1) (n + 2) sigma /
/// (rho R^3) in 3-D in empty space. Where the fit of an oscillation finds none, the figures are not measured.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "core/text/words.h"
#include "validation/cases.h"
#include "validation/oscillation_fit.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

struct Drop {
  int dimension = 2, mode = 2;
  int per_radius = 20;  ///< particles
  float support_ratio = 2;
  DensityScheme density = DensityScheme::Summation;
  KernelKind kernel = KernelKind::WendlandC2;
  TensionModel model = TensionModel::Continuum;
  float outside = 0;  ///< density of the fluid around it; 0: empty space

  std::string name() const {
    return fmt::format("{}-D, mode {}, {} per radius, h = {:g} dx, {}{}{}{}", dimension, mode, per_radius,
                       support_ratio, word_of(density), kernel == KernelKind::CubicSpline ? ", cubic spline" : "",
                       model == TensionModel::Akinci ? ", akinci" : "",
                       outside > 0 ? fmt::format(", in a fluid of {:g} of its density", outside) : std::string());
  }

  double omega2() const {
    const double n = mode;
    return dimension == 2 ? n * (n * n - 1) / (1 + double{outside}) : n * (n - 1) * (n + 2);
  }

  /// Of the amplitude, by the viscosity alone, in empty space [1/s].
  double decay() const {
    const double n = mode;
    return kViscosity * (dimension == 2 ? 2 * n * (n - 1) : (n - 1) * (2 * n + 1));
  }

  static constexpr float kViscosity = 0.01f;
};

constexpr float kHalfWidth = 2;  ///< of the box, which is periodic and full of fluid if there is fluid around the drop

SimulationSetup drop_setup(const Drop& drop) {
  SimulationSetup setup;
  setup.domain.dimension = drop.dimension;
  setup.domain.min = {-kHalfWidth, -kHalfWidth, -kHalfWidth};
  setup.domain.max = {kHalfWidth, kHalfWidth, kHalfWidth};
  setup.gravity = {};
  setup.spacing = 1.0f / static_cast<float>(drop.per_radius);
  setup.support_ratio = drop.support_ratio;
  setup.fluids.emplace_back();
  setup.fluids[0].rest_density = 1;
  setup.fluids[0].viscosity = Drop::kViscosity;
  setup.wcsph.kernel = drop.kernel;
  setup.wcsph.density = drop.density;
  setup.wcsph.speed_of_sound = 10;
  setup.wcsph.artificial_viscosity = 0;
  setup.wcsph.negative_pressure = true;
  setup.wcsph.tension_model = drop.model;
  if (drop.outside > 0) {
    setup.fluids.push_back(setup.fluids[0]);
    setup.fluids[1].rest_density = drop.outside;
    setup.wcsph.interface_tension.value[0][1] = setup.wcsph.interface_tension.value[1][0] = 1;
    for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  } else {
    setup.fluids[0].surface_tension = 1;
  }
  return setup;
}

struct Particles {
  std::vector<Vec4> position;
  std::vector<std::uint32_t> fluid;
};

Particles particles_of(const Simulation& simulation) {
  return {by_id<Vec4>(simulation, "position"), by_id<std::uint32_t>(simulation, "fluid")};
}

/// Every particle is a separate body.
void place(SimulationSetup& setup, const Particles& particles) {
  setup.bodies.clear();
  const float half = 0.5f * setup.spacing;
  for (std::size_t i = 0; i < particles.position.size(); ++i) {
    const Vec3 x = xyz(particles.position[i]);
    BodySetup body;
    body.min = x - Vec3{half, half, half};
    body.max = x + Vec3{half, half, half};
    body.fluid = static_cast<int>(particles.fluid[i]);
    setup.bodies.push_back(body);
  }
}

/// A lattice over the periodic box, whose particles within the radius 1 are the drop.
Particles drop_in_fluid(int per_radius) {
  Particles particles;
  const int across = static_cast<int>(std::lround(2 * kHalfWidth * static_cast<float>(per_radius)));
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j) {
      const float x = (float(i) + 0.5f) / float(per_radius) - kHalfWidth;
      const float y = (float(j) + 0.5f) / float(per_radius) - kHalfWidth;
      particles.position.push_back({x, y, 0, 0});
      particles.fluid.push_back(x * x + y * y < 1 ? 0 : 1);
    }
  return particles;
}

/// Moment of the mode's deformation, 0 for a round drop: the mean over the drop of r^n cos(n phi) (2-D) or of
/// r^n P_n(y / r) (3-D) about its centre.
double mode_moment(const Particles& particles, const Drop& drop) {
  double cx = 0, cy = 0, cz = 0, count = 0, sum = 0;
  for (std::size_t i = 0; i < particles.position.size(); ++i) {
    if (particles.fluid[i] != 0) continue;
    const Vec4 p = particles.position[i];
    cx += p.x, cy += p.y, cz += p.z, ++count;
  }
  cx /= count, cy /= count, cz /= count;
  for (std::size_t i = 0; i < particles.position.size(); ++i) {
    if (particles.fluid[i] != 0) continue;
    const Vec4 p = particles.position[i];
    const double x = p.x - cx, y = p.y - cy, z = p.z - cz, across2 = x * x + z * z;
    if (drop.dimension == 2)
      sum += std::pow(std::complex<double>(x, y), drop.mode).real();
    else
      sum += drop.mode == 2 ? y * y - 0.5 * across2 : y * (y * y - 1.5 * across2);
  }
  return sum / count;
}

/// The displacement of a potential flow of the mode, a at the drop's surface. In a surrounding fluid it falls off, to
/// nothing at the box's faces.
Vec3 displacement(Vec3 x, const Drop& drop, double a) {
  const int n = drop.mode;
  if (drop.dimension == 3) {
    const double f = a / n;
    const double dx = n == 2 ? -x.x : -3 * x.x * x.y, dz = n == 2 ? -x.z : -3 * x.z * x.y;
    const double dy = n == 2 ? 2 * x.y : 3 * x.y * x.y - 1.5 * (x.x * x.x + x.z * x.z);
    return {static_cast<float>(f * dx), static_cast<float>(f * dy), static_cast<float>(f * dz)};
  }
  const std::complex<double> z(x.x, x.y);
  const double r = std::abs(z);
  if (r <= 1) {
    const std::complex<double> d = a * std::conj(std::pow(z, n - 1));
    return {static_cast<float>(d.real()), static_cast<float>(d.imag()), 0};
  }
  const double cut = std::clamp((kHalfWidth - r) / 0.5, 0.0, 1.0);
  const std::complex<double> d = a * cut * std::pow(z / r, n + 1) * std::pow(r, -n - 1);
  return {static_cast<float>(d.real()), static_cast<float>(d.imag()), 0};
}

struct Oscillation {
  double expected = 0;
  OscillationFit fit;
  Series deformation;
};

Oscillation oscillate(const CaseContext& context, const Drop& drop) {
  SimulationSetup setup = drop_setup(drop);
  if (drop.outside > 0) {
    place(setup, drop_in_fluid(drop.per_radius));
  } else {
    BodySetup round;
    round.shape = Shape::Sphere;
    round.radius = 1;
    setup.bodies.push_back(round);
  }
  setup.wcsph.damping_rate = 4;  // the lattice's steps settle into a round surface
  setup.wcsph.damping_time = 2;
  Particles particles;
  {
    Simulation simulation(context.noted(setup), context.device);
    run_until(simulation, 2, [&](double t) { context.progress(0.2 * t, drop.name()); });
    particles = particles_of(simulation);
  }
  setup.wcsph.damping_rate = setup.wcsph.damping_time = 0;
  // Small enough that no part of the surface curves inward, where only cohesion would hold it: mode n bends the surface
  // by (n^2 - 1) a.
  const double amplitude = drop.mode == 2 ? 0.1 : drop.mode == 3 ? 0.05 : 0.03;
  for (Vec4& p : particles.position) p = make_vec4(xyz(p) + displacement(xyz(p), drop, amplitude));
  place(setup, particles);
  // The lattice's volume differs slightly from the ball's.
  const double volume =
      double(std::count(particles.fluid.begin(), particles.fluid.end(), 0u)) * setup.particle_volume();
  const double radius =
      drop.dimension == 2 ? std::sqrt(volume / std::numbers::pi) : std::cbrt(0.75 * volume / std::numbers::pi);
  Oscillation result;
  result.expected = std::sqrt(drop.omega2() / (radius * radius * radius));
  result.deformation.label = drop.name();
  Simulation simulation(context.noted(setup), context.device);
  const double end = 3 * std::numbers::pi / result.expected;  // one and a half periods
  constexpr int kSamples = 60;
  for (int k = 0; k <= kSamples; ++k) {
    const double t = end * k / kSamples;
    if (k > 0) run_until(simulation, t, [&](double now) { context.progress(0.4 + 0.6 * now / end, drop.name()); });
    result.deformation.x.push_back(t);
    result.deformation.y.push_back(mode_moment(particles_of(simulation), drop));
  }
  result.fit = fit_decaying_oscillation(result.deformation.x, result.deformation.y, result.expected);
  return result;
}

std::vector<Drop> drops_of(bool full) {
  constexpr DensityScheme kBoth[] = {DensityScheme::Summation, DensityScheme::Continuity};
  std::vector<Drop> drops;
  for (const DensityScheme density : kBoth) {
    Drop drop;
    drop.density = density;
    if (!full) {
      drop.per_radius = 10;
      drops.push_back(drop);
      continue;
    }
    for (const float ratio : {2.0f, 2.5f, 3.0f, 3.5f}) {
      drops.push_back(drop);
      drops.back().support_ratio = ratio;
    }
    for (const int per_radius : {15, 30}) {
      drops.push_back(drop);
      drops.back().per_radius = per_radius;
    }
    for (const int mode : {3, 4}) {
      drops.push_back(drop);
      drops.back().mode = mode;
    }
    drops.push_back(drop);
    drops.back().kernel = KernelKind::CubicSpline;
    drops.push_back(drop);
    drops.back().outside = 0.5f;
    drops.back().per_radius = 12;
    drops.back().support_ratio = 3;
    for (const int mode : {2, 3}) {
      drops.push_back(drop);
      drops.back().dimension = 3;
      drops.back().per_radius = 10;
      drops.back().mode = mode;
    }
  }
  if (full) {
    Drop akinci;
    akinci.support_ratio = 3.5f;
    akinci.model = TensionModel::Akinci;
    drops.push_back(akinci);
  }
  return drops;
}

/// The formulas are those of the table.
void check_formulas(const CaseContext& context, CaseResult& result) {
  const ReferenceTable table = context.table("capillary_drop_modes.csv");
  const auto dimension = table.numbers("dim"), mode = table.numbers("mode"), omega = table.numbers("omega_inviscid"),
             decay = table.numbers("amplitude_decay_rate");
  double worst = 0;
  for (std::size_t k = 0; k < omega.size(); ++k) {
    Drop drop;
    drop.dimension = static_cast<int>(dimension[k]);
    drop.mode = static_cast<int>(mode[k]);
    worst = std::max(worst, std::fabs(std::sqrt(drop.omega2()) / omega[k] - 1));
    worst = std::max(worst, std::fabs(drop.decay() / decay[k] - 1));
  }
  result.checks.push_back(context.check("formulas against the table, relative error", worst));
}

CaseResult run_capillary_drop(const CaseContext& context) {
  CaseResult result;
  check_formulas(context, result);
  const std::vector<Drop> drops = drops_of(context.full());
  Curve curve{"deformation", "A drop oscillates", "t", "moment of the mode / R^n", {}, {}};
  for (std::size_t k = 0; k < drops.size(); ++k) {
    const Drop& drop = drops[k];
    const double count = double(drops.size());
    const Oscillation found = oscillate(context.part(double(k) / count, double(k + 1) / count), drop);
    const std::string frequency = "frequency over the exact one: " + drop.name();
    const std::string decay = "decay over that of the viscosity: " + drop.name();
    double frequency_ratio = found.fit.frequency / found.expected, decay_ratio = found.fit.decay / drop.decay();
    if (!found.fit.found()) {
      frequency_ratio = decay_ratio = std::numeric_limits<double>::quiet_NaN();
      result.notes.push_back(fmt::format(
          "{}: not measured, {}", drop.name(),
          found.fit.at_bound
              ? "the fit ends at a bound of its search"
              : fmt::format("the fit leaves {:.2g} of the samples' deviation from their mean", found.fit.residual)));
    }
    // In another fluid the figures scatter more than any bound would allow, which the page says.
    const bool is_figure = drop.model == TensionModel::Akinci || drop.outside > 0;
    result.checks.push_back(is_figure ? figure(frequency, frequency_ratio) : context.check(frequency, frequency_ratio));
    result.checks.push_back(is_figure ? figure(decay, decay_ratio) : context.check(decay, decay_ratio));
    if (!is_figure && drop.support_ratio == 2) curve.measured.push_back(found.deformation);
  }
  result.curves.push_back(curve);
  return result;
}

}  // namespace

ValidationCase capillary_drop_case() {
  return {
      "capillary_drop", "oscillation of a drop under surface tension (WCSPH)",
      "2-D mode 2, 10 particles per radius, both density schemes",
      "2-D modes 2 to 4, 15 to 30 particles per radius, h = 2 to 3.5 spacings, a drop in another fluid; 3-D modes 2 "
      "and 3, 12; both density schemes",
      run_capillary_drop};
}

}  // namespace riffle
