#include "app/desktop/widgets/list_room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/desktop/widgets/combo.h"
#include "desktop/widgets/without_a_window.h"

namespace riffle {
namespace {

using desktop::ui::Rectangle;

/// A list at any place of a window; without a screen.
class ListRoom : public ::testing::TestWithParam<std::pair<int, int>> {
 protected:
  test::WithoutAWindow gui_{{static_cast<float>(GetParam().first), static_cast<float>(GetParam().second)}};

  static Rectangle item() { return {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}; }
  static Rectangle window() {
    const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    return {corner, {corner.x + size.x, corner.y + size.y}};
  }

  /// Draws a picture with a control at that place, and what the control has opened.
  template <class Draw>
  void frame(ImVec2 at, const Draw& draw) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::PopStyleVar();
    ImGui::SetCursorScreenPos(at);
    list_.reset();
    draw();
    ImGui::End();
    ImGui::Render();
  }

  template <class Draw>
  void open(ImVec2 at, const Draw& draw) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {at.x + 5, at.y + 5};
    frame(at, draw);
    frame(at, draw);
    for (const bool down : {true, false}) {
      io.MouseDown[0] = down;
      frame(at, draw);
    }
    for (int k = 0; k < 3; ++k) frame(at, draw);
  }

  void close() {
    ImGuiIO& io = ImGui::GetIO();
    for (const bool down : {true, false}) {
      io.MousePos = {-1, -1};
      io.MouseDown[0] = down;
      frame({0, 0}, [] {});
    }
  }

  /// @param least  [pixel] of its height
  void expect_beside(const Rectangle& control, float least) {
    ASSERT_TRUE(list_);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    EXPECT_GE(list_->least.x, 0);
    EXPECT_GE(list_->least.y, 0);
    EXPECT_LE(list_->most.x, display.x);
    EXPECT_LE(list_->most.y, display.y);
    EXPECT_TRUE(list_->most.y <= control.least.y || list_->least.y >= control.most.y)
        << list_->least.y << " to " << list_->most.y << " over " << control.least.y << " to " << control.most.y;
    EXPECT_GE(list_->most.y - list_->least.y, least);
  }

  std::optional<Rectangle> list_;
  Rectangle control_{};
};

TEST_P(ListRoom, AListLiesWithinTheWindowAndNotOverItsControl) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float wide = 100, high = 19;
  const float edge = 8;  // Dear ImGui keeps lists three pixels from the edge, which panels have as well
  for (const bool tall : {false, true})
    for (const float x : {edge, 0.4f * display.x, display.x - wide - edge})
      for (float y = 0; y + high <= display.y; y += 31) {
        SCOPED_TRACE(testing::Message() << "at " << x << ", " << y << (tall ? ", tall" : ""));
        const auto draw = [&] {
          const desktop::ui::Combo combo("word", "##word", "wet", {.width = wide, .tall = tall});
          if (!combo.open()) {
            control_ = item();
            return;
          }
          list_ = window();
          for (int k = 0; k < 40; ++k)
            combo.entry("w", "a word that is longer than its list " + std::to_string(k), false);
        };
        open({x, y}, draw);
        ASSERT_EQ(control_.least.y, y);
        ASSERT_EQ(control_.most.y, y + high);
        // As much of it as there is room for, beside the control.
        expect_beside(control_, std::min(tall ? 300.0f : 120.0f, std::max(y, display.y - y - high) - 12));
        ASSERT_FALSE(HasFailure());
        close();
      }
}

TEST_P(ListRoom, AListOfAButtonDoesSo) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImVec2 size{80, 20};
  for (const float x : {0.0f, 0.4f * display.x, display.x - size.x})
    for (float y = 0; y + size.y <= display.y; y += 31) {
      SCOPED_TRACE(testing::Message() << "at " << x << ", " << y);
      const auto draw = [&] {
        if (ImGui::Button("New", size)) ImGui::OpenPopup("##list");
        desktop::ui::place_next_popup(item(), 0.85f * display.y, 300);
        if (!ImGui::BeginPopup("##list")) return;
        list_ = window();
        for (int k = 0; k < 40; ++k) ImGui::Selectable(std::to_string(k).c_str());
        ImGui::EndPopup();
      };
      open({x, y}, draw);
      const float room = std::max(y, display.y - y - size.y);
      expect_beside({{x, y}, {x + size.x, y + size.y}}, std::min(0.8f * display.y, room - 12));
      ASSERT_FALSE(HasFailure());
      close();
    }
}

INSTANTIATE_TEST_SUITE_P(Windows, ListRoom, ::testing::Values(std::pair{1280, 720}, std::pair{640, 400}),
                         [](const auto& info) { return "Of" + std::to_string(info.param.first); });

}  // namespace
}  // namespace riffle
