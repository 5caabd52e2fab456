/// What a frame of the playback holds.

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/desktop/playback/playback.h"
#include "desktop/playback/scene_files.h"

namespace riffle {
namespace {

using FrameContent = test::SceneFiles;

TEST_F(FrameContent, HasTheSpeedsThatFoamNeedsEvenOfASingleParticle) {
  for (const int across : {1, 2}) {
    const std::string edge = std::to_string(0.2 + 0.1 * across);
    desktop::Playback playback(
        scene("domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
              "bodies:\n  - box: {min: [0.2, 0.2, 0.2], max: [" +
              edge +
              ", 0.3, 0.3]}\n"
              "    velocity: [3, 0, 4]\n"
              "picture: {look: fluid, foam: 2}\n"));
    desktop::ParticleFrame frame;
    playback.fill(frame);
    EXPECT_EQ(frame.count, across);
    EXPECT_EQ(frame.speed.to_host(), std::vector<float>(static_cast<std::size_t>(across), 5.0f));
  }
}

TEST_F(FrameContent, HasNoSpeedsWithoutFoam) {
  desktop::Playback playback(scene(std::string(test::kBlock) + "picture: {look: fluid, foam: 0}\n"));
  desktop::ParticleFrame frame;
  playback.fill(frame);
  EXPECT_EQ(frame.count, 125);
  EXPECT_EQ(frame.speed.size(), 0u);
}

// What a step finds on its way is that of the first step as long as none was made.
TEST_F(FrameContent, APickedParticleHasADensityAtTheStart) {
  desktop::Playback playback(scene(std::string(test::kBlock) + "solver: {type: wcsph}\n"));
  const auto has = [&](std::uint32_t id) {
    playback.follow(id);
    const auto report = playback.picked();
    return report.value_or(ParticleReport{});
  };
  const ParticleReport at_start = has(3);
  ASSERT_TRUE(at_start.density && at_start.pressure);
  Simulation ahead(playback.scene().simulation, Device{});
  ahead.step();
  EXPECT_EQ(at_start.density, inspect(ahead, 3).density);
  EXPECT_EQ(at_start.pressure, inspect(ahead, 3).pressure);
  EXPECT_EQ(at_start.position, inspect(playback.simulation(), 3).position) << "the place is that of the start";
  EXPECT_NE(has(0).density, at_start.density);
  playback.step(INFINITY);
  EXPECT_EQ(has(3).density, at_start.density);
}

// A run that was seeked, given another viscosity, left and brought back is followed all the way.
TEST_F(FrameContent, ParticlesOfAPeriodicBoxHavePlacesThatDoNotJump) {
  const std::string box =
      "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: [periodic, walled]}\nparticles: {spacing: 0.05}\n"
      "gravity: [0, 0]\nsolver: {type: wcsph, speed_of_sound: 20, walls: free_slip}\n"
      "bodies:\n  - {box: {min: [0, 0.2], max: [1, 0.4]}, velocity: [2, 0]}\n";
  desktop::Playback playback(scene(box));
  const auto until = [&](double time) {
    while (playback.simulation().finish().time < time) playback.step(time);
  };
  const auto mean_x = [&] {
    const ParticleTable table = playback.particle_table();
    const std::vector<float>& places = table.field("unwrapped").values;
    double sum = 0;
    for (std::size_t i = 0; i < places.size(); i += 3) sum += places[i];
    return 3 * sum / static_cast<double>(places.size());
  };
  EXPECT_NEAR(mean_x(), 0.5, 1e-6);
  until(1.3);
  EXPECT_NEAR(mean_x(), 0.5 + 2.6, 0.01);
  playback.keep_newest(1);
  until(2.4);
  EXPECT_NEAR(mean_x(), 0.5 + 4.8, 0.01);
  const desktop::KeptRun left = playback.keep(true);
  playback.seek(1.3);
  EXPECT_NEAR(mean_x(), 0.5 + 2.6, 0.01);
  desktop::SceneEdit edit{playback.scene(), scenes::Effect::Live, "", 0, 0};
  edit.scene.simulation.gravity.y = -0.1f;
  playback.edit(edit);
  EXPECT_NEAR(mean_x(), 0.5 + 2.6, 0.01);
  until(2);
  EXPECT_NEAR(mean_x(), 0.5 + 4, 0.01);
  playback.reset();
  EXPECT_NEAR(mean_x(), 0.5, 1e-6);
  playback.resume(left);
  EXPECT_NEAR(mean_x(), 0.5 + 4.8, 0.01);
  desktop::Playback walled(scene(test::kBlock));
  EXPECT_THROW(walled.particle_table().field("unwrapped"), std::logic_error);
}

}  // namespace
}  // namespace riffle
