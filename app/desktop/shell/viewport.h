#pragma once
/// The picture beside the panels: draws the newest particles, and turns the mouse over it into camera movements.

#include <cstdint>
#include <memory>
#include <optional>

#include "app/desktop/panels/panels.h"
#include "core/device/device_stream.h"

namespace riffle {

class Viewport {
 public:
  /// In ImGui's current frame. [pixel] of the window's framebuffer.
  struct Area {
    float x = 0, y = 0, width = 0, height = 0;
  };

  /// Draws where something changed, and shows the picture in the area.
  /// @param shown  a recording's frame, in place of the worker's newest
  void draw(const Area& area, PanelContext& context, const ParticleFrame* shown = nullptr);

 private:
  void follow_scene(const Area& area, PanelContext& context);
  void handle_mouse(const Area& area, PanelContext& context);
  void begin_gesture(const Ray& ray, PanelContext& context);
  void continue_gesture(const Area& area, const Ray& ray, PanelContext& context);
  void draw_hand(const Area& area, const PanelContext& context) const;
  bool render(int width, int height, PanelContext& context, const ParticleFrame* shown);

  // Destroyed before the device's stream.
  std::optional<DeviceStream> stream_;
  std::unique_ptr<Renderer> renderer_;
  std::uint64_t scene_version_ = 0, edits_ = 0;
  std::uint64_t drawn_frame_ = 0;
  BoxView box_;
  int home_width_ = 0, home_height_ = 0;  ///< [pixel] that the camera's home is for
  std::optional<Look> timed_look_;        ///< that the costs of pictures are of
  enum class Gesture { None, Turn, Move, Stir };
  Gesture gesture_ = Gesture::None;
  float moved_ = 0;  ///< [pixel] since the button went down: a click has hardly any
};

}  // namespace riffle
