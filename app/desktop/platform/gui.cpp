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
#include <limits>
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

/// Whether the press does something to a text besides writing its character.
bool edits_text(const KeyPress& press) {
  if (press.key >= GLFW_KEY_LEFT_SHIFT && press.key <= GLFW_KEY_RIGHT_SUPER) return false;
  if (press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) return true;
  const bool on_keypad = press.key >= GLFW_KEY_KP_0 && press.key <= GLFW_KEY_KP_EQUAL && press.key != GLFW_KEY_KP_ENTER;
  return !on_keypad && (press.key < GLFW_KEY_SPACE || press.key > GLFW_KEY_WORLD_2);
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
  tapped_.clear();
  const auto was_down = [&](int key) { return io.KeysDownDuration[key] >= 0; };  // in the last frame
  control_ = io.KeyCtrl, shift_ = io.KeyShift;
  // Dear ImGui drops characters while Ctrl is down, also those from before it: they come first.
  const bool text_first = !io.InputQueueCharacters.empty();
  if (text_first) io.KeyCtrl = false;
  const auto waits = [&](const KeyPress& press) { return text_first && (press.mods & GLFW_MOD_CONTROL); };
  hidden_.clear();
  for (const KeyPress& press : late_keys_) {
    if (press.key < 0 || press.key >= IM_ARRAYSIZE(io.KeysDown) || !io.KeysDown[press.key]) continue;
    io.KeysDown[press.key] = false;
    hidden_.push_back(press.key);
  }
  for (const KeyPress& press : pressed) {
    if (press.key < 0 || press.key >= IM_ARRAYSIZE(io.KeysDown)) continue;
    const bool down = io.KeysDown[press.key];
    if (down && !waits(press) && !was_down(press.key)) continue;
    waiting_.push_back(press);
    if (!down) continue;
    io.KeysDown[press.key] = false;  // was_down(): it came up in between
    hidden_.push_back(press.key);
  }
  std::vector<int> seen;  // keys whose press the frame sees because they are still down
  std::erase_if(waiting_, [&](const KeyPress& press) {
    if (waits(press) || was_down(press.key)) return false;
    if (std::ranges::find(seen, press.key) != seen.end() || std::ranges::find(tapped_, press.key) != tapped_.end())
      return false;
    if (io.KeysDown[press.key]) {
      seen.push_back(press.key);
      return true;
    }
    io.KeysDown[press.key] = true;
    io.KeyCtrl = io.KeyCtrl || press.mods & GLFW_MOD_CONTROL;
    io.KeyShift = io.KeyShift || press.mods & GLFW_MOD_SHIFT;
    tapped_.push_back(press.key);
    return true;
  });
}

std::vector<KeyPress> Gui::take_keys() {
  for (const ButtonChange& change : window_.take_button_changes()) changes_.push_back(change);
  for (const KeyPress& press : window_.take_key_presses()) late_keys_.push_back(press);
  for (const TypedCharacter& character : window_.take_characters()) late_characters_.push_back(character);
  const bool typing = wants_keyboard();
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  if (!changes_.empty()) end = changes_.front().order;
  if (opening_ > 0 && !typing) end = 0;
  if (opening_ > 0) --opening_;
  if (typing && !waiting_.empty()) end = 0;
  // In a frame of its own, because Dear ImGui writes all of a frame's characters before it looks at its other keys.
  const auto edit = std::ranges::find_if(late_keys_, edits_text);
  if (typing && edit != late_keys_.end()) end = std::min(end, edit->order);
  std::vector<KeyPress> now;
  std::erase_if(late_keys_, [&](const KeyPress& press) {
    if (press.order > end) return false;
    now.push_back(press);
    return true;
  });
  characters_.clear();
  std::erase_if(late_characters_, [&](const TypedCharacter& character) {
    if (character.order > end) return false;
    characters_.push_back(character.code);
    return true;
  });
  text_first_ = typing && (!now.empty() || !characters_.empty() || !waiting_.empty());
  return now;
}

/// Each press and release gets a frame of its own, with the mouse where it was at that time: between two slow frames a
/// hand may have clicked and moved on.
/// @return whether the frame has one
bool Gui::replay_buttons() {
  ImGuiIO& io = ImGui::GetIO();
  bool any = false;
  while (!changes_.empty() && !text_first_) {
    const ButtonChange change = changes_.front();
    changes_.pop_front();
    const auto button = static_cast<std::size_t>(change.button);
    if (button >= held_.size() || held_[button] == change.down) continue;
    held_[button] = change.down;
    io.MousePos = {static_cast<float>(change.x), static_cast<float>(change.y)};
    any = true;
    break;
  }
  std::copy(held_.begin(), held_.end(), io.MouseDown);
  return any;
}

void Gui::begin_frame(const std::vector<KeyPress>& pressed) {
  scale_to(window_.content_scale());
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  // In Dear ImGui Tab always goes to the next text field. Here it does so only while text is typed, because Tab also
  // hides the panels, and a text field would take all keys after it.
  ImGuiIO& io = ImGui::GetIO();
  io.ClearInputCharacters();
  for (const unsigned code : characters_) io.AddInputCharacter(code);
  characters_.clear();
  hold_tapped_keys(pressed);
  const bool changed = replay_buttons();
  if (!io.WantTextInput) io.KeysDown[io.KeyMap[ImGuiKey_Tab]] = false;
  ImGui::NewFrame();
  // A click on a number opens its field in the second frame after it; Dear ImGui takes keys from the third on.
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) over_panel_ = io.WantCaptureMouse;
  if (changed) opening_ = over_panel_ ? 3 : 0;
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
