#pragma once
/// The picture of the particles: draws the newest ones, and turns the mouse over it into camera movements.

#include <cstdint>
#include <optional>

#include "app/desktop/handles/scene_handles.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/frame_painter.h"
#include "app/desktop/scene/orbit_camera.h"

namespace riffle::desktop {

class Viewport {
 public:
  /// Draws the picture again if something has changed, and shows it in context.picture. In Dear ImGui's current frame.
  /// @param shown a recording's frame, instead of the worker's newest
  void draw(PanelContext& context, const ParticleFrame* shown = nullptr);

 private:
  void follow_scene(PanelContext& context);
  /// The mouse over the picture.
  struct Pointer {
    float x, y;  ///< -1..1 of the picture, y up
    Ray ray;     ///< through that place
  };
  void handle_mouse(PanelContext& context, const ParticleFrame* shown);
  void begin_gesture(const Pointer& at, PanelContext& context, const ParticleFrame* drawn);
  void continue_gesture(const Pointer& at, PanelContext& context, const ParticleFrame* drawn);
  std::optional<ShownParticle> particle_at(const Pointer& at, const PanelContext& context,
                                           const ParticleFrame* drawn) const;
  void click(const Pointer& at, PanelContext& context, const ParticleFrame* drawn);
  bool take_hold(const Pointer& at, PanelContext& context, const ParticleFrame* drawn);
  std::optional<ShownSolid> shown_solid(const Pointer& at, const PanelContext& context,
                                        const ParticleFrame* drawn) const;
  void draw_grip(const PanelContext& context) const;
  void draw_hand(const PanelContext& context) const;
  void look_for_particles(const ParticleFrame& frame, PanelContext& context);
  bool render(int width, int height, PanelContext& context, const ParticleFrame* shown);

  FramePainter painter_;
  SceneHandles handles_;
  std::uint64_t scene_version_ = 0, edits_ = 0;
  std::uint64_t drawn_frame_ = 0;
  double next_look_ = 0;                 ///< [s] of Dear ImGui's clock: when to look next whether particles are in view
  const ParticleFrame* held_ = nullptr;  ///< read last from the worker: it stays valid until the next is read
  int home_width_ = 0, home_height_ = 0;    ///< [pixel] of the picture that the camera's home fits
  std::optional<render::Look> timed_look_;  ///< look of the pictures whose times are counted
  enum class Gesture { None, Turn, Move, Stir, Grip };
  Gesture gesture_ = Gesture::None;
  HeldPoint held_point_;  ///< of Gesture::Grip
  float moved_ = 0;       ///< [pixel] since the button went down: hardly anything for a click
};

}  // namespace riffle::desktop
