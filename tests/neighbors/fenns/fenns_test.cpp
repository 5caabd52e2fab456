/// Cases that only `fenns` has: coarse cells that are smaller than the radius, that hold more particles than are split
/// or than fit one fine grid, and that are too many.

#include "core/error.h"
#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

// The same values as in neighbors/fenns/fenns.cu and neighbors/fenns/tile_traversal.cuh.
constexpr int kMostCoarseCells = 8192;
constexpr int kSplitCapacity = 4096;
constexpr int kTileCapacity = 2016;

struct FennsCase {
  DeviceKind device;
  int dimension;
};

std::vector<FennsCase> fenns_cases() {
  std::vector<FennsCase> cases;
  for (const DeviceKind device : built_devices())
    for (const int dimension : {2, 3}) cases.push_back({device, dimension});
  return cases;
}

void PrintTo(const FennsCase& c, std::ostream* out) { *out << to_string(c.device) << ", " << c.dimension << "-D"; }

class Fenns : public testing::TestWithParam<FennsCase> {
 protected:
  void SetUp() override { skip_without(GetParam().device); }

  int dimension() const { return GetParam().dimension; }
  Device device() const { return device_of(GetParam().device); }
  static SearchSettings with(Int3 cells, bool deterministic = false) {
    SearchSettings settings;
    settings.method = NeighborMethod::Fenns;
    settings.cell_count = cells;
    settings.deterministic = deterministic;
    return settings;
  }
  /// n per axis; one in z in 2-D.
  Int3 cells(int n) const { return {n, n, dimension() == 3 ? n : 1}; }

  static double count(const SortedSearch& sorted, const std::string& name) {
    for (const SearchCount& count : sorted.search().stats().counts)
      if (count.name == name) return count.value;
    ADD_FAILURE() << "no count named " << name;
    return 0;
  }

  /// Queries by the particles and external queries.
  void expect_exact(SortedSearch& sorted, const Cloud& cloud) const {
    sorted.build(cloud.x, cloud.domain, cloud.h);
    EXPECT_TRUE(same_neighbors(expected_neighbors(cloud.x, cloud.domain, cloud.h), sorted.find(cloud.h)));
    std::vector<Vec4> queries;
    for (std::size_t i = 0; i < cloud.x.size(); i += 7)
      queries.push_back(particle(dimension(), xyz(cloud.x[i]) + Vec3{0.3f * cloud.h, 0, 0}));
    const Buffer<Vec4> device_queries(device(), queries);
    Visits visits = visit_neighbors_of(sorted.search(), sorted.positions(), device_queries.data(),
                                       static_cast<int>(queries.size()), cloud.h);
    for (auto& set : visits.of)
      for (Neighbor& n : set) n.j = sorted.original()[n.j];
    EXPECT_TRUE(same_neighbors(expected_neighbors_of(cloud.x, queries, cloud.domain, cloud.h), visits.of))
        << "from elsewhere";
  }

  /// `together` particles in the coarse cell from 1/3 to 2/3 of a unit box, 600 anywhere.
  Cloud with_full_cell(std::uint32_t seed, int together, Axis axis) const {
    Random random(seed);
    Cloud cloud{box(dimension(), 0, 1, axis), dimension() == 3 ? 0.06f : 0.025f, {}};
    cloud.x = uniform_cloud(random, box(dimension(), 0.335f, 0.665f), together);
    const std::vector<Vec4> others = uniform_cloud(random, cloud.domain, 600);
    cloud.x.insert(cloud.x.end(), others.begin(), others.end());
    return cloud;
  }
};

TEST_P(Fenns, ARadiusLargerThanACoarseCellReachesBeyondTheNextOnes) {
  Random random(501);
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (const float h : {0.07f, 0.21f, 0.5f})
      for (const Int3 size : {cells(11), Int3{18, 2, 1}}) {
        SCOPED_TRACE(testing::Message() << "h " << h << ", " << size.x << " x " << size.y << " x " << size.z);
        const Cloud cloud{box(dimension(), 0, 1, axis), h, uniform_cloud(random, box(dimension(), -0.1f, 1.1f), 300)};
        SortedSearch sorted(device(), with(size));
        expect_exact(sorted, cloud);
      }
}

TEST_P(Fenns, ACellTooFullToBeSplitIsSearchedInRounds) {
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    SortedSearch sorted(device(), with(cells(3)));
    expect_exact(sorted, with_full_cell(502, kSplitCapacity + 300, axis));
    EXPECT_GT(sorted.search().occupancy().max, static_cast<std::uint32_t>(kSplitCapacity));
    // A cell that is not split is border as a whole. If these were split, most particles in 2-D would be inner ones.
    EXPECT_GT(count(sorted, "border fraction"), 0.85);
  }
}

TEST_P(Fenns, ASplitCellWithMoreThanAFineGridHoldsIsSearchedInRounds) {
  for (const bool deterministic : {false, true}) {
    SortedSearch sorted(device(), with(cells(3), deterministic));
    expect_exact(sorted, with_full_cell(503, kTileCapacity + 500, Axis::Periodic));
    const std::uint32_t most = sorted.search().occupancy().max;
    EXPECT_GT(most, static_cast<std::uint32_t>(kTileCapacity));
    EXPECT_LE(most, static_cast<std::uint32_t>(kSplitCapacity));
  }
}

TEST_P(Fenns, ADeterministicSearchSplitsCellsOfAnyNumber) {
  SortedSearch sorted(device(), with(cells(3), true));
  expect_exact(sorted, with_full_cell(504, kSplitCapacity + 300, Axis::Open));
  EXPECT_GT(sorted.search().occupancy().max, static_cast<std::uint32_t>(kSplitCapacity));
}

TEST_P(Fenns, NeighborsThatFillAFineGridTogetherAreSearchedInRounds) {
  // Clumps where the corners of four or eight coarse cells meet: no cell holds more than a fine grid, but a tile with
  // its neighbours' borders does.
  Random random(505);
  Cloud cloud{box(dimension(), 0, 1), 0.06f, {}};
  for (int i = 0; i < kTileCapacity + 1200; ++i)
    cloud.x.push_back(particle(dimension(), Vec3{0.5f, 0.5f, 0.5f} + 0.055f * uniform_in_ball(random, dimension())));
  SortedSearch sorted(device(), with(cells(2)));
  expect_exact(sorted, cloud);
  EXPECT_LT(sorted.search().occupancy().max, static_cast<std::uint32_t>(kTileCapacity));
  EXPECT_GT(count(sorted, "particles loaded per tile"), kTileCapacity);
}

TEST_P(Fenns, MoreCoincidentParticlesThanAFineGridHoldsAreAllFound) {
  Random random(506);
  Cloud cloud{box(dimension(), 0, 1), 0.1f, uniform_cloud(random, box(dimension(), 0, 1), 200)};
  add_coincident(cloud.x, dimension(), {0.5f, 0.5f, 0.5f}, kTileCapacity + 100);
  SortedSearch sorted(device(), with({}));
  expect_exact(sorted, cloud);
}

/// n^d points at the lower corner of a box.
Cloud fluid_in_box(int dimension, int n, float spacing, float h, float box_edge) {
  const float first = 0.5f * spacing;
  return {box(dimension, 0, box_edge), h, lattice(dimension, {first, first, first}, spacing, n)};
}

TEST_P(Fenns, TilesAreAsLargeAsAFineGridTakesWhateverTheDensity) {
  // Support radii of 2, 3 and 4 spacings: in 3-D 8, 27 and 64 particles per cube of a radius.
  for (const float radius : {2.0f, 3.0f, 4.0f}) {
    SCOPED_TRACE(radius);
    const int n = dimension() == 3 ? 64 : 300;
    const Cloud cloud = fluid_in_box(dimension(), n, 1, radius, static_cast<float>(n));
    SortedSearch sorted(device(), with({}));
    sorted.build(cloud.x, cloud.domain, cloud.h);
    const double loaded = count(sorted, "particles loaded per tile");
    const double edge = n / std::round(std::pow(double(sorted.search().occupancy().cells), 1.0 / dimension())) / radius;
    if (radius == 2.0f && dimension() == 3) {
      EXPECT_GE(edge, 4);
    }
    EXPECT_GE(edge, 2);
    if (radius < 4.0f) {
      EXPECT_LT(loaded, kTileCapacity);
    }
    // Cells are no smaller than necessary: half as many again per axis would be too many, or too many own particles.
    const double grown = std::pow((1.5 * edge + 2) / (edge + 2), dimension());
    const double own = double(cloud.x.size()) / double(sorted.search().occupancy().cells);
    EXPECT_TRUE(loaded * grown > 0.8 * kTileCapacity || own * std::pow(1.5, dimension()) > 500)
        << loaded << " loaded, " << own << " of its own";
  }
}

TEST_P(Fenns, TilesFitTheFluidHoweverEmptyTheBox) {
  const int n = dimension() == 3 ? 40 : 200;
  double own[2];
  for (const int times : {1, 4}) {
    const Cloud cloud = fluid_in_box(dimension(), n, 1, 2, static_cast<float>(times * n));
    SortedSearch sorted(device(), with({}));
    sorted.build(cloud.x, cloud.domain, cloud.h);
    EXPECT_LT(count(sorted, "particles loaded per tile"), kTileCapacity);
    own[times == 4] = sorted.search().occupancy().mean;
  }
  EXPECT_GT(own[1], 0.4 * own[0]);
}

TEST_P(Fenns, TilesFollowParticlesThatCrowdOrSpread) {
  for (const bool deterministic : {false, true}) {
    const int n = dimension() == 3 ? 20 : 90;
    const Cloud loose = fluid_in_box(dimension(), n, 1, 2, static_cast<float>(n));
    const Cloud dense = fluid_in_box(dimension(), n, 0.5f, 2, static_cast<float>(n));
    SortedSearch sorted(device(), with({}, deterministic));
    sorted.build(loose.x, loose.domain, loose.h);
    const std::int64_t before = sorted.search().occupancy().cells;
    // A search that need not be reproducible measures the density again after some builds.
    for (int k = 0; k < (deterministic ? 1 : 100); ++k) sorted.build(dense.x, dense.domain, dense.h);
    EXPECT_GT(sorted.search().occupancy().cells, before);
    expect_exact(sorted, dense);
  }
}

TEST_P(Fenns, NoneAfterManyAndManyAfterNoneAreExact) {
  for (const bool deterministic : {false, true}) {
    Random random(507);
    SortedSearch sorted(device(), with({}, deterministic));
    for (const int particles : {0, 400, 0, 1, 0, 900}) {
      SCOPED_TRACE(testing::Message() << particles << " particles");
      const Domain domain = box(dimension(), 0, 1, Axis::Periodic);
      expect_exact(sorted, {domain, 0.12f, uniform_cloud(random, domain, particles)});
      EXPECT_EQ(sorted.search().occupancy().max > 0, particles > 0);
    }
  }
}

TEST_P(Fenns, MoreCellsThanSharedMemoryCountsAreRefused) {
  const Cloud cloud{box(dimension(), 0, 1), 0.1f, lattice(dimension(), {0.1f, 0.1f, 0.1f}, 0.05f, 6)};
  SortedSearch most(device(), with({64, kMostCoarseCells / 64, 1}));
  expect_exact(most, cloud);
  EXPECT_EQ(most.search().occupancy().cells, kMostCoarseCells);

  for (const Int3 size : {Int3{91, 91, 1}, Int3{64, 129, 1}, Int3{2'000'000, 2'000'000, 1}}) {
    SortedSearch sorted(device(), with(size));
    try {
      sorted.build(cloud.x, cloud.domain, cloud.h);
      FAIL() << size.x << " x " << size.y << " cells were built";
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(std::to_string(size.x) + " x " + std::to_string(size.y)), std::string::npos) << message;
      EXPECT_NE(message.find(std::to_string(kMostCoarseCells)), std::string::npos) << message;
    }
    EXPECT_THROW(visit_neighbors(sorted.search(), nullptr, cloud.h), std::logic_error);
  }
}

TEST_P(Fenns, CellsThatFollowTheRadiusAreNeverTooMany) {
  // Boxes of many radii: the search does not keep the given ratio.
  Random random(508);
  for (const float ratio : {0.0f, 0.25f, 1.0f})
    for (const float h : {0.05f, 0.004f}) {
      SearchSettings settings = with({});
      settings.cell_ratio = ratio;
      SortedSearch sorted(device(), settings);
      const Domain domain = box(dimension(), {0, 0, 0}, {2, 1, 0.5f}, Axis::Periodic);
      expect_exact(sorted, {domain, h, uniform_cloud(random, domain, 800)});
      EXPECT_LE(sorted.search().occupancy().cells, kMostCoarseCells);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryDevice, Fenns, testing::ValuesIn(fenns_cases()), [](const auto& info) {
  return std::string(to_string(info.param.device)) + "_" + std::to_string(info.param.dimension) + "d";
});

}  // namespace
}  // namespace riffle::test
