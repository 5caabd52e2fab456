/// A very large number of particles at one point: one cell holds them all. Building must neither overflow nor take
/// minutes. (Their neighbours are not queried: there are N^2 pairs.) A method that lists its pairs must refuse with a
/// reason, as fast.

#include "core/error.h"
#include "core/text/number_text.h"

#include "every_search.h"

namespace riffle::test {
namespace {

class CrowdedPoint : public EverySearch {
 protected:
  void expect_built(int count) const {
    const std::vector<Vec4> x(static_cast<std::size_t>(count), particle(dimension(), {0.25f, 0.25f, 0.25f}));
    const Buffer<Vec4> positions(device(), x);
    NeighborSearch search(device(), settings());
    if (GetParam().method == NeighborMethod::ThrustPairs || GetParam().structure == TreeStructure::Optix) {
      expect_refused(search, positions, count);
      return;
    }
    for (int build = 0; build < 2; ++build) search.build(positions.data(), count, box(dimension(), 0, 1), 0.1f);
    EXPECT_EQ(search.count(), count);
    if (GetParam().method == NeighborMethod::BruteForce) {
      EXPECT_EQ(search.occupancy().cells, 0);
      return;
    }
    const OccupancyStats stats = search.occupancy();
    EXPECT_EQ(stats.occupied, 1);
    EXPECT_EQ(stats.max, static_cast<std::uint32_t>(count));
    EXPECT_DOUBLE_EQ(stats.mean, count);
  }

  void expect_refused(NeighborSearch& search, const Buffer<Vec4>& positions, int count) const {
    const std::size_t before = allocated_bytes(GetParam().device);
    try {
      search.build(positions.data(), count, box(dimension(), 0, 1), 0.1f);
      FAIL() << "N^2 pairs were listed";
    } catch (const Unavailable& refusal) {
      const std::string message = refusal.what();
      const double bytes = 4.0 * count * (count - 1.0);
      EXPECT_NE(message.find(" " + bytes_text(bytes) + ", "), std::string::npos) << message;
    }
    const std::size_t most = GetParam().structure == TreeStructure::Optix ? 1000 : 100;  // the driver's tree is large
    EXPECT_LT(allocated_bytes(GetParam().device) - before, most * static_cast<std::size_t>(count))
        << "memory for the pairs was taken first";
  }
};

class LongCrowdedPoint : public CrowdedPoint {};

TEST_P(CrowdedPoint, AMillionParticlesAreCounted) { expect_built(1'000'000); }
TEST_P(LongCrowdedPoint, TenMillionParticlesAreCounted) { expect_built(10'000'000); }

RIFFLE_INSTANTIATE_EVERY_SEARCH(CrowdedPoint);
RIFFLE_INSTANTIATE_EVERY_SEARCH(LongCrowdedPoint);

}  // namespace
}  // namespace riffle::test
