// How often a build waits for the device: the host must not stand still while a run goes on.

#include "core/device/waits.h"
#include "every_search.h"

namespace riffle::test {
namespace {

class Waits : public testing::TestWithParam<SearchCase> {
 protected:
  void SetUp() override {
    skip_without(GetParam().device);
    if (!IsSkipped() && GetParam().structure == TreeStructure::Optix) require_optix(device_of(GetParam().device));
  }
};

/// Without thrust_pairs, which waits for the pairs of each chunk.
std::vector<SearchCase> cases_with_one_wait() {
  std::vector<SearchCase> cases = search_cases();
  std::erase_if(cases, [](const SearchCase& c) { return c.method == NeighborMethod::ThrustPairs; });
  return cases;
}

// Particles stay, move a little, and all go elsewhere: a tree is refitted, or its refit is refused.
TEST_P(Waits, ABuildHasAtMostOne) {
  const SearchCase& c = GetParam();
  SearchSettings settings;
  settings.method = c.method;
  settings.structure = c.structure;
  settings.sections = c.sections;
  const Device device = device_of(c.device);
  NeighborSearch search(device, settings);
  Random random(7);
  const Domain domain = box(c.dimension, 0, 1, Axis::Walled);
  std::vector<Vec4> x = uniform_cloud(random, domain, 2000);
  for (int round = 0; round < 8; ++round) {
    if (round % 3 == 1)
      for (Vec4& one : x) one.x += 1e-3f;
    if (round % 3 == 2) x = uniform_cloud(random, domain, 2000);
    const Buffer<Vec4> positions(device, x);
    const std::uint64_t before = device_waits();
    search.build(positions.data(), static_cast<int>(x.size()), domain, 0.1f);
    EXPECT_LE(device_waits() - before, 1u) << round;
    if (search.order() == nullptr) continue;
    std::vector<std::uint32_t> order(x.size());
    copy_to_host(device, order.data(), search.order(), order.size() * sizeof order[0]);
    const std::vector<Vec4> old = x;
    for (std::size_t p = 0; p < x.size(); ++p) x[p] = old[order[p]];
  }
}

INSTANTIATE_TEST_SUITE_P(EverySearch, Waits, testing::ValuesIn(cases_with_one_wait()), test::name_of);

TEST(DeviceWaits, AreCopiesToTheHostAndBackOfThisThread) {
  const Device cpu;
  const std::uint64_t before = device_waits();
  const Buffer<int> numbers(cpu, std::vector<int>{1, 2});
  EXPECT_EQ(device_waits() - before, 1u);
  EXPECT_EQ(numbers.to_host().size(), 2u);
  EXPECT_EQ(device_waits() - before, 2u);
  synchronize(cpu);
  EXPECT_EQ(device_waits() - before, 3u);
}

}  // namespace
}  // namespace riffle::test
