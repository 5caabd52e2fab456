/// Compares splatted pictures, as OpenGL shows them, with rastered ones.

#include <set>

#include "core/error.h"
#include "render/gl/surface.h"
#include "render/particles/shared_vertices.h"
#include "render/particles/splat_renderer.h"
#include "splat_cloud.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

constexpr int kPictureWidth = 240, kPictureHeight = 180;

render::RenderOptions with(render::SphereMethod method, render::RenderOptions options) {
  options.spheres = method;
  return options;
}

class SplatPicture : public SplatTest {
 protected:
  struct Drawn {
    render::Image image;
    std::vector<float> depth;
  };
  Drawn draw(const Cloud& cloud, const Camera& camera, const render::RenderOptions& options, int width = kPictureWidth,
             int height = kPictureHeight, const render::ColorScale& scale = {}, const render::Extras& extras = {}) {
    const Buffer<Vec4> p(device(), cloud.position), v(device(), cloud.velocity);
    const Buffer<float> s(device(), cloud.scalar);
    render::Renderer renderer(width, height, device(), options);
    renderer.draw({device(), static_cast<int>(p.size()), p.data(), v.data(), s.data(), cloud.radius}, camera, scale,
                  unit_box(), "caption", extras);
    EXPECT_EQ(renderer.sphere_method(), options.spheres);
    return {renderer.read_image(), renderer.read_depth()};
  }

  /// Depths and colours of the two methods at every pixel that is not within a hundredth of a pixel of an outline.
  void compare(const Cloud& cloud, const Camera& camera, const render::ColorScale& scale,
               const std::optional<render::CutPlane>& cut = {}) {
    render::Extras extras;
    extras.cut = cut;
    const Drawn raster =
        draw(cloud, camera, with(render::SphereMethod::Raster, bare()), kPictureWidth, kPictureHeight, scale, extras);
    const Drawn splat =
        draw(cloud, camera, with(render::SphereMethod::Splat, bare()), kPictureWidth, kPictureHeight, scale, extras);
    const ExactView exact(camera, kPictureWidth, kPictureHeight);
    int both = 0, only_one = 0, far_apart = 0, other_color = 0, ties = 0;
    for (int y = 0; y < kPictureHeight; ++y)
      for (int x = 0; x < kPictureWidth; ++x) {
        const auto at = static_cast<std::size_t>(y * kPictureWidth + x);
        ExactHit nearest, second;
        nearest.depth = second.depth = std::numeric_limits<double>::infinity();
        bool tie = false;
        for (const Vec4& p : cloud.position) {
          if (cut && dot(cut->normal, xyz(p)) > cut->offset) continue;
          const ExactHit hit = exact.hit(xyz(p), cloud.radius, x, y);
          tie |= std::abs(hit.to_outline) < 0.01;
          if (hit.depth < nearest.depth)
            second = nearest, nearest = hit;
          else if (hit.depth < second.depth)
            second = hit;
        }
        ties += tie;
        if (tie) continue;
        const float a = raster.depth[at], b = splat.depth[at];
        only_one += std::isfinite(a) != std::isfinite(b);
        if (!std::isfinite(a) || !std::isfinite(b)) continue;
        ++both;
        far_apart += std::abs(a - b) > exact.slack(nearest);
        // Rounding decides which colour a pixel has where two spheres meet.
        if (std::isfinite(second.depth) && second.depth - nearest.depth < exact.slack(nearest) + exact.slack(second)) {
          ++ties;
          continue;
        }
        const Rgb one = pixel(raster.image, x, y), other = pixel(splat.image, x, y);
        const int most = std::max({std::abs(one.r - other.r), std::abs(one.g - other.g), std::abs(one.b - other.b)});
        other_color += most > 3;
        if (most > 3 && other_color <= 5)
          std::printf("%d, %d: %d %d %d rastered, %d %d %d splatted, facing %.4f, %.3f px inside\n", x, y, one.r, one.g,
                      one.b, other.r, other.g, other.b, nearest.facing, nearest.to_outline);
      }
    EXPECT_GT(both, 5000);
    EXPECT_EQ(only_one, 0);
    EXPECT_EQ(far_apart, 0) << "of " << both << " depths";
    EXPECT_EQ(other_color, 0) << "of " << both << " colours";
    EXPECT_LT(ties, kPictureWidth * kPictureHeight / 5);
  }
};
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SplatPicture);

TEST_P(SplatPicture, HasTheRastersDepthsAndColors) {
  render::ColorScale scale;
  scale.min = 0.2f, scale.max = 0.9f;  // some values beyond either end
  compare(random_spheres(150, 0.2f, {-2, -2, -2}, {2, 2, 2}), looking_down_z(), scale);
}

TEST_P(SplatPicture, HasTheRastersDepthsAndColorsInAFlatView) {
  render::ColorScale scale;
  scale.palette = {{"a", {0.2f, 0.4f, 0.8f}}, {"b", {0.9f, 0.6f, 0.1f}}, {"c", {0, 0.6f, 0.4f}}};
  Cloud cloud = random_spheres(150, 0.2f, {-2, -2, -2}, {2, 2, 2});
  for (std::size_t i = 0; i < cloud.scalar.size(); ++i) cloud.scalar[i] = static_cast<float>(i % 5) - 1;
  cloud.scalar[7] = std::numeric_limits<float>::quiet_NaN();
  compare(cloud, flat_view(), scale);
}

TEST_P(SplatPicture, OfSmallSpheresIsTheRasters) {
  compare(random_spheres(1500, 0.03f, {-2, -2, -2}, {2, 2, 2}), looking_down_z(), {});
}

TEST_P(SplatPicture, WithACutPlaneIsTheRasters) {
  const Cloud cloud = random_spheres(400, 0.2f, {-2, -2, -2}, {2, 2, 2});
  const render::CutPlane cut{{0.5f, -1, 2}, 0.3f};
  compare(cloud, looking_down_z(), {}, cut);
  compare(cloud, flat_view(), {}, cut);
  render::Extras extras;
  extras.cut = cut;
  const auto splat = with(render::SphereMethod::Splat, bare());
  EXPECT_NE(draw(cloud, looking_down_z(), splat, kPictureWidth, kPictureHeight, {}, extras).image.rgb,
            draw(cloud, looking_down_z(), splat).image.rgb);
}

/// Cases in which rounding decides about a pixel: whether its ray meets a sphere, which of two spheres is in front, or,
/// for the smoothing, whether an outline is crossed sooner along x or along y. A rasteriser's corners lie on a grid
/// that OpenGL requires to be 1/16 of a pixel or finer (GL_SUBPIXEL_BITS): half of that either way.
bool rounding_decides(const ExactView& exact, const Cloud& cloud, int x, int y) {
  std::vector<ExactHit> hits;
  for (const Vec4& p : cloud.position) {
    const auto inside = [&](int dx, int dy) { return exact.hit(xyz(p), cloud.radius, x + dx, y + dy).to_outline; };
    const ExactHit hit = exact.hit(xyz(p), cloud.radius, x, y);
    if (!(hit.to_outline > -1.0 / 32)) continue;
    if (hit.to_outline < 1.0 / 32) return true;
    hits.push_back(hit);
    if (hit.to_outline > 1.1) continue;
    const double steep_x = std::abs(inside(1, 0) - inside(-1, 0)), steep_y = std::abs(inside(0, 1) - inside(0, -1));
    if (std::abs(steep_x - steep_y) < 0.01 * steep_x) return true;
  }
  std::sort(hits.begin(), hits.end(), [](const ExactHit& a, const ExactHit& b) { return a.depth < b.depth; });
  return hits.size() > 1 && hits[1].depth - hits[0].depth < exact.slack(hits[0]) + exact.slack(hits[1]);
}

TEST_P(SplatPicture, ComposesWithBoxOcclusionAndText) {
  // Everything on: what is not a sphere must come out the same, in front of and behind them.
  const Cloud cloud = random_spheres(300, 0.06f, {0, 0, 0}, {1, 0.6f, 1});
  render::RenderOptions options;
  options.anti_aliasing = render::AntiAliasing::Supersample;
  options.ambient_occlusion = 0.8f;
  options.ground = false;  // a GPU's default, of the raster alone
  const Camera camera = render::frame_domain(unit_box(), {0, 1, 0}, float(kPictureWidth) / kPictureHeight, false);
  const Drawn raster = draw(cloud, camera, with(render::SphereMethod::Raster, options));
  const Drawn splat = draw(cloud, camera, with(render::SphereMethod::Splat, options));
  const ExactView fine(camera, 2 * kPictureWidth, 2 * kPictureHeight);
  int background = 0;
  double sum = 0;
  for (int y = 0; y < kPictureHeight; ++y)
    for (int x = 0; x < kPictureWidth; ++x) {
      const Rgb a = pixel(raster.image, x, y), b = pixel(splat.image, x, y);
      const int most = std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
      bool decided = false;  // of any of its four samples, or one beside that the smoothing takes from
      for (int v = -1; v <= 2 && most > 8; ++v)
        for (int u = -1; u <= 2; ++u) decided |= rounding_decides(fine, cloud, 2 * x + u, 2 * y + v);
      EXPECT_TRUE(most <= 8 || decided) << most << " levels at " << x << ", " << y;
      sum += most;
      bool far = true;  // two pixels from any sphere
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          const int nx = std::clamp(x + dx, 0, kPictureWidth - 1), ny = std::clamp(y + dy, 0, kPictureHeight - 1);
          far &= std::isinf(raster.depth[static_cast<std::size_t>(ny * kPictureWidth + nx)]);
        }
      if (!far) continue;
      ++background;
      EXPECT_EQ(a, b) << x << ", " << y;
    }
  EXPECT_GT(background, 5000);
  EXPECT_LT(sum / (kPictureWidth * kPictureHeight), 0.2) << "levels on the mean";
}

TEST_P(SplatPicture, HasSmoothOutlines) {
  const Cloud cloud = random_spheres(60, 0.12f, {-1.8f, -1.4f, -0.8f}, {1.8f, 1.4f, 0.8f});
  const auto shown = [&](render::AntiAliasing anti_aliasing) {
    return draw(cloud, looking_down_z(), with(render::SphereMethod::Splat, bare(anti_aliasing)), 480, 360).image;
  };
  const render::Image none = shown(render::AntiAliasing::None), analytic = shown(render::AntiAliasing::Analytic),
                      fine = shown(render::AntiAliasing::Supersample);
  const auto far_from_fine = [&](const render::Image& image) {
    int count = 0;
    for (std::size_t i = 0; i < image.rgb.size(); ++i) count += std::abs(int(image.rgb[i]) - int(fine.rgb[i])) > 40;
    return count;
  };
  EXPECT_GT(far_from_fine(none), 500);
  EXPECT_LT(5 * far_from_fine(analytic), far_from_fine(none));
}

TEST_P(SplatPicture, IsTheSameTwiceAndInEverySlotOfTheRing) {
  const Cloud cloud = random_spheres(3000, 0.05f, {0, 0, 0}, {1, 1, 1});
  const Buffer<Vec4> p(device(), cloud.position), v(device(), cloud.velocity);
  const render::ParticleView view{device(), static_cast<int>(p.size()), p.data(), v.data(), nullptr, cloud.radius};
  const Camera camera = render::frame_domain(unit_box(), {0, 1, 0}, float(kPictureWidth) / kPictureHeight, false);
  render::RenderOptions options;
  options.spheres = render::SphereMethod::Splat;
  render::Renderer renderer(kPictureWidth, kPictureHeight, device(), options);
  renderer.draw(view, camera, {}, unit_box());
  const auto first = renderer.read_image().rgb;
  for (int i = 0; i < 5; ++i) {
    renderer.draw(view, camera, {}, unit_box());
    ASSERT_EQ(renderer.read_image().rgb, first);
  }
}

TEST_P(SplatPicture, CanBeResizedAndSwitched) {
  const Cloud cloud = random_spheres(200, 0.05f, {0, 0, 0}, {1, 1, 1});
  const Buffer<Vec4> p(device(), cloud.position), v(device(), cloud.velocity);
  const Camera camera = render::frame_domain(unit_box(), {0, 1, 0}, 1, false);
  render::Renderer renderer(100, 50, device());
  for (const auto& [w, h] : {std::pair{100, 50}, {333, 77}, {1, 1}, {320, 180}})
    for (const int count : {0, 200})
      for (const render::SphereMethod method :
           {render::SphereMethod::Splat, render::SphereMethod::Raster, render::SphereMethod::Splat}) {
        renderer.resize(w, h);
        render::RenderOptions options;
        options.spheres = method;
        options.anti_aliasing = render::AntiAliasing::Supersample;
        renderer.set_options(options);
        renderer.draw({device(), count, p.data(), v.data(), nullptr, cloud.radius}, camera, {}, unit_box(), "x");
        EXPECT_EQ(renderer.sphere_method(), method);
        EXPECT_EQ(renderer.read_image().rgb.size(), static_cast<std::size_t>(3 * w * h));
        int covered = 0;
        for (const float depth : renderer.read_depth()) covered += std::isfinite(depth);
        EXPECT_EQ(covered > 0, count > 0) << w << " x " << h << " by " << to_string(method);
      }
}

TEST_P(SplatPicture, SaysWhatItCosts) {
  const Cloud cloud = random_spheres(100, 0.05f, {0, 0, 0}, {1, 1, 1});
  const Buffer<Vec4> p(device(), cloud.position), v(device(), cloud.velocity);
  render::RenderOptions options;
  options.spheres = render::SphereMethod::Splat;
  render::Renderer renderer(64, 64, device(), options);
  const Camera camera = render::frame_domain(unit_box(), {0, 1, 0}, 1, false);
  const auto names = [&] {
    for (int i = 0; i < 8; ++i) {
      renderer.draw({device(), 100, p.data(), v.data(), nullptr, cloud.radius}, camera, {}, unit_box());
      renderer.read_image();
    }
    std::set<std::string> list;
    for (const StageStats& stage : renderer.costs()) list.insert(stage.name);
    return list;
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(names(), (std::set<std::string>{"splat", "shade", "compose", "resolve", "legend", "read"}));
    renderer.reset_costs();
  }
}

TEST_P(SplatPicture, IsTheSameInBandsAndThroughTheHost) {
  // Cases in which a buffer is larger than a shader may read at once, and in which CUDA and OpenGL share none.
  const Cloud cloud = random_spheres(300, 0.2f, {-2, -2, -2}, {2, 2, 2});
  const Buffer<Vec4> p(device(), cloud.position), v(device(), cloud.velocity);
  const render::ParticleView view{device(), static_cast<int>(p.size()), p.data(), v.data(), nullptr, cloud.radius};
  const render::ViewTransform transform =
      render::view_transform(looking_down_z(), float(kPictureWidth) / kPictureHeight);
  const auto depths = [&](render::TransferPath path, std::size_t largest_block) {
    render::Surface surface(kPictureWidth, kPictureHeight, render::AntiAliasing::None);
    render::SplatRenderer splats(device(), path, largest_block);
    splats.render(view, transform, {0, 1, 0}, {}, {}, kPictureWidth, kPictureHeight);
    surface.begin_scene();
    splats.compose();
    std::vector<float> window(static_cast<std::size_t>(kPictureWidth * kPictureHeight));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, surface.scene());
    glReadPixels(0, 0, kPictureWidth, kPictureHeight, GL_DEPTH_COMPONENT, GL_FLOAT, window.data());
    surface.resolve(transform, {});
    return window;
  };
  const render::TransferPath usual = render::SharedVertices(device()).path();
  const auto whole = depths(usual, std::size_t{1} << 30);
  EXPECT_GT(std::count_if(whole.begin(), whole.end(), [](float d) { return d > 0; }), 5000);
  EXPECT_EQ(depths(usual, 7 * 256 * sizeof(render::SplatPixel)), whole) << "seven rows at a time";
  EXPECT_EQ(depths(usual, 1), whole) << "less than a row";
  EXPECT_EQ(depths(render::TransferPath::Upload, std::size_t{1} << 30), whole);
}

TEST_P(SplatPicture, RefusesParticlesOfAnotherDevice) {
  Device elsewhere = device();
  elsewhere.ordinal = 99;
  const Vec4 nothing;
  render::RenderOptions options;
  options.spheres = render::SphereMethod::Splat;
  render::Renderer renderer(20, 20, device(), options);
  EXPECT_THROW(renderer.draw({elsewhere, 1, &nothing, nullptr, nullptr, 1}, {}, {}, unit_box()), RuntimeFailure);
}

TEST(SphereMethod, IsChosenByWhoDrawsAndHowMany) {
  const Device cpu, gpu{DeviceKind::Cuda, 0, nullptr};
  for (const render::SphereMethod wanted : {render::SphereMethod::Raster, render::SphereMethod::Splat})
    for (const int count : {0, 1 << 30}) EXPECT_EQ(render::choose_spheres(wanted, gpu, false, count), wanted);
  constexpr auto automatic = render::SphereMethod::Auto;
  EXPECT_EQ(render::choose_spheres(automatic, gpu, false, 100000), render::SphereMethod::Raster);
  EXPECT_EQ(render::choose_spheres(automatic, gpu, false, 4000000), render::SphereMethod::Splat);
  EXPECT_EQ(render::choose_spheres(automatic, gpu, true, 1000), render::SphereMethod::Splat)
      << "a processor would draw them";
  EXPECT_EQ(render::choose_spheres(automatic, cpu, false, 4000000), render::SphereMethod::Raster) << "a GPU draws them";
  EXPECT_EQ(render::choose_spheres(automatic, cpu, true, 560), render::SphereMethod::Raster) << "quicker, as measured";
  EXPECT_EQ(render::choose_spheres(automatic, cpu, true, 5100), render::SphereMethod::Splat);
  EXPECT_EQ(render::choose_spheres(automatic, cpu, true, 72000), render::SphereMethod::Splat);
}

TEST(SphereMethod, IsSplatAboveWhatIsSaid) {
  for (const Device& device : {Device{}, Device{DeviceKind::Cuda, 0, nullptr}})
    for (const bool software : {false, true}) {
      const auto above = render::splat_above(device, software);
      const int least = above.value_or((1 << 30) - 1) + 1;
      EXPECT_EQ(render::choose_spheres(render::SphereMethod::Auto, device, software, least),
                above ? render::SphereMethod::Splat : render::SphereMethod::Raster);
      EXPECT_EQ(render::choose_spheres(render::SphereMethod::Auto, device, software, least - 1),
                render::SphereMethod::Raster);
    }
}

TEST(SphereMethod, HasANameAndComesFromIt) {
  for (const render::SphereMethod method :
       {render::SphereMethod::Raster, render::SphereMethod::Splat, render::SphereMethod::Auto})
    EXPECT_EQ(render::sphere_method_from(to_string(method)), method);
  EXPECT_THROW(render::sphere_method_from("spat"), InputError);
}

}  // namespace
}  // namespace riffle::test
