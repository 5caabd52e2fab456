#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/desktop/panels/export.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/scene_files.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/recording/file_names.h"
#include "app/desktop/recording/recording_text.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/list_room.h"
#include "app/desktop/widgets/side_message.h"
#include "app/desktop/widgets/typed_number.h"
#include "app/desktop/widgets/widgets.h"
#include "app/run/surface_export.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

bool radio(const char* name, const char* label, bool chosen, const char* tip = "") {
  const bool pressed = ImGui::RadioButton(label, chosen);
  ui::mark(name);
  ui::tip(tip);
  return pressed;
}

float radio_width(const char* label) {
  return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize(label).x;
}

/// What does not fit is shortened, or scrolls as it is typed; the tip then has all of it.
bool text_field(const char* name, const char* label, std::string& text, const std::string& hint = "",
                const std::string& tip = "") {
  char buffer[1024];
  const std::size_t length = std::min(text.size(), sizeof buffer - 1);
  std::memcpy(buffer, text.data(), length);
  buffer[length] = 0;
  ImGui::SetNextItemWidth(-6 * ui::em());
  const float room = ImGui::CalcItemWidth() - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string shown_hint = ui::shortened(hint, room);
  const bool changed = ImGui::InputTextWithHint(label, shown_hint.c_str(), buffer, sizeof buffer);
  ui::mark(name);
  const std::string& whole = text.empty() ? hint : text;
  const bool fits = ui::shortened(whole, room) == whole;
  if (text.empty()) ui::mark_text(name, shown_hint, room);
  ui::tip((fits ? tip : whole + (tip.empty() ? "" : "\n\n") + tip).c_str());
  if (changed) text = buffer;
  return changed;
}

/// The lines of some texts change while they are looked at. Their room is kept, so that no button moves and the section ends
/// where it ended before.
struct TallestTexts {
  float recording = 3.4f, state = 5.4f;  ///< [em] so far; from the beginning room for three lines, and for five
};

/// Takes as much room as the tallest one so far.
void steady_dim_text(const char* name, float& tallest, const std::string& text) {
  const float top = ImGui::GetCursorPosY();
  if (!text.empty()) {
    ui::dim_text(text);
    ui::mark(name);
  }
  tallest = std::max(tallest, (ImGui::GetCursorPosY() - top) / ui::em());
  const float rest = top + tallest * ui::em() - ImGui::GetCursorPosY();
  if (rest > ImGui::GetStyle().ItemSpacing.y) ImGui::Dummy({0, rest - ImGui::GetStyle().ItemSpacing.y});
}

/// Why the last text of a field was no interval, by the field's name.
struct RefusedIntervals {
  std::map<std::string, std::string> why;
};

/// @return a new interval; 0 or less: the usual one
std::optional<float> type_interval(PanelContext& context, const char* name, const char* label, float now,
                                   const char* tip) {
  const auto typed =
      ui::typed_number(name, fmt::format("{:.5g}", now), ImGui::GetContentRegionAvail().x - 6 * ui::em(),
                       "a time; 0: as the scene has it", context.memory.of<RefusedIntervals>().why[name]);
  ui::tip(tip);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::Text("%s [%s]", label, units_of(context.status).time);
  return typed ? std::optional(static_cast<float>(*typed)) : std::nullopt;
}

void choose_times(PanelContext& context) {
  ExportSettings& settings = context.exports.settings;
  const auto choice = [&](const char* name, const char* label, MovieTime time, const char* tip) {
    if (radio(name, label, settings.time == time, tip)) settings.time = time;
  };
  choice("export.automatic", "automatic", MovieTime::Automatic,
         "As seen if the simulation is slower than the movie would be, otherwise every moment.");
  ui::same_line_if_fits(radio_width("every moment"));
  choice(
      "export.simulated", "every moment", MovieTime::EveryMoment,
      "A picture for each interval of simulated time, however long the machine takes for it. No interval is left out.");
  ui::same_line_if_fits(radio_width("as seen"));
  choice("export.as_seen", "as seen", MovieTime::AsSeen, "As fast as on this screen, with the pauses.");
  if (settings.time == MovieTime::AsSeen) return;
  const double usual = usual_interval(settings, context.status);
  const float interval = settings.interval > 0 ? settings.interval : static_cast<float>(usual);
  if (const auto typed =
          type_interval(context, "export.interval", "interval", interval,
                        "Simulated time between two pictures. 0: as movie.time_scale of the scene says."))
    settings.interval = *typed > 0 && *typed != static_cast<float>(usual) ? *typed : 0;
}

void choose_movie(PanelContext& context) {
  ExportSettings& settings = context.exports.settings;
  const bool movies = context.exports.why_no_movies().empty();
  const bool pictures = settings.pictures || !movies;  // the choice is kept for when there are movies again
  ImGui::BeginDisabled(!movies);
  if (radio("export.mp4", "MP4", !pictures)) settings.pictures = false;
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (radio("export.png", "PNG files", pictures, "Numbered pictures in a folder.")) settings.pictures = true;
  if (!movies) {
    ui::dim_text("no movies: " + context.exports.why_no_movies());
  }
  ImGui::SetNextItemWidth(-6 * ui::em());
  auto rate = static_cast<float>(frames_per_second(settings, context.status));
  if (ImGui::SliderFloat("pictures/s", &rate, 5, 60, "%.0f", ImGuiSliderFlags_AlwaysClamp))
    settings.frames_per_second = rate;
  ui::mark("export.rate");
  ui::tip("Pictures per second of the movie. The scene's movie.frames_per_second until it is changed here.");
  choose_times(context);
  ui::checkbox("export.panels", "With panels", &settings.panels,
               "Records the whole window, in its own size. While it is minimised the recording waits.");
}

struct SizeChoice {
  ExportSize size;
  std::string mark, name;
};

/// A usual size that is the scene's stands in the list once, as the scene's.
std::vector<SizeChoice> choices_of_size(const WorkerStatus& status) {
  std::vector<SizeChoice> choices{{ExportSize::Window, "as the window", "as the window"},
                                  {ExportSize::Scene, "as the scene", "as the scene"}};
  const auto is_of_scene = [&](const FixedSize& fixed) {
    return status.loaded && status.scene->picture.width == fixed.width && status.scene->picture.height == fixed.height;
  };
  if (status.loaded)
    choices[1].name = fmt::format("{} x {}, as the scene", status.scene->picture.width, status.scene->picture.height);
  for (const FixedSize& fixed : kFixedSizes)
    if (!is_of_scene(fixed)) choices.push_back({fixed.size, fixed.word, fixed.word});
  return choices;
}

void choose_size(PanelContext& context) {
  ExportSettings& settings = context.exports.settings;
  const std::vector<SizeChoice> sizes = choices_of_size(context.status);
  const auto found = std::ranges::find(sizes, settings.size, &SizeChoice::size);
  const SizeChoice& in_use = found == sizes.end() ? sizes[1] : *found;  // a usual size that is the scene's
  InterfaceTrace::instance().value("export_size", in_use.name);
  if (const ui::Combo combo("export.size", "size", in_use.name,
                            {.width = -6 * ui::em(), .tip = "The scene's own size is its picture.size."});
      combo.open())
    for (const SizeChoice& choice : sizes)
      if (combo.entry(choice.mark, choice.name, choice.size == in_use.size)) settings.size = choice.size;
  bool caption = context.view.caption;
  if (ui::checkbox("export.caption", "Time and particles in the picture", &caption, "The scene's picture.caption."))
    context.editor.set("picture.caption", caption ? "true" : "false");
}

/// [s] simulated between two files of a series; 0: the scene's interval of movies
void choose_interval(PanelContext& context, const char* name, float& interval) {
  const float usual = context.status.loaded ? static_cast<float>(context.status.scene->run.frame_interval()) : 0;
  const float every = interval > 0 ? interval : usual;
  if (const auto typed = type_interval(context, name, "every", every,
                                       "Simulated time between two files; 0 is the scene's interval of movies. A file "
                                       "is of the first step at or after its time."))
    interval = *typed > 0 && *typed != usual ? *typed : 0;
}

void choose_particles(PanelContext& context) {
  ExportSettings& settings = context.exports.settings;
  const bool running = context.status.particle_series.has_value();
  ImGui::BeginDisabled(running);
  if (const ui::Combo combo("export.particles.format", "particles as", settings.particle_ending,
                            {.width = -6 * ui::em()});
      combo.open())
    for (const ParticleFormatRow& row : particle_formats())
      if (row.usual && combo.entry(row.ending + 1, row.ending, settings.particle_ending == row.ending))
        settings.particle_ending = row.ending;
  choose_interval(context, "export.particles.every", settings.particle_interval);
  ImGui::EndDisabled();
  if (ui::button("export.particles", running ? "Stop saving particles" : "Save particles over time",
                 "Numbered files in a folder, .vtp with a .pvd for ParaView that has their times. As .h5, .lammpstrj "
                 "or .gsd one "
                 "file for all moments, .h5 with an .xmf for ParaView. It ends when the run goes back or another "
                 "begins. In periodic boxes unwrapped positions count the ways round the box since the run's time "
                 "0.",
                 {-1, 0}))
    context.exports.toggle_particles(context.status);
}

/// Why the scene has no surface of triangles, and what to use instead; "" if it has one.
std::string why_no_surface(const WorkerStatus& status) {
  if (!status.loaded || status.scene->simulation.domain.dimension == 3) return "";
  return "Not here: a scene of 2 dimensions has no surface of triangles. Its particles are saved as VTP or PLY, and a "
         "probe that is a level measures where the fluid's surface is. With the dimension 3 the scene has one.";
}

/// The tip of a button for the surface, which is grey where there is none.
std::string surface_tip(const char* tip, const std::string& why_none) {
  return why_none.empty() ? tip : fmt::format("{}\n\n{}", tip, why_none);
}

bool is_for_surface(std::string_view name) { return name.starts_with("export.surface"); }

void choose_surface(PanelContext& context) {
  ExportSettings& settings = context.exports.settings;
  const bool running = context.status.surface_series.has_value();
  const std::string why_none = why_no_surface(context.status);
  ImGui::BeginDisabled(!why_none.empty());
  ImGui::BeginDisabled(running);
  if (const ui::Combo combo("export.surface.format", "surface as", settings.surface_ending, {.width = -6 * ui::em()});
      combo.open())
    for (const SurfaceFormatRow& row : surface_formats())
      if (combo.entry(row.ending + 1, row.ending, settings.surface_ending == row.ending))
        settings.surface_ending = row.ending;
  choose_interval(context, "export.surfaces.every", settings.surface_interval);
  ImGui::EndDisabled();
  const std::string tip = surface_tip(
      "Numbered files in a folder, .vtp with a .pvd for ParaView that has their times: the triangles of each "
      "fluid, as riffle run --surface-every writes them. It ends when the run goes back or another begins.",
      why_none);
  if (ui::button("export.surfaces", running ? "Stop saving the surface" : "Save the surface over time", tip.c_str(),
                 {-1, 0}))
    context.exports.toggle_surfaces(context.status);
  ImGui::EndDisabled();
}

void show_state(PanelContext& context) {
  Exports& exports = context.exports;
  std::string state;
  if (exports.recording.finishing())
    state = "finishing " + exports.recording.plan().file.filename().string() + " ...";
  else if (exports.writing() > 0)
    state = "writing ...";
  else if (!exports.last_saved().empty())
    state = "saved " + exports.last_saved();
  steady_dim_text("export.saved", context.memory.of<TallestTexts>().state, state);
}

struct Export {
  const char* name;
  const char* label;
  const char* keys;
  const char* tip;
  void (*act)(PanelContext&);
};

constexpr Export kExports[] = {
    {"export.picture", "Picture (PNG)", "Ctrl+P", "As in the window, without the panels.",
     [](PanelContext& c) { c.exports.save_picture(c.status, c.view); }},
    {"export.vtp", "Particles for ParaView (VTP)", "",
     "Positions, velocities and all other attributes, binary. In periodic boxes also unwrapped positions, which do not "
     "jump at the faces. They count the ways round the box since time 0: a new start begins at 0 again, going back and "
     "a "
     "change of the run that goes on do not.",
     [](PanelContext& c) { c.exports.save_particles(c.status, ".vtp"); }},
    {"export.ply", "Particles as PLY", "", "The same for MeshLab, Blender and point cloud libraries, binary.",
     [](PanelContext& c) { c.exports.save_particles(c.status, ".ply"); }},
    {"export.surface", "Surface of the fluid", "",
     "Triangles with normals, each fluid by itself, as riffle run --surface writes them: .vtp for ParaView, .ply and "
     ".obj "
     "for Blender and MeshLab, .usda for USD. The section Export has the format.",
     [](PanelContext& c) { c.exports.save_surface(c.status); }},
    {"export.diagnostics", "Diagnostics (CSV)", "",
     "Energies, momentum, density errors and what else the run has: everything since time 0, a row per interval of the "
     "movie.",
     [](PanelContext& c) { c.exports.save_diagnostics(c.status); }},
    {"export.state", "State to go on from (HDF5) ...", "",
     "All that the run needs to go on from here, with its scene, in one file.", ask_where_to_save_state},
    {"export.timings", "Timings (CSV)", "", "Two tables: what each stage costs now, and what it cost recently.",
     [](PanelContext& c) { c.exports.save_timings(c.status); }},
};

/// How the next recording is made, and into which file.
std::string what_would_be_recorded(PanelContext& context) {
  const RecordingPlan plan = context.exports.next_recording(context.status, context.view);
  const char* const unit = units_of(context.status).time;
  const std::string choice = automatic_choice(plan, unit);
  InterfaceTrace::instance().value("would_record", choice);
  InterfaceTrace::instance().value("export_choices", kept_choices(context.exports.settings));
  return fmt::format("{}, {} x {}, into\n{}{}{}", recording_rule(plan, unit), plan.width, plan.height,
                     plan.file.string(), choice.empty() ? "" : "\n", choice);
}

void record_button(PanelContext& context) {
  const bool running = context.exports.recording.running();
  if (ui::icon_button("record", running ? ui::Icon::Stop : ui::Icon::Record, running ? "Stop recording (Ctrl+R)" : ""))
    context.exports.toggle_recording(context.status, context.view);
  if (running || !ImGui::IsItemHovered()) return;
  ui::tip(("Record (Ctrl+R): " + what_would_be_recorded(context) + "\nOther choices: Export, Settings").c_str());
}

void export_menu(PanelContext& context) {
  if (context.escape) ImGui::CloseCurrentPopup();
  const std::string why_none = why_no_surface(context.status);
  const auto item = [&](const char* name, const char* label, const char* keys, const char* tip) {
    const std::string why_grey = is_for_surface(name) ? why_none : "";
    const bool chosen = ImGui::MenuItem(label, keys, false, why_grey.empty());
    ui::mark(std::string("menu.") + name);
    ui::tip(surface_tip(tip, why_grey).c_str());
    return chosen;
  };
  Exports& exports = context.exports;
  const bool running = exports.recording.running();
  const std::string movie = running ? "" : what_would_be_recorded(context);
  if (item("export.record", running ? "Stop recording" : "Record a movie", "Ctrl+R", movie.c_str()))
    exports.toggle_recording(context.status, context.view);
  if (item("export.particles", context.status.particle_series ? "Stop saving particles" : "Save particles over time",
           "", "Every interval, numbered files or one for all. Settings: format and interval."))
    exports.toggle_particles(context.status);
  if (item("export.surfaces", context.status.surface_series ? "Stop saving the surface" : "Save the surface over time",
           "", "Every interval, numbered files. Settings: format and interval."))
    exports.toggle_surfaces(context.status);
  for (const Export& entry : kExports)
    if (item(entry.name, entry.label, entry.keys, entry.tip)) entry.act(context);
  ImGui::Separator();
  ImGui::TextDisabled("into %s", exports.settings.folder.c_str());
  if (item("export.settings", "Settings ...", "",
           "Folder, name, size, and what a movie shows: in the section Export.")) {
    context.view.show_panels = true;
    ui::reveal_section("export");
  }
}

void draw_export(PanelContext& context) {
  Exports& exports = context.exports;
  ImGui::BeginDisabled(!context.status.loaded);
  ImGui::BeginDisabled(exports.recording.running());
  text_field("export.folder", "folder", exports.settings.folder);
  text_field("export.name", "name", exports.settings.name,
             context.status.loaded ? "riffle-" + context.status.scene->name + "-date-time" : "",
             "If empty: riffle, the scene's name, date and time. Another scene empties it. No file is ever replaced.");
  const std::string forbidden = forbidden_in_name(exports.settings.name);
  if (!forbidden.empty())
    ui::message_at_item(
        {"export.name", ui::MessageKind::Refusal, "No file can be named so: the name has " + forbidden + "."});
  InterfaceTrace::instance().value("export_name", exports.settings.name);
  InterfaceTrace::instance().value("forbidden_in_name", forbidden);
  choose_size(context);
  choose_movie(context);
  ImGui::EndDisabled();
  if (context.status.loaded)
    steady_dim_text("export.rule", context.memory.of<TallestTexts>().recording,
                    exports.recording.running() ? "" : what_would_be_recorded(context));
  if (ui::button("export.record", exports.recording.running() ? "Stop recording" : "Record", "Ctrl+R", {-1, 0}))
    exports.toggle_recording(context.status, context.view);
  choose_particles(context);
  choose_surface(context);
  for (const Export& entry : kExports) {
    const std::string why_grey = is_for_surface(entry.name) ? why_no_surface(context.status) : "";
    ImGui::BeginDisabled(!why_grey.empty());
    if (ui::button(entry.name, entry.label, surface_tip(entry.tip, why_grey).c_str(), {-1, 0})) entry.act(context);
    ImGui::EndDisabled();
  }
  ImGui::EndDisabled();
  show_state(context);
  InterfaceTrace::instance().value("export_ends", ImGui::GetCursorPosY());
}

}  // namespace

void draw_record_button(PanelContext& context) {
  record_button(context);
  ImGui::SameLine();
  if (ui::button("export_menu", "Export", "Movies, pictures, particles and tables as files."))
    ImGui::OpenPopup("##exports");
  ui::place_next_popup({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, ImGui::GetIO().DisplaySize.y);
  if (!ImGui::BeginPopup("##exports")) return;
  ui::mark_list();
  export_menu(context);
  ImGui::EndPopup();
}

extern const Panel export_panel{"export", "Export", Panel::Place::Side, false, draw_export};

}  // namespace riffle::desktop
