/// Neighbour sets across periodic faces.

#include <cmath>

#include "every_search.h"
#include "neighbors/grid/grid.h"

namespace riffle::test {
namespace {

class PeriodicClouds : public EverySearch {
 protected:
  /// Axis a is periodic when bit a of `mask` is set.
  Domain domain(int mask, Vec3 low, Vec3 high) const {
    Domain domain = box(dimension(), low, high);
    for (int a = 0; a < 3; ++a)
      if (mask & (1 << a)) domain.axis[a] = Axis::Periodic;
    return domain;
  }
  int masks() const { return 1 << dimension(); }
};

TEST_P(PeriodicClouds, PairsAcrossEachFaceAreFoundOnce) {
  for (int axis = 0; axis < dimension(); ++axis)
    for (const float low : {0.0f, -0.5f, -7.25f}) {
      const Domain box_ = domain(1 << axis, {low, low, low}, {low + 1, low + 1, low + 1});
      Vec3 a{low + 0.5f, low + 0.5f, low + 0.5f}, b = a;
      float& a_on_axis = axis == 0 ? a.x : axis == 1 ? a.y : a.z;
      float& b_on_axis = axis == 0 ? b.x : axis == 1 ? b.y : b.z;
      a_on_axis = low + 0.03125f;
      b_on_axis = low + 0.96875f;
      EXPECT_EQ(expect_exact({box_, 0.1f, {particle(dimension(), a), particle(dimension(), b)}}), 2u)
          << "axis " << axis;
      Domain open = box_;
      open.axis[axis] = Axis::Open;
      EXPECT_EQ(expect_exact({open, 0.1f, {particle(dimension(), a), particle(dimension(), b)}}), 0u)
          << "axis " << axis;
    }
}

TEST_P(PeriodicClouds, PairsAcrossACornerAreFoundOnce) {
  const Domain all = domain(7, {0, 0, 0}, {1, 1, 1});
  std::vector<Vec4> x;
  for (const float i : {0.015625f, 0.984375f})
    for (const float j : {0.015625f, 0.984375f})
      for (const float k : {0.015625f, 0.984375f})
        if (dimension() == 3 || k < 0.5f) x.push_back(particle(dimension(), {i, j, k}));
  EXPECT_EQ(expect_exact({all, 0.1f, x}), x.size() * (x.size() - 1));
}

TEST_P(PeriodicClouds, EveryCombinationOfAxesIsExactForEveryShortLength) {
  // Between 2h and 3h a row of cells meets itself; below four cells left and right neighbour may be the same one.
  Random random(21);
  const float h = 0.25f;
  for (const float ratio : {2.0f, 2.0001f, 2.5f, 3.0f, 3.0001f, 4.0f, 4.5f, 10.0f})
    for (int mask = 1; mask < masks(); ++mask) {
      SCOPED_TRACE(testing::Message() << "L = " << ratio << " h, axes " << mask);
      const float length = ratio * h;
      const Domain box_ =
          domain(mask, {-0.125f, -0.125f, -0.125f}, {length - 0.125f, length - 0.125f, length - 0.125f});
      expect_exact({box_, h, uniform_cloud(random, box_, ratio < 5 ? 150 : 400)});
    }
}

TEST_P(PeriodicClouds, AxesOfDifferentLengthsAreExact) {
  Random random(22);
  for (const Vec3 extent :
       {Vec3{0.2f, 0.5f, 1.7f}, Vec3{1.7f, 0.2f, 0.5f}, Vec3{0.25f, 1.7f, 0.2f}, Vec3{3, 0.31f, 0.2f}})
    for (int mask = 1; mask < masks(); ++mask) {
      SCOPED_TRACE(testing::Message() << extent.x << " x " << extent.y << " x " << extent.z << ", axes " << mask);
      const Domain box_ = domain(mask, {2, 2, 2}, Vec3{2, 2, 2} + extent);
      // max - min has the rounding error of min + extent; h is a little smaller, so that 2h still fits.
      expect_exact({box_, 0.0999f, uniform_cloud(random, box_, 300)});
    }
}

TEST_P(PeriodicClouds, ALatticeThatClosesOnItselfHasTheSameNeighborsEverywhere) {
  const Domain box_ = domain(7, {0, 0, 0}, {1, 1, 1});
  const std::vector<Vec4> x = lattice(dimension(), {0, 0, 0}, 0.125f, 8);
  EXPECT_EQ(expect_exact({box_, 0.125f, x}), 0u);
  EXPECT_EQ(expect_exact({box_, std::nextafter(0.125f, 1.0f), x}),
            x.size() * 2 * static_cast<std::size_t>(dimension()));
  EXPECT_EQ(expect_exact({box_, std::nextafter(0.125f, 0.0f), x}), 0u);
}

TEST_P(PeriodicClouds, ParticlesHalfABoxApartAtL2hAreNotNeighbors) {
  // |r| = L/2 = h exactly, to both images.
  const Domain box_ = domain(7, {0, 0, 0}, {1, 1, 1});
  const std::vector<Vec4> x{particle(dimension(), {0, 0, 0}), particle(dimension(), {0.5f, 0, 0}),
                            particle(dimension(), {0, 0.5f, 0})};
  EXPECT_EQ(expect_exact({box_, 0.5f, x}), 0u);
}

TEST_P(PeriodicClouds, ParticlesOnBothFacesOfAnAxisCoincide) {
  // x = max is x = min: floor puts it into the cell beyond the last one, which is the first.
  const Domain box_ = domain(7, {-1, -1, -1}, {2, 2, 2});
  std::vector<Vec4> x;
  for (const float a : {-1.0f, 2.0f, std::nextafter(2.0f, 0.0f), std::nextafter(-1.0f, -2.0f)})
    x.push_back(particle(dimension(), {a, 0.5f, 0.5f}));
  EXPECT_EQ(expect_exact({box_, 0.3f, x}), 12u);
}

TEST_P(PeriodicClouds, ParticlesOutsideAPeriodicBoxAreFoundAtTheirImages) {
  Random random(23);
  for (int mask = 1; mask < masks(); ++mask)
    for (const float boxes : {1.0f, 7.0f}) {
      SCOPED_TRACE(testing::Message() << "axes " << mask << ", up to " << boxes << " boxes away");
      const Domain box_ = domain(mask, {-0.3f, -0.3f, -0.3f}, {0.7f, 0.7f, 0.7f});
      std::vector<Vec4> x = uniform_cloud(random, box_, 350);
      for (Vec4& p : x)
        if (random.chance(0.7f)) {
          const Vec3 shift = boxes * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
          const auto moved = [&](int a, float from, float by) {
            return box_.periodic(a) ? from + std::round(by) : from;
          };
          p = particle(dimension(), {moved(0, p.x, shift.x), moved(1, p.y, shift.y), moved(2, p.z, shift.z)});
        }
      expect_exact({box_, 0.11f, x});
      expect_exact({box_, 0.4f, x});
    }
}

TEST_P(PeriodicClouds, ParticlesFarBeyondReachDoNotDisturbTheOthers) {
  // Rounding has lost their place in the box, so nothing is promised about them; those inside keep their neighbours.
  Random random(24);
  const Domain box_ = domain(7, {0, 0, 0}, {1, 1, 1});
  const std::vector<Vec4> inside = uniform_cloud(random, box_, 300);
  const NeighborSets expected = expected_neighbors(inside, box_, 0.1f);
  std::vector<Vec4> x = inside;
  for (const float far : {1e9f, -1e9f, 3e38f, -3e38f}) x.push_back(particle(dimension(), {far, far, far}));
  SortedSearch sorted(device(), settings());
  sorted.build(x, box_, 0.1f);
  NeighborSets found = sorted.find(0.1f);
  found.resize(inside.size());
  for (auto& set : found) std::erase_if(set, [&](const Neighbor& n) { return n.j >= inside.size(); });
  EXPECT_TRUE(same_neighbors(expected, found));
}

TEST_P(PeriodicClouds, ParticlesExactlyOnCellFacesAreFoundAcrossTheWrap) {
  Random random(25);
  for (const float length : {1.0f, 0.9f, 0.47f, 0.25f}) {
    const Domain box_ = domain(7, {-0.2f, -0.2f, -0.2f}, {length - 0.2f, length - 0.2f, length - 0.2f});
    const float h = 0.11f;
    const int cells = make_grid(box_, h).size.x;
    const auto face = [&] {
      const float x =
          box_.min.x + box_.extent().x * static_cast<float>(random.below(cells + 1)) / static_cast<float>(cells);
      const int step = random.below(3);
      return step == 0 ? x : std::nextafter(x, step == 1 ? 100.0f : -100.0f);
    };
    std::vector<Vec4> x;
    for (int i = 0; i < 500; ++i) x.push_back(particle(dimension(), {face(), face(), face()}));
    SCOPED_TRACE(length);
    EXPECT_GT(expect_exact({box_, h, x}), 300u);
    // The radius for which the cells have no slack except their margin.
    const float cell = box_.extent().x / static_cast<float>(cells);
    if (2 * cell <= box_.extent().x) expect_exact({box_, cell, x});
  }
}

TEST_P(PeriodicClouds, CoincidentParticlesAcrossAFaceAreFound) {
  Cloud cloud{domain(7, {0, 0, 0}, {1, 1, 1}), 0.2f, {}};
  add_coincident(cloud.x, dimension(), {0.001f, 0.5f, 0.5f}, 60);
  add_coincident(cloud.x, dimension(), {0.999f, 0.5f, 0.5f}, 60);
  EXPECT_EQ(expect_exact(cloud), 120u * 119);
}

TEST_P(PeriodicClouds, APeriodicThirdAxisIsIgnoredInTwoDimensions) {
  if (dimension() == 3) return;
  Random random(26);
  Domain box_ = box(2, 0, 1);
  box_.axis[2] = Axis::Periodic;
  EXPECT_GT(expect_exact({box_, 0.1f, uniform_cloud(random, box_, 500)}), 500u);
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(PeriodicClouds);

}  // namespace
}  // namespace riffle::test
