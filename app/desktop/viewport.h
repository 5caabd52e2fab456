#pragma once
/// The picture beside the panels: draws the newest particles, and turns the mouse over it into camera movements.

#include <cstdint>
#include <memory>
#include <optional>

#include "app/desktop/panels.h"
#include "core/device_stream.h"

namespace riffle {

class Viewport {
 public:
  /// In ImGui's current frame. [pixel] of the window's framebuffer.
  struct Area {
    float x = 0, y = 0, width = 0, height = 0;
  };

  /// Draws where something changed, and shows the picture in the area.
  void draw(const Area& area, PanelContext& context);

 private:
  void follow_scene(PanelContext& context);
  void handle_mouse(const Area& area, PanelContext& context);
  bool render(int width, int height, PanelContext& context);

  // Destroyed before the device's stream.
  std::optional<DeviceStream> stream_;
  std::unique_ptr<Renderer> renderer_;
  std::uint64_t scene_version_ = 0;
  std::uint64_t drawn_frame_ = 0;
  BoxView box_;
  bool dragging_ = false, panning_ = false;
};

}  // namespace riffle
