/// Poly6 for densities and Spiky for gradients: an iteration against sums over all pairs, whose kernels are written out
/// here and normalised by counting, and who refuses them.

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "sim/pbf/pbf.h"
#include "support/devices.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

class PbfKernels : public OnEachDevice {};

/// The two kernels in double precision.
struct PaperKernels {
  int dimension;
  double h, spacing, poly6 = 0, spiky = 0;

  PaperKernels(int d, double radius, double lattice) : dimension(d), h(radius), spacing(lattice) {
    double sum = 0;
    const int reach = static_cast<int>(h / spacing) + 1, reach_z = d == 3 ? reach : 0;
    for (int z = -reach_z; z <= reach_z; ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x) sum += shape(spacing * std::sqrt(double(x * x + y * y + z * z)));
    poly6 = 1 / (sum * std::pow(spacing, d));
    constexpr int n = 20000;  // the integral of (1 - q)^3 is made 1
    double integral = 0;
    for (int k = 0; k < n; ++k) {
      const double r = (k + 0.5) * h / n, q = r / h;
      integral += std::pow(1 - q, 3) * (d == 2 ? 2 * std::numbers::pi * r : 4 * std::numbers::pi * r * r) * h / n;
    }
    spiky = 1 / integral;
  }
  double shape(double r) const { return r < h ? std::pow(1 - r * r / (h * h), 3) : 0; }
  double value(double r) const { return poly6 * shape(r); }
  double slope(double r) const { return r < h ? -3 * spiky / h * (1 - r / h) * (1 - r / h) : 0; }
};

struct Double3 {
  double x, y, z;
};

/// By ids: density of equal volumes times V_0, and the corrections of one Jacobi iteration.
struct Iteration {
  std::vector<double> filled;
  std::vector<Double3> correction;
};

Iteration one_iteration(const std::vector<Vec4>& x, const SimulationSetup& setup) {
  const int d = setup.domain.dimension;
  const PaperKernels kernels(d, setup.support_radius(), setup.spacing);
  const double volume = std::pow(double{setup.spacing}, d);
  const Vec3 extent = setup.domain.extent();
  const auto separation = [&](std::size_t i, std::size_t j) {
    Double3 r{double{x[i].x} - x[j].x, double{x[i].y} - x[j].y, d == 3 ? double{x[i].z} - x[j].z : 0};
    r.x -= extent.x * std::round(r.x / extent.x);
    r.y -= extent.y * std::round(r.y / extent.y);
    r.z -= extent.z * std::round(r.z / extent.z);
    return r;
  };
  double lattice_squares = 0;
  const int reach = 4, reach_z = d == 3 ? reach : 0;
  for (int c = -reach_z; c <= reach_z; ++c)
    for (int b = -reach; b <= reach; ++b)
      for (int a = -reach; a <= reach; ++a)
        if (a != 0 || b != 0 || c != 0)
          lattice_squares +=
              std::pow(volume * kernels.slope(setup.spacing * std::sqrt(double(a * a + b * b + c * c))), 2);
  Iteration result;
  std::vector<double> lambda;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = kernels.value(0), squares = 0;
    Double3 gradient{0, 0, 0};
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j == i) continue;
      const Double3 r = separation(i, j);
      const double length = std::hypot(r.x, r.y, r.z);
      if (length >= kernels.h) continue;
      const double slope = volume * kernels.slope(length);
      sum += kernels.value(length);
      squares += slope * slope;
      gradient.x += slope * r.x / length, gradient.y += slope * r.y / length, gradient.z += slope * r.z / length;
    }
    squares += gradient.x * gradient.x + gradient.y * gradient.y + gradient.z * gradient.z;
    result.filled.push_back(volume * sum);
    lambda.push_back(-(volume * sum - 1) / (squares + setup.pbf.relaxation * lattice_squares));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    Double3 step{0, 0, 0};
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j == i) continue;
      const Double3 r = separation(i, j);
      const double length = std::hypot(r.x, r.y, r.z);
      if (length >= kernels.h) continue;
      const double push = volume * (lambda[i] + lambda[j]) * kernels.slope(length) / length;
      step.x += push * r.x, step.y += push * r.y, step.z += push * r.z;
    }
    result.correction.push_back(step);
  }
  return result;
}

TEST_P(PbfKernels, DensitiesAndCorrectionsAreThoseOfAllPairs) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = periodic_setup(dimension, dimension == 2 ? 16 : 9);
    setup.solver = SolverKind::Pbf;
    setup.bodies[0].velocity = {};
    setup.bodies[0].jitter = 0.1f;  // with more of it some corrections are cut off
    setup.step.fixed = 0.001f;
    setup.pbf.kernel = KernelKind::Poly6Spiky;
    setup.pbf.iterations = 1;
    setup.pbf.relaxation = 0.5f;
    setup.pbf.negative_pressure = true;
    setup.pbf.artificial_pressure = 0;
    setup.pbf.xsph = 0;
    Simulation simulation(setup, device());
    const std::vector<Vec4> before = by_id<Vec4>(simulation, "position");
    run_steps(simulation, 1);
    simulation.finish();
    const std::vector<Vec4> after = by_id<Vec4>(simulation, "position");
    const std::vector<float> density = by_id<float>(simulation, "density");
    EXPECT_EQ(simulation.diagnostics().pbf->cut_corrections, 0u);
    const Iteration expected = one_iteration(before, setup);
    double largest = 0, wrong = 0;
    const Vec3 extent = setup.domain.extent();
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(density[i] / setup.fluids[0].rest_density, expected.filled[i], 1e-5) << i;
      const Double3& dx = expected.correction[i];
      const double found[] = {double{after[i].x} - before[i].x, double{after[i].y} - before[i].y,
                              double{after[i].z} - before[i].z};
      const double wanted[] = {dx.x, dx.y, dx.z};
      for (int a = 0; a < dimension; ++a) {
        const double edge = component(extent, a);
        const double off = found[a] - wanted[a];
        wrong = std::max(wrong, std::fabs(off - edge * std::round(off / edge)));
        largest = std::max(largest, std::fabs(wanted[a]));
      }
    }
    EXPECT_LT(wrong, 1e-5 * setup.spacing + 2e-7) << dimension << "-D";
    EXPECT_GT(largest, 0.01 * setup.spacing) << "nothing is corrected";
  }
}

// What lies on one point has no direction in which Spiky could push it apart.
TEST_P(PbfKernels, TwoParticlesAtOnePlaceStayFinite) {
  SimulationSetup setup = periodic_setup(3, 8);
  setup.solver = SolverKind::Pbf;
  setup.step.fixed = 0.001f;
  setup.pbf.kernel = KernelKind::Poly6Spiky;
  setup.bodies[0].jitter = 0;
  setup.bodies.push_back(body_of_one_particle(setup, {4.5f / 8, 4.5f / 8, 4.5f / 8}));
  Simulation simulation(setup, device());
  run_steps(simulation, 20);
  const Diagnostics d = simulation.diagnostics();
  EXPECT_EQ(simulation.particle_count(), 513);
  EXPECT_EQ(d.non_finite, 0);
  EXPECT_LT(d.max_speed, 10 * setup.spacing / setup.step.fixed);
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(PbfKernels);

// Largest product of the two waves, by a program of its own.
TEST(PbfKernel, RelaxationFollowsFromBothKernels) {
  const struct {
    int dimension;
    float ratio;
    double squares, amplification;
  } rows[] = {{2, 2, 0.3982, 2.2265}, {2, 3, 0.1483, 2.9613}, {3, 2, 0.3734, 2.787}, {3, 2.2f, 0.2779, 3.1219}};
  for (const auto& row : rows) {
    const pbf::LatticeGradients lattice =
        pbf::lattice_gradients(make_kernel(KernelKind::Poly6Spiky, row.dimension, row.ratio, 1), row.dimension, 1);
    EXPECT_NEAR(lattice.squares, row.squares, 2e-4);
    EXPECT_NEAR(lattice.amplification, row.amplification, 2e-4) << row.dimension << "-D, h = " << row.ratio;
  }
}

TEST(PbfKernel, OtherSolversRefusePoly6AndSpikyByName) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph}) {
    SimulationSetup setup = periodic_setup(2, 8);
    setup.solver = solver;
    setup.wcsph.kernel = KernelKind::Poly6Spiky;
    try {
      Simulation simulation(setup, Device{});
      FAIL() << to_string(solver);
    } catch (const InputError& refusal) {
      EXPECT_NE(std::string(refusal.what())
                    .find("solver.kernel: found poly6_spiky; allowed with solver.type " +
                          std::string(to_string(solver)) + ": wendland_c2 or cubic_spline"),
                std::string::npos)
          << refusal.what();
    }
    setup.wcsph.kernel = KernelKind::CubicSpline;
    EXPECT_NO_THROW(Simulation(setup, Device{}));
  }
}

}  // namespace
}  // namespace riffle::test
