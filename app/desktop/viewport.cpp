#include "app/desktop/viewport.h"

#include <imgui.h>

#include <cmath>

#include "app/desktop/interface_trace.h"
#include "app/scene_view.h"

namespace riffle {

void Viewport::follow_scene(PanelContext& context) {
  const WorkerStatus& status = context.status;
  if (!status.loaded || status.scene_version == scene_version_) return;
  scene_version_ = status.scene_version;
  context.view.camera = OrbitCamera(camera_of(*status.scene));
  context.view.scale = color_scale(*status.scene);
  context.view.picture_changed = true;
  box_ = box_of(status.scene->simulation.domain);
}

bool Viewport::render(int width, int height, PanelContext& context) {
  const ParticleFrame* frame = context.worker.frames().read();
  if (!frame || frame->scene != scene_version_)
    return renderer_ != nullptr;  // the last picture, until the new scene's is there
  ViewState& view = context.view;
  if (!renderer_ || !stream_ || !(stream_->device() == frame->device)) {
    renderer_.reset();
    stream_.emplace(frame->device);
    renderer_ = std::make_unique<Renderer>(width, height, stream_->device(), view.render);
    view.picture_changed = true;
  }
  if (renderer_->width() != width || renderer_->height() != height) {
    renderer_->resize(width, height);
    view.picture_changed = true;
  }
  if (!view.picture_changed && frame->number == drawn_frame_) return true;
  view.render.theme = view.appearance == Appearance::Dark ? Theme::dark() : Theme::light();
  renderer_->set_options(view.render);
  renderer_->draw(frame->view(stream_->device()), view.camera.camera(), view.scale, box_);
  drawn_frame_ = frame->number;
  view.picture_changed = false;
  view.vertex_path = to_string(renderer_->vertex_path());
  view.frame_costs = renderer_->costs();
  InterfaceTrace::instance().value("drawn_step", frame->step);
  return true;
}

void Viewport::handle_mouse(const Area& area, PanelContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  ViewState& view = context.view;
  const int height = static_cast<int>(area.height);
  const bool over = !io.WantCaptureMouse && io.MousePos.x >= area.x && io.MousePos.x < area.x + area.width &&
                    io.MousePos.y >= area.y && io.MousePos.y < area.y + area.height;
  if (over && ImGui::IsMouseClicked(0)) dragging_ = true;
  if (over && ImGui::IsMouseClicked(2)) panning_ = true;
  if (!ImGui::IsMouseDown(0)) dragging_ = false;
  if (!ImGui::IsMouseDown(2)) panning_ = false;
  const ImVec2 moved = io.MouseDelta;
  if ((dragging_ || panning_) && (moved.x != 0 || moved.y != 0)) {
    if (panning_ || io.KeyShift)
      view.camera.pan(moved.x, moved.y, height);
    else
      view.camera.orbit(moved.x, moved.y, height);
    view.picture_changed = true;
  }
  if (over && io.MouseWheel != 0) {
    const float x = 2 * (io.MousePos.x - area.x) / area.width - 1, y = 1 - 2 * (io.MousePos.y - area.y) / area.height;
    view.camera.zoom_at(std::pow(0.9f, io.MouseWheel), x, y, area.width / area.height);
    view.picture_changed = true;
  }
}

void Viewport::draw(const Area& area, PanelContext& context) {
  follow_scene(context);
  handle_mouse(area, context);
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const int width = static_cast<int>(area.width * scale.x), height = static_cast<int>(area.height * scale.y);
  if (width < 16 || height < 16) return;
  if (!render(width, height, context)) return;
  const auto texture = reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(renderer_->texture()));
  ImGui::GetBackgroundDrawList()->AddImage(texture, {area.x, area.y}, {area.x + area.width, area.y + area.height},
                                           {0, 1}, {1, 0});
}

}  // namespace riffle
