/// Contact with the domain's faces: the law by itself, and fluid thrown at walls.

#include "sim/walls/face_contact.h"

#include <limits>

#include "support/devices.h"
#include "tests/sim/setups.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

constexpr float kReach = 0.3f, kSpeed = 10;

/// A box of side 1 with walls across x only.
FaceContact contact_in_x() {
  FaceContact contact{{}, kReach, kSpeed, {}, {}};
  contact.domain.axis[0] = Axis::Walled;
  contact.domain.axis[1] = Axis::Periodic;
  return contact;
}

TEST(FaceContact, StopsAParticleAtTheGapOfItsLaw) {
  const FaceContact contact = contact_in_x();
  for (const bool upper : {false, true})
    for (const float share : {0.01f, 0.1f, 0.5f, 0.9f}) {
      const float dt = 1e-5f;
      Vec3 x{0.5f, 0.5f, 0.5f}, v{(upper ? 1 : -1) * share * kSpeed, 2, -3};
      for (int k = 0; k < 2000000 && std::fabs(v.x) > 1e-4f * kSpeed; ++k) {
        v = contact.damped(v, x, dt);
        x += dt * Vec3{v.x, 0, 0};
      }
      const double gap = upper ? 1 - x.x : x.x;
      ASSERT_GT(gap, 0);
      EXPECT_NEAR(std::log(kReach / gap) + gap / kReach - 1, share, 0.02 * share + 1e-3) << share;
      EXPECT_EQ(v.y, 2);
      EXPECT_EQ(v.z, -3);
    }
}

TEST(FaceContact, HoldsNoParticleThatLeavesOrIsOutOfReach) {
  const FaceContact contact = contact_in_x();
  for (const float x : {0.01f, 0.2f, 0.31f, 0.5f}) {
    const Vec3 away{2, -40, 40};
    EXPECT_TRUE(contact.damped(away, {x, 0.01f, 0.01f}, 0.01f) == away) << x << ": the other faces are no walls";
    EXPECT_TRUE(contact.shortened(0.01f * away, {x, 0.01f, 0.01f}) == 0.01f * away) << x;
  }
  EXPECT_EQ(contact.damped({-2, 0, 0}, {0.31f, 0.5f, 0.5f}, 0.01f).x, -2);
  EXPECT_LT(std::fabs(contact.damped({-2, 0, 0}, {0.29f, 0.5f, 0.5f}, 0.01f).x), 2);
}

TEST(FaceContact, LeavesAGapWithEveryStepUpToReachOverSpeed) {
  const FaceContact contact = contact_in_x();
  for (const float dt : {1e-4f, 0.5f * kReach / kSpeed, 0.99f * kReach / kSpeed})
    for (float gap = 1e-6f; gap < kReach; gap *= 1.3f)
      for (const float share : {0.01f, 0.3f, 0.98f})
        for (const bool upper : {false, true}) {
          const float x = upper ? 1 - gap : gap, towards = upper ? 1.0f : -1.0f;
          const float way = towards * dt * contact.damped({towards * share * kSpeed, 0, 0}, {x, 0.5f, 0.5f}, dt).x;
          EXPECT_GE(way, 0);
          EXPECT_LT(way, upper ? 1 - x : x) << "gap " << gap << ", step " << dt << ", speed " << share;
        }
}

TEST(FaceContact, ADisplacementOfAnyLengthEndsBeforeTheFace) {
  const FaceContact contact = contact_in_x();
  for (const float gap : {1e-4f, 0.1f, 0.3f, 0.5f})
    for (const float length : {1e-4f, 0.1f, 1.0f, 1e3f, 1e9f}) {
      const float down = contact.shortened({-length, 0, 0}, {gap, 0.5f, 0.5f}).x;
      const float up = contact.shortened({length, 0, 0}, {1 - gap, 0.5f, 0.5f}).x;
      EXPECT_GE(gap + down, 0) << gap << ", " << length;
      EXPECT_LE(1 - gap + up, 1) << gap << ", " << length;
      EXPECT_LE(down, 0);
      EXPECT_GE(down, -length) << "never longer";
      EXPECT_NEAR(up, -down, 1e-6);
    }
  // In small parts: exponentially.
  float x = kReach;
  for (int k = 0; k < 10000; ++k) x += contact.shortened({-1e-4f, 0, 0}, {x, 0.5f, 0.5f}).x;
  EXPECT_NEAR(x, kReach * std::exp(-1 / kReach), 0.002 * kReach);
  EXPECT_EQ(contact.shortened({-1, 0, 0}, {-0.5f, 0.5f, 0.5f}).x, 0) << "from behind the wall no further";
  EXPECT_EQ(contact.damped({-1, 0, 0}, {-0.5f, 0.5f, 0.5f}, 0.01f).x, 0);
}

TEST(FaceContact, AShortDisplacementIsNotRounded) {
  const FaceContact contact = contact_in_x();
  for (const float gap : {0.3f, 0.2f})
    for (const float length : {1e-3f, 1e-5f, 1e-7f}) {
      const double within = length - (gap - std::min(gap, kReach)), from = std::min(gap, kReach);
      const double way = from * within / (double{kReach} + within);
      EXPECT_NEAR(-contact.shortened({-length, 0, 0}, {gap, 0.5f, 0.5f}).x, way, 1e-6 * way) << gap << ", " << length;
    }
}

TEST(FaceContact, PassesOnWhatIsNotANumber) {
  const FaceContact contact = contact_in_x();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(contact.damped({nan, 0, 0}, {0.1f, 0, 0}, 0.01f).x));
  EXPECT_TRUE(std::isnan(contact.shortened({nan, 0, 0}, {0.1f, 0, 0}).x));
}

class WallsHold : public OnEachDevice {
 protected:
  /// Smallest gap between a particle and a walled face [spacings].
  static double smallest_gap(const Simulation& simulation) {
    const Domain& domain = simulation.setup().domain;
    double gap = 1e30;
    for (const Vec4& x : by_id<Vec4>(simulation, "position"))
      for (int a = 0; a < domain.dimension; ++a) {
        if (!domain.walled(a)) continue;
        gap = std::min({gap, double{component(xyz(x), a)} - component(domain.min, a),
                        double{component(domain.max, a)} - component(xyz(x), a)});
      }
    return gap / simulation.setup().spacing;
  }
};

/// Every solver with wall particles and every density scheme.
std::vector<SolverCase> schemes(const SimulationSetup& setup) {
  return {{"WCSPH, summation", by_summation(with_solver(setup, SolverKind::Wcsph))},
          {"WCSPH, continuity", by_continuity(with_solver(setup, SolverKind::Wcsph))},
          {"PBF", with_solver(setup, SolverKind::Pbf)}};
}

TEST_P(WallsHold, ADamBreakWithDefaultSettings) {
  for (const int dimension : {2, 3})
    for (const SolverCase& c : schemes(column_setup(dimension, dimension == 2 ? 12 : 6, 0.5f))) {
      Simulation simulation(c.setup, device());
      double gap = 1;
      for (int k = 1; k <= 10; ++k) {
        run_until(simulation, 0.15 * k);
        gap = std::min(gap, smallest_gap(simulation));
      }
      EXPECT_EQ(simulation.finish().contained, 0u) << c.name << ", " << dimension << "-D";
      EXPECT_GT(gap, 0.05) << c.name << ", " << dimension << "-D: no particle lies on a wall";
      EXPECT_EQ(simulation.diagnostics().outside, 0);
    }
}

// As after a fall of 10 m.
TEST_P(WallsHold, ABlockThatHitsTheFloorAt14MetresPerSecond) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = column_setup(dimension, dimension == 2 ? 20 : 8, 0.25f);
    setup.domain.max.y = 1;
    setup.bodies[0].min = {0.25f, 0.02f, 0};
    setup.bodies[0].max = {0.5f, 0.27f, 0.25f};
    setup.bodies[0].velocity = {0, -14, 0};
    for (const SolverCase& c : schemes(setup)) {
      Simulation simulation(c.setup, device());
      double gap = 1;
      for (int k = 1; k <= 12; ++k) {
        run_until(simulation, 0.005 * k);
        gap = std::min(gap, smallest_gap(simulation));
      }
      const Diagnostics after = simulation.diagnostics();
      EXPECT_EQ(simulation.finish().contained, 0u) << c.name << ", " << dimension << "-D";
      EXPECT_EQ(after.outside + after.non_finite, 0) << c.name << ", " << dimension << "-D";
      EXPECT_GT(gap, 0.01) << c.name << ", " << dimension << "-D";
    }
  }
}

TEST_P(WallsHold, OneParticleAtUpToTheSpeedOfSound) {
  for (const int dimension : {2, 3})
    for (int axis = 0; axis < dimension; ++axis)
      for (const float towards : {-1.0f, 1.0f})
        for (const float share : {0.1f, 0.9f}) {
          SimulationSetup setup = column_setup(dimension, 5, 0.5f);
          setup.gravity = {};
          setup.wcsph.speed_of_sound = 20;
          Vec3 velocity{0.5f, 0.5f, 0.5f};
          (axis == 0 ? velocity.x : axis == 1 ? velocity.y : velocity.z) = towards * share * 20;
          const float middle = dimension == 3 ? 0.25f : 0;
          setup.bodies = {body_of_one_particle(setup, {1, 0.75f, middle})};
          setup.bodies[0].velocity = velocity;
          for (const SolverCase& c : schemes(setup)) {
            Simulation simulation(c.setup, device());
            ASSERT_EQ(simulation.particle_count(), 1);
            double gap = 1;
            for (int k = 1; k <= 10; ++k) {
              run_until(simulation, 0.02 * k / share);
              gap = std::min(gap, smallest_gap(simulation));
            }
            EXPECT_EQ(simulation.finish().contained, 0u) << c.name << ", axis " << axis << ", speed " << share;
            EXPECT_GT(gap, 0) << c.name << ", axis " << axis << ", speed " << share;
            const Vec3 v = xyz(by_id<Vec4>(simulation, "velocity")[0]);
            EXPECT_LT(std::fabs(component(v, axis)), 20 * share) << c.name << ": no wall adds to its speed";
          }
        }
}

// Contact stops particles that go less than its reach in a step. Here they go 1.8 spacings.
TEST_P(WallsHold, AParticleThatAStepTakesThroughAWallIsCountedAndPutBack) {
  SimulationSetup setup = column_setup(2, 5, 0.5f);
  setup.gravity = {};
  setup.support_ratio = 4;
  setup.step.cfl = 0.5f;
  setup.wcsph.speed_of_sound = 20;
  setup.wcsph.density = DensityScheme::Summation;
  std::uint64_t contained = 0;
  for (int start = 0; start < 10; ++start) {
    setup.bodies = {body_of_one_particle(setup, {1 + 0.2f * static_cast<float>(start) * setup.spacing, 0.75f, 0})};
    setup.bodies[0].velocity = {-18, 0, 0};
    Simulation simulation(setup, device());
    run_until(simulation, 0.1);
    contained += simulation.finish().contained;
    EXPECT_EQ(simulation.diagnostics().outside, 0);
  }
  EXPECT_GT(contained, 0u);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(WallsHold);

}  // namespace
}  // namespace riffle::test
