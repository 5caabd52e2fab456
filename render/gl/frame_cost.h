#pragma once
/// Measures what each stage of a picture costs, by OpenGL's clock, which it reads late so that it never waits.

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "core/timing/stage_timer.h"
#include "render/gl/gl_objects.h"

namespace riffle::render {

class FrameCost {
 public:
  static constexpr int kWindow = 512;  ///< number of last samples of a stage in its statistics

  void begin_frame();
  void end_stage(const char* stage);                 ///< the stage began at the last call or at begin_frame()
  void add(const char* stage, double milliseconds);  ///< for a time measured elsewhere
  void collect(bool wait);

  std::vector<StageStats> stats() const;  ///< in order of first use
  void reset() { stages_.clear(); }

 private:
  static constexpr int kFrames = 4;
  static constexpr int kMarks = 16;
  struct Frame {
    std::array<GlTimestampQuery, kMarks> marks;
    std::array<const char*, kMarks> names{};
    int count = 0;  ///< marks placed; 0 when read
  };
  struct Stage {
    std::string name;
    std::uint64_t count = 0;  ///< of all samples so far
    std::deque<double> recent_ms;
  };
  bool read(Frame& frame, bool wait);

  std::array<Frame, kFrames> frames_;
  int current_ = 0;
  std::vector<Stage> stages_;
};

}  // namespace riffle::render
