#include "app/desktop/panels/file_browser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
// After imgui.h.
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "core/error.h"

namespace riffle::desktop {

namespace {

namespace fs = std::filesystem;

constexpr double kRead = 1;  // [s] after which a folder is read again

void read(FileBrowser& browser) {
  if (browser.listed == browser.folder && ImGui::GetTime() - browser.listed_at < kRead) return;
  browser.listed = browser.folder;
  browser.listed_at = ImGui::GetTime();
  browser.failure.clear();
  try {
    browser.entries = list_folder(browser.folder, browser.endings);
  } catch (const RuntimeFailure& failure) {
    browser.entries.clear();
    browser.failure = failure.what();
  }
}

void go_into(FileBrowser& browser, const fs::path& folder) {
  browser.folder = folder.lexically_normal();
  browser.ask_for_keyboard = true;
}

void draw_folder(FileBrowser& browser, const std::string& name) {
  if (ui::button((name + ".up").c_str(), "\u2191", "The folder above.", {1.6f * ImGui::GetFrameHeight(), 0}) &&
      browser.folder.has_relative_path())
    go_into(browser, browser.folder.parent_path());
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::PushTextWrapPos();
  ImGui::TextUnformatted(browser.folder.c_str());
  ImGui::PopTextWrapPos();
  ui::mark(name + ".folder");
  InterfaceTrace::instance().value(name + ".folder", browser.folder.string());
}

/// @return whether a file was double clicked
bool draw_entries(FileBrowser& browser, const std::string& name) {
  bool decided = false;
  const float height = std::min(12 * ui::em(), 0.4f * ImGui::GetIO().DisplaySize.y);
  ImGui::BeginChild((name + ".entries").c_str(), {0, height}, true);
  const std::vector<FolderEntry> entries = browser.entries;
  for (const FolderEntry& entry : entries) {
    const bool chosen = !entry.folder && entry.name == browser.typed;
    if (ImGui::Selectable((entry.name + (entry.folder ? "/" : "")).c_str(), chosen,
                          ImGuiSelectableFlags_AllowDoubleClick | ImGuiSelectableFlags_DontClosePopups)) {
      if (entry.folder) {
        go_into(browser, browser.folder / entry.name);
      } else {
        browser.typed = entry.name;
        browser.ask_for_keyboard = true;
        decided = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
      }
    }
    ui::mark(name + ".entry." + entry.name);
  }
  if (!browser.failure.empty()) ui::refusal(browser.failure);
  if (entries.empty() && browser.failure.empty())
    ui::dim_text(fmt::format("no folders and no {} files", fmt::join(browser.endings, ", ")));
  ImGui::EndChild();
  return decided;
}

int complete(ImGuiInputTextCallbackData* data) {
  const auto& browser = *static_cast<const FileBrowser*>(data->UserData);
  const std::string typed(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  const std::string whole = completed_path(typed, browser.folder, browser.endings);
  if (whole == typed) return 0;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, whole.c_str());
  return 0;
}

}  // namespace

bool draw_file_browser(FileBrowser& browser, const std::string& name) {
  read(browser);
  draw_folder(browser, name);
  bool decided = draw_entries(browser, name);
  if (browser.ask_for_keyboard) ImGui::SetKeyboardFocusHere();
  browser.ask_for_keyboard = false;
  ImGui::SetNextItemWidth(-1);
  decided |= ImGui::InputText(
      "##file", &browser.typed,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackCompletion,
      complete, &browser);
  ui::mark(name + ".file");
  ui::tip("A file's name, or a path. Tab completes it.");
  std::error_code none;
  if (decided && !browser.typed.empty() && fs::is_directory(browser.path(), none)) {
    go_into(browser, browser.path() / "");
    browser.folder = browser.folder.parent_path();  // without the last slash
    browser.typed.clear();
    return false;
  }
  return decided && !browser.typed.empty();
}

}  // namespace riffle::desktop
