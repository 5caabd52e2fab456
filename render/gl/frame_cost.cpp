#include "render/gl/frame_cost.h"

#include <algorithm>
#include <numeric>

#include "core/math/statistics.h"

namespace riffle::render {

void FrameCost::begin_frame() {
  current_ = (current_ + 1) % kFrames;
  Frame& frame = frames_[static_cast<std::size_t>(current_)];
  if (frame.count > 0 && !read(frame, false)) frame.count = 0;  // four pictures late: drop it instead of waiting
  end_stage(nullptr);
}

void FrameCost::end_stage(const char* stage) {
  Frame& frame = frames_[static_cast<std::size_t>(current_)];
  if (frame.count == kMarks) return;
  const auto i = static_cast<std::size_t>(frame.count++);
  if (!frame.marks[i]) frame.marks[i] = GlTimestampQuery::create();
  frame.names[i] = stage;
  glQueryCounter(frame.marks[i].name(), GL_TIMESTAMP);
}

bool FrameCost::read(Frame& frame, bool wait) {
  if (frame.count == 0) return true;
  if (!wait) {
    GLint ready = 0;
    glGetQueryObjectiv(frame.marks[static_cast<std::size_t>(frame.count - 1)].name(), GL_QUERY_RESULT_AVAILABLE,
                       &ready);
    if (!ready) return false;
  }
  GLuint64 before = 0;
  for (int i = 0; i < frame.count; ++i) {
    GLuint64 now = 0;
    glGetQueryObjectui64v(frame.marks[static_cast<std::size_t>(i)].name(), GL_QUERY_RESULT, &now);
    if (i > 0)
      add(frame.names[static_cast<std::size_t>(i)], now >= before ? 1e-6 * static_cast<double>(now - before) : 0);
    before = now;
  }
  frame.count = 0;
  return true;
}

void FrameCost::collect(bool wait) {
  for (int i = 1; i <= kFrames; ++i) {
    const int k = (current_ + i) % kFrames;
    if (wait || k != current_) read(frames_[static_cast<std::size_t>(k)], wait);
  }
}

void FrameCost::add(const char* name, double milliseconds) {
  auto stage = std::find_if(stages_.begin(), stages_.end(), [&](const Stage& s) { return s.name == name; });
  if (stage == stages_.end()) stage = stages_.insert(stages_.end(), Stage{name, 0, {}});
  ++stage->count;
  stage->recent_ms.push_back(milliseconds);
  if (stage->recent_ms.size() > kWindow) stage->recent_ms.pop_front();
}

std::vector<StageStats> FrameCost::stats() const {
  std::vector<StageStats> list;
  for (const Stage& stage : stages_) {
    const std::vector<double> recent(stage.recent_ms.begin(), stage.recent_ms.end());
    const Spread spread = spread_of(recent);
    StageStats stats;
    stats.name = stage.name;
    stats.count = stage.count;
    stats.mean_ms = std::accumulate(recent.begin(), recent.end(), 0.0) / static_cast<double>(recent.size());
    stats.median_ms = spread.median;
    stats.p95_ms = spread.p95;
    list.push_back(stats);
  }
  return list;
}

}  // namespace riffle::render
