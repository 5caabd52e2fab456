#pragma once
// Widgets without a window: a test makes pictures one by one and sets the mouse and the keyboard.

#include <imgui.h>

#include <optional>

#include "app/desktop/widgets/widget_state.h"

namespace riffle::test {

class WithoutAWindow {
 public:
  explicit WithoutAWindow(ImVec2 size) {
    ImGui::CreateContext();
    state_.emplace();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = size;
    io.DeltaTime = 0.1f;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~WithoutAWindow() {
    state_.reset();
    ImGui::DestroyContext();
  }
  WithoutAWindow(const WithoutAWindow&) = delete;
  WithoutAWindow& operator=(const WithoutAWindow&) = delete;

 private:
  std::optional<desktop::ui::WidgetState> state_;
};

}  // namespace riffle::test
