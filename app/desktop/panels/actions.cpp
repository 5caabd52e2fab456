#include "app/desktop/panels/actions.h"

#include <imgui.h>

#include <string_view>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/scene_files.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/scene/parameter_values.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/document/list_entries.h"

namespace riffle::desktop {

namespace {

struct Action {
  const char* name;                      ///< for InterfaceTrace
  const char* label;                     ///< of its button
  const char* words;                     ///< others that people say
  const char* tip;                       ///< what it does, or where it is
  void (*act)(PanelContext&) = nullptr;  ///< nullptr: the tip says where it is done
};

/// Shows the section of that name at the left.
template <const char* section>
void reveal(PanelContext& context) {
  context.view.show_panels = true;
  ui::reveal_section(section);
}

constexpr char kPicture[] = "picture", kExport[] = "export", kDiagnostics[] = "diagnostics", kTimings[] = "timings",
               kNeighbors[] = "neighbors", kParticle[] = "particle";

constexpr Action kActions[] = {
    {"open_scene", "Open a scene ...", "load file yaml", "Ctrl+O; or drop its file on the window.", ask_which_to_open},
    {"save_scene", "Save the scene as ...", "store write file yaml keep", "Ctrl+S.", ask_where_to_save},
    {"new_scene", "New scene", "empty create own tank channel box",
     "\"New ...\" at the top left, and the top of the list of scenes."},
    {"open_state", "Open state ...", "load checkpoint resume continue restart go on hdf5 h5 zip pack file",
     "Goes on with a run from a state file, or from what `riffle pack` made; or drop the file on the window.",
     ask_which_state_to_open},
    {"save_state", "Save state ...", "store write checkpoint snapshot resume continue hdf5 h5 file keep run",
     "Writes all that the run needs to go on from here.", ask_where_to_save_state},
    {"add_mesh", "+ solid mesh ...",
     "add stl obj ply gltf glb cad geometry surface triangles obstacle body import file",
     "Adds a solid from a mesh file; or drop the file on the window. The scene starts again.", ask_which_mesh_to_add},
    {"undo", "Undo", "take back revert", "Ctrl+Z: changes of the scene, new starts, opened scenes and states.",
     [](PanelContext& c) { c.editor.undo(); }},
    {"redo", "Redo", "repeat again", "Ctrl+Shift+Z.", [](PanelContext& c) { c.editor.redo(); }},
    {"reset_scene", "As opened", "reset revert defaults as it was", "Takes back all changes of this scene.",
     [](PanelContext& c) { c.editor.reset_all(); }},
    {"play", "Play or pause", "run start stop halt continue", "Space.",
     [](PanelContext& c) { c.worker.play(!c.status.playing); }},
    {"step", "One step", "single next", "The key with the point.", [](PanelContext& c) { c.worker.step(); }},
    {"step_back", "Back to the saved moment", "rewind earlier previous history time", "The key with the comma.",
     [](PanelContext& c) { c.worker.step_back(); }},
    {"timeline", "Time line", "seek rewind slider history moment bar",
     "The line along the lower edge: take hold of it to go back."},
    {"reset", "Start again", "restart reset rewind beginning time 0", "R. Undo brings the run back.",
     [](PanelContext& c) { c.editor.start_again(); }},
    {"speed", "Speed of playing", "slow motion fast fastest real time pace", "The list at the lower edge."},
    {"record", "Record a movie", "video film mp4 animation png", "Ctrl+R starts and ends it.",
     [](PanelContext& c) { c.exports.toggle_recording(c.status, c.view); }},
    {"save_picture", "Save the picture", "image screenshot photo png export", "Ctrl+P.",
     [](PanelContext& c) { c.exports.save_picture(c.status, c.view); }},
    {"export", "Export: folder, name, size, format", "settings movies pictures resolution frame rate mp4 png video",
     "Shows the section Export.", reveal<kExport>},
    {"save_particles", "Particles for ParaView (VTP)", "save export data points vtk", "One file of this moment.",
     [](PanelContext& c) { c.exports.save_particles(c.status, ".vtp"); }},
    {"save_ply", "Particles as PLY", "save export data points blender meshlab", "One file of this moment.",
     [](PanelContext& c) { c.exports.save_particles(c.status, ".ply"); }},
    {"particles_over_time", "Save particles over time", "series pvd vtp ply csv trajectories paths unwrapped export",
     "Begins or ends numbered files. The section Export has format and interval.",
     [](PanelContext& c) { c.exports.toggle_particles(c.status); }},
    {"save_surface", "Surface of the fluid", "save export mesh triangles ply obj vtp usd usda blender",
     "One file of this moment. The section Export has the format.",
     [](PanelContext& c) { c.exports.save_surface(c.status); }},
    {"surfaces_over_time", "Save the surface over time", "series mesh triangles obj ply vtp pvd usd blender export",
     "Begins or ends numbered files. The section Export has format and interval.",
     [](PanelContext& c) { c.exports.toggle_surfaces(c.status); }},
    {"save_diagnostics", "Diagnostics (CSV)", "save export table data energy probes forces", "Everything since time 0.",
     [](PanelContext& c) { c.exports.save_diagnostics(c.status); }},
    {"save_timings", "Timings (CSV)", "save export table performance", "Two tables.",
     [](PanelContext& c) { c.exports.save_timings(c.status); }},
    {"diagnostics", "Diagnostics",
     "plots graphs charts curves energy temperature momentum force torque mixing level flow profile height statistics "
     "pressure depth hydrostatic compare runs comparison beside",
     "Shows the plots over time, those of an earlier run beside them, and \"Against height\": the pressure by depth.",
     reveal<kDiagnostics>},
    {"means", "Means and errors", "average mean statistics standard error deviation uncertainty table viscosity",
     "In the section Diagnostics, below the plots.", reveal<kDiagnostics>},
    {"distribution", "Pair distances g(r)", "radial distribution function rdf pair correlation structure",
     "In the section Diagnostics, below the plots.", reveal<kDiagnostics>},
    {"timings", "Timings", "performance profile cost stages steps per second frame rate fps gpips",
     "Shows what a step costs.", reveal<kTimings>},
    {"neighbors", "Neighbour search", "neighbor compare verify audit benchmark method fastest",
     "Shows the section with \"Compare all\" and \"Verify\".", reveal<kNeighbors>},
    {"picture", "Picture",
     "color colour quantity legend cut plane section slice background dark light theme surface spheres box cells "
     "range scale appearance caption foam probes marks view vsync vorticity pressure velocity speed density",
     "Shows the section with all that pictures show.", reveal<kPicture>},
    {"keep_view", "Keep this view", "camera save angle perspective", "In the section Picture.", reveal<kPicture>},
    {"home", "Home view", "camera reset whole domain zoom fit", "Home.",
     [](PanelContext& c) {
       c.view.camera.home();
       c.view.picture_changed = true;
     }},
    {"turn", "Turn, move, zoom", "camera rotate pan mouse wheel view",
     "Drag, Shift + drag and the wheel in the picture."},
    {"move_things", "Move, turn and resize things with the mouse",
     "handles gizmo arrows drag grab place position rotate ring scale size select solid body nozzle probe",
     "Click on a solid, on the mark of an inlet, an outlet or a probe, at time 0 on a body of fluid, or on an entry "
     "below; then drag one of its handles in the picture."},
    {"particle", "Look at a particle", "follow pick select inspect click numbers neighbours",
     "Click on it in the picture; the section Particle and hand has its numbers.", reveal<kParticle>},
    {"unpick", "Look at no particle", "follow deselect unpick close", "Esc.",
     [](PanelContext& c) { c.worker.unpick(); }},
    {"hand", "Pull or push the fluid, hold a free solid", "hand stir mouse drag grab throw force strength",
     "The right mouse button in the picture; with Shift it pushes the fluid. The section Particle and hand has size "
     "and "
     "strength.",
     reveal<kParticle>},
    {"probe_here", "Probe here", "measure gauge sensor add pressure level place",
     "Click on a particle in the picture, then on \"Probe here\"."},
    {"device", "Device", "gpu cuda cpu processor graphics card", "At the top of the panels, where there is a GPU."},
    {"panels", "Hide or show the panels", "full screen sidebar", "Tab.",
     [](PanelContext& c) { c.view.show_panels = !c.view.show_panels; }},
    {"shortcuts", "Keys and mouse", "shortcuts keyboard help hotkeys", "F1 or ?.",
     [](PanelContext& c) { c.view.show_shortcuts = true; }},
    {"quit", "Close the window", "quit exit end leave", "Ctrl+Q."},
};

struct AddedEntry {
  const char* list;
  const char* label;
  const char* words;
};
constexpr AddedEntry kAdded[] = {
    {"bodies", "+ ", "add body of fluid water block fill level depth"},
    {"solids", "+ solid ",
     "add obstacle wall body float floating buoyancy buoyant wood cork boat ship sink free friction moving piston "
     "paddle flap wavemaker waves"},
    {"joints", "+ joint", "add hinge slider ball weld spring motor axle"},
    {"inlets", "+ inlet: ", "add inflow tap nozzle jet source pump emitter"},
    {"outlets", "+ outlet: ", "add outflow drain sink hole"},
    {"damping", "+ damping zone", "add waves absorb beach sponge"},
    {"probes", "+ probe: ", "add measure gauge sensor water level depth pressure"},
    {"fluids", "+ fluid", "add liquid phase material"},
};

bool draw_action(const char* name, const char* label, const char* tip, bool is_first) {
  if (!is_first) ui::same_line_if_fits(ui::button_width(label));
  return ui::small_button((std::string("action.") + name).c_str(), label, tip);
}

std::string text_of(const Action& action) { return std::string(action.label) + " " + action.words + " " + action.tip; }

/// One that is empty for a list whose entries have none.
std::vector<std::string> shapes_of(const AddedEntry& entry) {
  std::vector<std::string> shapes;
  if (std::string_view(entry.list) != "fluids") shapes = scenes::shapes_of_entries(entry.list);
  if (shapes.empty()) shapes.emplace_back();
  return shapes;
}

std::string text_of(const AddedEntry& entry, const std::string& shape) {
  return std::string(entry.label) + shape + " " + entry.words + " " + entry.list;
}

std::string name_of(const AddedEntry& entry, const std::string& shape) {
  return std::string("add.") + entry.list + (shape.empty() ? "" : "." + shape);
}

}  // namespace

bool draw_actions_with(PanelContext& context, const std::string& words) {
  bool in_line = false, any = false;
  for (const Action& action : kActions) {
    if (!begins_words(text_of(action), words)) continue;
    any = true;
    if (action.act == nullptr) {
      ui::dim_text(std::string(action.label) + ": " + action.tip);
      ui::mark(std::string("action.") + action.name);
    } else if (draw_action(action.name, action.label, action.tip, !in_line)) {
      action.act(context);
    }
    in_line = action.act != nullptr;
  }
  for (const AddedEntry& entry : kAdded)
    for (const std::string& shape : shapes_of(entry)) {
      if (!begins_words(text_of(entry, shape), words)) continue;
      any = true;
      const std::string label = entry.label + shape;
      if (draw_action(name_of(entry, shape).c_str(), label.c_str(), "Adds one to the scene.", !in_line))
        context.editor.add_entry(entry.list, shape);
      in_line = true;
    }
  return any;
}

std::vector<std::string> actions_with(const std::string& words) {
  std::vector<std::string> names;
  for (const Action& action : kActions)
    if (begins_words(text_of(action), words)) names.emplace_back(action.name);
  for (const AddedEntry& entry : kAdded)
    for (const std::string& shape : shapes_of(entry))
      if (begins_words(text_of(entry, shape), words)) names.push_back(name_of(entry, shape));
  return names;
}

std::string words_of_list(const std::string& list) {
  for (const AddedEntry& entry : kAdded)
    if (entry.list == list) return std::string(entry.words).substr(std::string_view("add ").size());
  return "";
}

std::vector<std::string> texts_of_actions() {
  std::vector<std::string> texts;
  for (const Action& action : kActions) texts.push_back(text_of(action));
  for (const AddedEntry& entry : kAdded) texts.push_back(std::string(entry.label) + " " + entry.words);
  return texts;
}

}  // namespace riffle::desktop
