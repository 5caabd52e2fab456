#pragma once
/// The panels. Each is one function that draws itself from the status and asks the worker for what the user wants.

#include <functional>
#include <string>
#include <vector>

#include "app/desktop/gui.h"
#include "app/desktop/orbit_camera.h"
#include "app/desktop/worker.h"
#include "render/renderer.h"
#include "scenes/catalog.h"

namespace riffle {

/// What the window shows besides the simulation, and how.
struct ViewState {
  OrbitCamera camera;
  RenderOptions render;
  ColorScale scale;
  Appearance appearance = Appearance::Dark;
  bool show_panels = true;
  bool show_shortcuts = false;
  bool vsync = true;
  float frames_per_second = 60;  ///< at most
  double frame_rate = 0;         ///< drawn over the last second
  bool picture_changed = true;   ///< it has to be drawn again though the particles are the same
  std::string gl_renderer, vertex_path;
  std::vector<StageStats> frame_costs;
};

struct PanelContext {
  Worker& worker;
  const WorkerStatus& status;
  ViewState& view;
  const std::vector<CatalogEntry>& scenes;
  std::function<void(const std::string&)> open_scene;  ///< a name or a path
};

void draw_scene_panel(PanelContext& context);
void draw_neighbors_panel(PanelContext& context);
void draw_timings_panel(PanelContext& context);
void draw_picture_panel(PanelContext& context);
void draw_transport(PanelContext& context);  ///< play, pause, step, reset, speed, time: along the lower edge
void draw_shortcuts(bool* open);

/// Play, pause and the like from the keyboard; not while text is typed.
void handle_shortcuts(PanelContext& context);

}  // namespace riffle
