#pragma once
/// The window's contents besides the simulation, and their look. Panels and the mouse change it; pictures follow it.

#include <optional>
#include <string>
#include <vector>

#include "app/desktop/picture/frame_painter.h"
#include "app/desktop/platform/gui.h"
#include "app/desktop/playback/hand.h"
#include "app/desktop/scene/orbit_camera.h"
#include "app/desktop/timings/recent_times.h"
#include "scenes/scene.h"
#include "sim/measure/inspect.h"

namespace riffle::desktop {

/// The entry of the scene that is selected, in the picture or in the list of keys: its handles are shown.
struct Selection {
  std::string entry;      ///< "solids[2]"; "": none
  bool dragged = false;   ///< by one of its handles
  bool given_up = false;  ///< Esc was pressed meanwhile
};

struct ViewState {
  OrbitCamera camera;
  render::RenderOptions render;
  render::ColorScale scale;
  HandSetup hand;
  ExtrasChoice extras;
  bool caption = true;                                       ///< the scene's choice, for saved pictures and movies
  std::optional<Vec3> background;                            ///< the scene's colour; nullopt: a grey gradient
  scenes::StudioChoice studio = scenes::StudioChoice::Auto;  ///< of the scene: that gradient; Auto: the appearance's
  bool transparent = false;                                  ///< the scene's choice, for saved PNG files
  Appearance appearance = Appearance::Dark;
  bool show_panels = true;
  bool show_openings = true;  ///< inlets and outlets in the picture
  bool show_probes = true;    ///< their places in the picture
  bool show_shortcuts = false;
  Selection selection;
  bool vsync = true;
  float frames_per_second = 60;  ///< at most
  bool fit_range = false;        ///< the next picture sets the colour scale to its range of values
  bool picture_changed = true;   ///< the picture has to be drawn again, even of the same particles

  // Results of the newest picture.
  double picture_time = 0;                    ///< [s] of its particles
  std::string cells;                          ///< its cells in words, or why it has none
  std::optional<ParticleReport> picked;       ///< its followed particle
  float picked_value = 0;                     ///< that particle's colour value
  Neighborhood neighborhood;                  ///< of that particle
  Seen seen = Seen::Particles;                ///< whether it shows any
  int picture_width = 0, picture_height = 0;  ///< [pixel]
  int window_width = 0, window_height = 0;    ///< [pixel] of the whole window
  double frame_rate = 0;                      ///< pictures drawn in the last second
  std::vector<StageStats> frame_costs;
  RecentTimes picture_times;  ///< from one picture to the next while the simulation plays

  // How OpenGL draws.
  std::string gl_renderer, vertex_path;
  bool software_gl = false;  ///< the processor draws
};

/// The look of the window's pictures. Without a caption.
PictureLook look_of(const ViewState& view);

/// Whether the grey gradient is the dark one: as the scene wants it, else as the appearance is.
bool has_dark_studio(const ViewState& view);

/// Whether marks over the picture are to be light: its background is dark, whatever the panels' appearance is.
bool has_dark_background(const ViewState& view);

}  // namespace riffle::desktop
