#include "app/desktop/shell/desktop.h"

#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <filesystem>

#include "app/desktop/panels/panels.h"
#include "app/desktop/panels/questions.h"
#include "app/desktop/panels/transport.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/platform/user_settings.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/scene/new_scenes.h"
#include "app/desktop/scene/scene_list.h"
#include "app/desktop/shell/shortcuts.h"
#include "app/desktop/shell/typing_guard.h"
#include "app/desktop/shell/viewport.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/thumbnails.h"
#include "app/desktop/widgets/widget_state.h"
#include "app/desktop/widgets/widgets.h"
#include "app/state/state_file.h"
#include "app/terminal/signals.h"
#include "core/text/log.h"
#include "render/gl/gl_objects.h"
#include "scenes/scene.h"
#include "sim/meshes/mesh_file.h"

namespace riffle::desktop {

namespace {

constexpr double kIdle = 0.1;  // [s] between pictures while nothing happens: the oldest that numbers in the panels get

/// For tests: memory for runs that undo brings back, in place of a share of what is free.
std::optional<std::size_t> kept_bytes() {
  const char* text = std::getenv("RIFFLE_KEPT_BYTES");
  return text ? std::optional<std::size_t>(std::strtoull(text, nullptr, 10)) : std::nullopt;
}

/// For tests: [s] in place of RunLimit's.
RunLimit run_limit() {
  const char* text = std::getenv("RIFFLE_UNSAVED_SECONDS");
  return text ? RunLimit{std::strtod(text, nullptr)} : RunLimit{};
}

class Desktop {
 public:
  explicit Desktop(const SceneOptions& options)
      : options_(options),
        settings_(UserSettings::load()),
        window_("Riffle", settings_.window),
        gui_(window_, UserSettings::layout_file(), settings_.appearance),
        scenes_(settings_.scenes) {
    view_.appearance = settings_.appearance;
    view_.vsync = settings_.vsync;
    widgets_.open_sections = settings_.sections;
    widgets_.choices = settings_.choices;
    view_.gl_renderer = window_.gl().renderer;
    view_.software_gl = window_.gl().software;
    if (view_.software_gl) view_.frames_per_second = 30;  // the processor has a simulation to run as well
    memory_.of<RunLimit>() = run_limit();
    const std::string folder = exports_.settings.folder;
    exports_.settings = settings_.exports;
    exports_.settings.folder = folder;
    worker_.on_change([] { Window::wake(); });
    worker_.load(options, true);
  }

  ~Desktop() {
    settings_.appearance = view_.appearance;
    settings_.vsync = view_.vsync;
    settings_.sections = widgets_.open_sections;
    settings_.choices = widgets_.choices;
    settings_.exports = exports_.settings;
    settings_.window = window_.place();
    settings_.scenes = scenes_.recent_paths();
    settings_.save();
  }

  int run() {
    Interruption interruption;
    bool vsync = !view_.vsync;
    while (!may_end(interruption.take())) {
      wait_for_something();
      open_dropped_files();
      if (vsync != view_.vsync) window_.set_vsync(vsync = view_.vsync);
      if (window_.minimized()) continue;
      draw();
    }
    if (interrupted()) warn_of_losses(*worker_.status());
    return exit_code_or_interrupted(0);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Whether the window is closed, or a signal arrived, and all files are complete. A second wish to end gives up what
  /// is not written yet.
  bool may_end(bool signalled) {
    Leaving& leaving = memory_.of<Leaving>();
    const bool again = leaves_ && (signalled || window_.should_close() || leaving.asks_early);
    if (leaves_ && leaving.stays) stay();
    const std::shared_ptr<const WorkerStatus> status = worker_.status();
    if (!leaves_) {
      leaving = {};
      if (!signalled && !(window_.should_close() && may_close())) return false;
      leaves_ = true;
      known_notices_ = notices_.size();
      exports_.finish(*status);
    }
    window_.set_should_close(false);
    if (again) exports_.end_early();
    // First of all: what is done by now has also been told, and the notices are complete below.
    leaving = {exports_.unfinished(), exports_.ends_early()};
    exports_.advance(*status, view_);
    known_notices_ = std::min(known_notices_, notices_.size());
    take_notices();
    if (!leaving.doing.empty()) {
      if (window_.minimized()) window_.restore();
      return false;
    }
    const ClosingQuestion question = memory_.of<ClosingQuestion>();  // stay() forgets it
    if (question.state && !interrupted()) {
      const bool written = question.state->written();  // otherwise a notice says why not
      const bool loses_more = written && !question.leave_run && loses_run(*worker_.status());
      if (!written || loses_more) {
        stay();
        memory_.of<ClosingQuestion>().close = loses_more && question.close;
        memory_.of<ClosingQuestion>().asked_run = loses_more;
        return false;
      }
    }
    const bool failed = notices_.size() > known_notices_;
    if (failed && !again && !interrupted()) return false;  // until the user has read it
    return true;
  }

  /// The window stays open after all.
  void stay() {
    leaves_ = false;
    exports_.go_on();
    memory_.of<ClosingQuestion>() = {};
  }

  bool loses_run(const WorkerStatus& status) { return memory_.of<RunLimit>().exceeded_by(status); }

  /// After a signal nobody is asked.
  void warn_of_losses(const WorkerStatus& status) {
    for (const std::string& scene : editor_.unsaved())
      log::warn("the changes of {} are lost: they are in no file", scene);
    if (loses_run(status))
      log::warn("the run is lost: it was computed for {:.0f} s since it began or since its last saved state",
                status.work.unsaved());
    for (const KeptStatus& kept : memory_.of<RunLimit>().kept_beyond(status))
      log::warn("an earlier run is lost: {}, computed for {:.0f} s since it began or since its last saved state",
                kept.name, kept.work.unsaved());
  }

  /// Otherwise asks about changes and a run that are not saved. A text that is being typed is finished first.
  bool may_close() {
    ClosingQuestion& question = memory_.of<ClosingQuestion>();
    const Typing typing = finish_typing();
    if (typing == Typing::Refused) {
      window_.set_should_close(false);
      question = {};
    }
    if (typing != Typing::Over) {
      if (window_.minimized()) window_.restore();
      return false;
    }
    question.asked = !question.close && !editor_.unsaved().empty();
    if (!question.state && exports_.last_state().pending()) question.state = exports_.last_state();
    const std::shared_ptr<const WorkerStatus> status = worker_.status();
    const bool about_present = !question.leave_run && !question.state && loses_run(*status);
    const bool about_kept = !question.leave_kept && !memory_.of<RunLimit>().kept_beyond(*status).empty();
    question.asked_run = !question.asked && (about_present || about_kept);
    if (!question.asked && !question.asked_run) return true;
    window_.set_should_close(false);
    if (window_.minimized()) window_.restore();
    return false;
  }

  enum class Typing {
    Over,     ///< nothing is being typed
    Goes,     ///< ask again after the next picture
    Refused,  ///< the scene refused the text, which the user has to see first
  };

  /// Lets a text field finish what is being typed, as Enter would. A request that the text could change calls this until
  /// it is over.
  Typing finish_typing() {
    if (gui_.wants_keyboard()) {
      if (!refusals_before_) refusals_before_ = editor_.refusals();
      // The field first gets the keys that were pressed before the request.
      if (release_in_ == 0) release_in_ = 2;
      pending_pictures_ = std::max(pending_pictures_, 1);
      return Typing::Goes;
    }
    const std::uint64_t before = std::exchange(refusals_before_, {}).value_or(editor_.refusals());
    return editor_.refusals() == before ? Typing::Over : Typing::Refused;
  }

  /// Takes the keyboard from the field when finish_typing() wants it.
  void release_keyboard() {
    if (!gui_.wants_keyboard()) release_in_ = 0;
    if (release_in_ > 0 && !gui_.has_keys_waiting() && --release_in_ == 0) gui_.release_keyboard();
  }

  /// The presses that are shortcuts now. Those that a text field leaves to the window wait until its text is finished.
  std::vector<KeyPress> take_shortcuts(const std::vector<KeyPress>& keys) {
    std::vector<KeyPress> now;
    const bool typing = gui_.wants_keyboard() && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
    for (const KeyPress& press : keys) (typing && is_for_window(press) ? held_shortcuts_ : now).push_back(press);
    if (held_shortcuts_.empty()) return now;
    const Typing state = finish_typing();
    if (state == Typing::Over) now.insert(now.begin(), held_shortcuts_.begin(), held_shortcuts_.end());
    if (state != Typing::Goes) held_shortcuts_.clear();
    return now;
  }

  /// Waits for an event, a new frame of particles or the end of a moment, and until the next picture is due.
  void wait_for_something() {
    if (pending_pictures_ > 0 || gui_.has_clicks_waiting() || gui_.has_keys_waiting()) {
      window_.poll();
      pending_pictures_ = std::max(0, pending_pictures_ - 1);
    } else {
      const auto before = Clock::now();
      window_.wait(kIdle);
      // Tips of hovered widgets and entries of opened lists appear only in the pictures after an event.
      if (Clock::now() - before < std::chrono::duration<double>(0.9 * kIdle)) pending_pictures_ = 2;
    }
    const auto due = last_picture_ + std::chrono::duration<double>(1.0 / static_cast<double>(view_.frames_per_second));
    for (;;) {
      // Frames of a recording do not depend on the window's picture rate, nor on whether it is visible.
      const bool drew = exports_.recording.advance(exports_.recorded_look(*worker_.status(), view_));
      const double left = std::chrono::duration<double>(due - Clock::now()).count();
      if (left <= 0 || window_.should_close()) break;
      if (drew)
        window_.poll();  // the next frame may be there already
      else
        window_.wait(left);
    }
    last_picture_ = Clock::now();
  }

  void open(const std::string& scene) {
    SceneOptions next = options_;
    next.scene = scene;
    next.overrides.clear();                       // they were for the scene of the command line
    if (is_state_file(scene)) next.seed.reset();  // likewise, and a run that goes on has its own
    editor_.open(next);
  }

  void open_new(const NewScene& scene) {
    SceneOptions next = options_;
    next.scene = std::string(scene.name) + ".yaml";
    next.text = scene.yaml;
    next.is_new = true;
    next.overrides.clear();
    editor_.open(next, false);  // it is changed first
  }

  void open_dropped_files() {
    if (!window_.has_dropped_files() || finish_typing() == Typing::Goes) return;
    for (const std::string& file : window_.take_dropped_files())
      if (is_mesh_file(file) && editor_.has_scene()) {
        editor_.add_mesh(file);
        if (!editor_.error().empty()) notices_.push_back({"The mesh did not become a solid", editor_.error()});
      } else {
        open(file);
      }
  }

  void draw() {
    const std::shared_ptr<const WorkerStatus> held = worker_.status();
    const WorkerStatus& status = *held;
    exports_.advance(status, view_);
    take_notices();
    note_frame_rate(status.playing);
    const std::vector<KeyPress> keys = gui_.take_keys();
    gui_.begin_frame(keys);
    release_keyboard();
    InterfaceTrace::instance().value("tip", "");
    InterfaceTrace::instance().value("list_box", nullptr);
    if (gui_.appearance() != view_.appearance) {
      gui_.set_appearance(view_.appearance);
      view_.picture_changed = true;
    }
    editor_.follow(status);
    if (status.loaded && status.scene_version != noted_version_) {
      noted_version_ = status.scene_version;
      // That of a state has no file here, and a new one has none.
      if (status.state_file.empty() && !status.scene->is_new) scenes_.note(status.scene->path);
    }
    PanelContext context{worker_,
                         status,
                         editor_,
                         view_,
                         exports_,
                         scenes_,
                         thumbnails_,
                         memory_,
                         [this](const std::string& scene) { open(scene); },
                         [this](const NewScene& scene) { open_new(scene); },
                         pressed_escape(keys),
                         {}};
    if (pressed_quit(keys)) window_.set_should_close(true);
    context.notice = !notices_.empty();
    handle_shortcuts(context, typing_guard_, take_shortcuts(keys));
    if (context.escape && close_top_popup()) context.escape = false;
    draw_frame_panels(context);
    viewport_.draw(context, exports_.recording.frame_for_window());
    draw_panels(Panel::Place::Picture, context);
    draw_shortcuts(&view_.show_shortcuts);
    draw_notice(context.escape);
    if (!leaves_ && std::exchange(memory_.of<ClosingQuestion>().answered, false)) window_.set_should_close(true);

    int width = 0, height = 0;
    window_.framebuffer_size(&width, &height);
    view_.window_width = width;
    view_.window_height = height;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glClearColor(0.1f, 0.11f, 0.13f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    gui_.end_frame();
    exports_.recording.window_drawn(width, height);
    window_.swap();
    follow_title(status);
    trace(status, context.picture, width, height);
  }

  void take_notices() {
    for (Notice& notice : worker_.take_notices()) notices_.push_back(std::move(notice));
    for (Notice& notice : exports_.take_notices()) {
      log::error("{}: {}", notice.title, notice.text);  // the worker has logged its own
      notices_.push_back(std::move(notice));
    }
  }

  /// The panels at the left and below. Leaves the rest of the window to the picture.
  void draw_frame_panels(PanelContext& context) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    context.picture = {0, 0, size.x, size.y};
    if (!view_.show_panels) return;
    constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                       ImGuiWindowFlags_NoSavedSettings;
    const float side = std::min(24 * ui::em(), 0.45f * size.x);
    const float bar = transport_height(size.x - side);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({side, size.y});
    ImGui::Begin("##panels", nullptr, fixed | ImGuiWindowFlags_AlwaysVerticalScrollbar);
    draw_panels(Panel::Place::Side, context);
    ImGui::End();
    ImGui::SetNextWindowPos({side, size.y - bar});
    ImGui::SetNextWindowSize({size.x - side, bar});
    ImGui::Begin("##transport", nullptr, fixed | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_panels(Panel::Place::LowerEdge, context);
    ImGui::End();
    context.picture = {side, 0, size.x - side, size.y - bar};
  }

  void draw_notice(bool escape) {
    if (notices_.empty()) return;
    const Notice& notice = notices_.front();
    const std::string title = notice.title + "###notice";
    if (!ImGui::IsPopupOpen("###notice")) ImGui::OpenPopup("###notice");
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({20 * ui::em(), 0},
                                        {0.8f * ImGui::GetIO().DisplaySize.x, 0.8f * ImGui::GetIO().DisplaySize.y});
    if (!ImGui::BeginPopupModal(title.c_str(), nullptr, ImGuiWindowFlags_AlwaysAutoResize)) return;
    ImGui::PushTextWrapPos(40 * ui::em());
    ui::text(notice.text);
    ImGui::PopTextWrapPos();
    InterfaceTrace::instance().value("notice", notice.title + ": " + notice.text);
    bool close = ui::button("notice.close", "Close") || escape;
    if (notice.leads_back) {
      ImGui::SameLine();
      if (ui::button("notice.back", "Back to the last good moment")) {
        worker_.back_to_good();
        close = true;
      }
    }
    ImGui::SameLine();
    if (ui::button("notice.copy", "Copy the text")) ImGui::SetClipboardText(notice.text.c_str());
    if (close) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (!close) return;
    notices_.pop_front();
    InterfaceTrace::instance().value("notice", "");
  }

  void note_frame_rate(bool playing) {
    const auto now = Clock::now();
    if (playing && !pictures_.empty())
      view_.picture_times.add(std::chrono::duration<double, std::milli>(now - pictures_.back()).count());
    pictures_.push_back(now);
    while (pictures_.size() > 2 && now - pictures_.front() > std::chrono::seconds(1)) pictures_.pop_front();
    const double span = std::chrono::duration<double>(now - pictures_.front()).count();
    view_.frame_rate = span > 0 ? static_cast<double>(pictures_.size() - 1) / span : 0;
  }

  void follow_title(const WorkerStatus& status) {
    const std::string title = (status.loaded ? status.scene->name + " - " : "") + "Riffle";
    if (title != title_) window_.set_title(title_ = title);
  }

  void trace(const WorkerStatus& status, const ScreenArea& area, int width, int height) {
    InterfaceTrace& trace = InterfaceTrace::instance();
    if (!trace.on()) return;
    trace.value("loaded", status.loaded);
    trace.value("busy", status.busy);
    trace.value("start_done", status.start ? status.start->done : 0);
    trace.value("can_cancel", status.can_cancel);
    trace.value("scene", status.loaded ? status.scene->name : "");
    trace.value("playing", status.playing);
    trace.value("ended", status.ended);
    trace.value("at_end", status.at_end);
    trace.value("step", status.clock.step);
    trace.value("time", status.clock.time);
    trace.value("speed", status.achieved_speed);
    trace.value("particles", status.particles);
    trace.value("method", std::string(status.neighbors.automatic ? "auto" : to_string(status.neighbors.method)));
    trace.value("frame_rate", view_.frame_rate);
    trace.value("gl_errors", render::gl_error_count());
    trace.value("gl_objects", render::gl_object_count());
    trace.value("viewport", {area.x, area.y, area.width, area.height});
    trace.value("framebuffer", {width, height});
    trace.value("settled_size", {window_.settled_place().width, window_.settled_place().height});
    trace.value("settled_at", {window_.settled_place().x, window_.settled_place().y});
    trace.value("asked_speed", std::isinf(status.speed) ? nlohmann::json("fastest") : nlohmann::json(status.speed));
    trace.value("scene_version", status.scene_version);
    trace.value("edits", status.edits);
    trace.value("moments", status.moments);
    trace.value("moments_bytes", status.moments_bytes);
    trace.value("last_moment", status.last_moment);
    trace.value("kept_runs", status.kept_runs);
    trace.value("kept_bytes", status.kept_bytes);
    trace.value("can_undo", editor_.can_undo());
    trace.value("can_redo", editor_.can_redo());
    trace.value("edit_error", editor_.error());
    if (status.loaded) trace.value("solver", std::string(to_string(status.scene->simulation.solver)));
    trace.value("picked", view_.picked ? nlohmann::json(view_.picked->id) : nlohmann::json());
    const Vec3 at = view_.picked ? view_.picked->position : Vec3{};
    trace.value("picked_at", {at.x, at.y, at.z});
    trace.value("appearance", view_.appearance == Appearance::Light ? "light" : "dark");
    trace.value("panels", view_.show_panels);
    trace.value("shortcuts", view_.show_shortcuts);
    trace.value("legend", view_.render.legend);
    const Camera& camera = view_.camera.camera();
    trace.value("camera", {camera.position.x, camera.position.y, camera.position.z, camera.target.x, camera.target.y,
                           camera.target.z, camera.ortho_height, camera.fov_degrees});
    trace.value("notices", notices_.size());
    trace.value("typing", gui_.wants_keyboard());
    trace.value("vertex_path", view_.vertex_path);
    trace.end_frame();
  }

  SceneOptions options_;
  UserSettings settings_;
  Window window_;  // outlives everything that holds OpenGL objects
  Gui gui_;
  ui::WidgetState widgets_;
  SceneList scenes_;
  std::uint64_t noted_version_ = 0;  ///< of the scene that was last noted in the list
  Thumbnails thumbnails_;
  ViewState view_;
  Worker worker_{window_.gl().software, kept_bytes()};
  Exports exports_{worker_};
  SceneEditor editor_{worker_, kept_bytes() ? 0.0 : 60.0, run_limit().seconds};
  PanelMemory memory_;
  TypingGuard typing_guard_;
  Viewport viewport_;  // destroyed before the worker, whose frames it reads
  std::deque<Notice> notices_;
  std::deque<Clock::time_point> pictures_;
  Clock::time_point last_picture_{};
  int pending_pictures_ = 0;
  int release_in_ = 0;                            ///< [picture] until the keyboard is taken from a text field; 0: never
  std::optional<std::uint64_t> refusals_before_;  ///< the editor's, when finish_typing() was first asked
  std::vector<KeyPress> held_shortcuts_;          ///< until the text is finished
  bool leaves_ = false;                           ///< the window is closed; files are being completed
  std::size_t known_notices_ = 0;                 ///< of notices_, those that were there before
  std::string title_;
};

}  // namespace

std::string why_no_window() {
  try {
    const Window window("Riffle", {}, Visibility::Hidden);
    return "";
  } catch (const NoWindow& reason) {
    return reason.what();
  }
}

int run_desktop(const SceneOptions& options) {
  Desktop desktop(options);
  return desktop.run();
}

}  // namespace riffle::desktop
