#pragma once
/// Marks over the picture: lines, dots and names at places of the scene.

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop {

/// Draws lines and names at places [m] into the part of the window that shows them. Or, with a mouse, finds out whether that is
/// on one of them, and draws nothing.
class Marker {
 public:
  explicit Marker(const PanelContext& context, std::optional<ImVec2> mouse = {})
      : camera_(camera_in_picture(context)),
        area_(context.picture),
        dark_(has_dark_background(context.view)),
        mouse_(mouse),
        list_(ImGui::GetBackgroundDrawList()) {
    list_->PushClipRect({area_.x, area_.y}, {area_.x + area_.width, area_.y + area_.height}, true);
  }
  ~Marker() { list_->PopClipRect(); }
  Marker(const Marker&) = delete;
  Marker& operator=(const Marker&) = delete;

  std::optional<ImVec2> pixel(Vec3 place) const {
    const auto at = picture_point(camera_, place, area_.width / area_.height);
    if (!at) return std::nullopt;
    return ImVec2{area_.x + 0.5f * (1 + at->x) * area_.width, area_.y + 0.5f * (1 - at->y) * area_.height};
  }

  void line(Vec3 from, Vec3 to) {
    const auto a = pixel(from), b = pixel(to);
    if (!a || !b) return;
    if (mouse_) return note(distance_to_line(*a, *b), 0.35f * ui::em());
    list_->AddLine(*a, *b, halo(), 0.25f * ui::em());
    list_->AddLine(*a, *b, ink(), 0.1f * ui::em());
  }

  void dot(Vec3 place) {
    const auto at = pixel(place);
    if (!at) return;
    if (mouse_) return note(distance_to_line(*at, *at), 0.6f * ui::em());
    list_->AddCircleFilled(*at, 0.32f * ui::em(), halo());
    list_->AddCircleFilled(*at, 0.22f * ui::em(), ink());
  }

  void name(Vec3 place, const std::string& text) {
    const auto at = pixel(place);
    if (!at) return;
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float edge = 0.15f * ui::em();
    const ImVec2 corner = free_corner({at->x + 0.5f * ui::em(), at->y - 1.2f * ui::em()}, size, edge);
    if (mouse_) {
      hit_ |= mouse_->x >= corner.x - edge && mouse_->x <= corner.x + size.x + edge && mouse_->y >= corner.y &&
              mouse_->y <= corner.y + size.y;
      return;
    }
    list_->AddRectFilled({corner.x - edge, corner.y}, {corner.x + size.x + edge, corner.y + size.y}, halo(), edge);
    list_->AddText(corner, ink(), text.c_str());
  }

  /// Keeps the room of a name that is drawn before, as name() does.
  void leave_room_for(Vec3 place, const std::string& text) {
    const auto at = pixel(place);
    if (!at) return;
    free_corner({at->x + 0.5f * ui::em(), at->y - 1.2f * ui::em()}, ImGui::CalcTextSize(text.c_str()),
                0.15f * ui::em());
  }

  /// Rooms of the names so far, in pixels: [left, top, right, bottom].
  const std::vector<ImVec4>& names() const { return names_; }

  void draw_in(ImU32 ink) { ink_ = ink; }  ///< in place of the colour of marks
  bool hit() const { return hit_; }        ///< the mouse is on a line, a dot or a name

 private:
  /// Above the names that are there already: two of one place would print on each other.
  ImVec2 free_corner(ImVec2 corner, ImVec2 size, float edge) {
    const auto room = [&] { return ImVec4{corner.x - edge, corner.y, corner.x + size.x + edge, corner.y + size.y}; };
    const auto meets = [&](const ImVec4& other) {
      const ImVec4 own = room();
      return own.x < other.z && own.z > other.x && own.y < other.w && own.w > other.y;
    };
    for (auto other = names_.begin(); (other = std::find_if(names_.begin(), names_.end(), meets)) != names_.end();)
      corner.y = other->y - size.y;
    names_.push_back(room());
    return corner;
  }
  void note(float distance, float within) { hit_ |= distance <= within; }
  float distance_to_line(ImVec2 a, ImVec2 b) const {
    const float x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
    const float part =
        length > 0 ? std::clamp(((mouse_->x - a.x) * x + (mouse_->y - a.y) * y) / length, 0.0f, 1.0f) : 0;
    return std::hypot(mouse_->x - a.x - part * x, mouse_->y - a.y - part * y);
  }
  ImU32 ink() const { return ink_ ? *ink_ : dark_ ? IM_COL32(255, 214, 90, 255) : IM_COL32(150, 70, 0, 255); }
  ImU32 halo() const { return dark_ ? IM_COL32(0, 0, 0, 150) : IM_COL32(255, 255, 255, 170); }

  Camera camera_;
  ScreenArea area_;
  bool dark_;  ///< what is behind the marks
  std::optional<ImVec2> mouse_;
  std::optional<ImU32> ink_;
  bool hit_ = false;
  std::vector<ImVec4> names_;
  ImDrawList* list_;
};

}  // namespace riffle::desktop
