/// Whole pictures.

#include <limits>
#include <random>

#include "core/error.h"
#include "picture.h"
#include "render/gl/gl_objects.h"

namespace riffle::test {
namespace {

constexpr int kWidth = 320, kHeight = 180;

class Picture : public GlTest {
 protected:
  static Cloud random_cloud(int n) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> unit(0, 1);
    Cloud cloud;
    cloud.radius = 0.02f;
    for (int i = 0; i < n; ++i) cloud.add({unit(generator), unit(generator), unit(generator)}, unit(generator));
    return cloud;
  }
  static Camera camera() { return render::frame_domain(unit_box(), {0, 1, 0}, float(kWidth) / kHeight, false); }
};

TEST_F(Picture, IsTheSameTwice) {
  const Cloud cloud = random_cloud(2000);
  const auto draw = [&] {
    render::Renderer renderer(kWidth, kHeight, Device{});
    renderer.draw(cloud.view(), camera(), {}, unit_box(), "caption");
    return renderer.read_image().rgb;
  };
  const auto first = draw(), second = draw();
  EXPECT_EQ(first, second);
  render::Renderer renderer(kWidth, kHeight, Device{});
  for (int i = 0; i < 5; ++i) renderer.draw(cloud.view(), camera(), {}, unit_box(), "caption");
  EXPECT_EQ(renderer.read_image().rgb, first) << "every slot of the ring";
}

/// What a viewer shows of a picture with alpha over a colour.
Rgb over(const render::Image& image, int x, int y, Rgb behind) {
  const Rgb own = pixel(image, x, y);
  const int alpha = image.alpha[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)];
  const auto mixed = [&](int front, int back) { return (front * alpha + back * (255 - alpha) + 127) / 255; };
  return {mixed(own.r, behind.r), mixed(own.g, behind.g), mixed(own.b, behind.b)};
}

TEST_F(Picture, WithoutABackgroundIsItselfOverEveryColour) {
  const Cloud cloud = random_cloud(60);
  render::RenderOptions options = bare(render::AntiAliasing::Analytic);
  options.box = true;
  options.theme = render::Theme::clear();
  render::Renderer clear(kWidth, kHeight, Device{}, options);
  clear.draw(cloud.view(), camera(), {}, unit_box());
  const render::Image image = clear.read_image();
  ASSERT_EQ(image.alpha.size(), static_cast<std::size_t>(kWidth * kHeight));
  int soft = 0, opaque = 0;
  for (const std::uint8_t alpha : image.alpha) soft += alpha > 20 && alpha < 235, opaque += alpha == 255;
  EXPECT_EQ(image.alpha.front(), 0);
  EXPECT_GT(soft, 200) << "outlines and lines";
  EXPECT_GT(opaque, 400) << "spheres";
  for (const Rgb color : {Rgb{255, 0, 0}, Rgb{40, 160, 90}}) {
    options.theme = render::Theme::clear();
    options.theme.transparent = false;
    const Vec3 ground = Vec3{float(color.r), float(color.g), float(color.b)} * (1.0f / 255);
    options.theme.background_top = options.theme.background_bottom = ground;
    render::Renderer colored(kWidth, kHeight, Device{}, options);
    colored.draw(cloud.view(), camera(), {}, unit_box());
    const render::Image wanted = colored.read_image();
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const Rgb a = over(image, x, y, color), b = pixel(wanted, x, y);
        ASSERT_NEAR(a.r, b.r, 3) << x << ", " << y;
        ASSERT_NEAR(a.g, b.g, 3) << x << ", " << y;
        ASSERT_NEAR(a.b, b.b, 3) << x << ", " << y;
      }
  }
  clear.start_read();
  const auto read = clear.next_image(true);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rgb, image.rgb);
  EXPECT_EQ(read->alpha, image.alpha);
  options.theme = render::Theme::light();
  clear.set_options(options);
  clear.draw(cloud.view(), camera(), {}, unit_box());
  EXPECT_TRUE(clear.read_image().alpha.empty());
}

TEST_F(Picture, OfNoParticlesIsBackgroundAndBox) {
  render::Renderer renderer(kWidth, kHeight, Device{});
  const render::ParticleView none{};
  renderer.draw(none, camera(), {}, unit_box());
  for (const float depth : renderer.read_depth()) EXPECT_TRUE(std::isinf(depth));
  const render::Image image = renderer.read_image();
  int dark = 0;
  for (int i = 0; i < kWidth * kHeight; ++i) dark += image.rgb[static_cast<std::size_t>(3 * i)] < 170;
  EXPECT_GT(dark, 100) << "lines of the box and the legend";
}

TEST_F(Picture, OutlivesPositionsAndValuesThatAreNotNumbers) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const Cloud good = random_cloud(500);
  Cloud bad = good;
  for (const Vec3 at :
       {Vec3{nan, 0, 0}, Vec3{0, nan, 0.5f}, Vec3{inf, 0, 0}, Vec3{0, 0, -inf}, Vec3{1e38f, 1e38f, 1e38f}})
    bad.add(at, 0.5f);
  render::Renderer renderer(kWidth, kHeight, Device{});
  renderer.draw(good.view(), camera(), {}, unit_box());
  const auto expected = renderer.read_image().rgb;
  renderer.draw(bad.view(), camera(), {}, unit_box());
  EXPECT_EQ(renderer.read_image().rgb, expected);

  Cloud valueless;
  valueless.radius = 0.3f;
  valueless.add({0.5f, 0.5f, 0.5f}, nan);
  renderer.draw(valueless.view(), camera(), {}, unit_box());
  const auto depth = renderer.read_depth();
  const render::Image image = renderer.read_image();
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < depth.size(); ++i) nearest = depth[i] < depth[nearest] ? i : nearest;
  const Rgb grey = pixel(image, static_cast<int>(nearest) % kWidth, static_cast<int>(nearest) / kWidth);
  EXPECT_NEAR(grey.r, grey.g, 8);
  EXPECT_NEAR(grey.g, grey.b, 12);
}

TEST_F(Picture, HidesTheBoxBehindTheFluid) {
  // One sphere in front of the box's far corner: the three edges that meet there must not shine through.
  Cloud cloud;
  cloud.radius = 0.45f;
  cloud.add({0.5f, 0.5f, 0.5f}, 0.5f);
  render::Renderer renderer(kWidth, kHeight, Device{}, bare());
  renderer.draw(cloud.view(), camera(), {}, unit_box());
  const render::Image without = renderer.read_image();
  render::RenderOptions options = bare();
  options.box = true;
  renderer.set_options(options);
  renderer.draw(cloud.view(), camera(), {}, unit_box());
  const render::Image with = renderer.read_image();
  const auto depth = renderer.read_depth();
  int behind = 0, in_front = 0, background = 0;
  const float middle = depth[static_cast<std::size_t>(kHeight / 2 * kWidth + kWidth / 2)];
  ASSERT_TRUE(std::isfinite(middle));
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const bool changed = !(pixel(without, x, y) == pixel(with, x, y));
      const bool sphere = std::isfinite(depth[static_cast<std::size_t>(y * kWidth + x)]);
      behind += sphere && changed;
      in_front += sphere;
      background += !sphere && changed;
    }
  EXPECT_GT(background, 300) << "the box is there";
  EXPECT_LT(behind, in_front / 15) << "only its near edges cross the sphere";
}

TEST_F(Picture, IsReadBackInOrderWithoutWaiting) {
  render::Renderer renderer(64, 64, Device{}, bare());
  Camera ortho;
  ortho.orthographic = true;
  const auto draw = [&](int i) {
    Cloud cloud;
    cloud.radius = 0.4f;
    cloud.add({0, 0, 0}, static_cast<float>(i) / 10);
    renderer.draw(cloud.view(), ortho, {}, unit_box());
  };
  std::vector<Rgb> direct, ring;
  for (int i = 0; i < 10; ++i) {
    draw(i);
    direct.push_back(pixel(renderer.read_image(), 32, 32));
  }
  for (int i = 0; i < 10; ++i) {
    draw(i);
    renderer.start_read();
    if (i >= 2) ring.push_back(pixel(*renderer.next_image(true), 32, 32));
  }
  while (auto image = renderer.next_image(true)) ring.push_back(pixel(*image, 32, 32));
  EXPECT_EQ(ring, direct);
  EXPECT_FALSE(renderer.next_image(true).has_value());
}

TEST_F(Picture, CanBeResizedAndReconfigured) {
  const Cloud cloud = random_cloud(500);
  render::Renderer renderer(100, 50, Device{});
  for (const auto& [w, h] : {std::pair{100, 50}, {333, 77}, {1, 1}, {640, 360}}) {
    renderer.resize(w, h);
    for (const render::AntiAliasing a :
         {render::AntiAliasing::None, render::AntiAliasing::Analytic, render::AntiAliasing::Supersample})
      for (const float occlusion : {0.0f, 0.8f}) {
        render::RenderOptions options;
        options.anti_aliasing = a;
        options.ambient_occlusion = occlusion;
        renderer.set_options(options);
        renderer.draw(cloud.view(), camera(), {}, unit_box(), "x");
        EXPECT_EQ(renderer.read_image().rgb.size(), static_cast<std::size_t>(3 * w * h));
      }
  }
}

TEST_F(Picture, OfAnImpossibleSizeIsRefused) {
  EXPECT_THROW(render::Renderer(0, 100, Device{}), RuntimeFailure);
  EXPECT_THROW(render::Renderer(1000000, 100, Device{}), RuntimeFailure);
}

TEST_F(Picture, OcclusionDarkensACrevice) {
  // A wall of spheres with one missing. The sphere behind the gap gets less light than those of the wall.
  Cloud cloud;
  cloud.radius = 0.05f;
  for (int i = 0; i <= 10; ++i)
    for (int j = 0; j <= 10; ++j)
      for (int k = 0; k < 2; ++k)
        if (i != 5 || j != 5 || k == 0)
          cloud.add({0.1f * static_cast<float>(i), 0.1f * static_cast<float>(j), 0.1f * static_cast<float>(k)}, 1);
  Camera ortho;
  ortho.orthographic = true;
  ortho.position = {0.5f, 0.5f, 3};
  ortho.target = {0.5f, 0.5f, 0};
  render::RenderOptions options = bare(render::AntiAliasing::Analytic);
  const auto draw = [&](float strength) {
    options.ambient_occlusion = strength;
    render::Renderer renderer(200, 200, Device{}, options);
    renderer.draw(cloud.view(), ortho, {}, unit_box());
    return renderer.read_image();
  };
  const render::Image dark = draw(1), light = draw(0);
  const auto ratio = [&](int x, int y) { return double(pixel(dark, x, y).g) / pixel(light, x, y).g; };
  EXPECT_LT(ratio(100, 100), 0.88) << "behind the gap";
  EXPECT_GT(ratio(60, 100), ratio(100, 100) + 0.1) << "in the wall";
}

TEST_F(Picture, SaysWhatItCosts) {
  const Cloud cloud = random_cloud(1000);
  render::Renderer renderer(kWidth, kHeight, Device{});
  for (int i = 0; i < 8; ++i) {
    renderer.draw(cloud.view(), camera(), {}, unit_box());
    renderer.read_image();
  }
  std::vector<std::string> names;
  for (const StageStats& stage : renderer.costs()) {
    names.push_back(stage.name);
    EXPECT_GT(stage.count, 0u);
    EXPECT_GE(stage.mean_ms, 0);
    EXPECT_LT(stage.mean_ms, 10000);
  }
  for (const char* name : {"gather", "spheres", "resolve", "legend", "read"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST_F(Picture, ShaderErrorsNameFileAndLine) {
  render::ShaderText shader = render::load_shader("sphere.frag", {});
  EXPECT_NE(render::readable_log(shader, "0:12(5): error: x").find("assets/shaders/sphere.frag:12: error: x"),
            std::string::npos);
  EXPECT_NE(render::readable_log(shader, "0(34) : error C1234").find("assets/shaders/sphere.frag:34 : error C1234"),
            std::string::npos);
  EXPECT_THROW(render::load_shader("nowhere.frag", {}), RuntimeFailure);
}

}  // namespace
}  // namespace riffle::test
