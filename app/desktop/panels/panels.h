#pragma once
/// The panels. Each is one function that draws itself from the status and asks the worker for what the user wants.

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "app/desktop/platform/gui.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/recording/picture_extras.h"
#include "app/desktop/scene/orbit_camera.h"
#include "app/desktop/scene/scene_list.h"
#include "app/desktop/timings/recent_times.h"
#include "app/desktop/timings/step_table.h"
#include "app/desktop/widgets/plot.h"
#include "app/desktop/widgets/thumbnails.h"
#include "render/renderer.h"
#include "sim/units.h"

namespace riffle {

class Exports;

/// What the window shows besides the simulation, and how.
struct ViewState {
  OrbitCamera camera;
  RenderOptions render;
  ColorScale scale;
  HandSetup hand;
  ExtrasChoice extras;
  std::string cells;                     ///< what the newest picture's cells are, or why it has none
  std::optional<ParticleReport> picked;  ///< as the newest picture shows it
  Neighborhood neighborhood;             ///< likewise
  Appearance appearance = Appearance::Dark;
  bool show_panels = true;
  bool show_shortcuts = false;
  bool vsync = true;
  bool fit_range = false;                     ///< the colour scale shall span the values of the next picture
  float frames_per_second = 60;               ///< at most
  double frame_rate = 0;                      ///< drawn over the last second
  bool picture_changed = true;                ///< it has to be drawn again though the particles are the same
  int picture_width = 0, picture_height = 0;  ///< [pixel] of the particles' picture
  int window_width = 0, window_height = 0;    ///< [pixel] of the whole window
  std::string gl_renderer, vertex_path;
  bool software_gl = false;  ///< the processor draws
  std::vector<StageStats> frame_costs;
  StepTable step_table;
  RecentTimes picture_times;     ///< from one picture to the next while the simulation plays
  bool show_comparison = false;  ///< the table of all searches
  bool log_growth = false;
  std::deque<StageHistory::Column> held_history;  ///< of the stages, while the mouse is over their plot
};

/// Of the scene that runs; SI's while there is none.
inline const Units& units_of(const WorkerStatus& status) {
  return status.loaded ? units_of(status.scene->simulation) : kSiUnits;
}

struct PanelContext {
  Worker& worker;
  const WorkerStatus& status;
  SceneEditor& editor;
  ViewState& view;
  Exports& exports;
  SceneList& scenes;
  Thumbnails& thumbnails;
  std::function<void(const std::string&)> open_scene;  ///< a name or a path
  std::vector<KeyPress> keys;                          ///< that went down since the last picture
};

bool pressed_escape(const std::vector<KeyPress>& keys);  ///< which closes what has popped up

void draw_scene_panel(PanelContext& context);
void draw_neighbors_panel(PanelContext& context);
void draw_comparison(PanelContext& context);  ///< within the search panel
void draw_audit(PanelContext& context);       ///< likewise
void draw_diagnostics_panel(PanelContext& context);
void draw_timings_panel(PanelContext& context);
void draw_physics_panel(PanelContext& context);
void draw_picture_panel(PanelContext& context);
void draw_particle_panel(PanelContext& context);
/// The numbers of the particle that is looked at, beside it in the picture [pixel].
void draw_particle_box(PanelContext& context, float x, float y, float width, float height);
void draw_export_panel(PanelContext& context);
void draw_record_button(PanelContext& context);  ///< in the transport bar, with the export menu
/// How far a recording is, and afterwards what was saved and where: in the picture's corner, until it is put away.
void draw_recording_note(PanelContext& context, float x, float y, float width);
void draw_transport(PanelContext& context);  ///< play, pause, step, reset, speed, time: along the lower edge
void draw_shortcuts(bool* open);

/// Play, pause and the like from the keyboard; not while text is typed or a dialog waits for an answer.
void handle_shortcuts(PanelContext& context);

}  // namespace riffle
