#include "app/desktop/playback/frame_exchange.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace riffle {
namespace {

/// Writes a frame that holds its number in every part.
void write(desktop::FrameExchange& frames, int which) {
  desktop::ParticleFrame& frame = frames.begin_write();
  frame.count = which;
  frame.time = which;
  frame.step = static_cast<std::uint64_t>(which);
  frames.end_write();
}

TEST(FrameExchange, HasNothingBeforeTheFirstFrame) {
  desktop::FrameExchange frames;
  EXPECT_EQ(frames.read(), nullptr);
  EXPECT_TRUE(frames.consumed());
  frames.begin_write().count = 1;
  EXPECT_EQ(frames.read(), nullptr) << "a frame is not there before end_write()";
}

TEST(FrameExchange, ReaderMissesOldFramesAndNotTheNewest) {
  desktop::FrameExchange frames;
  for (const int which : {1, 2, 3, 4, 5}) write(frames, which);
  const desktop::ParticleFrame* frame = frames.read();
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->count, 5);
  EXPECT_EQ(frame->number, 5u);
}

TEST(FrameExchange, ReaderKeepsItsFrameUntilItTakesAnother) {
  desktop::FrameExchange frames;
  write(frames, 1);
  const desktop::ParticleFrame* kept = frames.read();
  for (int which = 2; which < 9; ++which) {
    EXPECT_NE(&frames.begin_write(), kept);
    write(frames, which);
    EXPECT_EQ(kept->count, 1);
  }
  EXPECT_EQ(frames.read()->count, 8);
  EXPECT_EQ(frames.read()->count, 8) << "there is no newer one: the same again";
}

TEST(FrameExchange, ConsumedMeansThatTheNewestHasBeenRead) {
  desktop::FrameExchange frames;
  write(frames, 1);
  EXPECT_FALSE(frames.consumed());
  frames.read();
  EXPECT_TRUE(frames.consumed());
  write(frames, 2);
  EXPECT_FALSE(frames.consumed());
}

TEST(FrameExchange, NoFrameIsTornBetweenTwoThreads) {
  constexpr int kFrames = 20000;
  constexpr std::size_t kValues = 64;
  desktop::FrameExchange frames;
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int which = 1; which <= kFrames; ++which) {
      desktop::ParticleFrame& frame = frames.begin_write();
      frame.vertices.resize(kValues);
      const auto value = static_cast<float>(which);
      for (std::size_t i = 0; i < kValues; ++i) frame.vertices.data()[i] = Vec4{value, value, value, value};
      frame.count = which;
      frames.end_write();
    }
    done = true;
  });
  int last = 0, torn = 0, backwards = 0;
  for (bool finished = false; !finished;) {
    finished = done;
    const desktop::ParticleFrame* frame = frames.read();
    if (!frame) continue;
    if (frame->count < last) ++backwards;
    last = frame->count;
    for (std::size_t i = 0; i < kValues; ++i)
      if (frame->vertices.data()[i].x != static_cast<float>(last) ||
          frame->vertices.data()[i].w != static_cast<float>(last))
        ++torn;
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backwards, 0);
  EXPECT_EQ(last, kFrames) << "the last frame must arrive";
}

}  // namespace
}  // namespace riffle
