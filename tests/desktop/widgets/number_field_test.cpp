#include "app/desktop/widgets/number_field.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <optional>
#include <vector>

#include "desktop/widgets/without_a_window.h"

namespace riffle {
namespace {

/// Fields without a window: frames are made one by one, and the test sets the mouse and the keyboard.
class NumberField : public ::testing::Test {
 protected:
  NumberField() {
    for (int key = 0; key < ImGuiKey_COUNT; ++key) ImGui::GetIO().KeyMap[key] = key;
  }
  test::WithoutAWindow gui_{{400, 200}};

  desktop::ui::NumberChange frame() {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 200});
    ImGui::Begin("window");
    ImGui::SetCursorScreenPos({20, 50});
    const desktop::ui::NumberChange change = desktop::ui::number_field("##number", value_, text_, drag_, 100);
    ImGui::SetCursorScreenPos({20, 100});
    if (const auto typed = desktop::ui::text_field("##words", "as it was", 100)) words_ = *typed;
    ImGui::End();
    ImGui::Render();
    if (change.typed) typed_.push_back(*change.typed);
    if (change.dragged) value_ = *change.dragged, ++moves_;
    if (change.first) ++drags_;
    if (change.let_go) let_go_.push_back(*change.let_go);
    return change;
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  void mouse(float x, float y, bool down) {
    ImGui::GetIO().MousePos = {x, y};
    ImGui::GetIO().MouseDown[0] = down;
    frame();
  }
  void click(float x, float y) {
    mouse(x, y, false);
    mouse(x, y, true);
    mouse(x, y, false);
    frames(3);
  }
  void type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frames(2);
  }
  void tap(ImGuiKey key) {
    ImGui::GetIO().KeysDown[key] = true;
    frame();
    ImGui::GetIO().KeysDown[key] = false;
    frames(2);
  }

  double value_ = 1;
  std::string text_ = "1.0";
  desktop::ui::NumberDrag drag_{0, 10, 0.01f, "%.5g"};
  std::vector<std::string> typed_;
  std::vector<double> let_go_;
  int moves_ = 0, drags_ = 0;
  std::string words_;
};

TEST_F(NumberField, ANumberIsTriedOnlyWhenItIsFinished) {
  click(60, 58);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  for (const char* key : {"0", ".", "5"}) {
    type(key);
    EXPECT_TRUE(typed_.empty()) << "after " << key;
  }
  tap(ImGuiKey_Enter);
  EXPECT_EQ(typed_, std::vector<std::string>{"0.5"});
  EXPECT_EQ(moves_, 0);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_F(NumberField, LeavingTheFieldFinishesTheNumberToo) {
  click(60, 58);
  type("-5");  // beyond the drag's range: other code decides whether it is allowed
  click(300, 180);
  EXPECT_EQ(typed_, std::vector<std::string>{"-5"});
}

TEST_F(NumberField, GoingOnToAnotherFieldFinishesTheNumberToo) {
  click(60, 58);
  type("7");
  click(110, 108);
  EXPECT_EQ(typed_, std::vector<std::string>{"7"});
  type("x");
  click(60, 58);
  EXPECT_EQ(words_, "as it wasx") << "the field before it in the window takes the keyboard from it";
}

// In a frame: three numbers and a text, in this order.
class Tabbing : public NumberField {
 protected:
  static constexpr const char* kNames[] = {"##0", "##1", "##2"};

  void frame() {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 200});
    ImGui::Begin("window");
    for (int k = 0; k < 3; ++k) {
      ImGui::SetCursorScreenPos({20, 30.0f + 30.0f * static_cast<float>(k)});
      const auto change = desktop::ui::number_field(kNames[k], 1, "1.0", drag_, 100);
      if (change.typed) numbers_.push_back(std::to_string(k) + ":" + *change.typed);
    }
    ImGui::SetCursorScreenPos({20, 120});
    if (const auto typed = desktop::ui::text_field("##words", "a", 100)) numbers_.push_back("text:" + *typed);
    ImGui::End();
    ImGui::Render();
  }
  void several() {
    for (int i = 0; i < 4; ++i) frame();
  }
  void click_first() {
    ImGui::GetIO().MousePos = {60, 38};
    for (const bool down : {false, true, false}) {
      ImGui::GetIO().MouseDown[0] = down;
      frame();
    }
    several();
  }
  void type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    several();
  }
  void tab(bool back = false) {
    ImGui::GetIO().KeyShift = back;
    ImGui::GetIO().KeyMods = back ? ImGuiKeyModFlags_Shift : ImGuiKeyModFlags_None;
    ImGui::GetIO().KeysDown[ImGuiKey_Tab] = true;
    frame();
    ImGui::GetIO().KeysDown[ImGuiKey_Tab] = false;
    frame();
    ImGui::GetIO().KeyShift = false;
    ImGui::GetIO().KeyMods = ImGuiKeyModFlags_None;
    several();
  }

  std::vector<std::string> numbers_;
};

TEST_F(Tabbing, GoesToTheNextNumberAndFinishesThatBeforeIt) {
  click_first();
  type("5");
  tab();
  EXPECT_EQ(numbers_, std::vector<std::string>{"0:5"});
  type("6");
  tab();
  tab();  // through a number that stays as it is
  type("b");
  tab();
  EXPECT_EQ(numbers_, (std::vector<std::string>{"0:5", "1:6", "text:b"}));
}

TEST_F(Tabbing, WithShiftGoesBackAndLosesNothing) {
  click_first();
  tab();
  type("6");
  tab(true);
  EXPECT_EQ(numbers_, std::vector<std::string>{"1:6"});
  type("7");
  tab();
  EXPECT_EQ(numbers_, (std::vector<std::string>{"1:6", "0:7"}));
}

TEST_F(NumberField, EscapeTakesBackWhatWasTyped) {
  click(60, 58);
  type("33");
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  tap(ImGuiKey_Escape);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
  frames(3);
  EXPECT_TRUE(typed_.empty());
}

TEST_F(NumberField, TheSameNumberAgainIsNoChange) {
  click(60, 58);
  type("1.0");
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  tap(ImGuiKey_Enter);
  EXPECT_TRUE(typed_.empty());
}

TEST_F(NumberField, ControlAndADoubleClickOpenItAsWell) {
  ImGui::GetIO().KeyCtrl = true;
  mouse(60, 58, false);
  mouse(60, 58, true);
  ImGui::GetIO().KeyCtrl = false;
  mouse(60, 58, false);
  type("2");
  tap(ImGuiKey_Enter);
  EXPECT_EQ(typed_, std::vector<std::string>{"2"});
  click(300, 180);
  mouse(60, 58, true);
  mouse(60, 58, false);
  mouse(60, 58, true);
  mouse(60, 58, false);
  frames(3);
  type("3");
  tap(ImGuiKey_Enter);
  EXPECT_EQ(typed_, (std::vector<std::string>{"2", "3"}));
}

TEST_F(NumberField, ADragSaysEveryMovementAndStaysInItsRange) {
  mouse(60, 58, false);
  mouse(60, 58, true);
  mouse(80, 58, true);
  EXPECT_GT(value_, 1);
  mouse(100, 58, true);
  EXPECT_GE(moves_, 2);
  EXPECT_EQ(drags_, 1);
  EXPECT_TRUE(let_go_.empty());
  mouse(-5000, 58, true);
  EXPECT_EQ(value_, 0);
  mouse(-5000, 58, false);
  EXPECT_EQ(let_go_, std::vector<double>{0});
  frames(3);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput) << "a drag is no click";
  EXPECT_TRUE(typed_.empty());
}

TEST_F(NumberField, ADragGoesOnThoughTheValueWaitsUntilItIsOver) {
  mouse(60, 58, false);
  mouse(60, 58, true);
  for (const float x : {80.0f, 100.0f, 120.0f}) {
    mouse(x, 58, true);
    value_ = 1;  // the scene does not restart for every pixel
  }
  mouse(120, 58, false);
  ASSERT_EQ(let_go_.size(), 1u);
  EXPECT_NEAR(let_go_[0], 1.6, 0.06);
}

}  // namespace
}  // namespace riffle
