#include "app/desktop/panels/scene_files.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/desktop/panels/file_browser.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/scene/scene_list.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "core/text/output_files.h"
#include "scenes/catalog.h"
#include "scenes/load.h"
#include "sim/meshes/mesh_file.h"

namespace riffle::desktop {

namespace {

namespace fs = std::filesystem;

enum class Task { None, Open, Save };

struct FileQuestion {
  Task task = Task::None;
  FileBrowser browser;
  std::string mistake;
  fs::path missing;   ///< folder that a button offers to make
  fs::path replaced;  ///< file that a button offers to replace
  fs::path saved;     ///< file that was saved last: saving there again asks nothing while it is as it was left
  std::string saved_text;
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void begin(FileQuestion& question, Task task) {
  if (question.browser.folder.empty()) {
    std::error_code none;
    question.browser.folder = fs::current_path(none);
  }
  question.task = task;
  question.mistake.clear();
  question.missing.clear();
  question.replaced.clear();
  question.browser.ask_for_keyboard = true;
  question.browser.listed.clear();
}

void open_file(PanelContext& context, FileQuestion& question) {
  const fs::path file = question.browser.path();
  try {
    scenes::load_scene(file.string());  // to find its mistakes: the simulation's thread loads it again
    context.open_scene(file.string());
    question.task = Task::None;
  } catch (const std::exception& failure) {
    question.mistake = is_mesh_file(file)
                           ? file.string() + ": is a mesh, no scene; drop it on the window, and it becomes a solid"
                           : failure.what();
    question.browser.ask_for_keyboard = true;
  }
}

void save_file(PanelContext& context, FileQuestion& question) {
  if (!fs::path(question.browser.typed).has_extension()) question.browser.typed += ".yaml";
  const fs::path file = question.browser.path();
  std::error_code none;
  question.mistake.clear();
  question.missing = fs::exists(file.parent_path(), none) ? fs::path() : file.parent_path();
  // The file of the last save is replaced without a question, unless somebody else has changed it since.
  const bool own = same_file(file, question.saved) && text_of(file) == question.saved_text;
  const bool asks_to_replace = fs::is_regular_file(file, none) && !own;
  question.replaced = asks_to_replace ? file : fs::path();
  if (!question.missing.empty() || asks_to_replace) return;
  try {
    context.editor.save(file.string());
    context.scenes.note(file.string());
    context.exports.note_saved(file.string());
    question.saved = file;
    question.saved_text = text_of(file);
    question.task = Task::None;
  } catch (const std::exception& failure) {
    question.mistake = failure.what();
    question.browser.ask_for_keyboard = true;
  }
}

/// What stands in the way of saving, with a button that removes it.
void draw_obstacle(PanelContext& context, FileQuestion& question) {
  // Of another path than the one that is typed now.
  if (question.browser.path().parent_path() != question.missing) question.missing.clear();
  if (question.browser.path() != question.replaced) question.replaced.clear();
  if (!question.missing.empty()) {
    ui::refusal("The folder " + question.missing.string() + " is missing.");
    if (ui::button("save_scene.make_folder", "Make the folder and save")) {
      std::error_code failed;
      fs::create_directories(question.missing, failed);
      if (failed)
        question.mistake = question.missing.string() + ": cannot be made: " + failed.message();
      else
        save_file(context, question);
    }
  }
  if (!question.replaced.empty()) {
    ui::refusal("There is such a file already.");
    if (ui::button("save_scene.replace", "Replace it")) {
      question.saved = question.replaced;
      question.saved_text = text_of(question.replaced);
      save_file(context, question);
    }
  }
}

void draw_dialog(PanelContext& context, FileQuestion& question) {
  const bool opening = question.task == Task::Open;
  const std::string name = opening ? "open_scene" : "save_scene";
  const bool decided = draw_file_browser(question.browser, name);
  const bool pressed = ui::button((name + ".do").c_str(), opening ? "Open" : "Save", "", {6 * ui::em(), 0});
  ImGui::SameLine();
  const bool cancel = ui::button((name + ".cancel").c_str(), "Cancel", "", {6 * ui::em(), 0}) || context.escape;
  if (cancel)
    question.task = Task::None;
  else if ((decided || pressed) && !question.browser.typed.empty())
    opening ? open_file(context, question) : save_file(context, question);
  if (question.task == Task::Save) draw_obstacle(context, question);
  InterfaceTrace::instance().value(name + ".mistake", question.mistake);
  if (!question.mistake.empty()) ui::refusal(question.mistake);
}

/// A scene that came with the program is not to be changed where it is.
bool is_shipped(const fs::path& scene, const SceneList& scenes) {
  return std::ranges::any_of(
      scenes.found(), [&](const scenes::CatalogEntry& entry) { return entry.shipped && same_file(entry.path, scene); });
}

}  // namespace

void ask_which_to_open(PanelContext& context) {
  auto& question = context.memory.of<FileQuestion>();
  begin(question, Task::Open);
  question.browser.typed.clear();
}

void ask_where_to_save(PanelContext& context) {
  auto& question = context.memory.of<FileQuestion>();
  begin(question, Task::Save);
  const fs::path scene = context.status.scene->path;
  const bool own = !question.saved.empty() && same_file(scene, question.saved);
  if (own) question.browser.folder = question.saved.parent_path();
  std::error_code none;
  const bool has_file = fs::exists(scene, none);  // a new scene has not
  if (!own && has_file && !is_shipped(scene, context.scenes))
    question.browser.folder = fs::absolute(scene, none).lexically_normal().parent_path();
  question.browser.typed = own || !has_file ? scene.filename().string() : scene.stem().string() + "-edited.yaml";
}

bool draw_scene_files(PanelContext& context) {
  auto& question = context.memory.of<FileQuestion>();
  if (question.task == Task::None) return false;
  const char* const title = question.task == Task::Open ? "Open a scene###scene_file" : "Save the scene###scene_file";
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(40 * ui::em(), 0.9f * display.x);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, display.y});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove)) return true;
  draw_dialog(context, question);
  if (question.task == Task::None) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return true;
}

}  // namespace riffle::desktop
