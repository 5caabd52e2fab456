/// `fenns` by scattering, as the paper has it (neighbors/fenns/tile_scatter.cuh): the same pairs as all pairs give, whatever the
/// cells, and the same sums as by gathering.

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/neighbors/every_search.h"
#include "tests/neighbors/fenns/scatter_kernels.h"

namespace riffle::test {
namespace {

// The same values as in neighbors/fenns/tile_scatter.cuh and neighbors/fenns/fenns.cu.
constexpr int kChunkParticles = 768;
constexpr int kLargestSplit = 4096;

struct ScatterCase {
  DeviceKind device;
  int dimension;
  TileSections sections;
};

std::vector<ScatterCase> scatter_cases() {
  std::vector<ScatterCase> cases;
  for (const DeviceKind device : built_devices())
    for (const int dimension : {2, 3})
      for (const TileSections sections : {TileSections::Two, TileSections::TwentySeven})
        cases.push_back({device, dimension, sections});
  return cases;
}

std::string scatter_case_name(const ScatterCase& c) {
  return std::string(to_string(c.device)) + "_" + std::to_string(c.dimension) + "d_" +
         std::string(word_of(c.sections)) + "_sections";
}

void PrintTo(const ScatterCase& c, std::ostream* out) { *out << scatter_case_name(c); }

class FennsScatter : public testing::TestWithParam<ScatterCase> {
 protected:
  void SetUp() override { skip_without(GetParam().device); }

  int dimension() const { return GetParam().dimension; }
  Device device() const { return device_of(GetParam().device); }
  SearchSettings with(Int3 cells) const {
    SearchSettings settings;
    settings.method = NeighborMethod::Fenns;
    settings.sections = GetParam().sections;
    settings.cell_count = cells;
    return settings;
  }
  /// n per axis; one in z in 2-D.
  Int3 cells(int n) const { return {n, n, dimension() == 3 ? n : 1}; }

  /// The neighbours that scattering finds, by the caller's index.
  static NeighborSets find(const SortedSearch& sorted, float h) {
    const Visits visits = scattered_visits(sorted.search(), sorted.positions(), h);
    NeighborSets sets(visits.of.size());
    int wrong = 0;
    for (std::size_t p = 0; p < sets.size(); ++p) {
      if (visits.begun[p] != 1 || visits.ended[p] != 1) ++wrong;
      for (const Neighbor& n : visits.of[p])
        sets[sorted.original()[p]].push_back({sorted.original()[n.j], n.r_ij, n.r2});
    }
    EXPECT_EQ(wrong, 0) << "particles did not get exactly one begin and one end";
    return sets;
  }

  /// Pairs with their r_ij, and digests of whole numbers, as all pairs give them.
  void expect_exact(const SortedSearch& sorted, const Cloud& cloud) const {
    EXPECT_TRUE(same_neighbors(expected_neighbors(cloud.x, cloud.domain, cloud.h), find(sorted, cloud.h)));
    const ParticleCloud in_order{sorted.positions(), static_cast<int>(cloud.x.size()), cloud.domain, cloud.h};
    const std::vector<NeighborDigest> expected =
        all_pairs_digests(device(), in_order, {nullptr, in_order.count}).to_host();
    EXPECT_EQ(scattered_digests(sorted.search(), sorted.positions(), cloud.h), expected);
  }

  void build_and_expect_exact(const Cloud& cloud, Int3 cells) const {
    SortedSearch sorted(device(), with(cells));
    sorted.build(cloud.x, cloud.domain, cloud.h);
    expect_exact(sorted, cloud);
  }

  /// A unit box with clumps inside a coarse cell of cells(3), where cells meet, and at the box's corner.
  Cloud clumps(std::uint32_t seed, Axis axis, int inside) const {
    Random random(seed);
    Cloud cloud{box(dimension(), 0, 1, axis), dimension() == 3 ? 0.035f : 0.014f, {}};
    const auto add = [&](Vec3 middle, float width, int count) {
      for (int k = 0; k < count; ++k)
        cloud.x.push_back(particle(dimension(), middle + width * uniform_in_ball(random, dimension())));
    };
    add({0.52f, 0.47f, 0.5f}, 0.12f, inside);
    add({0.333f, 0.34f, 0.66f}, 0.1f, kChunkParticles + 150);
    add({0.01f, 0.99f, 0.02f}, 0.08f, 500);
    const std::vector<Vec4> others = uniform_cloud(random, cloud.domain, 200);
    cloud.x.insert(cloud.x.end(), others.begin(), others.end());
    return cloud;
  }
};

TEST_P(FennsScatter, ParticlesInAndOutsideTheBoxFindTheirNeighbours) {
  // Radii of less and of more than a coarse cell, and periodic axes that the reach of a tile goes round.
  Random random(701);
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (const float h : {0.06f, 0.21f, 0.5f})
      for (const Int3 size : {Int3{}, cells(5), Int3{18, 2, 1}}) {
        SCOPED_TRACE(testing::Message() << (axis == Axis::Open ? "open" : "periodic") << ", h " << h << ", " << size.x
                                        << " x " << size.y << " x " << size.z);
        build_and_expect_exact(
            {box(dimension(), 0, 1, axis), h, uniform_cloud(random, box(dimension(), -0.15f, 1.15f), 300)}, size);
      }
}

TEST_P(FennsScatter, CellsOfManyChunksAreExact) {
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    SCOPED_TRACE(axis == Axis::Open ? "open" : "periodic");
    // Of 27 sections the first fullest cell is not split: its neighbours read all of it.
    build_and_expect_exact(clumps(702, axis, axis == Axis::Open ? kLargestSplit + 50 : 2 * kChunkParticles + 1),
                           cells(3));
  }
}

TEST_P(FennsScatter, ChunksThatAreJustFullAreExact) {
  Random random(703);
  for (const int together : {kChunkParticles - 1, kChunkParticles, kChunkParticles + 1})
    build_and_expect_exact(
        {box(dimension(), 0, 1), 0.03f, uniform_cloud(random, box(dimension(), 0.35f, 0.65f), together)}, cells(3));
}

TEST_P(FennsScatter, TheLastOfAsManyFineCellsAsThereMayBeIsLookedUp) {
  // One coarse cell and a reach of 0.1 around it: 128 x 8 fine cells, or 16 x 8 x 8, as many as a block has places for. The last
  // one is at the lower end of x, because every second row is turned round.
  const Vec3 high = dimension() == 3 ? Vec3{0.21f, 0.65f, 0.65f} : Vec3{3.01f, 0.65f, 0};
  Random random(712);
  Cloud cloud{box(dimension(), {0, 0, 0}, high), 0.1f, {}};
  cloud.x = uniform_cloud(random, cloud.domain, 200);
  for (int k = 0; k < 5; ++k)
    cloud.x.push_back(particle(dimension(), {-0.09f, high.y + 0.04f + 0.01f * static_cast<float>(k), high.z + 0.05f}));
  SortedSearch sorted(device(), with({1, 1, 1}));
  sorted.build(cloud.x, cloud.domain, cloud.h);
  double fine_cells = 0;
  for (const SearchCount& count : sorted.search().stats().counts)
    if (count.name == "fine cells per tile") fine_cells = count.value;
  ASSERT_EQ(fine_cells, 1024);
  expect_exact(sorted, cloud);
}

TEST_P(FennsScatter, CoincidentParticlesAreAllFound) {
  Random random(704);
  Cloud cloud{box(dimension(), 0, 1), 0.1f, uniform_cloud(random, box(dimension(), 0, 1), 200)};
  add_coincident(cloud.x, dimension(), {0.5f, 0.5f, 0.5f}, kChunkParticles + 20);
  build_and_expect_exact(cloud, {});
}

TEST_P(FennsScatter, ParticlesThatHaveMovedSinceTheBuildAreFound) {
  Random random(705);
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    SCOPED_TRACE(axis == Axis::Open ? "open" : "periodic");
    Cloud cloud = clumps(706, axis, kChunkParticles + 1);
    const float h_build = 2 * cloud.h, step = 0.4999f * (h_build - cloud.h);
    SortedSearch sorted(device(), with(cells(3)));
    sorted.build(cloud.x, cloud.domain, h_build);
    for (Vec4& x : cloud.x) x = particle(dimension(), xyz(x) + step * direction(random, dimension()));
    sorted.move(cloud.x);
    expect_exact(sorted, cloud);
  }
}

TEST_P(FennsScatter, ParticlesWithoutAPlaceAndFarOutsideDisturbNone) {
  Cloud cloud = clumps(707, Axis::Open, kChunkParticles);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (int k = 0; k < 300; ++k) {
    cloud.x.push_back(particle(dimension(), {-3.0f, -2.0f + 0.001f * static_cast<float>(k), 0.5f}));
    cloud.x.push_back({nan, 0.5f, 0.5f, 0});
  }
  build_and_expect_exact(cloud, cells(3));
}

TEST_P(FennsScatter, NoneAndOneAreExact) {
  Random random(708);
  const Domain domain = box(dimension(), 0, 1, Axis::Periodic);
  SortedSearch sorted(device(), with({}));
  for (const int particles : {0, 1, 400, 0}) {
    SCOPED_TRACE(particles);
    const Cloud cloud{domain, 0.12f, uniform_cloud(random, domain, particles)};
    sorted.build(cloud.x, cloud.domain, cloud.h);
    expect_exact(sorted, cloud);
  }
}

TEST_P(FennsScatter, FloatsThatAFunctorNamesAreSummedAsByGathering) {
  // Places and weights for which every sum is exact, in whatever order it is made.
  Random random(709);
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    Cloud cloud = clumps(710, axis, 2 * kChunkParticles);
    for (Vec4& x : cloud.x) {
      const auto on_grid = [](float v) { return std::round(1024 * v) / 1024; };
      x = {on_grid(x.x), on_grid(x.y), on_grid(x.z), std::floor(random.uniform(1, 9))};
    }
    SortedSearch sorted(device(), with(cells(3)));
    sorted.build(cloud.x, cloud.domain, cloud.h);
    std::vector<WeightSums> expected;
    for (const auto& set : expected_neighbors(cloud.x, cloud.domain, cloud.h)) {
      WeightSums& sums = expected.emplace_back();
      for (const Neighbor& n : set) {
        sums.weight += cloud.x[n.j].w;
        sums.arm += cloud.x[n.j].w * n.r_ij;
      }
    }
    const auto wrong = [&](const std::vector<WeightSums>& found) {
      int count = 0;
      for (std::size_t p = 0; p < found.size(); ++p) count += found[p] == expected[sorted.original()[p]] ? 0 : 1;
      return count;
    };
    EXPECT_EQ(wrong(scattered_weights(sorted.search(), sorted.positions(), cloud.h)), 0);
    EXPECT_EQ(wrong(gathered_weights(sorted.search(), sorted.positions(), cloud.h)), 0);
  }
}

TEST_P(FennsScatter, OtherSearchesAndLargerRadiiAreRefused) {
  Random random(711);
  const Cloud cloud{box(dimension(), 0, 1), 0.1f, uniform_cloud(random, box(dimension(), 0, 1), 100)};
  SortedSearch tiles(device(), with({}));
  EXPECT_THROW(scattered_digests(tiles.search(), nullptr, cloud.h), std::logic_error) << "before the first build";
  tiles.build(cloud.x, cloud.domain, cloud.h);
  EXPECT_THROW(scattered_digests(tiles.search(), tiles.positions(), 1.01f * cloud.h), std::logic_error);
  SortedSearch grid(device(), {});
  grid.build(cloud.x, cloud.domain, cloud.h);
  EXPECT_THROW(scattered_digests(grid.search(), grid.positions(), cloud.h), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(EveryDevice, FennsScatter, testing::ValuesIn(scatter_cases()),
                         [](const auto& info) { return scatter_case_name(info.param); });

}  // namespace
}  // namespace riffle::test
