/// The functors of PBF and DFSPH add in lanes what they add one by one; those of WCSPH: wcsph/wcsph_sums_test.cpp.

#include "support/lane_sums.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "core/math/lanes.h"
#include "sim/dfsph/wall_kernels.cuh"
#include "sim/pbf/wall_kernels.cuh"

namespace riffle::test {
namespace {

#if RIFFLE_AVX2

constexpr float kReach = 0.05f;  // [m]

/// Particle 0 at the origin and others within kReach of it, and numbers of any kind for each.
struct RandomNumbers {
  std::mt19937 generator{11};
  std::vector<Vec4> records, vectors, others;
  std::vector<float> numbers;

  RandomNumbers() {
    std::uniform_real_distribution<float> place(-kReach, kReach), any(-2, 2), weight(0.2f, 1.5f);
    while (records.size() < 150) {
      const Vec3 x = records.empty() ? Vec3{} : Vec3{place(generator), place(generator), place(generator)};
      if (!(length2(x) < 0.99f * kReach * kReach)) continue;
      records.push_back(make_vec4(x, weight(generator)));
      vectors.push_back({any(generator), any(generator), any(generator), any(generator)});
      others.push_back({any(generator), any(generator), any(generator), any(generator)});
      numbers.push_back(any(generator));
    }
  }

  template <class F>
  void expect_alike(const F& f) const {
    ASSERT_TRUE(f.has_twin(kReach * kReach));
    expect_lanes_add_alike(std::bit_cast<typename F::Twin>(f), records, kReach);
  }
};

SmoothingKernel wendland() { return make_kernel(KernelKind::WendlandC2, 3, kReach, kReach / 3); }

TEST(LaneSums, OfPbfAreThoseOfOneByOne) {
  RandomNumbers random;
  const std::vector<Vec4>& records = random.records;
  for (const Vec4* way : {static_cast<const Vec4*>(random.vectors.data()), static_cast<const Vec4*>(nullptr)}) {
    pbf::WallConstraint wall_constraint{};
    wall_constraint.kernel = wendland();
    wall_constraint.way = way;
    random.expect_alike(wall_constraint);
    random.expect_alike(pbf::WallSums{wendland(), 1e-6f, random.numbers.data(), way, nullptr, nullptr});
  }
  pbf::Constrain constrain{};
  constrain.kernel = wendland();
  constrain.sharing = 0.7f;
  constrain.position = records.data();
  random.expect_alike(constrain);
  pbf::Correct correct{};
  correct.kernel = wendland();
  correct.constrained = records.data();
  random.expect_alike(correct);
  for (const int power : {3, 4}) {
    correct.artificial = {0.1f, 1 / wendland().value(0.3f * kReach), power};
    random.expect_alike(correct);
  }
}

TEST(LaneSums, OfDfsphAreThoseOfOneByOne) {
  RandomNumbers random;
  const Vec4 *vectors = random.vectors.data(), *others = random.others.data(), *records = random.records.data();
  for (const Vec4* wall_velocity : {others, static_cast<const Vec4*>(nullptr)}) {
    dfsph::WallSums sums{};
    sums.kernel = wendland();
    sums.volume = 1e-6f;
    sums.wall_velocity = wall_velocity;
    random.expect_alike(sums);
    dfsph::ConstrainWall wall{};
    wall.kernel = wendland();
    wall.pressure = random.numbers.data();
    wall.wall_velocity = wall_velocity;
    wall.velocity = vectors;
    random.expect_alike(wall);
    dfsph::WallResidual residual{};
    residual.kernel = wendland();
    residual.wall_velocity = wall_velocity;
    residual.pushed = vectors;
    random.expect_alike(residual);
  }
  dfsph::Constrain constrain{};
  constrain.kernel = wendland();
  constrain.record = records;
  constrain.velocity = vectors;
  random.expect_alike(constrain);
  dfsph::Push push{};
  push.kernel = wendland();
  push.record = records;
  random.expect_alike(push);
  dfsph::Residual residual{};
  residual.kernel = wendland();
  residual.pushed = vectors;
  random.expect_alike(residual);
}

/// Adds 1 for whatever it is called with.
struct CountCalls {
  template <class Real>
  struct Sums {
    Real calls;
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  struct Neighbor {};
  float* out;

  State begin(int) const { return {{0}}; }
  template <class Real>
  Neighbor<Real> read_neighbor(IndexOf<Real>, Real) const {
    return {};
  }
  template <class Real>
  void add(Sums<Real>& sums, const State&, Vec3Of<Real>, Real, const Neighbor<Real>&) const {
    sums.calls += 1;
  }
  void end(State& state, int i) const { out[i] = state.sums.calls; }
  static constexpr bool kBranchless = true;
};

// 0 times a number that overflowed is none, so that what is no neighbour must not be added at all.
TEST(LaneSums, AreOfTheNeighboursAlone) {
  const std::vector<Vec4> records = RandomNumbers().records;
  float calls = 0;
  const CountCalls count_calls{&calls};
  for (const bool self : {true, false})
    for (int count = 0; count <= 140; ++count) {
      const NeighborQuery query{records.data(), records.data(), 1, kReach * kReach, {}, self};
      const HitFunctor functor(count_calls, query.h2);
      QueryHits hits(query, functor);
      hits.begin(0);
      for (int k = 0; k < count; ++k) {
        const int j = k == count / 3 ? 0 : k + 1;
        hits.append(j, -xyz(records[j]), length2(xyz(records[j])));
      }
      hits.end();
      EXPECT_EQ(calls, static_cast<float>(self && count > 0 ? count - 1 : count)) << count;
    }
}

TEST(Lanes, HaveTheValuesOfNumbers) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<float> any(-3, 3);
  alignas(32) float a[kLanes], b[kLanes], out[kLanes];
  for (int k = 0; k < kLanes; ++k) a[k] = any(generator), b[k] = any(generator);
  const Lanes la = Lanes::from(a), lb = Lanes::from(b);
  const auto expect = [&](Lanes lanes, auto of) {
    _mm256_store_ps(out, lanes.v);
    for (int k = 0; k < kLanes; ++k) EXPECT_EQ(out[k], of(a[k], b[k])) << k;
  };
  expect(la + lb, [](float x, float y) { return x + y; });
  expect(la - lb, [](float x, float y) { return x - y; });
  expect(-la, [](float x, float) { return -x; });
  expect(2 * la * lb, [](float x, float y) { return 2 * x * y; });
  expect(la / lb, [](float x, float y) { return x / y; });
  expect(smaller_of(la, lb), [](float x, float y) { return smaller_of(x, y); });
  expect(larger_of(la, 0.5f), [](float x, float) { return larger_of(x, 0.5f); });
  expect(quick_sqrt(la * la), [](float x, float) { return quick_sqrt(x * x); });
  double sum = 0;
  for (const float x : a) sum += double{x};
  EXPECT_NEAR(total(la), sum, 1e-5);
  const std::vector<Vec4> records = RandomNumbers().records;
  alignas(32) const std::int32_t index[kLanes] = {3, 149, 0, 7, 7, 90, 12, 41};
  const LaneVec4 read_by_index = read(records.data(), LaneIndex{index}), in_a_row = read(records.data() + 5);
  const auto expect_records = [&](const LaneVec4& lanes, auto at) {
    const Lanes members[] = {lanes.x, lanes.y, lanes.z, lanes.w};
    for (int m = 0; m < 4; ++m) {
      _mm256_store_ps(out, members[m].v);
      for (int k = 0; k < kLanes; ++k) EXPECT_EQ(out[k], (&records[at(k)].x)[m]) << "member " << m << ", lane " << k;
    }
  };
  expect_records(read_by_index, [&](int k) { return index[k]; });
  expect_records(in_a_row, [](int k) { return 5 + k; });
}

#endif

}  // namespace
}  // namespace riffle::test
