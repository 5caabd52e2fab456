#include "app/desktop/widgets/combo.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <optional>

#include "desktop/widgets/without_a_window.h"

namespace riffle {
namespace {

/// A list of two words without a window; the test sets the mouse.
class Combo : public ::testing::Test {
 protected:
  void frame() {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("window");
    {
      const desktop::ui::Combo combo("word", "##word", chosen_, {.width = 100});
      open_ = combo.open();
      if (at_.x == 0) at_ = middle_of_item();
      if (open_)
        for (const char* word : {"wet", "dry"}) {
          if (combo.entry(word, word, chosen_ == word)) chosen_ = word;
          entry_ = middle_of_item();  // of the last one
        }
    }
    ImGui::End();
    ImGui::Render();
  }

  void click(ImVec2 at) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = at;
    frame();
    io.MouseDown[0] = true;
    frame();
    io.MouseDown[0] = false;
    frame();
    frame();
  }

  static ImVec2 middle_of_item() {
    const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
    return {0.5f * (least.x + most.x), 0.5f * (least.y + most.y)};
  }

  test::WithoutAWindow gui_{{400, 300}};
  std::string chosen_ = "wet";
  ImVec2 at_{}, entry_{};
  bool open_ = false;
};

TEST_F(Combo, AClickOpensItAndAClickOnAnEntryChoosesThat) {
  frame();
  EXPECT_FALSE(open_);
  click(at_);
  ASSERT_TRUE(open_);
  EXPECT_EQ(chosen_, "wet") << "opening it chooses nothing";
  click(entry_);
  EXPECT_EQ(chosen_, "dry");
  EXPECT_FALSE(open_);
}

}  // namespace
}  // namespace riffle
