/// Compares a drawn sphere with the analytic one.

#include <glad/gl.h>

#include <numbers>

#include "render/color_map.h"
#include "tests/render/picture.h"

namespace riffle::test {
namespace {

constexpr int kSize = 512;

struct Eye {
  Camera camera;
  double tangent = 0;  ///< of half the field of view; half the height in an orthographic view

  static Eye perspective() {
    Eye eye;
    eye.camera.position = {0, 0, 4};
    eye.camera.target = {0, 0, 0};
    eye.camera.fov_degrees = 60;
    eye.tangent = std::tan(std::numbers::pi / 6);
    return eye;
  }
  static Eye orthographic() {
    Eye eye = perspective();
    eye.camera.orthographic = true;
    eye.camera.ortho_height = 4;
    eye.tangent = 2;
    return eye;
  }
};

/// Eye depth of the sphere in the middle of a pixel, NaN where it is not. Eye at (0, 0, 4) looking along -z.
/// @param cosine gets that of the angle between ray and normal, which says how sensitive the depth is
/// @param steepness gets the change of the depth [m] per pixel
double analytic_depth(const Eye& eye, Vec3 center, double radius, int x, int y, double* cosine,
                      double* steepness = nullptr) {
  const double u = (2 * (x + 0.5) / kSize - 1) * eye.tangent, v = (1 - 2 * (y + 0.5) / kSize) * eye.tangent;
  const bool ortho = eye.camera.orthographic;
  const double o[3] = {ortho ? u : 0, ortho ? v : 0, 4}, d[3] = {ortho ? 0 : u, ortho ? 0 : v, -1};
  const double m[3] = {o[0] - center.x, o[1] - center.y, o[2] - center.z};
  const double a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], b = m[0] * d[0] + m[1] * d[1] + m[2] * d[2];
  const double c = m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - radius * radius, disc = b * b - a * c;
  if (disc < 0) return std::nan("");
  *cosine = std::sqrt(disc / a) / radius;
  const double depth = (-b - std::sqrt(disc)) / a;  // d.z is -1: the ray's parameter is the depth
  if (steepness != nullptr) {
    double n[3], along = 0;  // the normal, and its part along the ray
    for (int k = 0; k < 3; ++k) n[k] = (m[k] + depth * d[k]) / radius, along += n[k] * d[k];
    const double pixel = 2 * eye.tangent / kSize * (ortho ? 1 : depth);  // [m] at that depth
    *steepness = pixel * std::hypot(n[0], n[1]) / std::abs(along);       // the point stays on the sphere
  }
  return depth;
}

/// How far rounding may put the depth of a sphere's pixel off [m], with factors of about 2 for what adds up.
/// - Rasterization: a corner of the sphere's square moves to the grid of 2^-bits pixels (GL_SUBPIXEL_BITS), and all that
///   is interpolated between the corners moves with it, by half a step along x and along y. This is by far the largest
///   part near the outline: 2 mm of depth per pixel there make 1.4e-4 m with 8 bits. A driver may also interpolate
///   between the corners where they were, and then has none of it.
/// - Arithmetic in floats: the distance of centre and eye, and the root of 1 - s, where s is the square of the ray's
///   distance from the centre in radii, known to some steps of a float at 1.
/// - The buffer: its floats have 2^-24 of their value. Under perspective the value is near / depth; in an orthographic
///   view the 200 heights between near and far lie between 0 and 1.
double depth_rounding(const Eye& eye, double depth, double radius, double cosine, double steepness) {
  GLint bits = 0;
  glGetIntegerv(GL_SUBPIXEL_BITS, &bits);
  constexpr double step = 0x1p-24;  // relative, half a step to either side
  const double raster = std::numbers::sqrt2 * 0.5 * std::exp2(-bits) * steepness;
  const double arithmetic = 16 * step * (depth + radius + radius / (2 * cosine));
  const double buffer = step * (eye.camera.orthographic ? 100 * double{eye.camera.ortho_height} : 2 * depth);
  return raster + arithmetic + buffer;
}

double analytic_area(const Eye& eye, Vec3 center, double radius) {  // [pixel^2]
  const double scale = 0.5 * kSize / eye.tangent;
  if (eye.camera.orthographic) return std::numbers::pi * radius * radius * scale * scale;
  const double z = 4 - center.z, d2 = center.x * center.x + center.y * center.y + z * z;
  const double sin2 = radius * radius / d2, cos2_axis = z * z / d2;
  // A cone cut by a plane: an ellipse with these semi-axes.
  const double major = std::sqrt(sin2 * (1 - sin2)) / (cos2_axis - sin2), minor = std::sqrt(sin2 / (cos2_axis - sin2));
  return std::numbers::pi * major * minor * scale * scale;
}

class Sphere : public GlTest {
 protected:
  void check(const Eye& eye, Vec3 center, float radius) {
    Cloud cloud;
    cloud.radius = radius;
    cloud.add(center, 0.5f);
    render::Renderer renderer(kSize, kSize, Device{}, bare());
    renderer.draw(cloud.view(), eye.camera, {}, unit_box());
    const std::vector<float> depth = renderer.read_depth();
    int covered = 0, wrong_outline = 0;
    double worst = 0;  // in parts of what rounding may do
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) {
        const float drawn = depth[static_cast<std::size_t>(y * kSize + x)];
        double cosine = 0, steepness = 0;
        const double expected = analytic_depth(eye, center, radius, x, y, &cosine, &steepness);
        covered += std::isfinite(drawn);
        // Only rounding may decide otherwise, and only within a hundredth of a pixel of the outline.
        if (std::isfinite(drawn) != std::isfinite(expected)) ++wrong_outline;
        if (std::isfinite(drawn) && std::isfinite(expected) && cosine > 0.1)
          worst =
              std::max(worst, std::abs(drawn - expected) / depth_rounding(eye, expected, radius, cosine, steepness));
      }
    EXPECT_LE(wrong_outline, 4) << "pixels inside the one and outside the other sphere";
    EXPECT_LT(worst, 1) << "parts of what rounding may do to the depth";
    const double drawn_radius = std::sqrt(covered / std::numbers::pi);
    const double true_radius = std::sqrt(analytic_area(eye, center, radius) / std::numbers::pi);
    EXPECT_NEAR(drawn_radius, true_radius, 0.1) << "[pixel]";
  }
};

TEST_F(Sphere, InTheMiddleMatchesInPerspective) { check(Eye::perspective(), {0, 0, 0}, 0.8f); }
TEST_F(Sphere, OffAxisIsAnEllipseAndNotClipped) { check(Eye::perspective(), {1.2f, -0.9f, 0.3f}, 0.6f); }
TEST_F(Sphere, CloseToTheEyeIsNotClippedByItsSquare) { check(Eye::perspective(), {0.1f, 0.1f, 3.0f}, 0.35f); }
TEST_F(Sphere, OfAFewPixelsKeepsItsOutline) { check(Eye::perspective(), {-1.0f, 0.7f, -1.0f}, 0.03f); }
TEST_F(Sphere, MatchesInAnOrthographicView) { check(Eye::orthographic(), {0.7f, -0.4f, 0.2f}, 0.9f); }

TEST_F(Sphere, BeyondThePictureEdgeIsStillDrawn) {
  // Its centre is outside; a point sprite would vanish as a whole.
  const Eye eye = Eye::perspective();
  Cloud cloud;
  cloud.radius = 0.5f;
  cloud.add({2.6f, 0, 0}, 0.5f);
  render::Renderer renderer(kSize, kSize, Device{}, bare());
  renderer.draw(cloud.view(), eye.camera, {}, unit_box());
  const std::vector<float> depth = renderer.read_depth();
  int covered = 0;
  for (const float d : depth) covered += std::isfinite(d);
  EXPECT_GT(covered, 100);
}

TEST_F(Sphere, InFrontHidesTheOneBehindAlongTheirIntersection) {
  // Same radius, one to the right and a little behind: each pixel shows the nearer surface.
  const Eye eye = Eye::perspective();
  const Vec3 a{-0.3f, 0, 0.2f}, b{0.3f, 0, -0.1f};
  Cloud cloud;
  cloud.radius = 0.7f;
  cloud.add(b, 1);  // drawn first, so that order of drawing cannot pass for depth
  cloud.add(a, 0);
  render::ColorScale scale;
  scale.palette = {{"red", {1, 0, 0}}, {"blue", {0, 0, 1}}};
  render::Renderer renderer(kSize, kSize, Device{}, bare());
  renderer.draw(cloud.view(), eye.camera, scale, unit_box());
  const render::Image image = renderer.read_image();
  int wrong = 0, red = 0, blue = 0;
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      double cosine = 0;
      const double da = analytic_depth(eye, a, cloud.radius, x, y, &cosine);
      const double db = analytic_depth(eye, b, cloud.radius, x, y, &cosine);
      if (std::isnan(da) || std::isnan(db) || std::abs(da - db) < 1e-4) continue;
      const Rgb shown = pixel(image, x, y);
      const bool shows_red = shown.r > shown.b;
      ++(shows_red ? red : blue);
      wrong += shows_red != (da < db);
    }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(red, 1000);
  EXPECT_GT(blue, 500);
}

TEST_F(Sphere, CenterColorsFollowTheMap) {
  for (const std::string_view name : render::color_map_names()) {
    const auto table = render::color_map(name);
    render::Renderer renderer(64, 64, Device{}, bare());
    render::ColorScale scale;
    scale.colormap = name;
    scale.min = 2;
    scale.max = 4;
    Camera camera = Eye::orthographic().camera;
    camera.ortho_height = 1;
    for (const float t : {-0.5f, 0.0f, 0.25f, 0.5f, 0.75f, 1.0f, 1.5f}) {
      Cloud cloud;
      cloud.radius = 0.4f;
      cloud.add({0, 0, 0}, 2 + 2 * t);
      renderer.draw(cloud.view(), camera, scale, unit_box());
      const Rgb shown = pixel(renderer.read_image(), 32, 32);
      const auto& expected = table[static_cast<std::size_t>(std::lround(255 * std::clamp(t, 0.0f, 1.0f)))];
      // Light scales the colour and adds a little white: its channels keep their order and their distances.
      const double lit[3] = {double(shown.r), double(shown.g), double(shown.b)};
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(lit[c], expected[static_cast<std::size_t>(c)], 45) << name << " at " << t << " channel " << c;
    }
  }
}

TEST_F(Sphere, BrightnessIsMonotoneAlongAPerceptualMap) {
  render::Renderer renderer(64, 64, Device{}, bare());
  Camera camera = Eye::orthographic().camera;
  camera.ortho_height = 1;
  double before = -1;
  for (int i = 0; i <= 20; ++i) {
    Cloud cloud;
    cloud.radius = 0.4f;
    cloud.add({0, 0, 0}, static_cast<float>(i) / 20);
    renderer.draw(cloud.view(), camera, {}, unit_box());
    const Rgb shown = pixel(renderer.read_image(), 32, 32);
    const double luma = 0.2126 * shown.r + 0.7152 * shown.g + 0.0722 * shown.b;
    EXPECT_GT(luma, before) << "at " << i / 20.0;
    before = luma;
  }
}

TEST_F(Sphere, AnalyticEdgesAgreeWithSupersampledOnes) {
  Cloud cloud;
  cloud.radius = 0.12f;
  for (int i = 0; i < 60; ++i)
    cloud.add({1.8f * std::sin(12.9f * static_cast<float>(i)), 1.8f * std::sin(78.2f * static_cast<float>(i)),
               0.8f * std::sin(37.7f * static_cast<float>(i))},
              0.5f + 0.5f * std::sin(5.3f * static_cast<float>(i)));
  const auto draw = [&](render::AntiAliasing anti_aliasing) {
    render::Renderer renderer(kSize, kSize, Device{}, bare(anti_aliasing));
    renderer.draw(cloud.view(), Eye::perspective().camera, {}, unit_box());
    return renderer.read_image();
  };
  const render::Image none = draw(render::AntiAliasing::None), analytic = draw(render::AntiAliasing::Analytic),
                      fine = draw(render::AntiAliasing::Supersample);
  const auto far_from_fine = [&](const render::Image& image) {
    int count = 0;
    for (std::size_t i = 0; i < image.rgb.size(); ++i) count += std::abs(int(image.rgb[i]) - int(fine.rgb[i])) > 40;
    return count;
  };
  EXPECT_LT(5 * far_from_fine(analytic), far_from_fine(none));
}

}  // namespace
}  // namespace riffle::test
