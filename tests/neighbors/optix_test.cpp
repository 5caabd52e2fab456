/// OptiX as something that may or may not be there. That neighbours are exact is what the tests over all methods say
/// (every_search.h), for which rtnn by OptiX is one more.

#include <cstdlib>

#include "core/error.h"
#include "neighbors/optix_library.h"
#include "neighbors/tree_structures.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "support/optix.h"
#include "support/sorted_search.h"

namespace riffle::test {
namespace {

/// RIFFLE_OPTIX_LIBRARY for as long as it lives.
class OtherLibrary {
 public:
  explicit OtherLibrary(const char* name) { setenv("RIFFLE_OPTIX_LIBRARY", name, 1); }
  ~OtherLibrary() { unsetenv("RIFFLE_OPTIX_LIBRARY"); }
};

constexpr const char* kNowhere = "/nowhere/libnvoptix.so.1";

std::string refusal(const char* library) {
  try {
    const OptixLibrary loaded(library);
  } catch (const Unavailable& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(OptixLibrary, OneThatIsNotThereIsNamed) { EXPECT_TRUE(contains(refusal(kNowhere), kNowhere)); }

TEST(OptixLibrary, AnotherOneIsNotTakenForIt) {
  EXPECT_TRUE(contains(refusal("libm.so.6"), "libm.so.6 has no optixQueryFunctionTable")) << refusal("libm.so.6");
}

TEST(OptixLibrary, ADriverThatIsTooOldIsToldFromNone) {
  const std::string said = refusal(RIFFLE_OLD_OPTIX_DRIVER);
  EXPECT_TRUE(contains(said, "does not know version 55 of the interface")) << said;
  EXPECT_TRUE(contains(said, "495")) << said;
}

TEST(OptixStatus, SaysWhatIsMissing) {
  const OtherLibrary other(kNowhere);
  const OptixStatus status = optix_status();
  EXPECT_FALSE(status.usable);
  EXPECT_TRUE(contains(status.state, kNowhere)) << status.state;
}

TEST(OptixOnTheCpu, IsRefusedByNameAndNotChosen) {
  const auto search = [](NeighborMethod method, TreeStructure structure) {
    return NeighborSearch(Device{}, {.method = method, .tree_structure = structure});
  };
  try {
    search(NeighborMethod::Rtnn, TreeStructure::Optix);
    ADD_FAILURE() << "a CPU searched with OptiX";
  } catch (const Unavailable& error) {
    EXPECT_TRUE(contains(error.what(), "neighbors.structure: optix")) << error.what();
    EXPECT_TRUE(contains(error.what(), "allowed there: auto, lbvh")) << error.what();
  }
  EXPECT_EQ(search(NeighborMethod::Rtnn, TreeStructure::Automatic).structure(), "lbvh");
  EXPECT_EQ(search(NeighborMethod::Rtnn, TreeStructure::Lbvh).structure(), "lbvh");
  EXPECT_EQ(search(NeighborMethod::Hoetzlein, TreeStructure::Optix).structure(), "") << "it is rtnn's alone";
}

TEST(TreeStructures, AreSeveralOnlyWhereOptixIsToBeHad) {
  const std::vector<TreeStructure> one{TreeStructure::Automatic};
  for (const NeighborMethodInfo& info : neighbor_methods()) {
    EXPECT_EQ(tree_structures(info.method, Device{}), one) << info.name << " on the CPU";
    EXPECT_EQ(search_name(info.method, TreeStructure::Automatic), info.name);
  }
  EXPECT_EQ(search_name(NeighborMethod::Rtnn, TreeStructure::Lbvh), "rtnn");
  EXPECT_EQ(search_name(NeighborMethod::Rtnn, TreeStructure::Optix), "rtnn by OptiX");
}

/// On a GPU.
class Optix : public OnEachDevice {
 protected:
  SearchSettings settings(TreeStructure structure) const {
    return {.method = NeighborMethod::Rtnn, .tree_structure = structure};
  }
  void expect_exact(const SearchSettings& settings, int count) const {
    Random random(801);
    const Domain domain = box(3, 0, 1, Axis::Periodic);
    const std::vector<Vec4> x = uniform_cloud(random, domain, count);
    SortedSearch sorted(device(), settings);
    sorted.build(x, domain, 0.1f);
    EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, 0.1f), sorted.find(0.1f)));
  }
};

TEST_P(Optix, RunsWhereTheDriverHasIt) {
  ASSERT_NO_FATAL_FAILURE(require_optix(device()));
  if (IsSkipped()) return;
  EXPECT_TRUE(optix_status().usable);
  expect_exact(settings(TreeStructure::Optix), 4000);
}

TEST_P(Optix, IsChosenForRtCoresAlone) {
  const bool expected = driver_has_optix() && optix_status().rt_cores;
  EXPECT_EQ(NeighborSearch(device(), settings(TreeStructure::Automatic)).structure(), expected ? "optix" : "lbvh");
  expect_exact(settings(TreeStructure::Automatic), 1000);
}

TEST_P(Optix, HasARowOfItsOwnInTablesWhereItIsToBeHad) {
  const std::vector<TreeStructure> one{TreeStructure::Automatic}, both{TreeStructure::Lbvh, TreeStructure::Optix};
  EXPECT_EQ(tree_structures(NeighborMethod::Rtnn, device()), driver_has_optix() ? both : one);
  EXPECT_EQ(tree_structures(NeighborMethod::Green, device()), one);
  const OtherLibrary other(kNowhere);
  EXPECT_EQ(tree_structures(NeighborMethod::Rtnn, device()), one);
}

TEST_P(Optix, WithoutItTheTreeOfOurOwnSearches) {
  for (const char* library : {kNowhere, RIFFLE_OLD_OPTIX_DRIVER}) {
    const OtherLibrary other(library);
    EXPECT_EQ(NeighborSearch(device(), settings(TreeStructure::Optix)).structure(), "lbvh") << library;
    expect_exact(settings(TreeStructure::Optix), 500);
  }
}

#if RIFFLE_WITH_CUDA
INSTANTIATE_TEST_SUITE_P(OnTheGpu, Optix, testing::Values(DeviceKind::Cuda),
                         [](const auto&) { return std::string("cuda"); });
#else
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Optix);
#endif

}  // namespace
}  // namespace riffle::test
