#include "app/desktop/shell/viewport.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/desktop/handles/thing_picking.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/run/scene_view.h"
#include "scenes/document/yaml_writer.h"

namespace riffle::desktop {

namespace {

/// What the legend says.
nlohmann::json legend_of(const render::ColorScale& scale) {
  nlohmann::json palette = nlohmann::json::array();
  for (const render::PaletteEntry& entry : scale.palette) palette.push_back({entry.rgb.x, entry.rgb.y, entry.rgb.z});
  return {{"quantity", scale.quantity}, {"unit", scale.unit}, {"range", {scale.min, scale.max}}, {"palette", palette}};
}

/// What the scene says of the picture besides its colours and its look: what the user has just chosen, without waiting for
/// the simulation's thread.
void follow_choices(const scenes::PictureSetup& picture, ViewState& view) {
  const auto follow = [&](auto& now, const auto& wanted) {
    if (now == wanted) return;
    now = wanted;
    view.picture_changed = true;
  };
  follow(view.extras.cut, picture.cut);
  follow(view.background, picture.background);
  follow(view.studio, picture.studio);
  view.transparent = picture.transparent;
  follow(view.render.legend, picture.legend);
  follow(view.render.box, picture.box);
  follow(view.render.solids, picture.solids);
  view.caption = picture.caption;
}

}  // namespace

void Viewport::follow_scene(PanelContext& context) {
  const WorkerStatus& status = context.status;
  if (!status.loaded) return;
  const float density = ImGui::GetFontSize() / kFontSize;
  const bool other_density = std::exchange(context.view.render.pixel_density, density) != density;
  const bool other_scene = status.scene_version != scene_version_;
  const ScreenArea& area = context.picture;
  const int width = static_cast<int>(area.width), height = static_cast<int>(area.height);
  // The home view fits the viewport, not the scene's pictures: it shows the whole box.
  OrbitCamera& camera = context.view.camera;
  if (other_scene) {
    camera = OrbitCamera(framing_of(*status.scene, width, height, density), area.width / area.height);
  } else if (width != home_width_ || height != home_height_ || other_density) {
    camera.set_home(framing_of(*status.scene, width, height, density));
    camera.set_aspect(area.width / area.height);
    context.view.picture_changed = true;
  }
  home_width_ = width;
  home_height_ = height;
  if (const scenes::Scene* edited = context.editor.scene()) follow_choices(edited->picture, context.view);
  if (!other_scene && status.edits == edits_) return;
  if (!other_scene) camera.set_home(framing_of(*status.scene, width, height, density));
  scene_version_ = status.scene_version;
  edits_ = status.edits;
  context.view.scale = color_scale(*status.scene);
  const render::RenderOptions wanted = render_options_of(*status.scene);
  context.view.render.look = wanted.look;
  context.view.render.fluid = wanted.fluid;
  context.view.render.ground = wanted.ground;
  context.view.picture_changed = true;
}

/// Twice a second at most: it reads all particles and waits for them.
void Viewport::look_for_particles(const ParticleFrame& frame, PanelContext& context) {
  constexpr double kEvery = 0.5;  // [s]
  if (ImGui::GetTime() < next_look_) return;
  next_look_ = ImGui::GetTime() + kEvery;
  context.view.seen = painter_.what_is_seen(frame, *context.status.scene, look_of(context.view));
}

bool Viewport::render(int width, int height, PanelContext& context, const ParticleFrame* shown) {
  if (!shown) held_ = context.worker.frames().read();
  const ParticleFrame* frame = shown ? shown : held_;
  if (!frame || frame->scene != scene_version_)
    return painter_.has_renderer();  // the last picture, until the new scene's first frame is there
  ViewState& view = context.view;
  if (painter_.prepare(*frame, width, height, view.render)) view.picture_changed = true;
  view.picture_width = width;
  view.picture_height = height;
  if (std::exchange(view.fit_range, false)) {
    const render::ParticleExtent extent = painter_.measure_extent(*frame, *context.status.scene, look_of(view));
    if (extent.most > extent.least)
      context.editor.set("picture.range",
                         fmt::format("[{}, {}]", scenes::number_text(extent.least), scenes::number_text(extent.most)));
  }
  if (!view.picture_changed && !shown && frame->number == drawn_frame_) {
    look_for_particles(*frame, context);
    return true;
  }
  if (std::exchange(timed_look_, view.render.look) != view.render.look) {  // another look has other stages
    painter_.renderer().reset_costs();
    view.picture_times.clear();
  }
  painter_.draw(*frame, *context.status.scene, look_of(view));
  drawn_frame_ = shown ? 0 : frame->number;
  view.picture_time = frame->time;
  view.picked = frame->picked;
  view.picked_value = frame->picked_value;
  view.neighborhood = painter_.neighborhood();
  view.cells = frame->cells.text;
  view.picture_changed = false;
  look_for_particles(*frame, context);
  view.vertex_path = to_string(painter_.renderer().vertex_path());
  view.frame_costs = painter_.renderer().costs();
  if (frame->color_cost.count > 0) view.frame_costs.push_back(frame->color_cost);
  InterfaceTrace& trace = InterfaceTrace::instance();
  trace.value("drawn_step", frame->step);
  if (trace.on()) trace.value("color_scale", legend_of(view.scale));
  return true;
}

/// What the picture on the screen shows there. `drawn` is its frame.
std::optional<ShownParticle> Viewport::particle_at(const Pointer& at, const PanelContext& context,
                                                   const ParticleFrame* drawn) const {
  if (!drawn || drawn->scene != scene_version_ || drawn->count == 0 || !painter_.has_renderer()) return std::nullopt;
  return painter_.particle_at(*drawn, *context.status.scene, look_of(context.view), at.x, at.y);
}

void Viewport::begin_gesture(const Pointer& at, PanelContext& context, const ParticleFrame* drawn) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseDoubleClicked(0) && context.view.picked) {
    context.view.camera.focus(
        place_in_picture(context.view.picked->position, *context.status.scene, context.view.picture_time));
    context.view.picture_changed = true;
  } else if (ImGui::IsMouseClicked(0)) {
    gesture_ = io.KeyShift ? Gesture::Move : Gesture::Turn;
  } else if (ImGui::IsMouseClicked(2)) {
    gesture_ = Gesture::Move;
  } else if (ImGui::IsMouseClicked(1) && !io.KeyShift && take_hold(at, context, drawn)) {
    gesture_ = Gesture::Grip;
  } else if (ImGui::IsMouseClicked(1)) {
    gesture_ = Gesture::Stir;
    const std::optional<ShownParticle> particle = particle_at(at, context, drawn);
    context.worker.stir(at.ray, io.KeyShift ? StirringKind::Push : StirringKind::Pull, context.view.hand,
                        particle ? std::optional(particle->position) : std::nullopt);
  }
  moved_ = 0;
}

/// What is drawn in front is what is meant: a mark, else the particle, else the solid. At time 0 a particle also stands for the
/// body that it is of.
void Viewport::click(const Pointer& at, PanelContext& context, const ParticleFrame* drawn) {
  const scenes::Scene* const scene = context.editor.scene();
  std::string& selected = context.view.selection.entry;
  selected = marked_entry_at(context, ImGui::GetIO().MousePos);
  if (!selected.empty()) return;
  if (const auto particle = particle_at(at, context, drawn)) {
    context.worker.follow(particle->id);
    if (scene && drawn->step == 0) selected = body_at(*scene, particle->position);
    return;
  }
  context.worker.unpick();
  const auto solid = shown_solid(at, context, drawn);
  if (scene && solid && solid->number < scene->simulation.solid_regions.size())
    selected = fmt::format("solids[{}]", solid->number);
}

std::optional<ShownSolid> Viewport::shown_solid(const Pointer& at, const PanelContext& context,
                                                const ParticleFrame* drawn) const {
  if (!drawn || drawn->scene != scene_version_ || !painter_.has_renderer()) return std::nullopt;
  return painter_.solid_at(*drawn, *context.status.scene, look_of(context.view), at.x, at.y);
}

/// Of a free solid that is drawn in front there. @return false: there is none
bool Viewport::take_hold(const Pointer& at, PanelContext& context, const ParticleFrame* drawn) {
  if (!context.status.loaded || particle_at(at, context, drawn)) return false;
  const auto solid = shown_solid(at, context, drawn);
  const auto& regions = context.status.scene->simulation.solid_regions;
  if (!solid || solid->number >= regions.size() || !regions[solid->number].free.given) return false;
  held_point_ = {solid->number, solid->at, solid->place};
  context.worker.grip(at.ray, held_point_);
  return true;
}

void Viewport::continue_gesture(const Pointer& at, PanelContext& context, const ParticleFrame* drawn) {
  const ImGuiIO& io = ImGui::GetIO();
  ViewState& view = context.view;
  const ImVec2 by = io.MouseDelta;
  const bool moves = by.x != 0 || by.y != 0;
  moved_ += std::fabs(by.x) + std::fabs(by.y);
  const bool by_right = gesture_ == Gesture::Stir || gesture_ == Gesture::Grip;
  const int button = by_right ? 1 : ImGui::IsMouseDown(2) ? 2 : 0;
  if (!ImGui::IsMouseDown(button)) {
    if (gesture_ == Gesture::Stir) context.worker.stir(at.ray, std::nullopt, view.hand);
    if (gesture_ == Gesture::Grip) context.worker.let_go();
    if (gesture_ == Gesture::Turn && moved_ < 4) click(at, context, drawn);
    gesture_ = Gesture::None;
    return;
  }
  if (!moves) return;
  const int height = static_cast<int>(context.picture.height);
  if (gesture_ == Gesture::Grip) return context.worker.grip(at.ray);
  if (gesture_ == Gesture::Stir) {
    context.worker.stir(at.ray, io.KeyShift ? StirringKind::Push : StirringKind::Pull, view.hand);
    return;
  }
  if (gesture_ == Gesture::Turn && moved_ < 4) return;
  if (gesture_ == Gesture::Move)
    view.camera.pan(by.x, by.y, height);
  else
    view.camera.orbit(by.x, by.y, height);
  view.picture_changed = true;
}

void Viewport::handle_mouse(PanelContext& context, const ParticleFrame* shown) {
  const ScreenArea& area = context.picture;
  const ImGuiIO& io = ImGui::GetIO();
  ViewState& view = context.view;
  const float x = 2 * (io.MousePos.x - area.x) / area.width - 1, y = 1 - 2 * (io.MousePos.y - area.y) / area.height;
  const bool over = !io.WantCaptureMouse && std::fabs(x) <= 1 && std::fabs(y) <= 1;
  const float aspect = area.width / area.height;
  const Pointer at{x, y, ray_through(camera_in_picture(context), x, y, aspect)};
  const ParticleFrame* drawn = shown ? shown : held_;
  handles_.follow(context);
  if (gesture_ != Gesture::None)
    continue_gesture(at, context, drawn);
  else if (!handles_.take_mouse(context, over) && over)
    begin_gesture(at, context, drawn);
  if (over && io.MouseWheel != 0) {
    view.camera.zoom_at(std::pow(0.9f, io.MouseWheel), x, y, aspect);
    view.picture_changed = true;
  }
}

/// A circle where the hand is, as large as the hand at the distance of the camera's target.
void Viewport::draw_hand(const PanelContext& context) const {
  if (gesture_ != Gesture::Stir || !context.status.loaded) return;
  const render::BoxView box = box_of(context.status.scene->simulation.domain);
  const Vec3 extent = box.max - box.min;
  const float radius = context.view.hand.size * std::max({extent.x, extent.y, extent.z}) /
                       height_at_target(context.view.camera.camera()) * context.picture.height;
  ImGui::GetForegroundDrawList()->AddCircle(ImGui::GetIO().MousePos, radius, ImGui::GetColorU32(ImGuiCol_Text, 0.6f),
                                            48, 1.5f);
}

/// A line from the point that the hand holds to the hand.
void Viewport::draw_grip(const PanelContext& context) const {
  InterfaceTrace& trace = InterfaceTrace::instance();
  trace.value("held", nullptr);
  if (gesture_ != Gesture::Grip || !context.status.loaded || !painter_.has_renderer()) return;
  const auto place = painter_.place_of(held_point_.solid, held_point_.at);
  if (!place) return;
  trace.value("held", {place->x, place->y, place->z});
  const PictureProjection picture{camera_in_picture(context), context.picture};
  const auto from = picture.pixel(*place);
  if (!from) return;
  ImDrawList* draw = ImGui::GetForegroundDrawList();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text, 0.8f);
  draw->AddLine(*from, ImGui::GetIO().MousePos, ink, 2);
  draw->AddCircleFilled(*from, 4, ink);
}

void Viewport::draw(PanelContext& context, const ParticleFrame* shown) {
  follow_scene(context);
  handle_mouse(context, shown);
  const ScreenArea& area = context.picture;
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const int width = static_cast<int>(area.width * scale.x), height = static_cast<int>(area.height * scale.y);
  if (width < 16 || height < 16) return;
  if (!render(width, height, context, shown)) return;
  const auto texture = reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(painter_.renderer().texture()));
  const ImVec2 least{area.x, area.y}, most{area.x + area.width, area.y + area.height};
  ImGui::GetBackgroundDrawList()->AddImage(texture, least, most, {0, 1}, {1, 0});
  handles_.draw(context);
  draw_hand(context);
  draw_grip(context);
}

}  // namespace riffle::desktop
