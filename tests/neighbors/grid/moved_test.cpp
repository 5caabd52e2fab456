/// Queries after the particles have moved since the build.

#include <cmath>
#include <limits>

#include "support/non_finite.h"
#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

class MovedParticles : public EverySearch {
 protected:
  /// Only a search with a skin keeps the positions of the build.
  SearchSettings with_skin() const {
    SearchSettings settings = this->settings();
    settings.skin = 1;
    return settings;
  }

  /// Skin included, the search reaches as far as h_build.
  static void build(SortedSearch& sorted, const std::vector<Vec4>& x, const Domain& domain, float h_build) {
    sorted.build(x, domain, 0.5f * h_build);
  }

  /// Moves `x` by displacement(i), and checks that the search still answers exactly.
  template <class Displacement>
  std::size_t expect_exact_after(const std::vector<Vec4>& x, const Domain& domain, float h_build, float h,
                                 const Displacement& displacement) const {
    SortedSearch sorted(device(), with_skin());
    build(sorted, x, domain, h_build);
    std::vector<Vec4> moved = x;
    for (std::size_t i = 0; i < x.size(); ++i) moved[i] = particle(dimension(), xyz(x[i]) + displacement(i));
    const NeighborSets expected = expected_neighbors(moved, domain, h);
    sorted.move(moved);
    EXPECT_FALSE(sorted.search().displacement_exceeds(sorted.positions(), h));
    EXPECT_TRUE(same_neighbors(expected, sorted.find(h))) << "from cells";
    sorted.move(x);
    sorted.list_neighbors();  // of the particles as they were
    sorted.move(moved);
    EXPECT_TRUE(same_neighbors(expected, sorted.find(h))) << "from lists";
    return pair_count(expected);
  }
};

TEST_P(MovedParticles, RandomMovesWithinTheBoundLoseNoPair) {
  Random random(31);
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (const float h : {0.12f, 0.08f, 0.02f}) {
      SCOPED_TRACE(testing::Message() << "h " << h << (axis == Axis::Open ? ", open" : ", periodic"));
      const float h_build = 0.13f, step = 0.4999f * (h_build - h);
      const Domain domain = box(dimension(), 0, 1, axis);
      expect_exact_after(uniform_cloud(random, domain, 900), domain, h_build, h,
                         [&](std::size_t) { return step * direction(random, dimension()); });
    }
}

TEST_P(MovedParticles, PairsThatApproachFromJustBeyondTheBuildRadiusAreFound) {
  // Each pair starts in cells as far apart as the search reads, and comes within h: this uses up the whole skin.
  const float h_build = 0.125f, h = 0.1f, step = 0.4999f * (h_build - h);
  for (int axis = 0; axis < dimension(); ++axis) {
    Random random(32);
    const Vec3 along{axis == 0 ? 1.0f : 0, axis == 1 ? 1.0f : 0, axis == 2 ? 1.0f : 0};
    const Domain domain = box(dimension(), 0, 1, random.chance(0.5f) ? Axis::Open : Axis::Periodic);
    std::vector<Vec4> x;
    for (int i = 0; i < 400; ++i) {
      const Vec3 first = uniform_in(random, domain);
      x.push_back(particle(dimension(), first));
      x.push_back(particle(dimension(), first + (h_build - 1e-5f) * along));
    }
    EXPECT_GT(
        expect_exact_after(x, domain, h_build, h, [&](std::size_t i) { return (i % 2 == 0 ? step : -step) * along; }),
        0u);
  }
}

TEST_P(MovedParticles, ParticlesThatCrossAPeriodicFaceAreFollowed) {
  const Domain domain = box(dimension(), 0, 1, Axis::Periodic);
  std::vector<Vec4> x;
  for (int i = 0; i < 20; ++i) {
    const float y = 0.025f + 0.05f * static_cast<float>(i);
    x.push_back(particle(dimension(), {0.999f, y, 0.5f}));
    x.push_back(particle(dimension(), {0.001f, y, 0.5f}));
  }
  // Wrapped as in a simulation: from 0.999 to 0.009, a step of 0.01.
  EXPECT_GT(expect_exact_after(x, domain, 0.15f, 0.1f,
                               [](std::size_t i) {
                                 return Vec3{i % 2 == 0 ? -0.99f : 0.01f, 0, 0};
                               }),
            40u);
}

TEST_P(MovedParticles, TheBoundItselfCountsAsMoved) {
  // h_build - h = 0.25, so a particle may move by less than 0.125; all of it exact in float.
  const Domain domain = box(dimension(), 0, 4);
  std::vector<Vec4> x = lattice(dimension(), {0.25f, 0.25f, 0.25f}, 0.5f, 6);
  SortedSearch sorted(device(), with_skin());
  build(sorted, x, domain, 0.5f);
  const std::size_t one = x.size() / 3;
  const auto exceeds = [&](float dx) {
    std::vector<Vec4> moved = x;
    moved[one].x += dx;
    sorted.move(moved);
    return sorted.search().displacement_exceeds(sorted.positions(), 0.25f);
  };
  EXPECT_FALSE(exceeds(0));
  EXPECT_FALSE(exceeds(0.1249f));
  EXPECT_TRUE(exceeds(0.125f));
  EXPECT_TRUE(exceeds(-0.125f));
  EXPECT_TRUE(exceeds(0.1251f));
  EXPECT_TRUE(exceeds(1e30f));
}

TEST_P(MovedParticles, AParticleThatIsNoLongerANumberCountsAsMovedWhereverItStands) {
  // A maximum that compares with > forgets NaN as soon as another value follows.
  Random random(33);
  const Domain domain = box(dimension(), 0, 1);
  const std::vector<Vec4> x = uniform_cloud(random, domain, 5000);
  SortedSearch sorted(device(), with_skin());
  build(sorted, x, domain, 0.2f);
  for (const std::size_t p :
       {std::size_t{0}, std::size_t{1}, std::size_t{2047}, std::size_t{2048}, std::size_t{4000}, x.size() - 1})
    for (const float bad : {kNaN, std::numeric_limits<float>::infinity()}) {
      std::vector<Vec4> moved = x;
      moved[sorted.original()[p]].y = bad;
      sorted.move(moved);
      EXPECT_TRUE(sorted.search().displacement_exceeds(sorted.positions(), 0.1f)) << bad << " at " << p;
    }
  sorted.move(x);
  EXPECT_FALSE(sorted.search().displacement_exceeds(sorted.positions(), 0.1f));
}

TEST_P(MovedParticles, ARebuildTakesTheNewPositionsAsTheReference) {
  Random random(34);
  const Domain domain = box(dimension(), 0, 1);
  std::vector<Vec4> x = uniform_cloud(random, domain, 500);
  SortedSearch sorted(device(), with_skin());
  build(sorted, x, domain, 0.2f);
  for (Vec4& p : x) p.x += 0.3f;
  sorted.move(x);
  EXPECT_TRUE(sorted.search().displacement_exceeds(sorted.positions(), 0.1f));
  build(sorted, x, domain, 0.2f);
  EXPECT_FALSE(sorted.search().displacement_exceeds(sorted.positions(), 0.1f));
}

TEST_P(MovedParticles, AskingWithoutASkinIsAnError) {
  SortedSearch sorted(device(), settings());
  sorted.build({particle(dimension(), {0.5f, 0.5f, 0.5f})}, box(dimension(), 0, 1), 0.2f);
  EXPECT_THROW(sorted.search().displacement_exceeds(sorted.positions(), 0.1f), std::logic_error);
}

TEST_P(MovedParticles, AnEmptySearchHasNotMoved) {
  SortedSearch sorted(device(), with_skin());
  build(sorted, {}, box(dimension(), 0, 1), 0.2f);
  EXPECT_FALSE(sorted.search().displacement_exceeds(sorted.positions(), 0.1f));
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(MovedParticles);

}  // namespace
}  // namespace riffle::test
