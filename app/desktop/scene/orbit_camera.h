#pragma once
/// A camera that a mouse moves. Pixels in, a Camera out.

#include <optional>

#include "render/view.h"

namespace riffle {

class OrbitCamera {
 public:
  OrbitCamera() = default;
  /// @param home  the view that home() goes back to
  explicit OrbitCamera(const Camera& home) : camera_(home), home_(home) {}

  const Camera& camera() const { return camera_; }
  void home() {
    camera_ = home_;
    moved_ = false;
  }

  /// Another view to go back to: of the same scene in a picture of another shape. A camera that nobody has moved goes there.
  void set_home(const Camera& home);
  bool moved() const { return moved_; }  ///< since it was at home

  /// Turns around the target. An orthographic (2-D) view does not turn; it moves instead.
  /// @param dx,dy [pixel] of the mouse, y down; a drag over the height of the picture is half a turn
  void orbit(float dx, float dy, int height);

  /// Moves so that what is under the mouse stays under it, at the target's distance.
  void pan(float dx, float dy, int height);

  /// Nearer by a factor: 0.5 halves the distance to the target.
  void zoom(float factor);

  /// Towards or away from the point of the picture that the mouse is at, which stays where it is.
  /// @param x,y -1..1 of the picture, y up
  void zoom_at(float factor, float x, float y, float aspect);

  void focus(Vec3 target);  ///< turns around this point from now on; the direction stays

 private:
  Camera camera_, home_;
  bool moved_ = false;
};

/// [m] that the picture shows from its lower to its upper edge at the target's distance.
float height_at_target(const Camera& camera);

/// A straight line through a pixel.
struct Ray {
  Vec3 origin;     ///< [m]
  Vec3 direction;  ///< of length 1
};
/// @param x,y -1..1 of the picture, y up
Ray ray_through(const Camera& camera, float x, float y, float aspect);

/// Where a picture shows a point. @return x, y -1..1, y up; nullopt for a point behind the camera
struct PicturePoint {
  float x, y;
};
std::optional<PicturePoint> picture_point(const Camera& camera, Vec3 point, float aspect);

}  // namespace riffle
