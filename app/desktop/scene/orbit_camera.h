#pragma once
/// A camera that the mouse moves: pixels in, a Camera out.

#include <optional>

#include "app/run/framed_camera.h"
#include "render/view.h"

namespace riffle::desktop {

class OrbitCamera {
 public:
  OrbitCamera() = default;
  /// @param home the view that home() returns to @param aspect  width over height of the picture
  explicit OrbitCamera(const FramedCamera& home, float aspect = 1) : framed_(home), home_(home), aspect_(aspect) {}

  Camera camera() const { return camera_at(aspect_); }
  Camera camera_at(float aspect) const { return riffle::camera_at(framed_, aspect); }  ///< in a picture of that shape
  /// Of the picture from now on. What a camera showed where it was moved first stays visible in every shape.
  void set_aspect(float aspect) { aspect_ = aspect; }
  void home() {
    framed_ = home_;
    moved_ = false;
  }

  /// Sets another home, of the same scene in a picture of another shape or after an edit. A camera that was not moved goes
  /// there, and one that was moved in three dimensions where there are two now, or the other way round.
  void set_home(const FramedCamera& home);
  bool moved() const { return moved_; }  ///< since it was last at home

  /// Turns around the target. An orthographic (2-D) view moves instead.
  /// @param dx,dy [pixel] of the mouse, y down; the height of the picture is half a turn
  void orbit(float dx, float dy, int height);

  /// Moves so that points at the target's distance stay under the mouse.
  void pan(float dx, float dy, int height);

  /// Nearer by a factor: 0.5 halves the distance to the target.
  void zoom(float factor);

  /// Nearer by a factor, towards the point under the mouse, which stays in place.
  /// @param x,y -1..1 of the picture, y up
  void zoom_at(float factor, float x, float y, float aspect);

  void focus(Vec3 target);  ///< makes this point the target; the direction stays

 private:
  FramedCamera framed_, home_;
  float aspect_ = 1;
  bool moved_ = false;
};

/// Height of the picture at the target's distance [m].
float height_at_target(const Camera& camera);

/// A straight line through a pixel.
struct Ray {
  Vec3 origin;     ///< [m]
  Vec3 direction;  ///< of length 1
};
/// @param x,y -1..1 of the picture, y up
Ray ray_through(const Camera& camera, float x, float y, float aspect);

struct PicturePoint {
  float x, y;  ///< -1..1 of the picture, y up
};
/// The place of a point [m] in the picture; nullopt for a point behind the camera.
std::optional<PicturePoint> picture_point(const Camera& camera, Vec3 point, float aspect);

}  // namespace riffle::desktop
