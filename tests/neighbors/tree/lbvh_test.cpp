/// The tree of boxes by itself: the properties of its nodes that make a walk complete, and what a refit may change.

#include "neighbors/tree/lbvh.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "neighbors/order/morton.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/non_finite.h"
#include "support/optix.h"
#include "support/sorted_search.h"

namespace riffle::test {
namespace {

/// A tree with its nodes on the host.
struct HostTree {
  TreeView view;
  std::vector<TreeNode> nodes;
  std::vector<std::uint32_t> order;

  explicit HostTree(const Lbvh& tree, const Device& device) : view(tree.view()) {
    nodes.resize(view.leaves > 0 ? static_cast<std::size_t>(2 * view.leaves - 1) : 0);
    order.resize(static_cast<std::size_t>(view.particles));
    copy_to_host(device, nodes.data(), view.nodes, nodes.size() * sizeof(TreeNode));
    copy_to_host(device, order.data(), tree.order(), order.size() * sizeof(std::uint32_t));
  }

  bool is_leaf(std::uint32_t node) const { return node >= view.inner_nodes(); }
};

bool contains(const TreeNode& box, Vec3 x) {
  return box.low.x <= x.x && x.x <= box.high.x && box.low.y <= x.y && x.y <= box.high.y && box.low.z <= x.z &&
         x.z <= box.high.z;
}
bool contains(const TreeNode& box, const TreeNode& inner) {
  return !(inner.low.x <= inner.high.x) || (contains(box, inner.low) && contains(box, inner.high));
}

class Tree : public OnEachDevice {
 protected:
  /// x: in the order with which the tree was built or refitted; sorted: whether this is its own order already.
  void expect_sound(const Lbvh& tree, const std::vector<Vec4>& x, bool sorted) const {
    const HostTree host(tree, device());
    ASSERT_EQ(host.view.particles, static_cast<int>(x.size()));
    std::vector<std::uint32_t> all(x.size());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<std::uint32_t> order = host.order;
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order, all) << "the order is no permutation";
    if (x.empty()) {
      EXPECT_EQ(host.view.leaves, 0);
      return;
    }
    // By the ropes alone, as if every box were in reach: each node once, the leaves in ascending order.
    std::vector<int> visits(host.nodes.size());
    std::uint32_t next_leaf = host.view.inner_nodes(), steps = 0;
    for (std::uint32_t n = 0; n != TreeView::kEnd && steps <= host.nodes.size(); ++steps) {
      ASSERT_LT(n, host.nodes.size());
      ++visits[n];
      if (host.is_leaf(n)) {
        EXPECT_EQ(n, next_leaf++) << "leaves are not met in their order";
      }
      n = host.is_leaf(n) ? host.nodes[n].rope : host.nodes[n].left;
    }
    EXPECT_EQ(visits, std::vector<int>(host.nodes.size(), 1));

    // A rope skips exactly the nodes below its node: the subtree by children ends at the node that the rope names.
    std::uint32_t leaves_seen = 0;
    const std::function<void(std::uint32_t, std::uint32_t)> descend = [&](std::uint32_t n, std::uint32_t after) {
      EXPECT_EQ(host.nodes[n].rope, after) << "node " << n;
      if (host.is_leaf(n)) {
        ++leaves_seen;
        const auto leaf = n - host.view.inner_nodes();
        for (int p = host.view.leaf_begin(leaf); p < host.view.leaf_end(leaf); ++p) {
          const auto at = static_cast<std::size_t>(p);
          const Vec3 position = xyz(x[sorted ? at : host.order[at]]);
          EXPECT_TRUE(!is_finite(position) || contains(host.nodes[n], position)) << "leaf " << leaf;
        }
        return;
      }
      const std::uint32_t left = host.nodes[n].left, right = host.nodes[left].rope;
      ASSERT_LT(right, host.nodes.size());
      EXPECT_TRUE(contains(host.nodes[n], host.nodes[left])) << "node " << n;
      EXPECT_TRUE(contains(host.nodes[n], host.nodes[right])) << "node " << n;
      descend(left, right);
      descend(right, after);
    };
    descend(0, TreeView::kEnd);
    EXPECT_EQ(leaves_seen, static_cast<std::uint32_t>(host.view.leaves));
  }

  void build_and_expect_sound(const std::vector<Vec4>& x, int dimension) const {
    Lbvh tree(device());
    const Buffer<Vec4> positions(device(), x);
    tree.build(positions.data(), static_cast<int>(x.size()), dimension, BoundingBox::everything());
    expect_sound(tree, x, false);
  }
};

TEST_P(Tree, EveryLeafIsReachedOnceAndBoxesHoldWhatIsBelowThem) {
  Random random(301);
  for (const int dimension : {2, 3})
    for (const int count : {0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 100, 1023, 5000}) {
      SCOPED_TRACE(testing::Message() << count << " particles, " << dimension << "-D");
      build_and_expect_sound(uniform_cloud(random, box(dimension, -3, 5), count), dimension);
    }
}

TEST_P(Tree, EqualCodesAreParted) {
  // Equal codes are distinguished by index; otherwise a node would have no end.
  Random random(302);
  std::vector<Vec4> x(1000, particle(3, {0.3f, 0.4f, 0.5f}));
  build_and_expect_sound(x, 3);
  x.insert(x.begin(), particle(3, {7, 7, 7}));
  add_coincident(x, 3, {9, 1, 1}, 333);
  build_and_expect_sound(x, 3);
  for (int k = 0; k < 500; ++k) x.push_back(particle(3, {0.3f, 0.4f + 1e-7f * random.uniform(0, 1), 0.5f}));
  build_and_expect_sound(x, 3);
}

TEST_P(Tree, LinesPlanesAndTheEndsOfTheFloatRangeAreBuilt) {
  Random random(303);
  std::vector<Vec4> line, plane, far, tiny, nothing(100, Vec4{kNaN, 0, 0, 0});
  for (int k = 0; k < 700; ++k) {
    line.push_back(particle(3, {0, random.uniform(-1, 1), 0}));
    plane.push_back(particle(3, {random.uniform(0, 1e6f), 5, random.uniform(0, 1)}));
    tiny.push_back(particle(3, 1e-44f * direction(random, 3)));
    far.push_back(particle(3, (k % 7 == 0 ? 3e38f : 1.0f) * direction(random, 3)));
    if (k % 50 == 0) far.push_back({kNaN, 1, 2, 0});
  }
  for (const auto& cloud : {line, plane, far, tiny, nothing}) build_and_expect_sound(cloud, 3);
}

TEST_P(Tree, AFarParticleDoesNotTakeTheCodesOfTheOthers) {
  // Without a frame, one at 1e30 puts all others in one cell, in any order, and every box is as large as the cloud.
  Random random(304);
  std::vector<Vec4> x = uniform_cloud(random, box(3, 0, 1), 4096);
  x.push_back(particle(3, {1e30f, 0, 0}));
  const Buffer<Vec4> positions(device(), x);
  Lbvh tree(device());
  tree.build(positions.data(), static_cast<int>(x.size()), 3, {{-64, -64, -64}, {65, 65, 65}});
  expect_sound(tree, x, false);
  const HostTree host(tree, device());
  double edges = 0;
  for (int k = 0; k + 1 < host.view.leaves; ++k) {
    const TreeNode& leaf = host.nodes[host.view.inner_nodes() + static_cast<std::uint32_t>(k)];
    edges += double{leaf.high.x} - leaf.low.x;
  }
  EXPECT_LT(edges / host.view.leaves, 0.2);
}

TEST_P(Tree, AMovedCloudIsHeldByARefittedTree) {
  Random random(305);
  const std::vector<Vec4> x = uniform_cloud(random, box(3, 0, 1), 3000);
  const Buffer<Vec4> positions(device(), x);
  Lbvh tree(device());
  tree.build(positions.data(), 3000, 3, BoundingBox::everything());
  std::vector<Vec4> sorted(x.size());
  const HostTree host(tree, device());
  for (std::size_t p = 0; p < x.size(); ++p) sorted[p] = x[host.order[p]];
  double share = 0;
  for (int step = 0; step < 5; ++step) {
    for (Vec4& p : sorted) p = particle(3, xyz(p) + 0.005f * direction(random, 3));
    sorted[static_cast<std::size_t>(step)].x = kNaN;
    const Buffer<Vec4> now(device(), sorted);
    share = tree.refit(now.data(), 0.01f);
    expect_sound(tree, sorted, true);
  }
  EXPECT_LT(share, 0.1) << "small moves make few boxes twice as large";
  std::reverse(sorted.begin(), sorted.end());
  std::rotate(sorted.begin(), sorted.begin() + 1234, sorted.end());
  std::swap_ranges(sorted.begin(), sorted.begin() + 1000, sorted.begin() + 1500);
  for (std::size_t k = 0; k + 7 < sorted.size(); k += 3) std::swap(sorted[k], sorted[(k * 977) % sorted.size()]);
  const Buffer<Vec4> shuffled(device(), sorted);
  EXPECT_GT(tree.refit(shuffled.data(), 0.01f), 0.5) << "particles anywhere else make nearly all of them so";
  expect_sound(tree, sorted, true);
}

TEST_P(Tree, CrowdsAreCountedByCubesOfTheCurve) {
  std::vector<Vec4> x;
  add_coincident(x, 3, {0, 0, 0}, 77);
  add_coincident(x, 3, {1, 1, 1}, 3);
  x.push_back(particle(3, {0.3f, 0, 0}));
  const Buffer<Vec4> positions(device(), x);
  Lbvh tree(device());
  tree.build(positions.data(), 81, 3, BoundingBox::everything());
  EXPECT_EQ(tree.crowds(0.25f).occupied, 3);
  EXPECT_EQ(tree.crowds(0.25f).max, 77u);
  EXPECT_EQ(tree.crowds(0.25f).cubes, 64);
  EXPECT_EQ(tree.crowds(0.5f).max, 78u);
  EXPECT_EQ(tree.crowds(3).occupied, 1);
  EXPECT_EQ(tree.crowds(3).max, 81u);
}

/// Positions in the order of the curve.
struct MortonSorted {
  MortonOrder order;
  Buffer<Vec4> points;

  MortonSorted(const Device& device, const std::vector<Vec4>& x, int dimension, const Domain& domain)
      : order(device), points(device, x.size()) {
    const Buffer<Vec4> positions(device, x);
    order.sort(positions.data(), static_cast<int>(x.size()), dimension, morton_frame(domain));
    const GatherArray array{positions.data(), points.data(), sizeof(Vec4)};
    gather(device, order.order(), x.size(), &array, 1);
    synchronize(device);
  }
  double estimate(float h) const { return order.pairs_within_cubes(points.data(), h); }
};

double pairs_of(const std::vector<Vec4>& x, const Domain& domain, float h) {
  double pairs = 0;
  for (const auto& row : expected_neighbors(x, domain, h)) pairs += double(row.size());
  return pairs;
}

TEST_P(Tree, PairsAreEstimatedFromCubes) {
  Random random(411);
  for (const int dimension : {2, 3}) {
    const Domain domain = box(dimension, 0, 1);
    const std::vector<Vec4> x = uniform_cloud(random, domain, 5000);
    const MortonSorted sorted(device(), x, dimension, domain);
    for (const float h : {0.05f, 0.07f, 0.1f, 0.25f}) {
      const double pairs = pairs_of(x, domain, h), estimate = sorted.estimate(h);
      EXPECT_GT(estimate, 0.1 * pairs) << h;
      EXPECT_LT(estimate, 1.1 * pairs) << h;
    }
  }
}

TEST_P(Tree, ACrowdIsEstimatedWhole) {
  const Domain domain = box(3, 0, 1);
  constexpr int count = 200'000;
  const std::vector<Vec4> x(count, particle(3, {0.25f, 0.25f, 0.25f}));
  EXPECT_EQ(MortonSorted(device(), x, 3, domain).estimate(0.1f), double{count} * (count - 1));

  Random random(412);
  std::vector<Vec4> half = uniform_cloud(random, domain, count / 2);
  add_coincident(half, 3, {0.6f, 0.6f, 0.6f}, count / 2);
  const double crowd = 0.25 * double{count} * count;
  EXPECT_NEAR(MortonSorted(device(), half, 3, domain).estimate(0.01f), crowd, 0.15 * crowd);
}

TEST_P(Tree, ParticlesFarApartAreNoCrowdWhereTheirCodesAreOne) {
  // They have flown far beyond the frame of the codes, each to another place, and none is near another.
  std::vector<Vec4> x;
  for (int i = 0; i < 1000; ++i) x.push_back(particle(3, {1e4f + static_cast<float>(i), 1e4f, 1e4f}));
  x.push_back(particle(3, {kNaN, 0, 0}));
  x.push_back(particle(3, {kNaN, 0, 0}));
  EXPECT_EQ(MortonSorted(device(), x, 3, box(3, 0, 1)).estimate(0.5f), 0);
  EXPECT_EQ(MortonSorted(device(), {}, 3, box(3, 0, 1)).estimate(0.5f), 0);
}

TEST(MortonCodes, BitsAreWhereTheirAxesPutThem) {
  EXPECT_EQ(spread_by_3(0x1fffff), 0x1249249249249249ull);
  EXPECT_EQ(spread_by_2(0xffffffff), 0x5555555555555555ull);
  for (int k = 0; k < kMortonBits; ++k) {
    EXPECT_EQ(spread_by_3(1u << k), 1ull << (3 * k));
    EXPECT_EQ(spread_by_2(1u << k), 1ull << (2 * k));
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Tree);

/// Series of builds, each from the particles in the order that the previous build left: as in a simulation.
struct TreeCase {
  DeviceKind device;
  TreeStructure structure;
};
std::vector<TreeCase> tree_cases() {
  std::vector<TreeCase> cases;
  for (const DeviceKind device : built_devices()) {
    cases.push_back({device, TreeStructure::Lbvh});
    if (device == DeviceKind::Cuda) cases.push_back({device, TreeStructure::Optix});
  }
  return cases;
}
std::string name_of(const testing::TestParamInfo<TreeCase>& info) {
  return (info.param.structure == TreeStructure::Optix ? "optix_" : "") + std::string(to_string(info.param.device));
}
void PrintTo(const TreeCase& c, std::ostream* out) { *out << name_of({c, 0}); }

class TreeSearch : public testing::TestWithParam<TreeCase> {
 protected:
  void SetUp() override {
    skip_without(GetParam().device);
    if (!IsSkipped() && GetParam().structure == TreeStructure::Optix) require_optix(device());
  }
  Device device() const { return device_of(GetParam().device); }
  SearchSettings settings() const { return {{.method = NeighborMethod::Rtnn, .structure = GetParam().structure}}; }

  double stat(const NeighborSearch& search, const char* name) const {
    for (const SearchCount& count : search.stats().counts)
      if (count.name == name) return count.value;
    ADD_FAILURE() << name << " is not counted";
    return -1;
  }
};

TEST_P(TreeSearch, RefittedAndRebuiltTreesFindTheSamePairs) {
  Random random(306);
  for (const int dimension : {2, 3})
    for (const Axis axis : {Axis::Open, Axis::Periodic}) {
      const Domain domain = box(dimension, 0, 1, axis);
      std::vector<Vec4> x = uniform_cloud(random, domain, 600), velocity(600);
      for (Vec4& v : velocity) v = particle(dimension, direction(random, dimension));
      NeighborSearch refitted(device(), settings());
      double refits = 0, builds = 0;
      for (int step = 0; step < 12; ++step) {
        // Slow at first, then so fast that boxes grow.
        for (std::size_t i = 0; i < x.size(); ++i) {
          Vec3 to = xyz(x[i]) + (step < 6 ? 0.002f : 0.05f) * xyz(velocity[i]);
          if (axis == Axis::Periodic) to = {to.x - std::floor(to.x), to.y - std::floor(to.y), to.z - std::floor(to.z)};
          x[i] = particle(dimension, to);
        }
        const Buffer<Vec4> positions(device(), x);
        refitted.build(positions.data(), 600, domain, 0.1f);
        if (refitted.wants_reorder()) {  // the caller follows, with all data of the particles
          std::vector<std::uint32_t> order(x.size());
          copy_to_host(device(), order.data(), refitted.order(), order.size() * sizeof(std::uint32_t));
          const std::vector<Vec4> x_before = x, v_before = velocity;
          for (std::size_t p = 0; p < x.size(); ++p) x[p] = x_before[order[p]], velocity[p] = v_before[order[p]];
        }
        const Buffer<Vec4> sorted(device(), x);
        EXPECT_TRUE(
            same_neighbors(expected_neighbors(x, domain, 0.1f), visit_neighbors(refitted, sorted.data(), 0.1f).of))
            << "step " << step;
        EXPECT_TRUE(
            same_neighbors(expected_neighbors(x, domain, 0.07f), visit_neighbors(refitted, sorted.data(), 0.07f).of));
        if (step == 5) refits = stat(refitted, "refits"), builds = stat(refitted, "full builds");
      }
      EXPECT_GE(refits, 4) << "slow particles are followed by their boxes";
      EXPECT_GT(stat(refitted, "full builds"), builds) << "fast ones need a new tree";
    }
}

TEST_P(TreeSearch, ParticlesThatDidNotFollowTheOrderAreFoundAllTheSame) {
  Random random(307);
  const Domain domain = box(3, 0, 1);
  const std::vector<Vec4> x = uniform_cloud(random, domain, 900);
  SortedSearch sorted(device(), settings());
  for (int build = 0; build < 3; ++build) {
    sorted.build(x, domain, 0.1f);
    EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, 0.1f), sorted.find(0.1f)));
    EXPECT_TRUE(sorted.search().wants_reorder()) << "a refit would leave boxes as large as the cloud";
  }
}

TEST_P(TreeSearch, ADeterministicSearchAlwaysMakesItsTreeAnew) {
  Random random(308);
  const Domain domain = box(3, 0, 1);
  const Buffer<Vec4> positions(device(), uniform_cloud(random, domain, 500));
  SearchSettings settings = this->settings();
  settings.deterministic = true;
  NeighborSearch search(device(), settings);
  for (int build = 0; build < 3; ++build) {
    search.build(positions.data(), 500, domain, 0.1f);
    EXPECT_TRUE(search.wants_reorder());
  }
  EXPECT_EQ(stat(search, "refits"), 0);
}

INSTANTIATE_TEST_SUITE_P(EachTree, TreeSearch, testing::ValuesIn(tree_cases()), name_of);

}  // namespace
}  // namespace riffle::test
