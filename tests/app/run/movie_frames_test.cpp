#include "app/run/movie_frames.h"

#include <gtest/gtest.h>

#include <utility>

namespace riffle {
namespace {

/// Keeps the width of each frame, by which the tests know it.
class FakeSink : public FrameSink {
 public:
  bool full() const override { return static_cast<int>(widths.size()) >= room; }
  void write(render::Image frame) override { widths.push_back(frame.width); }
  void finish() override {}
  void end_early() override { early = true; }
  bool ended_early() const override { return early; }
  int frames() const override { return static_cast<int>(widths.size()); }
  int written() const override { return frames(); }
  std::uintmax_t bytes() const override { return 0; }

  int room = 1000;
  bool early = false;
  std::vector<int> widths;
};

class MovieFramesTest : public testing::Test {
 protected:
  /// Pictures of width 1, 2, ...; the first `ready` need no waiting.
  std::optional<render::Image> next(bool wait) {
    if (taken_ >= ready && !wait) return std::nullopt;
    waits_ += taken_ >= ready;
    render::Image image;
    image.width = ++taken_;
    return image;
  }
  MovieFrames::NextImage reader() {
    return [this](bool wait) { return next(wait); };
  }

  std::shared_ptr<FakeSink> sink_ = std::make_shared<FakeSink>();
  MovieFrames movie_{sink_};
  int ready = 0, taken_ = 0, waits_ = 0;
};

TEST_F(MovieFramesTest, APictureIsWrittenForEachFrameThatItStandsFor) {
  movie_.add(1);
  movie_.add(3);
  movie_.add(2);
  movie_.collect(reader(), true);
  movie_.pass_on(true);
  EXPECT_EQ(sink_->widths, (std::vector{1, 2, 2, 2, 3, 3}));
  EXPECT_EQ(movie_.frames(), 6);
  EXPECT_EQ(movie_.pictures(), 3);
  EXPECT_EQ(movie_.reading() + movie_.waiting(), 0u);
}

TEST_F(MovieFramesTest, ItWaitsForNoPictureOrForAll) {
  for (int picture = 0; picture < 4; ++picture) movie_.add(1);
  ready = 1;
  movie_.collect(reader(), false);
  EXPECT_EQ(movie_.reading(), 3u);
  EXPECT_EQ(waits_, 0);
  movie_.collect(reader(), true);
  EXPECT_EQ(movie_.reading(), 0u);
  EXPECT_EQ(waits_, 3);
  EXPECT_EQ(movie_.waiting(), 4u);
}

TEST_F(MovieFramesTest, TheNewestPictureCanStandForMoreFrames) {
  EXPECT_FALSE(movie_.extend(2)) << "there is no picture yet";
  EXPECT_EQ(movie_.frames(), 0);
  movie_.add(1);
  EXPECT_TRUE(movie_.extend(1)) << "while it is being read";
  movie_.add(1);
  movie_.collect(reader(), true);
  EXPECT_TRUE(movie_.extend(2)) << "while it waits";
  movie_.pass_on(true);
  EXPECT_EQ(sink_->widths, (std::vector{1, 1, 2, 2, 2}));
  EXPECT_EQ(movie_.frames(), 5);
  EXPECT_FALSE(movie_.extend(1)) << "all are written";
}

TEST_F(MovieFramesTest, APictureThatIsBeingReadIsNewerThanOneThatWaits) {
  movie_.add(1);
  movie_.collect(reader(), true);
  movie_.add(1);
  EXPECT_TRUE(movie_.extend(2));
  movie_.collect(reader(), true);
  movie_.pass_on(true);
  EXPECT_EQ(sink_->widths, (std::vector{1, 2, 2, 2}));
}

TEST_F(MovieFramesTest, AFullSinkKeepsTheRestWaiting) {
  movie_.add(2);
  movie_.add(2);
  movie_.collect(reader(), true);
  sink_->room = 3;
  movie_.pass_on(false);
  EXPECT_EQ(sink_->widths, (std::vector{1, 1, 2}));
  EXPECT_EQ(movie_.waiting(), 1u);
  sink_->room = 1000;
  movie_.pass_on(false);
  EXPECT_EQ(sink_->widths, (std::vector{1, 1, 2, 2})) << "no frame is written twice";
}

TEST_F(MovieFramesTest, AMovieThatEndsEarlyHasAFirstFrameAndNoneOfTheRest) {
  movie_.add(1000);
  movie_.add(1);
  movie_.collect(reader(), true);
  sink_->end_early();
  movie_.pass_on(true);
  EXPECT_EQ(sink_->widths, std::vector{1});
  EXPECT_EQ(movie_.waiting(), 0u);
}

TEST_F(MovieFramesTest, TooManyThatWaitAreThinnedOutEvenlyAndTheMovieStaysAsLong) {
  for (int picture = 0; picture < 6; ++picture) movie_.add(2);
  movie_.collect(reader(), true);
  movie_.thin_out(6);
  EXPECT_EQ(movie_.waiting(), 6u) << "they are not too many";
  movie_.thin_out(5);
  EXPECT_EQ(movie_.frames(), 12);
  EXPECT_EQ(movie_.pictures(), 4);
  EXPECT_TRUE(movie_.extend(1)) << "the newest is still there";
  movie_.pass_on(true);
  EXPECT_EQ(sink_->widths, (std::vector{1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 6, 6, 6}));
}

TEST_F(MovieFramesTest, TheNewestPicturesCanBeKept) {
  movie_.add(1);
  movie_.add(1);
  movie_.collect(reader(), true);
  movie_.pass_on(true, 1);
  EXPECT_EQ(sink_->widths, std::vector{1});
  EXPECT_EQ(movie_.waiting(), 1u);
}

}  // namespace
}  // namespace riffle
