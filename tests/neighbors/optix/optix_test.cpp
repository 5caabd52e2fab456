/// OptiX as an optional part. The tests over all methods (every_search.h) check that neighbours are exact; for them
/// rtnn by OptiX is one more method.

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "neighbors/optix/optix_library.h"
#include "neighbors/optix/optix_retry.h"
#include "neighbors/optix/refit_or_rebuild.h"
#include "neighbors/tree/tree_structures.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "support/optix.h"
#include "support/sorted_search.h"

namespace riffle::test {
namespace {

/// Sets RIFFLE_OPTIX_LIBRARY during its lifetime.
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

/// Stands in for OptiX on one GPU.
struct FakeOptix {
  explicit FakeOptix(OptixPrograms bad) : broken(bad) {}
  void prepare(OptixPrograms programs) {
    ++tries;
    if (programs == broken) throw RuntimeFailure("these programs");
  }
  OptixPrograms broken;
  int tries = 0;
};

TEST(OptixTries, ProgramsThatCannotBeMadeSayNothingOfTheOthers) {
  OptixTries<FakeOptix> tries;
  std::size_t free = std::size_t{1} << 30;
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::make_shared<FakeOptix>(OptixPrograms::FewNearest);
  };
  std::string why;
  const auto get = [&](OptixPrograms programs) {
    return tries.get(
        programs, true, make, [&] { return free; }, why);
  };
  EXPECT_EQ(get(OptixPrograms::FewNearest), nullptr);
  EXPECT_EQ(why, "these programs");
  const auto points = get(OptixPrograms::Points);
  ASSERT_NE(points, nullptr);
  EXPECT_EQ(made, 2) << "the first one, of no use, gave its memory back";
  EXPECT_EQ(get(OptixPrograms::FewNearest), nullptr);
  EXPECT_EQ(points->tries, 1) << "the same would fail again";
  free += FailedOptixTry::kFreed;
  EXPECT_EQ(get(OptixPrograms::FewNearest), nullptr);
  EXPECT_EQ(points->tries, 2);
  points->broken = OptixPrograms::PayloadNearest;
  free += FailedOptixTry::kFreed;
  EXPECT_EQ(get(OptixPrograms::FewNearest), points) << "the others' context stays";
  EXPECT_EQ(get(OptixPrograms::Neighbors), points);
  EXPECT_EQ(made, 2);
}

TEST(OptixTries, WithoutAContextThereAreNoPrograms) {
  OptixTries<FakeOptix> tries;
  std::size_t free = std::size_t{1} << 30;
  int made = 0;
  const auto make = [&]() -> std::shared_ptr<FakeOptix> {
    ++made;
    throw Unavailable("no driver");
  };
  std::string why;
  for (const OptixPrograms programs : {OptixPrograms::Points, OptixPrograms::Points, OptixPrograms::Neighbors}) {
    EXPECT_EQ(tries.get(
                  programs, false, make, [&] { return free; }, why),
              nullptr);
    EXPECT_EQ(why, "no driver");
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(tries.get(
                OptixPrograms::Points, true, make, [&] { return free; }, why),
            nullptr);
  EXPECT_EQ(made, 2) << "asked for by name it is tried again";
}

/// Lists and trees that are only counted.
struct FakeBuilds {
  RefitOrRebuild builds;
  int waits = 0, rebuilds = 0, refits = 0, trees = 0;
  bool far = false, memory = true;

  void build(bool refit) {
    waits = 0;
    builds.build(
        refit && builds.has_tree(),
        [&](bool refitted) {
          ++waits;
          if (refitted && far) return false;
          ++(refitted ? refits : rebuilds);
          return true;
        },
        [&] {
          trees += memory;
          return memory;
        });
  }
};

TEST(OptixRefits, ARefusedOneWaitsOnceAndTheNextBuildIsARebuild) {
  using Result = RefitOrRebuild::Result;
  FakeBuilds fake;
  EXPECT_FALSE(fake.builds.has_tree());
  const std::vector<bool> far{false, false, true, true, false, true, true};
  const std::vector<Result> expected{Result::Rebuilt,  Result::Refitted, Result::OwnTree, Result::Rebuilt,
                                     Result::Refitted, Result::OwnTree,  Result::Rebuilt};
  for (std::size_t k = 0; k < far.size(); ++k) {
    fake.far = far[k];
    fake.build(true);
    EXPECT_EQ(fake.builds.result(), expected[k]) << k;
    EXPECT_EQ(fake.waits, 1) << k;
  }
  EXPECT_EQ(fake.rebuilds, 3);
  EXPECT_EQ(fake.refits, 2);
  EXPECT_EQ(fake.trees, 2);
  EXPECT_EQ(fake.builds.rebuilds(), 3);
  EXPECT_EQ(fake.builds.refits(), 2);
  EXPECT_EQ(fake.builds.refused(), 2);
  fake.builds.forget();
  EXPECT_FALSE(fake.builds.has_tree()) << "other particles";
  EXPECT_FALSE(fake.builds.by_own_tree());
}

TEST(OptixRefits, WithoutMemoryForTheOtherTreeTheBuildIsARebuild) {
  FakeBuilds fake;
  fake.memory = false;
  fake.build(true);
  fake.far = true;
  fake.build(true);
  EXPECT_EQ(fake.builds.result(), RefitOrRebuild::Result::Rebuilt);
  EXPECT_EQ(fake.waits, 2) << "the only case";
  EXPECT_EQ(fake.rebuilds, 2);
}

TEST(OptixRefits, WhatThrowsLeavesNothingBuilt) {
  RefitOrRebuild builds;
  const auto lists = [](bool) { return true; };
  const auto no_tree = [] { return false; };
  builds.build(false, lists, no_tree);
  EXPECT_TRUE(builds.has_tree());
  EXPECT_THROW(builds.build(
                   true, [](bool) -> bool { throw Unavailable("no memory"); }, no_tree),
               Unavailable);
  EXPECT_FALSE(builds.has_tree());
  EXPECT_EQ(builds.refits(), 0);
}

TEST(OptixStatus, SaysWhatIsMissing) {
  const OtherLibrary other(kNowhere);
  const OptixStatus status = optix_status();
  EXPECT_FALSE(status.usable);
  EXPECT_TRUE(contains(status.state, kNowhere)) << status.state;
}

TEST(OptixOnTheCpu, IsRefusedByNameAndNotChosen) {
  const auto search = [](NeighborMethod method, TreeStructure structure) {
    return NeighborSearch(Device{}, {{.method = method, .structure = structure}});
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

TEST(FailedOptix, IsTriedAgainByNameAndWhenMemoryWasFreed) {
  const std::size_t free = std::size_t{1} << 30, freed = FailedOptixTry::kFreed;
  const FailedOptixTry chosen{"no room", free, false}, named{"no room", free, true};
  EXPECT_FALSE(chosen.worth_another(free, false)) << "it would fail again";
  EXPECT_TRUE(chosen.worth_another(free, true));
  EXPECT_FALSE(named.worth_another(free, true));
  EXPECT_FALSE(named.worth_another(free, false));
  for (const bool by_name : {false, true}) {
    EXPECT_FALSE(named.worth_another(free + freed - 1, by_name));
    EXPECT_TRUE(named.worth_another(free + freed, by_name));
    EXPECT_FALSE(named.worth_another(0, by_name));
  }
}

/// Runs on a GPU.
class Optix : public OnEachDevice {
 protected:
  SearchSettings settings(TreeStructure structure) const {
    return {{.method = NeighborMethod::Rtnn, .structure = structure}};
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

TEST_P(Optix, AutoMeasuresBothAndTakesTheFasterOne) {
  ASSERT_NO_FATAL_FAILURE(require_optix(device()));
  if (IsSkipped()) return;
  Random random(803);
  const Domain domain = box(3, 0, 1, Axis::Periodic);
  const std::vector<Vec4> x = uniform_cloud(random, domain, 3000);
  SortedSearch sorted(device(), settings(TreeStructure::Automatic));
  EXPECT_EQ(sorted.search().structure(), "lbvh") << "nothing is measured yet";
  sorted.build(x, domain, 0.1f);
  EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, 0.1f), sorted.find(0.1f)));
  const SearchStats stats = sorted.search().stats();
  const SearchCount *lbvh = stats.find(kMsByLbvh), *optix = stats.find(kMsByOptix);
  ASSERT_TRUE(lbvh && optix);
  EXPECT_GT(lbvh->value, 0);
  EXPECT_GT(optix->value, 0);
  EXPECT_EQ(sorted.search().structure(), optix->value < lbvh->value ? "optix" : "lbvh");
}

TEST_P(Optix, ADeterministicSearchDoesNotMeasure) {
  Random random(804);
  const Domain domain = box(3, 0, 1);
  const Buffer<Vec4> x(device(), uniform_cloud(random, domain, 500));
  SearchSettings deterministic = settings(TreeStructure::Automatic);
  deterministic.deterministic = true;
  NeighborSearch search(device(), deterministic);
  search.build(x.data(), 500, domain, 0.1f);
  EXPECT_EQ(search.structure(), "lbvh");
  EXPECT_EQ(search.stats().find(kMsByLbvh), nullptr);
}

TEST_P(Optix, HasARowOfItsOwnInTablesWhereItIsToBeHad) {
  const std::vector<TreeStructure> one{TreeStructure::Automatic}, both{TreeStructure::Lbvh, TreeStructure::Optix};
  EXPECT_EQ(tree_structures(NeighborMethod::Rtnn, device()), driver_has_optix() ? both : one);
  EXPECT_EQ(tree_structures(NeighborMethod::Green, device()), one);
  const OtherLibrary other(kNowhere);
  EXPECT_EQ(tree_structures(NeighborMethod::Rtnn, device()), one);
}

TEST_P(Optix, IsTriedAgainWhenItIsAskedForByName) {
  if (!driver_has_optix()) GTEST_SKIP() << "NOTHING RAN ON OPTIX: the driver has no libnvoptix.so.1";
  void* library = dlopen("libnvoptix.so.1", RTLD_NOW | RTLD_LOCAL);
  link_map* loaded = nullptr;
  ASSERT_EQ(dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&loaded)), 0);
  const std::filesystem::path late = std::filesystem::temp_directory_path() / ("optix" + std::to_string(getpid()));
  const OtherLibrary other(late.c_str());
  const auto structure = [&](TreeStructure wanted) {
    return std::string(NeighborSearch(device(), settings(wanted)).structure());
  };
  const auto measures = [&] {
    NeighborSearch search(device(), settings(TreeStructure::Automatic));
    const Buffer<Vec4> x(device(), std::vector<Vec4>(100));
    search.build(x.data(), 100, box(3, 0, 1), 0.1f);
    return search.stats().find(kMsByLbvh) != nullptr;
  };
  EXPECT_FALSE(measures());
  std::filesystem::create_symlink(loaded->l_name, late);
  EXPECT_FALSE(measures()) << "the same try was made again";
  EXPECT_EQ(structure(TreeStructure::Optix), "optix");
  EXPECT_TRUE(measures());
  std::filesystem::remove(late);
  dlclose(library);
}

// All particles go elsewhere between two builds: a refitted tree would be of no use. EverySearch/Waits counts the waits.
TEST_P(Optix, ARefitThatIsRefusedFindsEveryPair) {
  ASSERT_NO_FATAL_FAILURE(require_optix(device()));
  if (IsSkipped()) return;
  Random random(805);
  const Domain domain = box(3, 0, 1, Axis::Periodic);
  SortedSearch sorted(device(), settings(TreeStructure::Optix));
  std::size_t by_optix = 0;
  for (int round = 0; round < 4; ++round) {
    const std::vector<Vec4> x = uniform_cloud(random, domain, 3000);
    sorted.build(x, domain, 0.1f);
    const std::size_t built = sorted.search().memory_bytes();
    sorted.list_neighbors();
    if (round % 2 != 0)
      EXPECT_LT(built, by_optix) << "our tree stands in for OptiX's, which is larger";
    else if (round == 0)
      by_optix = sorted.search().memory_bytes();
    else
      EXPECT_LT(sorted.search().memory_bytes(), by_optix + by_optix / 10) << "lists of our tree are gone";
    EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, 0.1f), sorted.find(0.1f))) << round;
    EXPECT_EQ(sorted.search().stats().find("refits refused")->value, (round + 1) / 2) << round;
  }
  EXPECT_EQ(sorted.search().stats().find("full builds")->value, 2);
}

TEST_P(Optix, AfterABuildOfNothingQueriesFindNothing) {
  ASSERT_NO_FATAL_FAILURE(require_optix(device()));
  if (IsSkipped()) return;
  Random random(802);
  const Domain domain = box(3, 0, 1);
  const Buffer<Vec4> x(device(), uniform_cloud(random, domain, 500));
  NeighborSearch search(device(), settings(TreeStructure::Optix));
  search.build(x.data(), 500, domain, 0.3f);
  search.build(x.data(), 0, domain, 0.3f);
  const CsrView rows = std::get<RayView>(search.method_view()).lister->list(x.data(), 500, 0.3f);
  std::vector<std::uint64_t> start(501);
  copy_to_host(device(), start.data(), rows.start, start.size() * sizeof start[0]);
  EXPECT_EQ(start, std::vector<std::uint64_t>(501, 0));
}

TEST_P(Optix, WithoutItTheTreeOfOurOwnSearchesAndTheNameIsRefused) {
  for (const char* library : {kNowhere, RIFFLE_OLD_OPTIX_DRIVER}) {
    const OtherLibrary other(library);
    expect_exact(settings(TreeStructure::Automatic), 500);
    EXPECT_EQ(NeighborSearch(device(), settings(TreeStructure::Automatic)).structure(), "lbvh") << library;
    try {
      const NeighborSearch search(device(), settings(TreeStructure::Optix));
      ADD_FAILURE() << "it searched with " << library;
    } catch (const Unavailable& error) {
      EXPECT_TRUE(contains(error.what(), "neighbors.structure: optix cannot be used: ")) << error.what();
      EXPECT_TRUE(contains(error.what(), library)) << error.what();
      EXPECT_TRUE(contains(error.what(), "allowed there: auto, lbvh")) << error.what();
    }
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
