#pragma once
/// An OpenGL context per process, and particles to draw in it.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/device/buffer.h"
#include "render/gl/gl_debug.h"
#include "render/gl/offscreen_context.h"
#include "render/renderer.h"

namespace riffle::test {

/// Skips only without any EGL; a driver that refuses is a failure.
class GlTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { context(); }

  void SetUp() override {
    if (context()) {
      errors_before_ = render::gl_error_count();
      return;
    }
    const bool no_library = why_not().find("libEGL") != std::string::npos;
    if (no_library) GTEST_SKIP() << "NO PICTURE IS TESTED: " << why_not();
    FAIL() << why_not();
  }

  void TearDown() override { EXPECT_EQ(render::gl_error_count(), errors_before_) << "OpenGL complained, see the log"; }

  static render::OffscreenContext* context() {
    static const std::unique_ptr<render::OffscreenContext> one =
        render::OffscreenContext::create(std::nullopt, &why_not());
    return one.get();
  }
  static std::string& why_not() {
    static std::string text;
    return text;
  }

 private:
  int errors_before_ = 0;
};

/// Particles in the host's memory, as a CPU simulation has them.
struct Cloud {
  std::vector<Vec4> position, velocity;
  std::vector<float> scalar;
  float radius = 0.1f;

  void add(Vec3 at, float value) {
    position.push_back(make_vec4(at));
    velocity.push_back({value, 0, 0, 0});
    scalar.push_back(value);
  }
  render::ParticleView view() const {
    return {Device{}, static_cast<int>(position.size()), position.data(), velocity.data(), scalar.data(), radius};
  }
};

inline render::RenderOptions bare(render::AntiAliasing anti_aliasing = render::AntiAliasing::None) {
  render::RenderOptions options;
  options.anti_aliasing = anti_aliasing;
  options.ambient_occlusion = 0.0f;
  options.legend = options.box = false;
  return options;
}

struct Rgb {
  int r, g, b;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};
inline Rgb pixel(const render::Image& image, int x, int y) {
  const std::uint8_t* p =
      &image.rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) *
                 3];
  return {p[0], p[1], p[2]};
}

inline render::BoxView unit_box() { return {{0, 0, 0}, {1, 1, 1}, false}; }

}  // namespace riffle::test
