#pragma once
/// Spheres in double precision, pixel by pixel: the reference for splatted and rastered pictures.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "render/camera.h"
#include "support/devices.h"
#include "tests/render/picture.h"

namespace riffle::test {

/// Pictures of particles on each device.
class SplatTest : public GlTest, public ::testing::WithParamInterface<DeviceKind> {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) skip_without(GetParam());
  }
  Device device() const { return device_of(GetParam()); }
};

/// One sphere at one pixel's middle.
struct ExactHit {
  double depth = std::numeric_limits<double>::quiet_NaN();  ///< [m] of the front; NaN where the ray misses
  double facing = 0;                                        ///< cosine between normal and ray
  double to_outline = -1e9;                                 ///< [pixel] from the outline, positive inside
};

class ExactView {
 public:
  ExactView(const Camera& camera, int width, int height)
      : t_(render::view_transform(camera, static_cast<float>(width) / static_cast<float>(height))),
        width_(width),
        height_(height) {}

  const render::ViewTransform& transform() const { return t_; }

  /// Allowed error of a hit's depth [m]: OpenGL places corners to 1/256 of a pixel, which exceeds rounding error where
  /// the surface is steep.
  double slack(const ExactHit& hit) const {
    const double snap = 2 * t_.half_extent.y / height_ * (t_.orthographic ? 1 : hit.depth) / 256;
    return 1e-5 * (std::abs(hit.depth) + 1) + snap * std::sqrt(1 / (hit.facing * hit.facing) - 1);
  }

  /// @param x,y pixel, top row first
  ExactHit hit(Vec3 p, double radius, int x, int y) const {
    double c[3];
    for (int k = 0; k < 3; ++k)
      c[k] = double(t_.view[0][k]) * p.x + double(t_.view[1][k]) * p.y + double(t_.view[2][k]) * p.z + t_.view[3][k];
    const double u = (2 * (x + 0.5) / width_ - 1) * t_.half_extent.x;
    const double v = (1 - 2 * (y + 0.5) / height_) * t_.half_extent.y;
    const double pixel = 2.0 * t_.half_extent.y / height_ * (t_.orthographic ? 1 : -c[2]);
    radius = std::max(radius, 0.7 * pixel);
    if (!t_.orthographic && std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) <= 1.001 * radius) return {};
    const double o[3] = {t_.orthographic ? u : 0, t_.orthographic ? v : 0, 0};
    const double d[3] = {t_.orthographic ? 0 : u, t_.orthographic ? 0 : v, -1};
    double a = 0, b = 0, m2 = 0;
    for (int k = 0; k < 3; ++k) {
      a += d[k] * d[k];
      b += (o[k] - c[k]) * d[k];
      m2 += (o[k] - c[k]) * (o[k] - c[k]);
    }
    ExactHit hit;
    const double distance = std::sqrt(std::max(0.0, m2 - b * b / a));
    hit.to_outline = (radius - distance) / std::max(std::abs(pixel), 1e-9);
    const double half_chord2 = radius * radius - distance * distance;
    if (half_chord2 < 0) return hit;
    const double depth = -b / a - std::sqrt(half_chord2 / a);
    hit.facing = std::sqrt(half_chord2) / radius;
    if (depth >= t_.near_depth) hit.depth = depth;
    return hit;
  }

 private:
  render::ViewTransform t_;
  int width_, height_;
};

inline Camera looking_down_z(float distance = 4) {
  Camera camera;
  camera.position = {0, 0, distance};
  camera.target = {0, 0, 0};
  camera.fov_degrees = 60;
  return camera;
}

inline Camera flat_view(float height = 4) {
  Camera camera = looking_down_z();
  camera.orthographic = true;
  camera.ortho_height = height;
  return camera;
}

inline Cloud random_spheres(int n, float radius, Vec3 low, Vec3 high, unsigned seed = 5) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> unit(0, 1);
  Cloud cloud;
  cloud.radius = radius;
  for (int i = 0; i < n; ++i) {
    const float x = unit(generator), y = unit(generator), z = unit(generator);
    cloud.add({low.x + x * (high.x - low.x), low.y + y * (high.y - low.y), low.z + z * (high.z - low.z)},
              unit(generator));
  }
  return cloud;
}

}  // namespace riffle::test
