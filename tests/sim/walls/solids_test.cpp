/// Walls as solids with poses and motions: the domain's faces given as solids are the same walls, bit for bit.

#include <algorithm>
#include <numbers>

#include "core/error.h"
#include "sim/start/sampling.h"
#include "sim/walls/boundary.h"
#include "sim/walls/domain_faces.h"
#include "support/devices.h"
#include "support/visit_neighbors.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

constexpr std::size_t kLid = 3;  ///< y max among faces_as_solids()
constexpr SolverKind kWalled[] = {SolverKind::Wcsph, SolverKind::Pbf};

/// A walled box, as high as its fluid, whose lid moves along itself, as does one of its sides. Gravity pulls the fluid
/// to the lid.
SimulationSetup lid_driven(SolverKind solver, int dimension) {
  SimulationSetup setup = with_solver(column_setup(dimension, dimension == 2 ? 10 : 6), solver);
  setup.domain.max.y = setup.bodies[0].max.y;
  setup.gravity.y *= -1;
  setup.wcsph.wall_velocity[1][1] = {1, 0, dimension == 3 ? 0.5f : 0.0f};
  setup.wcsph.wall_velocity[0][0] = {0, 0.7f, 0};
  return setup;
}

SimulationSetup with_solids(SimulationSetup setup, std::vector<Solid> solids) {
  setup.solids = std::move(solids);
  for (auto& axis : setup.wcsph.wall_velocity) axis[0] = axis[1] = {};  // they are the solids' now
  return setup;
}

SmoothingKernel kernel_of(const SimulationSetup& setup) {
  return make_kernel(setup.wcsph.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing);
}

std::uint64_t hash_after(Simulation& simulation, int steps) {
  run_steps(simulation, steps);
  return simulation.diagnostics().state_hash;
}

/// The arrays of a Boundary on the host.
struct WallArrays {
  std::vector<Vec4> particles, velocities;
  std::vector<float> solid_density;
  std::vector<std::uint32_t> solid;

  WallArrays(const Device& device, const Boundary& walls) {
    const auto get = [&](auto& to, const auto* from) {
      to.resize(from == nullptr ? 0 : static_cast<std::size_t>(walls.count()));
      if (from != nullptr) copy_to_host(device, to.data(), from, to.size() * sizeof to[0]);
    };
    get(particles, walls.particles());
    get(velocities, walls.velocities());
    get(solid_density, walls.solid_density());
    get(solid, walls.solid());
  }
};

bool same_bits(const Vec4& a, const Vec4& b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

void expect_same_walls(const WallArrays& a, const WallArrays& b) {
  ASSERT_EQ(a.particles.size(), b.particles.size());
  ASSERT_EQ(a.velocities.size(), b.velocities.size());
  EXPECT_EQ(a.solid_density, b.solid_density);
  EXPECT_TRUE(std::equal(a.particles.begin(), a.particles.end(), b.particles.begin(), same_bits));
  EXPECT_TRUE(std::equal(a.velocities.begin(), a.velocities.end(), b.velocities.begin(), same_bits));
}

std::vector<Placement> moved(const std::vector<Solid>& solids, std::size_t which, const Pose& pose) {
  std::vector<Placement> placements = placements_of(solids);
  placements[which].pose = pose;
  return placements;
}

class Solids : public OnEachDevice {
 protected:
  /// Both setups have the same walls and the same run.
  void expect_same(const SimulationSetup& plain, const SimulationSetup& solids) const {
    {
      const Boundary walls(device(), plain, kernel_of(plain)), same(device(), solids, kernel_of(solids));
      expect_same_walls(WallArrays(device(), walls), WallArrays(device(), same));
    }
    Simulation a(plain, device()), b(solids, device());
    EXPECT_EQ(a.boundary_count(), b.boundary_count());
    EXPECT_EQ(hash_after(a, 50), hash_after(b, 50));
  }
};

TEST_P(Solids, SixFacesAsSixSolidsAreThePlainWalls) {
  for (const SolverKind solver : kWalled)
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
      const SimulationSetup plain = lid_driven(solver, dimension);
      const std::vector<Solid> faces = faces_as_solids(plain);
      ASSERT_EQ(faces.size(), std::size_t(2 * dimension));
      expect_same(plain, with_solids(plain, faces));
      expect_same(plain, with_solids(plain, {faces_as_one_solid(plain)}));
    }
}

// Otherwise the test above would not notice a lid at rest.
TEST_P(Solids, ALidThatMovesChangesTheRun) {
  const SimulationSetup setup = lid_driven(SolverKind::Wcsph, 2);
  std::vector<Solid> faces = faces_as_solids(setup);
  Simulation moving(with_solids(setup, faces), device());
  faces[kLid].placement.motion = {};
  Simulation resting(with_solids(setup, faces), device());
  EXPECT_NE(hash_after(moving, 50), hash_after(resting, 50));
}

/// Turned by a quarter about z, from x to y; exact.
Vec3 quarter(Vec3 x) { return {-x.y, x.x, x.z}; }
constexpr Rotation kQuarterBack{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};

Solid given_turned(const Solid& solid) {
  SolidSamples samples = *solid.samples;
  for (auto* list : {&samples.wall, &samples.behind, &samples.front}) {
    for (Vec4& x : *list) x = make_vec4(quarter(xyz(x)));
    std::reverse(list->begin(), list->end());
  }
  Solid turned = solid;
  turned.samples = std::make_shared<const SolidSamples>(std::move(samples));
  turned.placement.pose.rotation = kQuarterBack;
  const FaceVelocities& from = solid.belts;
  FaceVelocities& to = turned.belts;
  to.box.min = {-from.box.max.y, from.box.min.x, from.box.min.z};
  to.box.max = {-from.box.min.y, from.box.max.x, from.box.max.z};
  std::swap(to.box.axis[0], to.box.axis[1]);
  for (const int side : {0, 1}) {
    to.velocity[0][side] = quarter(from.velocity[1][1 - side]);
    to.velocity[1][side] = quarter(from.velocity[0][side]);
    to.velocity[2][side] = quarter(from.velocity[2][side]);
  }
  return turned;
}

TEST_P(Solids, SamplesGivenTurnedAndTurnedBackByThePoseAreTheSameWalls) {
  for (const SolverKind solver : kWalled)
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
      const SimulationSetup plain = lid_driven(solver, dimension);
      expect_same(plain, with_solids(plain, {given_turned(faces_as_one_solid(plain))}));
      std::vector<Solid> faces = faces_as_solids(plain);
      for (Solid& face : faces) face = given_turned(face);
      expect_same(plain, with_solids(plain, faces));
    }
}

TEST_P(Solids, ATurningSolidMovesAsARigidBody) {
  SimulationSetup setup = lid_driven(SolverKind::Wcsph, 3);
  Solid box = faces_as_one_solid(setup);
  box.belts = {};
  box.placement.pose = {rotation_about({1, 2, -1}, 0.8), {0.1f, -0.2f, 0.3f}};
  const Motion motion{{0.5f, -1, 2}, {3, -2, 1}, {0.2f, 0.1f, -0.05f}};
  box.placement.motion = motion;
  setup = with_solids(setup, {box});
  const WallArrays walls(device(), Boundary(device(), setup, kernel_of(setup)));
  ASSERT_EQ(walls.velocities.size(), box.samples->wall.size());
  for (std::size_t b = 0; b < walls.velocities.size(); ++b) {
    const Vec4 x = walls.particles[b], v = walls.velocities[b];
    const double rx = double{x.x} - motion.center.x, ry = double{x.y} - motion.center.y,
                 rz = double{x.z} - motion.center.z;
    EXPECT_NEAR(v.x, 0.5 + -2 * rz - 1 * ry, 2e-6);
    EXPECT_NEAR(v.y, -1 + 1 * rx - 3 * rz, 2e-6);
    EXPECT_NEAR(v.z, 2 + 3 * ry - -2 * rx, 2e-6);
  }
}

TEST_P(Solids, ASiteThatSolidsShareIsOneParticleWithTheMeanOfTheirVelocities) {
  SimulationSetup setup = lid_driven(SolverKind::Wcsph, 2);
  setup.wcsph.wall_velocity[0][0] = {0, 0.7f, 0};
  const SimulationSetup solids = with_solids(setup, faces_as_solids(setup));
  const WallArrays walls(device(), Boundary(device(), solids, kernel_of(solids)));
  int corner = 0;
  for (std::size_t b = 0; b < walls.particles.size(); ++b) {
    const bool side = walls.particles[b].x<0, lid = walls.particles[b].y> setup.domain.max.y;
    if (!side || !lid) continue;
    ++corner;
    EXPECT_EQ(walls.velocities[b].x, 0.5f);
    EXPECT_EQ(walls.velocities[b].y, 0.35f);
    EXPECT_EQ(walls.solid[b], 0u);
  }
  EXPECT_EQ(corner, 9) << "three layers at a support of 3 spacings";
}

/// Index of the place nearest to x.
std::size_t nearest(const std::vector<Vec4>& places, Vec3 x) {
  const auto distance = [&](const Vec4& a) { return length2(xyz(a) - x); };
  return std::size_t(std::min_element(places.begin(), places.end(),
                                      [&](const Vec4& a, const Vec4& b) { return distance(a) < distance(b); }) -
                     places.begin());
}

TEST_P(Solids, PlacingMovesTheParticlesWithTheirWeightsAndTheSearchFindsThemThere) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(std::to_string(dimension) + "-D");
    SimulationSetup setup = lid_driven(SolverKind::Wcsph, dimension);
    setup = with_solids(setup, faces_as_solids(setup));
    Boundary walls(device(), setup, kernel_of(setup));
    const WallArrays before(device(), walls);
    std::size_t sites = 0;
    for (const Solid& solid : setup.solids) sites += solid.samples->wall.size();
    ASSERT_EQ(walls.most(), int(sites));
    ASSERT_LT(before.particles.size(), sites) << "no corner";

    // Into the box, so that the search has many cells with walls and near them.
    const Pose pose{rotation_about({0, 0, 1}, 0.4), {0.08f, -0.13f, 0}};
    walls.place(moved(setup.solids, kLid, pose));
    const WallArrays after(device(), walls);
    const std::vector<Vec4>& lid = setup.solids[kLid].samples->wall;
    std::vector<Vec4> on_lid;
    std::vector<std::size_t> index;
    std::size_t elsewhere = 0;
    for (std::size_t b = 0; b < after.particles.size(); ++b) {
      if (after.solid[b] == kLid) {
        on_lid.push_back(after.particles[b]);
        index.push_back(b);
        continue;
      }
      ++elsewhere;
      const std::size_t stayed = nearest(before.particles, xyz(after.particles[b]));
      EXPECT_TRUE(same_bits(after.particles[b], before.particles[stayed])) << "another solid has moved";
      EXPECT_EQ(after.solid_density[b], before.solid_density[stayed]);
    }
    ASSERT_EQ(on_lid.size(), lid.size());
    EXPECT_LT(elsewhere, before.particles.size());
    const double c = std::cos(0.4), s = std::sin(0.4);
    for (const Vec4& x : lid) {
      const Vec3 to{static_cast<float>(c * x.x - s * x.y + 0.08), static_cast<float>(s * x.x + c * x.y - 0.13), x.z};
      const std::size_t k = nearest(on_lid, to), was = nearest(before.particles, xyz(x));
      EXPECT_LT(std::sqrt(length2(xyz(on_lid[k]) - to)), 1e-6);
      EXPECT_EQ(on_lid[k].w, before.particles[was].w);
      EXPECT_EQ(after.solid_density[index[k]], before.solid_density[was]);
      EXPECT_EQ(after.velocities[index[k]].x, 1);
    }

    BodySetup box;
    box.min = {-0.05f, -0.05f, -0.05f};
    box.max = {0.45f, 0.35f, 0.15f};
    SimulationSetup around = setup;
    around.bodies = {box};
    std::vector<Vec4> queries = sample_bodies(around).position;
    const Buffer<Vec4> on_device(device(), std::span<const Vec4>(queries));
    const float h = setup.support_radius();
    const Visits found =
        visit_neighbors_of(walls.search(), walls.particles(), on_device.data(), int(queries.size()), h);
    std::vector<Vec4> places = after.particles;
    const NeighborSets expected = expected_neighbors_of(places, queries, setup.domain, h);
    EXPECT_GT(pair_count(expected), 1000u);
    EXPECT_TRUE(same_neighbors(expected, found.of));

    walls.place(placements_of(setup.solids));
    expect_same_walls(before, WallArrays(device(), walls));
    EXPECT_EQ(WallArrays(device(), walls).solid, before.solid);
  }
}

TEST_P(Solids, ASolidPlacedElsewhereAndBackGivesThePlainRun) {
  for (const SolverKind solver : kWalled)
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
      const SimulationSetup plain = lid_driven(solver, dimension);
      const SimulationSetup setup = with_solids(plain, faces_as_solids(plain));
      const Pose away{{}, {0, 0.5f, 0}};
      Simulation expected(plain, device()), simulation(setup, device()), open(setup, device());
      run_steps(simulation, 20);
      simulation.place_solids(moved(setup.solids, kLid, away));
      EXPECT_EQ(simulation.setup().solids[kLid].placement.pose, away);
      EXPECT_GT(simulation.boundary_count(), expected.boundary_count()) << "the lid has its own part of the corners";
      simulation.place_solids(placements_of(setup.solids));
      EXPECT_EQ(simulation.boundary_count(), expected.boundary_count());
      run_steps(open, 20);
      open.place_solids(moved(setup.solids, kLid, away));
      const std::uint64_t hash = hash_after(expected, 50);
      EXPECT_EQ(hash_after(simulation, 30), hash);
      EXPECT_NE(hash_after(open, 30), hash) << "the fluid did not feel the lid at all";
    }
}

TEST_P(Solids, MotionsChangeBetweenStepsAsFaceVelocitiesDo) {
  const SimulationSetup plain = lid_driven(SolverKind::Wcsph, 2);
  SimulationSetup slower = plain;
  slower.wcsph.wall_velocity[1][1] = {};
  slower.wcsph.wall_velocity[0][0] = {};
  Simulation first(plain, device());
  run_steps(first, 20);
  Simulation expected(slower, device(), first.save_state());
  Simulation simulation(with_solids(plain, faces_as_solids(plain)), device());
  run_steps(simulation, 20);
  std::vector<Placement> placements = placements_of(simulation.setup().solids);
  for (Placement& placement : placements) placement.motion = {};
  simulation.place_solids(placements);
  EXPECT_EQ(hash_after(simulation, 30), hash_after(expected, 30));
}

TEST_P(Solids, FaceVelocitiesChangeWithoutNewWalls) {
  SimulationSetup setup = lid_driven(SolverKind::Wcsph, 2);
  const Boundary walls(device(), setup, kernel_of(setup));
  setup.wcsph.wall_velocity[1][1] = {2, 0, 0};
  const Boundary faster(device(), setup, kernel_of(setup), walls.shared()), own(device(), setup, kernel_of(setup));
  EXPECT_EQ(faster.particles(), walls.particles());
  EXPECT_NE(own.particles(), walls.particles());
  expect_same_walls(WallArrays(device(), faster), WallArrays(device(), own));
  for (auto& axis : setup.wcsph.wall_velocity) axis[0] = axis[1] = {};
  EXPECT_EQ(Boundary(device(), setup, kernel_of(setup), walls.shared()).velocities(), nullptr) << "walls at rest";
}

TEST_P(Solids, PlacingLeavesOthersThatShareTheWallsAlone) {
  const SimulationSetup setup = [] {
    const SimulationSetup plain = lid_driven(SolverKind::Wcsph, 2);
    return with_solids(plain, faces_as_solids(plain));
  }();
  Simulation mover(setup, device()), undisturbed(setup, device());
  run_steps(mover, 20);
  Simulation sharer(setup, device(), mover.save_state(), &mover);
  mover.place_solids(moved(setup.solids, kLid, {{}, {0, 0.5f, 0}}));
  EXPECT_EQ(hash_after(sharer, 30), hash_after(undisturbed, 50));
}

TEST_P(Solids, WallsAreSharedWhileThePosesAreTheSame) {
  const SimulationSetup plain = lid_driven(SolverKind::Wcsph, 2);
  SimulationSetup setup = with_solids(plain, faces_as_solids(plain));
  Boundary walls(device(), setup, kernel_of(setup));
  const auto shares = [&](const SimulationSetup& other) {
    return Boundary(device(), other, kernel_of(other), walls.shared()).particles() == walls.particles();
  };
  EXPECT_TRUE(shares(setup));
  EXPECT_FALSE(shares(plain));
  walls.place(moved(setup.solids, kLid, {{}, {0, 0.5f, 0}}));
  EXPECT_FALSE(shares(setup));
  SimulationSetup as_placed = setup;
  as_placed.solids = walls.solids();
  EXPECT_FALSE(shares(as_placed)) << "they were weighed elsewhere";
  walls.place(placements_of(setup.solids));
  EXPECT_TRUE(shares(setup));
}

TEST_P(Solids, ARunFromAStateIsTheSameWithAndWithoutTheWallsOfAnother) {
  const SimulationSetup plain = lid_driven(SolverKind::Wcsph, 2);
  Simulation first(with_solids(plain, faces_as_solids(plain)), device());
  run_steps(first, 10);
  first.place_solids(moved(first.setup().solids, kLid, {{}, {0, 0.01f, 0}}));  // shares no site any more
  const SimulationState state = first.save_state();
  Simulation sharer(state.setup, device(), state, &first), alone(state.setup, device(), state);
  EXPECT_EQ(hash_after(sharer, 20), hash_after(alone, 20));
}

/// A floor and a post on one lattice: the post stands in the sites in front of the floor.
TEST_P(Solids, APlaceInSeveralListsOfALatticeCountsOnce) {
  SimulationSetup setup = lid_driven(SolverKind::Wcsph, 2);
  setup.domain.axis[0] = Axis::Periodic;
  Solid floor = faces_as_solids(setup)[0];
  std::vector<Vec4> post_wall, post_behind;
  for (const Vec4& x : floor.samples->front) (x.x < 0.5f * setup.domain.max.x ? post_wall : post_behind).push_back(x);
  SolidSamples post{.wall = post_wall, .behind = post_behind, .front = {}};
  post.wall.push_back(floor.samples->wall[0]);
  SolidSamples split = *floor.samples;
  split.wall.insert(split.wall.end(), post_wall.begin(), post_wall.end());
  split.behind.insert(split.behind.end(), post_behind.begin(), post_behind.end());
  split.front.clear();
  Solid second = floor, one = floor;
  second.samples = std::make_shared<const SolidSamples>(post);
  one.samples = std::make_shared<const SolidSamples>(split);
  const SimulationSetup two = with_solids(setup, {floor, second}), single = with_solids(setup, {one});
  expect_same_walls(WallArrays(device(), Boundary(device(), two, kernel_of(two))),
                    WallArrays(device(), Boundary(device(), single, kernel_of(single))));
}

TEST_P(Solids, AStateHasThePlacesOfItsSolids) {
  const SimulationSetup plain = lid_driven(SolverKind::Wcsph, 2);
  const SimulationSetup setup = with_solids(plain, faces_as_solids(plain));
  Simulation simulation(setup, device());
  run_steps(simulation, 10);
  simulation.place_solids(moved(setup.solids, kLid, {{}, {0, 0.01f, 0}}));
  run_steps(simulation, 10);
  const SimulationState state = simulation.save_state();
  const std::uint64_t hash = hash_after(simulation, 20);
  simulation.place_solids(moved(setup.solids, kLid, {{}, {0, 0.5f, 0}}));
  run_steps(simulation, 10);
  simulation.restore_state(state);
  EXPECT_EQ(hash_after(simulation, 20), hash);
  EXPECT_EQ(simulation.setup().solids[kLid].placement.pose.translation, (Vec3{0, 0.01f, 0}));
  EXPECT_THROW(Simulation(plain, device()).restore_state(state), InputError);
}

TEST_P(Solids, ASolidIsWeighedWithoutOthersThatShareNoSiteWithIt) {
  SimulationSetup setup = lid_driven(SolverKind::Wcsph, 2);
  setup.domain.axis[0] = Axis::Periodic;
  std::vector<Solid> faces = faces_as_solids(setup);
  ASSERT_EQ(faces.size(), 2u);
  faces[1].placement.pose.translation = {0.003f, -0.19f, 0};  // within reach of the floor
  const SimulationSetup both = with_solids(setup, faces), floor = with_solids(setup, {faces[0]});
  const WallArrays together(device(), Boundary(device(), both, kernel_of(both)));
  const WallArrays alone(device(), Boundary(device(), floor, kernel_of(floor)));
  ASSERT_EQ(together.particles.size(), 2 * alone.particles.size());
  for (const Vec4& x : alone.particles)
    EXPECT_TRUE(same_bits(together.particles[nearest(together.particles, xyz(x))], x));
}

TEST_P(Solids, TheirMemoryIsEstimated) {
  for (const SolverKind solver : kWalled)
    for (const bool several : {false, true}) {
      SimulationSetup setup = lid_driven(solver, 3);
      setup = with_solids(setup, several ? faces_as_solids(setup) : std::vector{faces_as_one_solid(setup)});
      Simulation simulation(setup, device());
      simulation.place_solids(placements_of(setup.solids));
      run_steps(simulation, 2);
      simulation.finish();
      EXPECT_NEAR(double(estimate_memory(setup, device())) / double(simulation.memory_bytes()), 1, 0.2);
    }
}

TEST_P(Solids, PlacementsThatMeanNothingAreRefused) {
  const SimulationSetup plain = lid_driven(SolverKind::Wcsph, 2);
  const SimulationSetup setup = with_solids(plain, faces_as_solids(plain));
  Simulation simulation(setup, device());
  const std::vector<Placement> good = placements_of(setup.solids);
  const auto refused = [&](const Placement& bad) {
    std::vector<Placement> placements = good;
    placements[kLid] = bad;
    try {
      simulation.place_solids(placements);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused(good[0]), "nothing");
  EXPECT_NE(refused({{rotation_about({1, 0, 0}, 0.1), {}}, {}}).find("solid number 4: it leaves the plane"),
            std::string::npos);
  EXPECT_NE(refused({{{{1, 0, 0}, {0, 1, 0}, {5e-5f, 0, 1}}, {}}, {}}).find("plane"), std::string::npos);
  EXPECT_NE(refused({{{}, {0, 0, 1}}, {}}).find("plane"), std::string::npos);
  EXPECT_NE(refused({{}, {{}, {0, 1, 0}, {}}}).find("plane"), std::string::npos);
  EXPECT_NE(refused({{{}, {0, NAN, 0}}, {}}).find("not finite"), std::string::npos);
  EXPECT_NE(refused({{{{2, 0, 0}, {0, 0.5f, 0}, {0, 0, 1}}, {}}, {}}).find("rotation"), std::string::npos);
  EXPECT_NE(refused({{{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}}, {}}).find("rotation"), std::string::npos);
  EXPECT_THROW(simulation.place_solids(std::span(good).first(2)), InputError);
  EXPECT_THROW(Simulation(plain, device()).place_solids(good), InputError);
  SimulationSetup dpd = with_solver(setup, SolverKind::Dpd);
  EXPECT_THROW(Simulation(dpd, device()), InputError);
}

// Were it their sum, water in the corner of a lid and a resting wall would be dragged at the lid's full speed, and beside
// two moving walls at more than either's.
TEST(FaceVelocities, InCornersAreTheMeanOfTheirFaces) {
  FaceVelocities faces;
  for (Axis& axis : faces.box.axis) axis = Axis::Walled;
  faces.box.dimension = 3;
  faces.box.max = {1, 1, 1};
  faces.velocity[0][1] = {0, 3, 6};
  faces.velocity[1][1] = {9, 0, -3};
  faces.velocity[2][0] = {0, -6, 0};
  const auto expect_at = [&](Vec3 x, Vec3 v) { EXPECT_EQ(faces.at(x), v) << x.x << ", " << x.y << ", " << x.z; };
  expect_at({1.1f, 0.5f, 0.5f}, {0, 3, 6});
  expect_at({1.1f, 1.1f, 0.5f}, {4.5f, 1.5f, 1.5f});
  expect_at({1.1f, 0.5f, -0.1f}, {0, -1.5f, 3});
  expect_at({1.1f, 1.1f, -0.1f}, {3, -1, 1});
  expect_at({-0.1f, 1.1f, 0.5f}, {4.5f, 0, -1.5f});
  expect_at({1, 1, 0}, {0, 0, 0});  // on three faces, behind none
  faces.box.axis[1] = Axis::Periodic;
  expect_at({1.1f, 1.1f, 0.5f}, {0, 3, 6});
}

TEST(Rotations, AreAboutTheirAxisAndCounterclockwise) {
  const Rotation r = rotation_about({0, 0, 2}, std::numbers::pi / 2);
  EXPECT_LT(length2(turned(r, {1, 0, 0}) - Vec3{0, 1, 0}), 1e-12);
  EXPECT_LT(length2(turned(r, {0, 1, 0.5f}) - Vec3{-1, 0, 0.5f}), 1e-12);
  const Rotation third = rotation_about({1, 1, 1}, 2 * std::numbers::pi / 3);
  EXPECT_LT(length2(turned(third, {1, 2, 3}) - Vec3{3, 1, 2}), 1e-11);
  EXPECT_LT(length2(placed({third, {10, 0, 0}}, {1, 2, 3}) - Vec3{13, 1, 2}), 1e-11);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Solids);

}  // namespace
}  // namespace riffle::test
