#include "app/desktop/platform/gui.h"

#include <imgui.h>
// After imgui.h.
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui_internal.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "render/gl/gl_objects.h"

namespace riffle::desktop {

namespace {

ImVec4 rgb(int hex, float alpha = 1) {
  return {static_cast<float>(hex >> 16 & 255) / 255, static_cast<float>(hex >> 8 & 255) / 255,
          static_cast<float>(hex & 255) / 255, alpha};
}

struct Palette {
  int window, child, frame, frame_hovered, frame_active, text, faint, border, accent, accent_hovered;
};

constexpr Palette kDark{0x1b2028, 0x171b22, 0x2a313c, 0x36404e, 0x415064,
                        0xe8edf2, 0x8b97a6, 0x333c49, 0x2f7fd0, 0x4494e4};
constexpr Palette kLight{0xf3f5f8, 0xe9edf1, 0xdde3ea, 0xcfd8e2, 0xbecbd8,
                         0x1c232d, 0x66717e, 0xc3cbd5, 0x2574c4, 0x3c88d6};

void apply(const Palette& p) {
  ImVec4* c = ImGui::GetStyle().Colors;
  c[ImGuiCol_Text] = rgb(p.text);
  c[ImGuiCol_TextDisabled] = rgb(p.faint);
  c[ImGuiCol_WindowBg] = rgb(p.window);
  c[ImGuiCol_ChildBg] = rgb(p.window, 0);
  c[ImGuiCol_PopupBg] = rgb(p.child, 0.98f);
  c[ImGuiCol_Border] = rgb(p.border);
  c[ImGuiCol_FrameBg] = rgb(p.frame);
  c[ImGuiCol_FrameBgHovered] = rgb(p.frame_hovered);
  c[ImGuiCol_FrameBgActive] = rgb(p.frame_active);
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = rgb(p.child);
  c[ImGuiCol_MenuBarBg] = rgb(p.child);
  c[ImGuiCol_ScrollbarBg] = rgb(p.window, 0);
  c[ImGuiCol_ScrollbarGrab] = rgb(p.frame_hovered);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = rgb(p.frame_active);
  c[ImGuiCol_CheckMark] = rgb(p.accent);
  c[ImGuiCol_SliderGrab] = rgb(p.accent, 0.5f);  // the number is written over it
  c[ImGuiCol_SliderGrabActive] = rgb(p.accent_hovered, 0.6f);
  c[ImGuiCol_Button] = rgb(p.frame);
  c[ImGuiCol_ButtonHovered] = rgb(p.frame_hovered);
  c[ImGuiCol_ButtonActive] = rgb(p.accent);
  c[ImGuiCol_Header] = rgb(p.frame);
  c[ImGuiCol_HeaderHovered] = rgb(p.frame_hovered);
  c[ImGuiCol_HeaderActive] = rgb(p.frame_active);
  c[ImGuiCol_Separator] = rgb(p.border);
  c[ImGuiCol_Tab] = rgb(p.child);
  c[ImGuiCol_TabHovered] = rgb(p.accent_hovered);
  c[ImGuiCol_TabActive] = rgb(p.accent);
  c[ImGuiCol_PlotLines] = c[ImGuiCol_PlotHistogram] = rgb(p.accent);
  c[ImGuiCol_PlotLinesHovered] = c[ImGuiCol_PlotHistogramHovered] = rgb(p.accent_hovered);
  c[ImGuiCol_TableHeaderBg] = rgb(p.child);
  c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = rgb(p.border);
  c[ImGuiCol_TableRowBgAlt] = rgb(p.text, 0.03f);
  c[ImGuiCol_TextSelectedBg] = rgb(p.accent, 0.45f);
  c[ImGuiCol_NavHighlight] = rgb(p.accent);
  c[ImGuiCol_ModalWindowDimBg] = rgb(0x000000, 0.45f);
}

}  // namespace

Gui::Gui(Window& window, const std::string& layout_file, Appearance appearance)
    : window_(window), layout_file_(layout_file), appearance_(appearance) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = layout_file_.empty() ? nullptr : layout_file_.c_str();
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
  if (!ImGui_ImplOpenGL3_Init("#version 450 core")) throw RuntimeFailure("the panels could not be set up in OpenGL");
  scale_to(window.content_scale());
}

Gui::~Gui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Gui::scale_to(float content_scale) {
  if (content_scale == scale_) return;
  scale_ = content_scale;
  ImGuiIO& io = ImGui::GetIO();
  const std::string_view font = render::find_asset("fonts/dejavu_sans.ttf");
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  static const ImWchar ranges[] = {0x20,   0xff,   0x391,  0x3c9,  0x2013, 0x2026, 0x2032, 0x2033, 0x2070,
                                   0x209f, 0x2190, 0x2193, 0x2212, 0x221e, 0x2248, 0x2265, 0};
  io.Fonts->Clear();
  io.Fonts->AddFontFromMemoryTTF(const_cast<char*>(font.data()), static_cast<int>(font.size()),
                                 std::round(kFontSize * scale_), &config, ranges);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();

  ImGuiStyle style;
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {6, 3};
  style.WindowRounding = 0;
  style.ChildRounding = style.FrameRounding = style.PopupRounding = style.GrabRounding = style.TabRounding = 4;
  style.ScrollbarSize = 12;
  style.WindowBorderSize = 1;
  style.FrameBorderSize = 0;
  style.ScaleAllSizes(scale_);
  ImGui::GetStyle() = style;
  set_appearance(appearance_);
}

void Gui::set_appearance(Appearance appearance) {
  appearance_ = appearance;
  apply(appearance == Appearance::Dark ? kDark : kLight);
}

/// Dear ImGui before 1.87 sees only the keys that are down when a frame begins. A tap between two slow frames is
/// therefore held down for one frame. The next tap of that key waits until a frame has seen it up.
void Gui::hold_tapped_keys(const std::vector<KeyPress>& pressed) {
  ImGuiIO& io = ImGui::GetIO();
  const std::vector<int> before = std::exchange(tapped_, {});
  control_ = io.KeyCtrl, shift_ = io.KeyShift;
  // Dear ImGui drops characters while Ctrl is down, also those from before it: they come first.
  const bool text_first = !io.InputQueueCharacters.empty();
  if (text_first) io.KeyCtrl = false;
  const auto waits = [&](const KeyPress& press) { return text_first && (press.mods & GLFW_MOD_CONTROL); };
  hidden_.clear();
  for (const KeyPress& press : pressed) {
    if (press.key < 0 || press.key >= IM_ARRAYSIZE(io.KeysDown)) continue;
    if (!io.KeysDown[press.key]) {
      waiting_.push_back(press);
    } else if (waits(press)) {
      io.KeysDown[press.key] = false;
      hidden_.push_back(press.key);
    }
  }
  std::erase_if(waiting_, [&](const KeyPress& press) {
    if (waits(press)) return false;
    if (io.KeysDown[press.key] || std::find(before.begin(), before.end(), press.key) != before.end()) return false;
    io.KeysDown[press.key] = true;
    io.KeyCtrl = io.KeyCtrl || press.mods & GLFW_MOD_CONTROL;
    io.KeyShift = io.KeyShift || press.mods & GLFW_MOD_SHIFT;
    tapped_.push_back(press.key);
    return true;
  });
}

/// Each press and release gets a frame of its own, with the mouse where it was at that time: between two slow frames a
/// hand may have clicked and moved on.
void Gui::replay_buttons() {
  for (const ButtonChange& change : window_.take_button_changes()) changes_.push_back(change);
  ImGuiIO& io = ImGui::GetIO();
  while (!changes_.empty()) {
    const ButtonChange change = changes_.front();
    changes_.pop_front();
    const auto button = static_cast<std::size_t>(change.button);
    if (button >= held_.size() || held_[button] == change.down) continue;
    held_[button] = change.down;
    io.MousePos = {static_cast<float>(change.x), static_cast<float>(change.y)};
    break;
  }
  std::copy(held_.begin(), held_.end(), io.MouseDown);
}

void Gui::begin_frame(const std::vector<KeyPress>& pressed) {
  scale_to(window_.content_scale());
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  // In Dear ImGui Tab always goes to the next text field. Here it does so only while text is typed, because Tab also
  // hides the panels, and a text field would take all keys after it.
  ImGuiIO& io = ImGui::GetIO();
  hold_tapped_keys(pressed);
  replay_buttons();
  if (!io.WantTextInput) io.KeysDown[io.KeyMap[ImGuiKey_Tab]] = false;
  ImGui::NewFrame();
}

void Gui::end_frame() {
  ImGui::Render();
  ImGuiIO& io = ImGui::GetIO();
  for (const int key : tapped_) io.KeysDown[key] = false;
  for (const int key : hidden_) io.KeysDown[key] = true;
  io.KeyCtrl = control_, io.KeyShift = shift_;
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool Gui::wants_keyboard() const { return ImGui::GetIO().WantTextInput; }

void Gui::release_keyboard() { ImGui::ClearActiveID(); }

}  // namespace riffle::desktop
