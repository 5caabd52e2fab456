#include "app/run/new_folders.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/run/checkpoints.h"
#include "core/error.h"
#include "tests/support/scratch.h"

namespace riffle {
namespace {

namespace fs = std::filesystem;

TEST(NewFolders, ThatAreEmptyAtTheEndAreRemovedAgain) {
  const test::Scratch scratch;
  const fs::path root = scratch / "";
  fs::create_directories(root / "old");
  {
    NewFolders folders;
    for (const char* name : {"old", "a/b", "c/d"}) {
      folders.note(root / name);
      fs::create_directories(root / name);
    }
    std::ofstream(root / "c/file") << "x";
  }
  EXPECT_TRUE(fs::exists(root / "old")) << "it was there before";
  EXPECT_FALSE(fs::exists(root / "a"));
  EXPECT_FALSE(fs::exists(root / "c/d"));
  EXPECT_TRUE(fs::exists(root / "c/file"));
}

/// A few particles of water.
SimulationSetup small_setup() {
  SimulationSetup setup;
  setup.domain.max = {1, 1, 1};
  setup.spacing = 0.25f;
  setup.fluids.emplace_back();
  setup.bodies.emplace_back();
  setup.bodies[0].max = {1, 0.5f, 1};
  return setup;
}

TEST(Checkpoints, CountEachStateThatIsLostOnce) {
  const test::Scratch scratch;
  const Simulation simulation(small_setup(), Device{});
  Checkpoints states(scratch / "gone/s.h5", 0, {}, {});
  EXPECT_NO_THROW(states.write(simulation, nullptr)) << "the disk has not answered yet";
  EXPECT_THROW(states.write(simulation, nullptr), RuntimeFailure) << "of the state before";
  EXPECT_EQ(states.failed(), 1u);
  EXPECT_THROW(states.settle(), RuntimeFailure);
  EXPECT_EQ(states.failed(), 2u);
  EXPECT_NO_THROW(states.settle());
  EXPECT_EQ(states.failed(), 2u);
  EXPECT_EQ(states.written(), 0u);
  EXPECT_FALSE(states.has(0));
  fs::create_directories(scratch / "gone");
  states.write(simulation, nullptr);
  states.settle();
  EXPECT_EQ(states.written(), 1u);
  EXPECT_EQ(states.failed(), 2u);
  EXPECT_TRUE(states.has(0));
}

// Exit code 1, as for other files that cannot be written.
TEST(Checkpoints, ThatTheDiskHasNoRoomForAreAFailureToWrite) {
  const Simulation simulation(small_setup(), Device{});
  std::error_code none;
  if (fs::space("/proc", none).available != 0 || none) GTEST_SKIP() << "/proc has room here";
  Checkpoints states("/proc/s.h5", 0, {}, {});
  EXPECT_THROW(states.announce(simulation), RuntimeFailure);
}

}  // namespace
}  // namespace riffle
