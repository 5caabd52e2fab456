#include "app/desktop/handles/handle_set.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace riffle::desktop {

namespace {

constexpr float kArrow = 6, kRing = 4.2f, kClear = 1.3f;  // [em]
constexpr float kAway = 0.96f;                            // cosine: an arrow that points so far away is only a dot
constexpr float kFlatRing = 0.12f;                        // cosine: a ring seen from its edge is only a line

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

float distance_to_line(ImVec2 p, ImVec2 a, ImVec2 b) {
  const float x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
  const float part = length > 0 ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / length, 0.0f, 1.0f) : 0;
  return distance(p, {a.x + part * x, a.y + part * y});
}

/// Longer where a small box would lie at its tip.
float arrow_length(Vec3 middle, Vec3 along, const std::vector<scenes::SizeHandle>& sizes,
                   const PictureProjection& picture, float em) {
  const float meters = picture.pixel_size(middle) * em;
  float length = kArrow * meters;
  for (int rounds = 0; rounds < 3; ++rounds)
    for (const scenes::SizeHandle& size : sizes) {
      const auto tip = picture.pixel(middle + length * along), box = picture.pixel(size.at);
      if (tip && box && distance(*tip, *box) < kClear * em) length += 2 * kClear * meters;
    }
  return length;
}

bool in_picture(Vec3 place, const PictureProjection& picture, float em) {
  const auto at = picture.pixel(place);
  const ScreenArea& area = picture.area;
  return at && at->x > area.x + em && at->x < area.x + area.width - em && at->y > area.y + em &&
         at->y < area.y + area.height - em;
}

ImU32 axis_color(int axis, bool lit, bool dark) {
  if (lit) return dark ? IM_COL32(255, 240, 120, 255) : IM_COL32(210, 120, 0, 255);
  constexpr ImU32 kColors[] = {IM_COL32(235, 80, 80, 255), IM_COL32(80, 190, 80, 255), IM_COL32(85, 135, 245, 255)};
  return kColors[axis];
}

}  // namespace

std::vector<Handle> handles_of(const scenes::PlacedEntry& entry, const std::vector<scenes::SizeHandle>& sizes,
                               const PictureProjection& picture, float em) {
  std::vector<Handle> all;
  const Vec3 middle = entry.middle;
  if (!picture.pixel(middle)) return all;  // behind the viewer
  const float meters = picture.pixel_size(middle) * em;
  const Vec3 sight = picture.line_of_sight(middle);
  for (std::size_t k = 0; k < sizes.size(); ++k)
    if (std::fabs(dot(sizes[k].along, picture.line_of_sight(sizes[k].at))) < kAway)
      all.push_back({Handle::Kind::Size, static_cast<int>(k), "size." + sizes[k].label, {sizes[k].at}, sizes[k].at});
  int free_axes = 0;
  for (int axis = 0; axis < 3; ++axis) free_axes += scenes::moves_along(entry, axis);
  if (free_axes > 1) all.push_back({Handle::Kind::InView, 0, "move", {middle}, middle});
  for (int axis = 0; axis < 3; ++axis) {
    if (!scenes::moves_along(entry, axis)) continue;
    Vec3 along = axis_vector(axis);
    if (std::fabs(dot(along, sight)) > kAway) continue;
    Vec3 tip = middle + arrow_length(middle, along, sizes, picture, em) * along;
    if (const Vec3 other = middle - arrow_length(middle, -along, sizes, picture, em) * along;
        !in_picture(tip, picture, em) && in_picture(other, picture, em)) {
      tip = other;
      along = -along;
    }
    const float foot = free_axes > 1 ? 0.8f * meters : 0;
    all.push_back({Handle::Kind::Along, axis, std::string("move.") + "xyz" [axis], { middle + foot *along, tip }, tip});
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!scenes::turns_about(entry, axis)) continue;
    if (std::fabs(dot(axis_vector(axis), sight)) < kFlatRing) continue;
    constexpr int kSides = 64;
    const Vec3 b = axis_vector((axis + 1) % 3), c = axis_vector((axis + 2) % 3);
    Handle ring{Handle::Kind::Turn, axis, std::string("turn.") + "xyz"[axis]};
    for (int k = 0; k < kSides; ++k) {
      const auto angle = static_cast<float>(2 * std::numbers::pi * k / kSides);
      ring.line.push_back(middle + kRing * meters * (std::cos(angle) * b + std::sin(angle) * c));
    }
    ring.grip = ring.line[kSides / 8];
    all.push_back(std::move(ring));
  }
  return all;
}

int handle_at(const std::vector<Handle>& handles, const PictureProjection& picture, ImVec2 mouse, float em) {
  // In em: within which it is hit. Small things come first where several are.
  int found = -1;
  float nearest = 1;
  for (std::size_t k = 0; k < handles.size(); ++k) {
    const Handle& handle = handles[k];
    std::vector<ImVec2> at;
    for (const Vec3& place : handle.line)
      if (const auto pixel = picture.pixel(place)) at.push_back(*pixel);
    if (at.size() != handle.line.size() || at.empty()) continue;
    float away = INFINITY;  // 1: at the edge of where it is hit
    switch (handle.kind) {
      case Handle::Kind::Size: away = 0.5f * distance(mouse, at[0]) / (0.6f * em); break;
      case Handle::Kind::InView: away = 0.6f * distance(mouse, at[0]) / (0.7f * em); break;
      case Handle::Kind::Along:
        away =
            std::min(0.7f * distance(mouse, at[1]) / (0.8f * em), distance_to_line(mouse, at[0], at[1]) / (0.45f * em));
        break;
      case Handle::Kind::Turn:
        for (std::size_t i = 0; i < at.size(); ++i)
          away = std::min(away, distance_to_line(mouse, at[i], at[(i + 1) % at.size()]) / (0.45f * em));
    }
    const float edge = handle.kind == Handle::Kind::Size ? 0.5f : handle.kind == Handle::Kind::InView ? 0.6f : 1.0f;
    if (away > edge || away >= nearest) continue;
    nearest = away;
    found = static_cast<int>(k);
  }
  return found;
}

void draw_handles(const std::vector<Handle>& handles, int lit, const PictureProjection& picture, float em, bool dark) {
  ImDrawList* draw = ImGui::GetBackgroundDrawList();
  const ImU32 halo = dark ? IM_COL32(0, 0, 0, 170) : IM_COL32(255, 255, 255, 200);
  const ImU32 plain = dark ? IM_COL32(240, 240, 240, 255) : IM_COL32(40, 40, 40, 255);
  for (std::size_t k = handles.size(); k-- > 0;) {  // the first on top, as handle_at() has it
    const Handle& handle = handles[k];
    const bool is_lit = static_cast<int>(k) == lit;
    std::vector<ImVec2> at;
    for (const Vec3& place : handle.line)
      if (const auto pixel = picture.pixel(place)) at.push_back(*pixel);
    if (at.size() != handle.line.size() || at.empty()) continue;
    const ImU32 ink = handle.kind == Handle::Kind::Size || handle.kind == Handle::Kind::InView
                          ? (is_lit ? axis_color(0, true, dark) : plain)
                          : axis_color(handle.number, is_lit, dark);
    switch (handle.kind) {
      case Handle::Kind::Along: {
        draw->AddLine(at[0], at[1], halo, 0.4f * em);
        draw->AddLine(at[0], at[1], ink, 0.2f * em);
        const float length = std::max(1.0f, distance(at[0], at[1]));
        const ImVec2 u{(at[1].x - at[0].x) / length, (at[1].y - at[0].y) / length}, v{-u.y, u.x};
        const float head = 0.9f * em, half = 0.4f * em;
        draw->AddTriangleFilled(
            {at[1].x + 0.3f * em * u.x, at[1].y + 0.3f * em * u.y},
            {at[1].x - (head - 0.3f * em) * u.x + half * v.x, at[1].y - (head - 0.3f * em) * u.y + half * v.y},
            {at[1].x - (head - 0.3f * em) * u.x - half * v.x, at[1].y - (head - 0.3f * em) * u.y - half * v.y}, ink);
        break;
      }
      case Handle::Kind::Turn:
        draw->AddPolyline(at.data(), static_cast<int>(at.size()), halo, ImDrawFlags_Closed, 0.34f * em);
        draw->AddPolyline(at.data(), static_cast<int>(at.size()), ink, ImDrawFlags_Closed, 0.17f * em);
        break;
      case Handle::Kind::InView:
        draw->AddCircleFilled(at[0], 0.6f * em, halo, 24);
        draw->AddCircle(at[0], 0.5f * em, ink, 24, 0.18f * em);
        break;
      case Handle::Kind::Size: {
        const float half = 0.32f * em, edge = 0.1f * em;
        draw->AddRectFilled({at[0].x - half - edge, at[0].y - half - edge},
                            {at[0].x + half + edge, at[0].y + half + edge}, halo);
        draw->AddRectFilled({at[0].x - half, at[0].y - half}, {at[0].x + half, at[0].y + half}, ink);
      }
    }
  }
}

}  // namespace riffle::desktop
