/// Scenes too large for a device, requested while another one runs.

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/command/scene_options.h"
#include "app/desktop/playback/playback.h"
#include "app/desktop/playback/worker.h"
#include "core/device/buffer.h"
#include "core/device/device.h"
#include "core/error.h"
#include "desktop/playback/ask.h"
#include "support/devices.h"

namespace riffle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

class MemoryShortage : public ::testing::TestWithParam<DeviceKind> {
 protected:
  void SetUp() override {
    test::skip_without(GetParam());
    if (IsSkipped()) return;
    if (free_memory(device()) > std::size_t{250} << 30)
      GTEST_SKIP() << "this device has room for two thousand million particles";
    std::string name = (fs::temp_directory_path() / "riffle-memory-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  Device device() const { return test::device_of(GetParam()); }

  /// A cube of water in half a unit box: (0.5 / spacing)^3 particles.
  SceneOptions block(double spacing) {
    const fs::path file = folder_ / ("block" + std::to_string(scenes_++) + ".yaml");
    std::ofstream(file) << "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: " << spacing
                        << "}\nbodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n";
    SceneOptions options;
    options.scene = file.string();
    options.device = GetParam() == DeviceKind::Cuda ? DeviceRequest::Cuda : DeviceRequest::Cpu;
    return options;
  }
  scenes::Scene scene_of(const SceneOptions& options) { return scenes::build_scene(source_with_options(options)); }

  static std::uint64_t hash(desktop::Playback& playback) { return playback.simulation().diagnostics().state_hash; }

  static void expect_shortage(const std::string& message) {
    EXPECT_NE(message.find("iB short; "), std::string::npos) << message;
    EXPECT_NE(message.find("particles.spacing="), std::string::npos) << message;
  }

  /// The first ones that arrive, for a minute at most.
  static std::deque<desktop::Notice> notices_of(desktop::Worker& worker) {
    std::deque<desktop::Notice> notices;
    for (int k = 0; k < 6000 && notices.empty(); ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      notices = worker.take_notices();
    }
    return notices;
  }

  static std::int64_t particles_of(desktop::Worker& worker) {
    return test::ask(worker,
                     [](desktop::Playback& playback) { return std::int64_t{playback.simulation().particle_count()}; });
  }

  /// Allocates so much that at most `left` bytes are free.
  Buffer<std::byte> leave(std::size_t left) const { return Buffer<std::byte>(device(), free_memory(device()) - left); }

  fs::path folder_;
  int scenes_ = 0;
};

TEST_P(MemoryShortage, AnEditThatIsTooMuchLeavesTheOldStateToTheBit) {
  desktop::Playback playback(block(0.05), false);
  for (int k = 0; k < 5; ++k) playback.step();
  const std::uint64_t before = hash(playback);
  try {
    playback.edit({scene_of(block(4e-4)), scenes::Effect::Restart});  // 1,953 million particles
    FAIL() << "it was taken";
  } catch (const Unavailable& refused) {
    expect_shortage(refused.what());
  }
  EXPECT_EQ(hash(playback), before);
  EXPECT_EQ(playback.simulation().latest().step, 5u);
  EXPECT_FLOAT_EQ(playback.scene().simulation.spacing, 0.05f);
  playback.step();
  EXPECT_EQ(playback.simulation().finish().step, 6u);
}

TEST_P(MemoryShortage, ASceneThatIsTooMuchIsANoticeAndTheOldOneRunsOn) {
  desktop::Worker worker;
  worker.load(block(0.05));
  worker.step(5);
  worker.load(block(4e-4));
  const std::deque<desktop::Notice> notices = notices_of(worker);
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].title, "The scene could not be loaded");
  expect_shortage(notices[0].text);
  EXPECT_EQ(test::ask(worker, [](desktop::Playback& playback) { return playback.scene().name; }), "block0");
  EXPECT_EQ(particles_of(worker), 1000);
}

TEST_P(MemoryShortage, ASceneThatFitsAloneTakesTheOldOnesPlace) {
  if (GetParam() == DeviceKind::Cpu) GTEST_SKIP() << "the host's memory is other programs' too";
  desktop::Playback playback(block(0.005), false);  // a million
  playback.step();
  const scenes::Scene larger = scene_of(block(0.0047));
  const std::size_t need = estimate_memory(larger.simulation, device());
  const Buffer<std::byte> taken = leave(need - 50 * kMegabyte);  // the old one has more than that
  playback.edit({larger, scenes::Effect::Restart});
  EXPECT_FLOAT_EQ(playback.scene().simulation.spacing, 0.0047f);
  playback.step();
  EXPECT_EQ(playback.simulation().finish().step, 1u);
}

TEST_P(MemoryShortage, WhatOthersTookOfAGpuIsShort) {
  if (GetParam() == DeviceKind::Cpu) GTEST_SKIP() << "the host's memory is other programs' too";
  desktop::Playback playback(block(0.01), false);  // 125,000
  playback.step();
  const std::uint64_t before = hash(playback);
  const scenes::Scene larger = scene_of(block(0.003));
  const Buffer<std::byte> taken = leave(200 * kMegabyte);
  try {
    playback.edit({larger, scenes::Effect::Restart});
    FAIL() << "it was taken";
  } catch (const Unavailable& refused) {
    expect_shortage(refused.what());
  }
  EXPECT_EQ(hash(playback), before);
  playback.step();
  EXPECT_EQ(playback.simulation().finish().step, 2u);
}

TEST_P(MemoryShortage, AWindowOnAGpuStaysThereWhereTheDeviceIsLeftOpen) {
  if (GetParam() == DeviceKind::Cpu) GTEST_SKIP() << "there is nothing to fall back to";
  desktop::Worker worker;
  worker.load(block(0.05));
  SceneOptions open = block(0.001);
  open.device = DeviceRequest::Auto;
  const Buffer<std::byte> taken = leave(200 * kMegabyte);
  worker.load(open);
  const std::deque<desktop::Notice> notices = notices_of(worker);
  ASSERT_EQ(notices.size(), 1u);
  expect_shortage(notices[0].text);
  EXPECT_EQ(particles_of(worker), 1000);
}

TEST_P(MemoryShortage, AFirstSceneThatIsTooLargeForTheGpuRunsOnTheCpuWithAWarning) {
  if (GetParam() == DeviceKind::Cpu) GTEST_SKIP() << "there is nothing to fall back to";
  SceneOptions open = block(0.005);
  open.device = DeviceRequest::Auto;
  const Buffer<std::byte> taken = leave(200 * kMegabyte);
  const desktop::Playback playback(open, false);
  EXPECT_EQ(playback.simulation().device().kind, DeviceKind::Cpu);
  ASSERT_TRUE(playback.device_warning());
  EXPECT_EQ(playback.device_warning()->kind, scenes::WarningKind::GpuTooSmall);
  expect_shortage(playback.device_warning()->message());
}

INSTANTIATE_TEST_SUITE_P(EveryDevice, MemoryShortage, testing::ValuesIn(test::built_devices()),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace riffle
