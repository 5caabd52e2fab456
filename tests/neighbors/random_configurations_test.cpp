/// Random domains, radii and clouds with fixed seeds, searched with the default settings.

#include "every_search.h"
#include "support/random_configuration.h"

namespace riffle::test {
namespace {

class RandomConfigurations : public EverySearch {};

TEST_P(RandomConfigurations, TwoHundredConfigurationsAreExact) {
  std::size_t pairs = 0;
  for (std::uint32_t seed = 1000; seed < 1200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    pairs += expect_exact(random_configuration(seed, dimension()));
    if (HasFailure()) break;
  }
  EXPECT_GT(pairs, 10000u);  // the configurations are not trivial
}

class LongRandomConfigurations : public EverySearch {};

TEST_P(LongRandomConfigurations, FiveThousandConfigurationsAreExact) {
  for (std::uint32_t seed = 100000; seed < 105000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_exact(random_configuration(seed, dimension()));
    if (HasFailure()) break;
  }
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(RandomConfigurations);
RIFFLE_INSTANTIATE_EVERY_SEARCH(LongRandomConfigurations);

}  // namespace
}  // namespace riffle::test
