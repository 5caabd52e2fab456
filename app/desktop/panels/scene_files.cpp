#include "app/desktop/panels/scene_files.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>

#include "app/desktop/panels/file_browser.h"
#include "app/desktop/panels/kept_view.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/scene/scene_list.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/typed_number.h"
#include "app/desktop/widgets/widgets.h"
#include "app/state/saved_scene.h"
#include "app/state/state_file.h"
#include "core/text/output_files.h"
#include "scenes/catalog.h"
#include "scenes/document/list_entries.h"
#include "scenes/load.h"
#include "scenes/scene.h"
#include "sim/meshes/mesh_file.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

namespace fs = std::filesystem;

enum class Task { None, Open, Save, OpenState, SaveState, AddMesh };

struct TaskWords {
  const char* name;   ///< for InterfaceTrace
  const char* title;  ///< of the question; its identity is the same for all
  const char* button;
};

TaskWords words_of(Task task) {
  switch (task) {
    case Task::Open: return {"open_scene", "Open a scene###scene_file", "Open"};
    case Task::Save: return {"save_scene", "Save the scene###scene_file", "Save"};
    case Task::OpenState: return {"open_state", "Go on from a state###scene_file", "Open"};
    case Task::SaveState: return {"save_state", "Save the state of the run###scene_file", "Save"};
    case Task::AddMesh: return {"add_mesh", "Add a solid from a mesh###scene_file", "Add"};
    case Task::None: break;
  }
  return {"", "###scene_file", ""};
}

/// Of the files that are listed, in small letters.
std::vector<std::string> endings_of(Task task) {
  if (task == Task::OpenState) return {".h5", ".hdf5", ".zip"};
  if (task == Task::SaveState) return {".h5", ".hdf5"};
  if (task != Task::AddMesh) return {".yaml"};
  std::vector<std::string> endings;
  for (const char* ending : kMeshEndings) endings.push_back(std::string(".") + ending);
  return endings;
}

bool saves(Task task) { return task == Task::Save || task == Task::SaveState; }

/// How large the solid of the chosen mesh file will be.
struct MeshSize {
  fs::path file;                ///< that it is of
  fs::file_time_type written;   ///< the file, when it was read
  scenes::MeshFit fit;          ///< an extent of 0: not known
  std::optional<float> chosen;  ///< the scale that the user has typed
  std::string why_refused;      ///< of the last typed text

  float scale() const { return chosen.value_or(fit.scale); }
};

struct FileQuestion {
  Task task = Task::None;
  FileBrowser browser;
  std::string mistake;
  std::string left_out;         ///< a sentence on what the saved scene will not have; "": nothing
  fs::path left_out_in;         ///< the file that it is about
  fs::path missing;             ///< folder that a button offers to make
  fs::path replaced;            ///< file that is to be saved and that a button offers to replace
  std::vector<fs::path> there;  ///< the files that would be replaced: that one, or what is written beside it
  fs::path may_replace;         ///< the user has just said so
  MeshSize mesh;
  fs::path saved;  ///< file that was saved last: saving there again asks nothing while it is as it was left
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
  question.mesh = {};
  question.missing.clear();
  question.replaced.clear();
  question.browser.ask_for_keyboard = true;
  question.browser.listed.clear();
  question.browser.endings = endings_of(task);
}

void open_file(PanelContext& context, FileQuestion& question) {
  const fs::path file = question.browser.path();
  std::error_code none;
  if (question.task == Task::OpenState && !fs::is_regular_file(file, none)) {
    question.mistake = file.string() + ": there is no such file";
    question.browser.ask_for_keyboard = true;
    return;
  }
  if (question.task == Task::AddMesh) {
    context.editor.add_mesh(file.string(), question.mesh.file == file ? question.mesh.chosen : std::nullopt);
    question.mistake = context.editor.error();
    context.editor.forget_error();  // it stands in the question, and goes with it
    question.browser.ask_for_keyboard = true;
    if (question.mistake.empty()) question.task = Task::None;
    return;
  }
  try {
    // A state is read by the simulation's thread alone, which says what is wrong with it: it may be large.
    if (question.task == Task::Open && !is_state_file(file))
      scenes::load_scene(file.string());  // to find its mistakes: the simulation's thread loads it again
    context.open_scene(file.string());
    question.task = Task::None;
  } catch (const std::exception& failure) {
    question.mistake =
        is_mesh_file(file)
            ? file.string() + ": is a mesh, no scene; \"+ solid mesh ...\" in Scene and physics makes a solid of it"
            : failure.what();
    question.browser.ask_for_keyboard = true;
  }
}

/// Files that saving would replace.
std::vector<fs::path> files_there(const fs::path& file, bool is_state) {
  std::vector<fs::path> found;
  std::error_code none;
  if (fs::is_regular_file(file, none)) found.push_back(file);
  if (is_state && fs::is_regular_file(companion_of(file), none)) found.push_back(companion_of(file));
  return found;
}

/// "tank.h5 and tank.xmf are there already."
std::string there_text(const std::vector<fs::path>& files) {
  std::string names;
  for (const fs::path& file : files) names += (names.empty() ? "" : " and ") + file.filename().string();
  return names + (files.size() == 1 ? " is there already." : " are there already.");
}

void save_file(PanelContext& context, FileQuestion& question) {
  const bool is_state = question.task == Task::SaveState;
  if (!fs::path(question.browser.typed).has_extension()) question.browser.typed += is_state ? ".h5" : ".yaml";
  const fs::path file = question.browser.path();
  std::error_code none;
  question.mistake.clear();
  question.missing = fs::exists(file.parent_path(), none) ? fs::path() : file.parent_path();
  // The file of the last save of this scene is replaced without a question, unless somebody else has changed it since.
  const scenes::Scene& scene = *context.status.scene;
  const bool own = !is_state && !scene.is_new && same_file(scene.path, file) && same_file(file, question.saved) &&
                   text_of(file) == question.saved_text;
  const bool may = own || question.may_replace == file;
  question.may_replace.clear();
  question.there = files_there(file, is_state);
  const bool asks_to_replace = !question.there.empty() && !may;
  question.replaced = asks_to_replace ? file : fs::path();
  if (!question.missing.empty() || asks_to_replace) return;
  try {
    if (is_state) {
      // A view that was moved goes with the state: it opens as it is seen here.
      const bool moved = context.view.camera.moved() && context.editor.find("picture.camera") != nullptr;
      context.exports.save_state(file, context.editor.saved_scene(moved ? view_as_key(context) : ""),
                                 context.editor.state());
      question.task = Task::None;
      return;
    }
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
/// @param entered  Enter was pressed once more
void draw_obstacle(PanelContext& context, FileQuestion& question, bool entered) {
  // Of another path than the one that is typed now.
  if (question.browser.path().parent_path() != question.missing) question.missing.clear();
  if (question.browser.path() != question.replaced) question.replaced.clear();
  const std::string name = words_of(question.task).name;
  if (!question.missing.empty()) {
    ui::refusal("The folder " + question.missing.string() + " is missing.");
    if (ui::button((name + ".make_folder").c_str(), "Make the folder and save", "Enter") || entered) {
      std::error_code failed;
      fs::create_directories(question.missing, failed);
      if (failed)
        question.mistake = question.missing.string() + ": cannot be made: " + failed.message();
      else
        save_file(context, question);
    }
  }
  if (!question.replaced.empty()) {
    const std::string text = there_text(question.there);
    InterfaceTrace::instance().value(name + ".there", text);
    ui::refusal(text);
    if (ui::button((name + ".replace").c_str(), question.there.size() == 1 ? "Replace it" : "Replace them")) {
      question.may_replace = question.replaced;
      save_file(context, question);
    }
  }
}

std::string left_out_text(std::size_t comments) {
  if (comments == 0) return "";
  return fmt::format("{} of the scene's file will not be in it, as {} gone.",
                     comments == 1 ? "A comment" : fmt::format("{} comments", comments),
                     comments == 1 ? "what it belongs to is" : "what they belong to is");
}

void draw_left_out(PanelContext& context, FileQuestion& question) {
  // Under the scene's own name its `name` stays, and so do that key's comments.
  if (const fs::path file = question.browser.path(); file != question.left_out_in) {
    question.left_out = left_out_text(context.editor.comments_left_out(file.string()));
    question.left_out_in = file;
  }
  if (!question.left_out.empty()) ui::dim_text(question.left_out);
  InterfaceTrace::instance().value("save_scene.left_out", question.left_out);
}

void say_changes_of_the_run(PanelContext& context) {
  const std::string& text = context.editor.save_text();
  InterfaceTrace::instance().value("save_scene.of_run", text);
  if (!text.empty()) ui::dim_text(text);
}

/// What a run that goes on from the state does without being told.
void say_keeping(const WorkerStatus& status) {
  const std::string text = status.keeping.empty()
                               ? ""
                               : "riffle resume keeps states " + status.keeping + " beside it, as the run did before.";
  InterfaceTrace::instance().value("save_state.keeping", text);
  if (!text.empty()) ui::dim_text(text);
  const std::string rows =
      "It has the rows of Diagnostics up to now in it, with which plots and tables go on after Open state. Where they "
      "are more than 16 MiB, it has every second one, or every fourth ...";
  InterfaceTrace::instance().value("save_state.rows", rows);
  ui::dim_text(rows);
}

/// Reads the file that is chosen now, unless it was read already. Adding says what is wrong with one that cannot be read.
void measure_mesh(const SceneEditor& editor, const fs::path& file, MeshSize& mesh) {
  std::error_code failed;
  const fs::file_time_type written = fs::last_write_time(file, failed);
  if (mesh.file == file && (failed || mesh.written == written)) return;
  mesh = {file, written, {}, std::nullopt, ""};
  if (failed || !fs::is_regular_file(file, failed) || !is_mesh_file(file) || !editor.has_scene()) return;
  try {
    mesh.fit = scenes::mesh_fit(file, *editor.scene());
  } catch (const std::exception&) {
  }
}

/// The size in the file and that of the solid, with a field for the scale between them.
void draw_mesh_size(PanelContext& context, FileQuestion& question) {
  InterfaceTrace& trace = InterfaceTrace::instance();
  MeshSize& mesh = question.mesh;
  measure_mesh(context.editor, question.browser.path(), mesh);
  const bool known = length2(mesh.fit.extent) > 0;
  trace.value("add_mesh.size", "");
  if (!known) return;
  const std::string unit = units_of(context.status).length;
  const auto size_text = [](Vec3 size) { return fmt::format("{:.3g} x {:.3g} x {:.3g}", size.x, size.y, size.z); };
  const auto typed =
      ui::text_field("##scale", fmt::format("{:.5g}", mesh.scale()), 6 * ui::em(), ui::OnClick::SelectsAll);
  ui::mark("add_mesh.scale");
  if (typed) {
    constexpr const char* allowed = "a number above 0";
    const auto number = ui::number_of(*typed, allowed, mesh.why_refused);
    if (number && *number > 0)
      mesh.chosen = static_cast<float>(*number);
    else if (number)
      mesh.why_refused = fmt::format("found '{}', allowed: {}", *typed, allowed);
  }
  ui::tip("Length of the file's unit. It becomes the solid's key mesh.scale.");
  ImGui::SameLine();
  ImGui::TextUnformatted(("scale [" + unit + "]").c_str());
  std::string text = fmt::format("In the file it is {}. The solid is {} {}.", size_text(mesh.fit.extent),
                                 size_text(mesh.scale() * mesh.fit.extent), unit);
  if (!mesh.chosen && !mesh.fit.why.empty()) text += " It is scaled, as " + mesh.fit.why + ".";
  trace.value("add_mesh.size", text);
  ui::dim_text(text);
  if (!mesh.why_refused.empty()) ui::refusal("scale: " + mesh.why_refused);
}

void draw_dialog(PanelContext& context, FileQuestion& question) {
  const TaskWords words = words_of(question.task);
  const std::string name = words.name;
  const bool decided = draw_file_browser(question.browser, name);
  const bool pressed = ui::button((name + ".do").c_str(), words.button, "", {6 * ui::em(), 0});
  ImGui::SameLine();
  const bool cancel = ui::button((name + ".cancel").c_str(), "Cancel", "", {6 * ui::em(), 0}) || context.escape;
  if (cancel) question.task = Task::None;
  // Enter makes a folder that the dialog has just asked about. It never replaces a file.
  const bool asked =
      saves(question.task) && !question.missing.empty() && question.browser.path().parent_path() == question.missing;
  const auto pressed_key = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false); };
  const bool enter =
      decided || (!ImGui::GetIO().WantTextInput && (pressed_key(ImGuiKey_Enter) || pressed_key(ImGuiKey_KeyPadEnter)));
  const bool entered = asked && enter;
  if (!cancel && !entered && (decided || pressed) && !question.browser.typed.empty())
    saves(question.task) ? save_file(context, question) : open_file(context, question);
  InterfaceTrace::instance().value(name + ".there", "");
  if (saves(question.task)) draw_obstacle(context, question, entered);
  if (question.task == Task::Save) draw_left_out(context, question);
  if (question.task == Task::Save) say_changes_of_the_run(context);
  if (question.task == Task::SaveState) say_keeping(context.status);
  if (question.task == Task::AddMesh) draw_mesh_size(context, question);
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

void ask_which_state_to_open(PanelContext& context) {
  auto& question = context.memory.of<FileQuestion>();
  begin(question, Task::OpenState);
  question.browser.typed.clear();
}

void ask_which_mesh_to_add(PanelContext& context) {
  auto& question = context.memory.of<FileQuestion>();
  begin(question, Task::AddMesh);
  question.browser.typed.clear();
}

namespace {

/// Chooses the folder in which the question begins: that of the scene's own file. @return whether the file is one that was
/// saved here
bool go_to_scene(PanelContext& context, FileQuestion& question) {
  const fs::path scene = context.status.scene->path;
  const bool is_new = context.status.scene->is_new;
  const bool own = !is_new && !question.saved.empty() && same_file(scene, question.saved);
  if (own) question.browser.folder = question.saved.parent_path();
  std::error_code none;
  const bool has_file = !is_new && fs::exists(scene, none);
  if (!own && has_file && !is_shipped(scene, context.scenes))
    question.browser.folder = fs::absolute(scene, none).lexically_normal().parent_path();
  return own || !has_file;
}

}  // namespace

void ask_where_to_save(PanelContext& context) {
  auto& question = context.memory.of<FileQuestion>();
  begin(question, Task::Save);
  question.left_out_in.clear();
  const fs::path scene = context.status.scene->path;
  question.browser.typed =
      go_to_scene(context, question) ? scene.filename().string() : scene.stem().string() + "-edited.yaml";
}

void ask_where_to_save_state(PanelContext& context) {
  if (!context.status.loaded) return;
  auto& question = context.memory.of<FileQuestion>();
  begin(question, Task::SaveState);
  go_to_scene(context, question);
  question.browser.typed = fs::path(context.status.scene->path).stem().string() + ".h5";
}

bool draw_scene_files(PanelContext& context) {
  auto& question = context.memory.of<FileQuestion>();
  if (question.task == Task::None) return false;
  const char* const title = words_of(question.task).title;
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(40 * ui::em(), 0.9f * display.x);
  // A message at its lower end makes it longer downwards only: its buttons stay under the mouse.
  const float top = 0.1f * display.y;
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, display.y - top});
  ImGui::SetNextWindowPos({0.5f * display.x, top}, ImGuiCond_Always, {0.5f, 0});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove)) return true;
  draw_dialog(context, question);
  if (question.task == Task::None) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return true;
}

}  // namespace riffle::desktop
