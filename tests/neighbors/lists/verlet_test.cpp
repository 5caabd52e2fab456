/// Lists with a skin: exact at every step, whatever the particles do; kept while that is allowed, and rebuilt before
/// they are too old.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "support/non_finite.h"
#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

/// A caller that behaves like a solver: its particles stay in the order of the last build that wanted one.
class Follower {
 public:
  Follower(const Device& device, const SearchSettings& settings) : search_(device, settings), positions_(device) {}

  /// x: in the caller's order, the order of the first step.
  /// @return whether the search was built
  bool step(const std::vector<Vec4>& x, const Domain& domain, float h) {
    if (id_.size() != x.size()) {
      id_.resize(x.size());
      std::iota(id_.begin(), id_.end(), 0u);
    }
    const std::uint64_t before = search_.version();
    assign(x);
    search_.build(positions_.data(), static_cast<int>(x.size()), domain, h);
    if (search_.wants_reorder() && !x.empty()) {
      std::vector<std::uint32_t> order(x.size()), id(x.size());
      copy_to_host(search_.device(), order.data(), search_.order(), order.size() * sizeof(std::uint32_t));
      for (std::size_t p = 0; p < id.size(); ++p) id[p] = id_.at(order[p]);
      id_ = id;
      assign(x);
    }
    search_.list_neighbors(positions_.data());
    return search_.version() != before;
  }

  NeighborSets find(float h) const { return by_id(visit_neighbors(search_, positions_.data(), h).of, true); }

  NeighborSets find_of(const std::vector<Vec4>& queries, float h) const {
    const Buffer<Vec4> device_queries(search_.device(), queries);
    return by_id(
        visit_neighbors_of(search_, positions_.data(), device_queries.data(), static_cast<int>(queries.size()), h).of,
        false);
  }

  /// (count) caller's index by the search's
  const std::vector<std::uint32_t>& id() const { return id_; }
  const Vec4* positions() const { return positions_.data(); }
  const NeighborSearch& search() const { return search_; }
  NeighborSearch& search() { return search_; }

 private:
  void assign(const std::vector<Vec4>& x) {
    std::vector<Vec4> sorted(x.size());
    for (std::size_t p = 0; p < x.size(); ++p) sorted[p] = x[id_[p]];
    positions_.assign(sorted);
  }

  NeighborSets by_id(const NeighborSets& of, bool self) const {
    NeighborSets sets(of.size());
    for (std::size_t p = 0; p < of.size(); ++p)
      for (const Neighbor& n : of[p]) sets[self ? id_[p] : p].push_back({id_[n.j], n.r_ij, n.r2});
    return sets;
  }

  NeighborSearch search_;
  Buffer<Vec4> positions_;
  std::vector<std::uint32_t> id_;
};

/// Particles that fly straight on; periodic axes bring them back, open axes do not.
struct Drift {
  Domain domain;
  std::vector<Vec4> x;
  std::vector<Vec3> step;  ///< displacement per step

  Drift(Random& random, const Domain& box, int count, float longest)
      : domain(box), x(uniform_cloud(random, box, count)) {
    for (int i = 0; i < count; ++i) step.push_back(longest * uniform_in_ball(random, box.dimension));
  }

  void advance() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      Vec3 moved = xyz(x[i]) + step[i];
      const auto wrap = [&](float& u, int a) {
        if (!domain.periodic(a)) return;
        const float low = component(domain.min, a), high = component(domain.max, a);
        if (u < low) u += high - low;
        if (u >= high) u -= high - low;
      };
      wrap(moved.x, 0);
      wrap(moved.y, 1);
      if (domain.dimension == 3) wrap(moved.z, 2);
      x[i] = particle(domain.dimension, moved);
    }
  }
};

class Verlet : public EverySearch {
 protected:
  SearchSettings with_skin(float skin, bool deterministic = false) const {
    SearchSettings settings = this->settings(deterministic);
    settings.skin = skin;
    return settings;
  }

  std::vector<Vec4> still(int count = 400) const {
    Random random(600);
    return uniform_cloud(random, domain_, count);
  }

  void expect_exact(const Follower& follower, const std::vector<Vec4>& x, const Domain& domain, float h) const {
    EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, h), follower.find(h)));
  }

  /// Whether the search serves its particles from a list of the expected kind.
  void expect_listed(const NeighborSearch& search) const {
    if (search.device().is_cuda() && search.list_stats().kind != ListKind::OfMethod)
      EXPECT_TRUE(std::holds_alternative<ListView>(search.view()));
    else if (GetParam().structure == TreeStructure::Optix)  // lists by itself
      EXPECT_TRUE(std::holds_alternative<RayView>(search.view()));
    else
      EXPECT_TRUE(std::holds_alternative<CsrView>(search.view()));
  }

  Domain domain_ = box(GetParam().dimension, 0, 1);
  const float h_ = 0.12f;
};

TEST_P(Verlet, DriftingParticlesAreExactAtEveryStepAndListsLastForSeveral) {
  struct Case {
    float skin;
    bool deterministic;
    Axis axis;
  };
  for (const auto& [skin, deterministic, axis] :
       {Case{0.1f, false, Axis::Open}, Case{0.1f, true, Axis::Periodic}, Case{0.4f, false, Axis::Periodic}}) {
    SCOPED_TRACE(testing::Message() << "skin " << skin << (axis == Axis::Open ? ", open" : ", periodic"));
    Random random(601);
    Drift drift(random, box(dimension(), 0, 1, axis), 300, skin * h_ / 2 / 5);
    Follower follower(device(), with_skin(skin, deterministic));
    int builds = 0;
    for (int step = 0; step < 60; ++step) {
      builds += follower.step(drift.x, drift.domain, h_) ? 1 : 0;
      EXPECT_TRUE(same_neighbors(expected_neighbors(drift.x, drift.domain, h_), follower.find(h_))) << "step " << step;
      expect_listed(follower.search());
      drift.advance();
      if (HasFailure()) return;
    }
    // The fastest of 300 is close to the bound of its ball: five steps, or six by chance.
    EXPECT_GE(builds, 10);
    EXPECT_LE(builds, 12);
  }
}

TEST_P(Verlet, MixedAxesAndParticlesOutsideTheBoxAreExactAtEveryStep) {
  Random random(602);
  Domain domain = box(dimension(), 0, 1);
  domain.axis[0] = Axis::Periodic;
  domain.axis[1] = Axis::Walled;
  Drift drift(random, domain, 250, 0.01f);
  for (std::size_t i = 0; i < drift.x.size(); i += 3) drift.x[i].y += 0.9f;
  Follower follower(device(), with_skin(0.2f));
  for (int step = 0; step < 40; ++step) {
    follower.step(drift.x, domain, h_);
    EXPECT_TRUE(same_neighbors(expected_neighbors(drift.x, domain, h_), follower.find(h_))) << "step " << step;
    EXPECT_TRUE(same_neighbors(expected_neighbors(drift.x, domain, 0.6f * h_), follower.find(0.6f * h_)));
    drift.advance();
    if (HasFailure()) return;
  }
}

TEST_P(Verlet, AListIsMadeAgainOnlyWhereTheFastestParticleHasUsedUpTheSkin) {
  // One of 400 moves: no average shows it.
  std::vector<Vec4> x = still();
  Follower follower(device(), with_skin(0.25f));
  EXPECT_TRUE(follower.step(x, domain_, h_));
  const float slack = 0.125f * h_;
  for (const float part : {0.3f, 0.6f, 0.9f, 0.99f}) {
    x[123].x = still()[123].x + part * slack;
    EXPECT_FALSE(follower.step(x, domain_, h_)) << part;
    expect_exact(follower, x, domain_, h_);
  }
  x[123].x = still()[123].x + 1.01f * slack;
  EXPECT_TRUE(follower.step(x, domain_, h_));
  expect_exact(follower, x, domain_, h_);
  x[123].x += 0.99f * slack;
  EXPECT_FALSE(follower.step(x, domain_, h_)) << "displacements count from the new build";
}

TEST_P(Verlet, PairsThatMeetHeadOnAreNeverLate) {
  // From just beyond the build's radius to just within h, to the last bits: a bound that ignores the rounding of
  // distances and displacements misses one in some hundred of these pairs.
  Random random(603);
  Follower follower(device(), with_skin(0.2f));
  int met = 0, kept = 0;
  for (int n = 0; n < 3000; ++n) {
    const bool periodic = n % 2 == 0;
    const float h = random.uniform(0.5f, 1), h_build = h * 1.2f;
    const Domain domain = box(dimension(), 0, 10 * h, periodic ? Axis::Periodic : Axis::Open);
    const auto slack = static_cast<float>((double{h_build} - double{h}) / 2);
    // Small coordinates have the resolution of displacements; coordinates across a periodic face are coarse.
    const Vec3 start = 0.05f * h * uniform_in_ball(random, dimension()), along = direction(random, dimension());
    const float fine = periodic ? 2e-6f : 2e-7f, part = n % 3 == 0 ? 0.999f : 1 + random.uniform(-fine, fine);
    const auto inside = [&](Vec3 x) {
      const auto wrap = [&](float u) { return periodic && u < 0 ? u + 10 * h : u; };
      return particle(dimension(), {wrap(x.x), wrap(x.y), wrap(x.z)});
    };
    const Vec3 end = start + h_build * (1 + random.uniform(-2e-7f, 2e-7f)) * along;
    EXPECT_TRUE(follower.step({inside(start), inside(end)}, domain, h));
    const std::vector<Vec4> moved{inside(start + part * slack * along), inside(end - part * slack * along)};
    const bool built = follower.step(moved, domain, h);
    kept += built ? 0 : 1;
    if (n % 3 == 0) {
      EXPECT_FALSE(built) << "there was a thousandth left of the skin";
    }
    const NeighborSets expected = expected_neighbors(moved, domain, h);
    met += pair_count(expected) > 0 ? 1 : 0;
    ASSERT_TRUE(same_neighbors(expected, follower.find(h))) << "pair " << n << ", moved by " << part << " of the bound";
  }
  EXPECT_GT(met, 100);
  EXPECT_GE(kept, 1000);
}

TEST_P(Verlet, OneParticleThatJumpsAcrossTheBoxIsSeenInTheSameStep) {
  std::vector<Vec4> x = still();
  Follower follower(device(), with_skin(0.3f));
  follower.step(x, domain_, h_);
  for (const std::size_t i : {std::size_t{0}, std::size_t{255}, std::size_t{256}, x.size() - 1})
    for (const Vec3 to : {Vec3{0.9f, 0.9f, 0.9f}, Vec3{0.1f, 0.1f, 0.1f}, Vec3{3, 0.5f, 0.5f}}) {
      x[i] = particle(dimension(), to);
      EXPECT_TRUE(follower.step(x, domain_, h_)) << i;
      expect_exact(follower, x, domain_, h_);
      EXPECT_FALSE(follower.step(x, domain_, h_)) << i;
    }
}

TEST_P(Verlet, AParticleThatBecomesNaNIsFoundByNobodyAndComesBack) {
  std::vector<Vec4> x = still();
  const Vec4 before = x[77];
  Follower follower(device(), with_skin(0.3f));
  follower.step(x, domain_, h_);
  for (const float bad : {kNaN, std::numeric_limits<float>::infinity()}) {
    x[77].y = bad;
    EXPECT_TRUE(follower.step(x, domain_, h_));
    expect_exact(follower, x, domain_, h_);
    EXPECT_TRUE(follower.step(x, domain_, h_)) << "the distance that it moved is unknown";
    expect_exact(follower, x, domain_, h_);
    x[77] = before;
    EXPECT_TRUE(follower.step(x, domain_, h_));
    expect_exact(follower, x, domain_, h_);
    EXPECT_FALSE(follower.step(x, domain_, h_));
  }
}

TEST_P(Verlet, WhileNothingMovesNothingIsBuilt) {
  for (const bool deterministic : {false, true}) {
    const std::vector<Vec4> x = still();
    Follower follower(device(), with_skin(0.1f, deterministic));
    EXPECT_TRUE(follower.step(x, domain_, h_));
    const std::vector<std::uint32_t> id = follower.id();
    std::size_t memory = 0;
    for (int step = 0; step < 5; ++step) {
      EXPECT_FALSE(follower.step(x, domain_, h_));
      if (step == 0) memory = follower.search().memory_bytes();  // the first test of displacements takes a word
      EXPECT_FALSE(follower.search().wants_reorder());
      EXPECT_EQ(follower.search().order(), nullptr);
      EXPECT_EQ(follower.search().version(), 1u);
      EXPECT_EQ(follower.search().memory_bytes(), memory);
    }
    EXPECT_EQ(follower.id(), id);
    expect_exact(follower, x, domain_, h_);
  }
}

TEST_P(Verlet, WithoutASkinEveryStepBuilds) {
  const std::vector<Vec4> x = still();
  Follower follower(device(), settings());
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(follower.step(x, domain_, h_));
}

TEST_P(Verlet, AnotherRadiusNumberOrDomainIsBuiltFor) {
  std::vector<Vec4> x = still();
  Follower follower(device(), with_skin(0.2f));
  Domain domain = domain_;
  float h = h_;
  const auto expect_built = [&](const char* why) {
    EXPECT_TRUE(follower.step(x, domain, h)) << why;
    expect_exact(follower, x, domain, h);
    EXPECT_FALSE(follower.step(x, domain, h)) << why;
    expect_exact(follower, x, domain, h);
  };
  expect_built("the first");
  h = 1.05f * h_;  // within the skin of the last
  expect_built("a larger radius");
  h = 0.95f * h_;
  expect_built("a smaller radius");
  x.pop_back();
  expect_built("one less");
  x.insert(x.end(), 2, particle(dimension(), {0.5f, 0.5f, 0.5f}));
  expect_built("two more");
  domain.axis[0] = Axis::Periodic;
  expect_built("a periodic axis");
  domain.max.x = 1.01f;
  expect_built("a longer one");
  domain.min.y = -0.01f;
  expect_built("a lower corner");
  domain.axis[0] = Axis::Walled;
  expect_built("a walled axis");
  domain.dimension = 5 - domain.dimension;
  if (domain.dimension == 2)
    for (Vec4& p : x) p.z = 0;
  else
    domain.max.z = 1;
  expect_built("another dimension");
}

TEST_P(Verlet, NobodyIsServedAndCountedAgainWhenTheyCome) {
  Follower follower(device(), with_skin(0.2f));
  for (const int count : {0, 0, 200, 0, 1, 1}) {
    const std::vector<Vec4> x = still(count);
    follower.step(x, domain_, h_);
    expect_exact(follower, x, domain_, h_);
  }
}

TEST_P(Verlet, ABuildThatIsRefusedIsNotAnsweredFromTheListBefore) {
  const std::vector<Vec4> x = still();
  Follower follower(device(), with_skin(0.2f));
  follower.step(x, domain_, h_);
  EXPECT_THROW(follower.step(x, domain_, kNaN), InputError);
  EXPECT_THROW(follower.step(x, domain_, -h_), InputError);
  EXPECT_THROW(follower.find(h_), std::logic_error);
  EXPECT_TRUE(follower.step(x, domain_, h_));
  expect_exact(follower, x, domain_, h_);
}

TEST_P(Verlet, APeriodicAxisCutsTheSkinAndStaysExact) {
  for (const float lengths : {2.0f, 2.02f, 2.1f, 2.39f, 2.4f, 3.0f}) {
    SCOPED_TRACE(testing::Message() << "an axis of " << lengths << " h");
    Random random(604);
    const float h = 0.125f;  // 2 h is exact
    Domain domain = box(dimension(), 0, 1);
    domain.axis[1] = Axis::Periodic;
    domain.max.y = lengths * h;
    Drift drift(random, domain, 150, 0.002f);
    Follower follower(device(), with_skin(0.2f));
    int builds = 0;
    for (int step = 0; step < 15; ++step) {
      builds += follower.step(drift.x, domain, h) ? 1 : 0;
      EXPECT_LE(follower.search().build_radius(), component(domain.extent(), 1) / 2);
      EXPECT_TRUE(same_neighbors(expected_neighbors(drift.x, domain, h), follower.find(h))) << "step " << step;
      drift.advance();
      if (HasFailure()) return;
    }
    // 0.2 h is 0.0125 per particle, six steps; without room for a skin nothing is kept.
    if (lengths == 2.0f) {
      EXPECT_EQ(builds, 15);
    }
    if (lengths >= 2.4f) {
      EXPECT_LE(builds, 4);
    }
  }
  Domain domain = box(dimension(), 0, 1);
  domain.axis[1] = Axis::Periodic;
  domain.max.y = 1.99f * h_;
  Follower follower(device(), with_skin(0.2f));
  EXPECT_THROW(follower.step(still(), domain, h_), InputError);
}

TEST_P(Verlet, ListsAreKeptWhereverTheyAreAskedFor) {
  std::vector<Vec4> x = still();
  for (const bool always : {false, true}) {
    SearchSettings settings = with_skin(always ? 0 : 0.2f);
    settings.list_always = always;
    Follower follower(device(), settings);
    for (int step = 0; step < 3; ++step) {
      follower.step(x, domain_, h_);
      expect_listed(follower.search());
    }
  }
  if (GetParam().device == DeviceKind::Cpu && GetParam().method != NeighborMethod::ThrustPairs) {
    Follower follower(device(), settings());
    follower.step(x, domain_, h_);
    EXPECT_EQ(follower.search().list_stats().kind, ListKind::None) << "no list was requested";
  }
}

TEST_P(Verlet, AListIsNotWrittenAgainWhileItIsKept) {
  if (GetParam().device == DeviceKind::Cuda) GTEST_SKIP() << "the host cannot read a list there";
  Random random(605);
  Drift drift(random, domain_, 400, 0.002f);
  Follower follower(device(), with_skin(0.4f));
  follower.step(drift.x, domain_, h_);
  const auto rows = [&] {
    const auto& csr = std::get<CsrView>(follower.search().view());
    std::vector<std::vector<std::uint32_t>> all;
    for (std::size_t i = 0; i < drift.x.size(); ++i)
      all.emplace_back(csr.neighbor + csr.start[i], csr.neighbor + csr.end[i]);
    return all;
  };
  const auto before = rows();
  NeighborSets candidates(before.size());
  for (std::size_t p = 0; p < before.size(); ++p)
    for (const std::uint32_t j : before[p]) candidates[follower.id()[p]].push_back({follower.id()[j], {}, 0});
  NeighborSets built = expected_neighbors(drift.x, domain_, follower.search().build_radius());
  for (auto& set : built)
    for (Neighbor& n : set) n = {n.j, {}, 0};
  EXPECT_TRUE(same_neighbors(built, candidates)) << "the list is of h and its skin";
  for (int step = 0; step < 8; ++step) {
    drift.advance();
    EXPECT_FALSE(follower.step(drift.x, domain_, h_));
  }
  EXPECT_EQ(rows(), before);
}

TEST_P(Verlet, MemoryBytesIsWhatWasAllocated) {
  const std::size_t before = allocated_bytes(GetParam().device);
  for (const bool deterministic : {false, true})
    for (const int count : {0, 1, 1500}) {
      Random random(606);
      Drift drift(random, domain_, count, 0.01f);
      Follower follower(device(), with_skin(0.2f, deterministic));
      for (int step = 0; step < 8; ++step) {
        follower.step(drift.x, domain_, h_);
        const std::size_t positions = drift.x.size() * sizeof(Vec4);
        EXPECT_EQ(follower.search().memory_bytes(), allocated_bytes(GetParam().device) - before - positions);
        drift.advance();
      }
    }
  EXPECT_EQ(allocated_bytes(GetParam().device), before) << "leaked";
}

TEST_P(Verlet, QueriesFromElsewhereAreExactThroughTheLifeOfAList) {
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    Random random(607);
    Drift drift(random, box(dimension(), 0, 1, axis), 300, 0.003f);
    Drift others(random, box(dimension(), -0.2f, 1.2f), 100, 0.05f);
    Follower follower(device(), with_skin(0.3f));
    int builds = 0;
    for (int step = 0; step < 20; ++step) {
      builds += follower.step(drift.x, drift.domain, h_) ? 1 : 0;
      EXPECT_TRUE(
          same_neighbors(expected_neighbors_of(drift.x, others.x, drift.domain, h_), follower.find_of(others.x, h_)))
          << "step " << step;
      drift.advance();
      others.advance();
      if (HasFailure()) return;
    }
    EXPECT_LT(builds, 8);
  }
}

TEST_P(Verlet, ADeterministicRunVisitsInTheSameOrderEveryTime) {
  std::vector<std::vector<std::uint32_t>> first;
  for (int run = 0; run < 3; ++run) {
    Random random(608);
    Drift drift(random, box(dimension(), 0, 1, Axis::Periodic), 1500, 0.01f);
    Follower follower(device(), with_skin(0.3f, true));
    std::vector<std::vector<std::uint32_t>> visited;
    for (int step = 0; step < 12; ++step) {
      follower.step(drift.x, drift.domain, h_);
      visited.push_back(follower.id());
      for (const auto& set : visit_neighbors(follower.search(), follower.positions(), h_).of) {
        visited.emplace_back();
        for (const Neighbor& n : set) visited.back().push_back(n.j);
      }
      drift.advance();
    }
    if (run == 0) first = visited;
    EXPECT_TRUE(visited == first) << "run " << run;
  }
}

TEST_P(Verlet, AMovedSearchKeepsItsList) {
  const std::vector<Vec4> x = still();
  Follower follower(device(), with_skin(0.2f));
  follower.step(x, domain_, h_);
  const NeighborSets before = follower.find(h_);
  NeighborSearch moved = std::move(follower.search());
  follower.search() = std::move(moved);
  EXPECT_FALSE(follower.step(x, domain_, h_));
  EXPECT_TRUE(same_neighbors(before, follower.find(h_)));
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(Verlet);

}  // namespace
}  // namespace riffle::test
