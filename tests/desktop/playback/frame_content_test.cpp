/// What a frame of the playback holds.

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace riffle
