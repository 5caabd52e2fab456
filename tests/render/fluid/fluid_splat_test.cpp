/// Compares the fluid look's fields by kernels with OpenGL's and with arithmetic in double precision.

#include <functional>
#include <random>

#include "core/device/memory.h"
#include "render/fluid/fluid_around.h"
#include "render/fluid/fluid_bulk.h"
#include "render/fluid/fluid_filter.h"
#include "render/fluid/fluid_renderer.h"
#include "render/particles/shared_vertices.h"
#include "support/devices.h"
#include "tests/render/particles/splat_cloud.h"

namespace riffle::test {
namespace {

constexpr int kSplatWidth = 250, kSplatHeight = 190;

render::ColorScale two_splat_colors() {
  render::ColorScale scale;
  scale.palette = {{"red", {0.85f, 0.15f, 0.12f}}, {"blue", {0.12f, 0.25f, 0.85f}}};
  return scale;
}

/// Results of the passes, bottom row first.
struct Fields {
  render::PictureSize size, coarse;
  std::vector<float> depth;             ///< [m], 0: no fluid
  std::vector<float> bulk;              ///< 0: a drop alone, 1: a body
  std::vector<float> thickness, color;  ///< (coarse, 4)
  std::vector<float> foam;              ///< (coarse)
};

/// The range of values in the 3 x 3 pixels around one.
struct Span {
  float least = 1e30f, most = -1e30f;
};
Span span_around(const std::vector<float>& values, render::PictureSize size, int x, int y, int reach = 1,
                 bool fluid_only = false) {
  Span span;
  for (int b = std::max(y - reach, 0); b <= std::min(y + reach, size.height - 1); ++b)
    for (int a = std::max(x - reach, 0); a <= std::min(x + reach, size.width - 1); ++a) {
      const float value = values[static_cast<std::size_t>(b * size.width + a)];
      if (fluid_only && !(value > 0)) continue;
      span.least = std::min(span.least, value);
      span.most = std::max(span.most, value);
    }
  return span;
}

class FluidSplats : public SplatTest {
 protected:
  static render::RenderOptions options() {
    render::RenderOptions options = bare();
    options.look = render::Look::Fluid;
    options.ground = false;
    options.spheres = render::SphereMethod::Splat;
    return options;
  }
  static render::BoxView domain() { return {{-1, -1, -1}, {1, 1, 1}, false}; }

  Fields draw(render::SphereMethod method, const Cloud& cloud, const Camera& camera, const render::FluidStyle& style,
              const std::optional<render::CutPlane>& cut = {}) {
    const Buffer<Vec4> p(device(), cloud.position), v(device(), cloud.velocity);
    const Buffer<float> s(device(), cloud.scalar);
    const render::ParticleView view{device(), static_cast<int>(p.size()), p.data(), v.data(), s.data(), cloud.radius};
    const render::ViewTransform transform = render::view_transform(camera, float(kSplatWidth) / kSplatHeight);
    const render::ColorScale scale = two_splat_colors();
    render::Surface target(kSplatWidth, kSplatHeight, render::AntiAliasing::None);
    render::SharedVertices vertices(device());
    render::ColorMapTexture map;
    map.select("viridis");
    vertices.update(view, true);
    render::FluidSplatRenderer splats(device(), vertices.path());
    const bool by_kernels = method == render::SphereMethod::Splat;
    if (by_kernels) splats.render(view, transform, scale, cut, domain(), style, {kSplatWidth, kSplatHeight});
    render::FrameCost cost;
    cost.begin_frame();
    render::FluidRenderer fluid;
    target.begin_scene();
    const render::ParticlePass pass{by_kernels ? 0 : vertices.buffer(),
                                    vertices.count(),
                                    vertices.speed_offset(),
                                    cloud.radius,
                                    2 * cloud.radius,
                                    transform,
                                    camera.up,
                                    scale,
                                    map,
                                    cut};
    fluid.draw(pass, domain(), style, render::Theme{}, target, cost, by_kernels ? &splats : nullptr,
               [](const render::FluidFront&) {});
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    Fields fields{fluid.size(), fluid.coarse(), {}, {}, {}, {}, {}};
    const auto read = [](GLuint texture, GLenum format, render::PictureSize size, int channels) {
      std::vector<float> values(static_cast<std::size_t>(size.width * size.height * channels));
      glPixelStorei(GL_PACK_ALIGNMENT, 4);
      glGetTextureImage(texture, 0, format, GL_FLOAT, static_cast<GLsizei>(values.size() * sizeof(float)),
                        values.data());
      return values;
    };
    fields.depth = read(fluid.filtered_depth(), GL_RED, fields.size, 1);
    fields.bulk = read(fluid.bulk(), GL_RED, fields.size, 1);
    fields.thickness = read(fluid.thickness(), GL_RGBA, fields.coarse, 4);
    fields.color = read(fluid.surface_color(), GL_RGBA, fields.coarse, 4);
    fields.foam = read(fluid.foam(), GL_RED, fields.coarse, 1);
    return fields;
  }

  /// Where an outline is within the filter's reach, rounding may put a pixel of it on either side of the outline. The
  /// filter then counts the depth there, or does not. @return how far [m] that moves a mean of Gaussian weights
  static double one_tap(const Fields& fields, int x, int y, double sigma, bool perspective) {
    if (!(sigma > 0)) return 0;
    const double pixels = perspective ? sigma / fields.depth[static_cast<std::size_t>(y * kSplatWidth + x)] : sigma;
    const int reach = static_cast<int>(std::ceil(2.2 * pixels));
    if (span_around(fields.depth, fields.size, x, y, reach).least > 0) return 0;
    const Span fluid = span_around(fields.depth, fields.size, x, y, reach, true);
    return (fluid.most - fluid.least) / (std::sqrt(2 * 3.14159265358979) * pixels);
  }

  /// Pictures before the filter, by either way.
  struct Unfiltered {
    const Fields *a, *b;
  };

  /// The filter leaves a pixel as it is where no pair of pixels beside it has the depth of its surface. If a pair is as far
  /// away as the filter's range, rounding decides, and the pixels around take their share of what was decided.
  /// @return whether one way left a pixel near (x, y) as it was, and the other did not
  static bool decided_by_rounding(const Fields& a, const Fields& b, const Unfiltered& before, int x, int y,
                                  float spacing) {
    if (!before.a) return false;
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, kSplatHeight - 1); ++v)
      for (int u = std::max(x - 1, 0); u <= std::min(x + 1, kSplatWidth - 1); ++u) {
        const auto at = static_cast<std::size_t>(v * kSplatWidth + u);
        const bool left_a = std::abs(a.depth[at] - before.a->depth[at]) < 1e-3f * spacing;
        const bool left_b = std::abs(b.depth[at] - before.b->depth[at]) < 1e-3f * spacing;
        if (left_a != left_b && std::abs(a.depth[at] - b.depth[at]) > spacing) return true;
      }
    return false;
  }

  /// The depths of both ways around a pixel where they differ.
  static void print_around(const char* what, const Fields& a, const Fields& b, int x, int y) {
    for (const auto& [way, fields] : {std::pair("rastered", &a), std::pair("by kernels", &b)}) {
      std::printf("%s, %s, around %d, %d:\n", what, way, x, y);
      for (int v = std::max(y - 4, 0); v <= std::min(y + 4, kSplatHeight - 1); ++v) {
        for (int u = std::max(x - 4, 0); u <= std::min(x + 4, kSplatWidth - 1); ++u)
          std::printf(" %8.5f", fields->depth[static_cast<std::size_t>(v * kSplatWidth + u)]);
        std::printf("\n");
      }
    }
  }

  /// Compares the depths of the two ways. Where a pixel's neighbours belong to its own surface they agree. At an
  /// outline, which rounding may put on either side of a pixel's middle, one way has the depth that the other has next
  /// to it.
  /// @param bound [spacings]
  /// @param shift [pixel] by which a sphere's outline may differ
  /// @param sigma [pixel] of the filter, under perspective at depth 1; 0: none
  /// @param before the filter, if there is one
  /// @return the first pixel where they do not agree
  std::optional<std::pair<int, int>> compare_depths(const Fields& a, const Fields& b, float spacing, double bound,
                                                    double shift, double sigma, bool perspective,
                                                    const Unfiltered& before) {
    std::optional<std::pair<int, int>> first;
    int smooth = 0, apart = 0, stray = 0, by_rounding = 0;
    for (int y = 0; y < kSplatHeight; ++y)
      for (int x = 0; x < kSplatWidth; ++x) {
        const auto at = static_cast<std::size_t>(y * kSplatWidth + x);
        const Span own = span_around(a.depth, a.size, x, y);
        if (own.least > 0 && own.most - own.least < 0.5f * spacing) {
          ++smooth;
          const double slope = double(own.most - own.least) / 2;
          const double difference = std::abs(double(a.depth[at]) - b.depth[at]);
          if (difference <= bound * spacing + shift * slope) continue;
          if (difference <= bound * spacing + shift * slope + one_tap(a, x, y, sigma, perspective)) continue;
          if (decided_by_rounding(a, b, before, x, y, spacing)) {
            ++by_rounding;
            continue;
          }
          if (!first) first = {x, y};
          if (++apart <= 5)
            std::printf("%d, %d: %.6f rastered, %.6f by kernels, %.6f .. %.6f around, spacing %.4f, filter %.1f\n", x,
                        y, a.depth[at], b.depth[at], own.least, own.most, spacing, sigma);
        } else {
          const float slack = static_cast<float>(bound) * spacing + 0.02f * (own.most - own.least);
          // At the picture's border the place from which rounding moves an outline may be outside. The filter mirrors
          // the picture there, which doubles the effect of rounding.
          if (x == 0 || y == 0 || x == kSplatWidth - 1 || y == kSplatHeight - 1) continue;
          const bool off = !(b.depth[at] >= own.least - slack && b.depth[at] <= own.most + slack);
          if (off && decided_by_rounding(a, b, before, x, y, spacing)) {
            ++by_rounding;
            continue;
          }
          if (off && !first) first = {x, y};
          if (off && ++stray <= 5)
            std::printf(
                "%d, %d: %.6f rastered, %.6f by kernels, at an outline of %.6f .. %.6f, spacing %.4f, filter %.1f\n", x,
                y, a.depth[at], b.depth[at], own.least, own.most, spacing, sigma);
        }
      }
    EXPECT_GT(smooth, kSplatWidth * kSplatHeight / 20);
    EXPECT_EQ(apart, 0) << "of " << smooth;
    EXPECT_EQ(stray, 0);
    EXPECT_LE(by_rounding, smooth / 3000) << "of " << smooth << ": more than rounding explains";
    return first;
  }

  /// OpenGL places a square's corners to 1/256 of a pixel. What it adds up in half precision may be truncated each
  /// time: some tens of additions lose up to a fiftieth. A drop's radius, 0.75 spacings, follows from its thickness
  /// with a slope of up to 0.4 per thickness of one particle, and is asked up to three of them: 0.018 spacings, a third
  /// of a pixel here.
  void compare(const Cloud& cloud, const Camera& camera, bool drops, const std::optional<render::CutPlane>& cut = {}) {
    const double bound = drops ? 1.8e-2 : 2e-3, shift = drops ? 0.35 : 0.03;
    render::FluidStyle style;
    style.foam_speed = 0.4f;
    render::FluidStyle rough = style;
    rough.smoothing = 0;
    const float spacing = 2 * cloud.radius;
    const Fields rough_a = draw(render::SphereMethod::Raster, cloud, camera, rough, cut);
    const Fields rough_b = draw(render::SphereMethod::Splat, cloud, camera, rough, cut);
    compare_depths(rough_a, rough_b, spacing, bound, shift, 0, false, {nullptr, nullptr});
    const Fields a = draw(render::SphereMethod::Raster, cloud, camera, style, cut);
    const Fields b = draw(render::SphereMethod::Splat, cloud, camera, style, cut);
    const render::ViewTransform view = render::view_transform(camera, float(kSplatWidth) / kSplatHeight);
    const double sigma = double(style.smoothing) * spacing * 0.5 * kSplatHeight / view.half_extent.y;
    if (const auto off = compare_depths(a, b, spacing, std::max(bound, 1e-2), shift, sigma, !view.orthographic,
                                        {&rough_a, &rough_b})) {
      print_around("not smoothed", rough_a, rough_b, off->first, off->second);
      print_around("smoothed", a, b, off->first, off->second);
    }

    int other_bulk = 0;
    for (std::size_t i = 0; i < a.bulk.size(); ++i) other_bulk += std::abs(a.bulk[i] - b.bulk[i]) > 0.02f;
    EXPECT_LT(other_bulk, static_cast<int>(a.bulk.size()) / 100) << "pixels";
    ASSERT_EQ(a.coarse, b.coarse);
    int thick = 0, shown = 0;
    for (int y = 0; y < a.coarse.height; ++y)
      for (int x = 0; x < a.coarse.width; ++x) {
        const auto at = static_cast<std::size_t>(y * a.coarse.width + x);
        for (std::size_t c = 4 * at; c < 4 * at + 4; ++c)
          ASSERT_NEAR(a.thickness[c], b.thickness[c], 0.01 + 0.02 * a.thickness[c]) << x << ", " << y;
        thick += a.thickness[4 * at + 3] > 0.5f;
        const Span near = depth_around(a, x, y);
        if (near.least <= 0 || near.most - near.least > 0.5f * spacing) continue;  // different surfaces may be sampled
        ++shown;
        const float* one = &a.color[4 * at];
        const float* other = &b.color[4 * at];
        // Weights fall off with the depth below the surface, by at most their own size in 1.5 spacings. A coarse
        // pixel's middle may be a corner of four fine ones: which of their depths is asked is a matter of rounding.
        const double asked = (near.most - near.least) / (1.5 * spacing);
        ASSERT_NEAR(one[3], other[3], 0.01 + (0.02 + asked) * one[3]) << x << ", " << y;
        for (int c = 0; c < 3; ++c)
          ASSERT_NEAR(std::exp(-one[c] / one[3]), std::exp(-other[c] / other[3]), 0.01 + asked) << x << ", " << y;
        ASSERT_NEAR(a.foam[at] / one[3], b.foam[at] / other[3], 0.02 + asked) << x << ", " << y;
      }
    EXPECT_GT(thick, 100);
    EXPECT_GT(shown, 100);
  }
  /// Thickness and colour, pixel by pixel and particle by particle, and the spheres whose sizes follow from the
  /// thickness.
  void check_exactly(const Cloud& cloud, const Camera& camera) {
    render::FluidStyle style;
    style.smoothing = 0;
    const Fields fields = draw(render::SphereMethod::Splat, cloud, camera, style);
    const render::ViewTransform view = render::view_transform(camera, float(kSplatWidth) / kSplatHeight);
    const double spacing = 2 * double(cloud.radius), radius = 1.5535 * spacing,
                 lone = 3 / (3.14159265358979 * 1.5535 * 1.5535);
    const auto eye_place = [&](const Vec4& p, int k) {
      return double(view.view[0][k]) * p.x + double(view.view[1][k]) * p.y + double(view.view[2][k]) * p.z +
             view.view[3][k];
    };
    const double pixel = 2.0 * view.half_extent.y / fields.coarse.height;
    int covered = 0;
    for (int y = 0; y < fields.coarse.height; ++y)
      for (int x = 0; x < fields.coarse.width; ++x) {
        const double u = (2 * (x + 0.5) / fields.coarse.width - 1) * view.half_extent.x;
        const double v = (2 * (y + 0.5) / fields.coarse.height - 1) * view.half_extent.y;
        const int fine_x = (2 * x + 1) * kSplatWidth / (2 * fields.coarse.width);
        const int fine_y = (2 * y + 1) * kSplatHeight / (2 * fields.coarse.height);
        const double front = fields.depth[static_cast<std::size_t>(fine_y * kSplatWidth + fine_x)];
        double thickness = 0, weights = 0, absorbed = 0;
        for (std::size_t i = 0; i < cloud.position.size(); ++i) {
          const double c[3] = {eye_place(cloud.position[i], 0), eye_place(cloud.position[i], 1),
                               eye_place(cloud.position[i], 2)};
          const double depth = -c[2], length2 = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
          const double drawn = std::max(radius, 0.7 * pixel * (view.orthographic ? 1 : depth));
          if (!view.orthographic && (depth <= 0 || length2 <= 1.001 * 1.001 * drawn * drawn)) continue;
          double offset2 = (u - c[0]) * (u - c[0]) + (v - c[1]) * (v - c[1]);
          if (!view.orthographic) {
            const double along = c[0] * u + c[1] * v - c[2], t = length2 / along;  // of the ray (u, v, -1)
            if (along <= 0 || t < view.near_depth) continue;
            offset2 = t * t * (u * u + v * v + 1) - length2;
          }
          const double edge = 1 - offset2 / (drawn * drawn);
          if (edge <= 0) continue;
          thickness += lone * radius * radius / (drawn * drawn) * edge * edge;
          const double below = std::max(0.0, depth - front) / (1.5 * spacing);
          const double weight = 0.25 * edge * edge * (front > 0 ? std::exp2(-1.44 * below * below) : 1);
          weights += weight;
          absorbed += weight * -std::log(cloud.scalar[i] > 0.5f ? 0.12 * 0.12 : 0.85 * 0.85);  // of red
        }
        const auto at = static_cast<std::size_t>(y * fields.coarse.width + x);
        covered += thickness > 0;
        // Positions are exact to 1e-7 of the view, which is 1e-6 of a disc; where a disc is seen from its edge the
        // error is larger.
        ASSERT_NEAR(fields.thickness[4 * at + 3], thickness, 1e-4 + 1e-4 * thickness) << x << ", " << y;
        ASSERT_NEAR(fields.color[4 * at + 3], weights, 1e-4 + 1e-4 * weights) << x << ", " << y;
        ASSERT_NEAR(fields.color[4 * at], absorbed, 1e-4 + 1e-4 * absorbed) << x << ", " << y;
      }
    EXPECT_GT(covered, 100);

    std::vector<double> sizes;
    for (const Vec4& p : cloud.position) {
      const double scale = view.orthographic ? 1 : -eye_place(p, 2);
      const double layers = layers_at(fields, (0.5 + 0.5 * eye_place(p, 0) / scale / view.half_extent.x),
                                      (0.5 + 0.5 * eye_place(p, 1) / scale / view.half_extent.y));
      const double t = std::clamp((layers - 1.5 * lone) / (1.5 * lone), 0.0, 1.0);
      sizes.push_back(0.75 * spacing * (1 - 0.4 * (1 - t * t * (3 - 2 * t))));
    }
    const ExactView exact(camera, kSplatWidth, kSplatHeight);
    const double range = view.orthographic ? -1 / double(view.depth_transform.y) : 0;
    struct Hit {
      std::size_t sphere;
      double depth, bound;
    };
    struct Pixel {
      float depth;
      std::vector<Hit> hits;
    };
    std::vector<Pixel> pixels;
    int ties = 0;
    for (int y = 0; y < kSplatHeight; ++y)
      for (int x = 0; x < kSplatWidth; ++x) {
        Pixel one{fields.depth[static_cast<std::size_t>(y * kSplatWidth + x)], {}};
        bool tie = false;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          const ExactHit hit = exact.hit(xyz(cloud.position[i]), sizes[i], x, kSplatHeight - 1 - y);
          tie |= std::abs(hit.to_outline) < 0.01;
          if (!(hit.depth < 1e29)) continue;  // NaN where it misses
          const double bound = 1e-5 * (std::abs(hit.depth) + 1) / std::max(hit.facing, 0.01) + 2.4e-7 * range;
          one.hits.push_back({i, hit.depth, bound});
        }
        ties += tie;
        if (!tie) pixels.push_back(std::move(one));  // rounding may decide within a hundredth of a pixel of an outline
      }
    // A drop in front of other fluid is left out as a whole: pixels show what else they have. NarrowRangeFilter has the
    // rule. Here one pixel tells that a sphere is left out, and all others must agree.
    std::vector<char> left_out(sizes.size(), 0);
    const auto shown = [&](const Pixel& one) {
      const Hit* best = nullptr;
      for (const Hit& hit : one.hits)
        if (!best || std::pair(left_out[hit.sphere], hit.depth) < std::pair(left_out[best->sphere], best->depth))
          best = &hit;
      return best;
    };
    const auto agrees = [](const Pixel& one, const Hit* hit) {
      return hit ? std::abs(one.depth - hit->depth) <= hit->bound : one.depth == 0;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const Pixel& one : pixels)
        if (const Hit* hit = shown(one); hit && !left_out[hit->sphere] && one.depth > hit->depth + hit->bound)
          left_out[hit->sphere] = changed = true;
    }
    const auto wrong = std::count_if(pixels.begin(), pixels.end(), [&](const auto& p) { return !agrees(p, shown(p)); });
    EXPECT_EQ(wrong, 0);
    EXPECT_LT(std::count(left_out.begin(), left_out.end(), 1), static_cast<int>(sizes.size()) / 2);
    EXPECT_LT(ties, kSplatWidth * kSplatHeight / 5);
  }
  /// Thickness between the middles of pixels. @param u,v 0..1 over the picture
  static double layers_at(const Fields& fields, double u, double v) {
    const double x = std::clamp(u * fields.coarse.width - 0.5, 0.0, fields.coarse.width - 1.0);
    const double y = std::clamp(v * fields.coarse.height - 0.5, 0.0, fields.coarse.height - 1.0);
    const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
    const int x1 = std::min(x0 + 1, fields.coarse.width - 1), y1 = std::min(y0 + 1, fields.coarse.height - 1);
    const auto w = [&](int a, int b) {
      return double(fields.thickness[static_cast<std::size_t>(b * fields.coarse.width + a) * 4 + 3]);
    };
    const double below = w(x0, y0) + (x - x0) * (w(x1, y0) - w(x0, y0));
    const double above = w(x0, y1) + (x - x0) * (w(x1, y1) - w(x0, y1));
    return below + (y - y0) * (above - below);
  }

  /// The scene's pixels around the middle of a coarse one.
  static Span depth_around(const Fields& fields, int x, int y) {
    const int fine_x = (2 * x + 1) * fields.size.width / (2 * fields.coarse.width);
    const int fine_y = (2 * y + 1) * fields.size.height / (2 * fields.coarse.height);
    return span_around(fields.depth, fields.size, fine_x, fine_y);
  }
};
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(FluidSplats);

Cloud lattice(Vec3 low, Vec3 high, float spacing, float jitter) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<float> shift(-jitter * spacing, jitter * spacing), unit(0, 1);
  Cloud cloud;
  cloud.radius = 0.5f * spacing;
  for (float z = low.z + 0.5f * spacing; z < high.z; z += spacing)
    for (float y = low.y + 0.5f * spacing; y < high.y; y += spacing)
      for (float x = low.x + 0.5f * spacing; x < high.x; x += spacing) {
        cloud.add({x + shift(generator), y + shift(generator), z + shift(generator)}, x > 0 ? 1.0f : 0.0f);
        cloud.velocity.back() = {unit(generator), 0, 0, 0};
      }
  return cloud;
}

TEST_P(FluidSplats, OfASlabAreTheRasters) {
  const Cloud slab = lattice({-0.8f, -0.7f, -0.4f}, {0.8f, 0.7f, 0}, 0.08f, 0.2f);
  compare(slab, looking_down_z(2.5f), false);
  compare(slab, flat_view(2), false);
  Camera oblique = looking_down_z();
  oblique.position = {1.2f, 1.4f, 1.6f};
  compare(slab, oblique, false);
}

TEST_P(FluidSplats, AreTheirSumsInDoublePrecision) {
  const Cloud cloud = random_spheres(250, 0.1f, {-1.6f, -1.2f, -1}, {1.6f, 1.2f, 1});
  Camera near = looking_down_z();
  near.position = {0.3f, 0.1f, 1.2f};
  for (const Camera& camera : {looking_down_z(3), near, flat_view(2)}) check_exactly(cloud, camera);
}

TEST_P(FluidSplats, OfARandomCloudAreTheRasters) {
  // Drops alone, drops in front of others, some cut by the picture's edge.
  compare(random_spheres(400, 0.1f, {-1.6f, -1.2f, -1}, {1.6f, 1.2f, 1}), looking_down_z(3), true);
  compare(random_spheres(400, 0.1f, {-1.6f, -1.2f, -1}, {1.6f, 1.2f, 1}), flat_view(2), true);
}

TEST_P(FluidSplats, AreCutAsTheRasters) {
  const Cloud slab = lattice({-0.8f, -0.7f, -0.4f}, {0.8f, 0.7f, 0}, 0.08f, 0.2f);
  const render::CutPlane plane{{1, 0.5f, 0}, 0.1f};
  compare(slab, looking_down_z(2.5f), false, plane);
  const Fields whole = draw(render::SphereMethod::Splat, slab, looking_down_z(2.5f), {});
  const Fields part = draw(render::SphereMethod::Splat, slab, looking_down_z(2.5f), {}, plane);
  const auto covered = [](const Fields& f) {
    return std::count_if(f.depth.begin(), f.depth.end(), [](float d) { return d > 0; });
  };
  EXPECT_LT(covered(part), 0.7 * static_cast<double>(covered(whole)));
}

TEST_P(FluidSplats, OfDiscsThatFillThePictureAreTheRasters) {
  // The eye is inside the cloud: some discs have more pixels than one thread takes.
  Camera inside = looking_down_z();
  inside.position = {0, 0, 0.3f};
  compare(random_spheres(300, 0.15f, {-1, -1, -1}, {1, 1, 0}), inside, true);
}

TEST_P(FluidSplats, AreNothingOfNothing) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Cloud broken;
  broken.add({nan, 0, 0}, 0);
  broken.add({0, std::numeric_limits<float>::infinity(), 0}, nan);
  broken.add({0, 0, 50}, 1);  // behind the eye
  for (const Cloud& cloud : {Cloud{}, broken}) {
    render::Renderer renderer(kSplatWidth, kSplatHeight, device(), options());
    const Buffer<Vec4> p(device(), cloud.position);
    renderer.draw({device(), static_cast<int>(p.size()), p.data(), nullptr, nullptr, 0.1f}, looking_down_z(), {},
                  domain());
    for (const float depth : renderer.read_depth()) ASSERT_TRUE(std::isinf(depth));
  }
}

TEST_P(FluidSplats, ShadowOnTheGroundIsTheRasters) {
  const Cloud slab = lattice({-0.8f, -0.3f, -0.4f}, {0.2f, 0.3f, 0.4f}, 0.08f, 0.2f);
  const Buffer<Vec4> p(device(), slab.position);
  const Buffer<float> s(device(), slab.scalar);
  Camera camera = looking_down_z();
  camera.position = {0.5f, 1.5f, 4};
  const auto shown = [&](render::SphereMethod method, bool ground) {
    render::RenderOptions own = options();
    own.spheres = method;
    own.ground = ground;
    render::Renderer renderer(kSplatWidth, kSplatHeight, device(), own);
    renderer.draw({device(), static_cast<int>(p.size()), p.data(), nullptr, s.data(), slab.radius}, camera,
                  two_splat_colors(), domain());
    EXPECT_EQ(renderer.sphere_method(), method);
    return std::pair(renderer.read_image(), renderer.read_depth());
  };
  const auto [raster, depth] = shown(render::SphereMethod::Raster, true);
  const auto [splat, splat_depth] = shown(render::SphereMethod::Splat, true);
  const auto [bare_splat, bare_depth] = shown(render::SphereMethod::Splat, false);
  int ground = 0, dark = 0;
  for (int y = 0; y < kSplatHeight; ++y)
    for (int x = 0; x < kSplatWidth; ++x) {
      const auto at = static_cast<std::size_t>(y * kSplatWidth + x);
      if (std::isfinite(depth[at]) || std::isfinite(splat_depth[at])) continue;
      const Rgb a = pixel(raster, x, y), b = pixel(splat, x, y);
      ++ground;
      dark += pixel(bare_splat, x, y).g > b.g + 20;
      ASSERT_LE(std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}), 2) << x << ", " << y;
    }
  EXPECT_GT(ground, 10000);
  EXPECT_GT(dark, 500);
}

TEST_P(FluidSplats, GiveBackTheMemoryOfALargerPicture) {
  const Cloud slab = lattice({-0.8f, -0.7f, -0.4f}, {0.8f, 0.7f, 0}, 0.1f, 0.2f);
  const Buffer<Vec4> p(device(), slab.position);
  render::Renderer renderer(60, 40, device(), options());
  const auto bytes_at = [&](int width, int height) {
    renderer.resize(width, height);
    for (int i = 0; i < 4; ++i)  // every slot of the ring
      renderer.draw({device(), static_cast<int>(p.size()), p.data(), nullptr, nullptr, slab.radius}, looking_down_z(),
                    {}, domain());
    renderer.read_image();
    return allocated_bytes(GetParam());
  };
  const auto small = bytes_at(60, 40), large = bytes_at(800, 600);
  EXPECT_GT(large, small + 800 * 600 * 12);
  EXPECT_EQ(bytes_at(60, 40), small);
}

TEST(FluidMethod, IsChosenByWhoDrawsAndHowMany) {
  const Device cpu, gpu{DeviceKind::Cuda, 0, nullptr};
  const auto chosen = [](const Device& device, bool software, int count) {
    return render::choose_spheres(render::SphereMethod::Auto, device, software, count, render::Look::Fluid);
  };
  EXPECT_EQ(chosen(gpu, false, 20000), render::SphereMethod::Raster);
  EXPECT_EQ(chosen(gpu, false, 1000000), render::SphereMethod::Splat);
  EXPECT_EQ(chosen(gpu, true, 1), render::SphereMethod::Splat) << "a processor would draw it";
  EXPECT_EQ(chosen(cpu, false, 1000000), render::SphereMethod::Raster) << "a GPU draws it";
  EXPECT_EQ(chosen(cpu, true, 1000), render::SphereMethod::Splat);
  for (const render::SphereMethod wanted : {render::SphereMethod::Raster, render::SphereMethod::Splat})
    EXPECT_EQ(render::choose_spheres(wanted, gpu, false, 1000000, render::Look::Fluid), wanted);
}

class NarrowRangeFilter : public OnEachDevice {};
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(NarrowRangeFilter);

/// assets/shaders/narrow_range.glsl in double precision.
class ExactSmoothing {
 public:
  ExactSmoothing(double middle, double range)
      : middle_(middle), range_(range), sum_(middle), farthest_(middle + range), nearest_(middle - range) {}

  void add(double a, double b, double gauss) {
    double side[2] = {a, b};
    for (int k = 0; k < 2; ++k)
      if (side[k] < 0) side[k] = side[1 - k] > 0 ? 2 * middle_ - side[1 - k] : side[1 - k];
    if (side[0] <= 0 || side[1] <= 0) return;
    double own[2];
    for (int k = 0; k < 2; ++k) own[k] = (1 - soft_step(nearest_ - side[k])) * (1 - soft_step(side[k] - farthest_));
    const double weight = gauss * own[0] * own[1];
    if (weight <= 0) return;
    sum_ += weight * (side[0] + side[1]);
    weights_ += 2 * weight;
    const double before_far = farthest_, before_near = nearest_;
    for (int k = 0; k < 2; ++k) {
      farthest_ = std::max(farthest_, before_far + own[k] * (side[k] + range_ - before_far));
      nearest_ = std::min(nearest_, before_near + own[k] * (side[k] - range_ - before_near));
    }
  }
  double mean() const { return sum_ / weights_; }

 private:
  double soft_step(double x) const {
    const double t = std::clamp(x / (0.5 * range_), 0.0, 1.0);
    return t * t * (3 - 2 * t);
  }
  double middle_, range_, sum_, weights_ = 1, farthest_, nearest_;
};

/// The input of the filter's passes, and the filter's width.
struct ExactFilter {
  const render::DepthFilter& f;
  const std::vector<float>& share;

  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y * f.pitch + x); }
  double fetch(const std::vector<double>& in, int x, int y) const {
    return x < 0 || y < 0 || x >= f.width || y >= f.height ? -1.0 : in[at(x, y)];
  }
  /// Values that are rounded to a number of pixels are computed as kernels do; otherwise a last bit might change the
  /// number.
  float sigma(double middle, int x, int y) const {
    return f.deviation * f.pixels_per_meter / (f.orthographic ? 1.0f : static_cast<float>(middle)) * share[at(x, y)];
  }
};

/// One direction of assets/shaders/fluid_filter.frag, in double precision.
/// @param borderline set where the last bit of the middle's depth decides how many pixels are taken
std::vector<double> filtered_once(const ExactFilter& filter, const std::vector<double>& in, bool along_y,
                                  std::vector<char>& borderline) {
  const render::DepthFilter& f = filter.f;
  std::vector<double> out = in;
  for (int y = 0; y < f.height; ++y)
    for (int x = 0; x < f.width; ++x) {
      const double middle = filter.fetch(in, x, y);
      const float sigma = middle > 0 ? filter.sigma(middle, x, y) : 0;
      if (sigma <= 0) continue;
      const float stride = std::max(1.0f, 2.2f * sigma / 24);
      const float reach = 2.2f * sigma / stride;
      const int taps = std::min(static_cast<int>(std::ceil(reach)), 24);
      const auto is_borderline = [](float x) { return std::abs(x - std::round(x)) < 1e-4f; };
      auto&& own_borderline = borderline[filter.at(x, y)];
      own_borderline |= stride == 1 && is_borderline(reach);
      ExactSmoothing own(middle, f.range);
      for (int i = 1; i <= taps; ++i) {
        const int step = static_cast<int>(static_cast<float>(i) * stride + 0.5f), dx = along_y ? 0 : step,
                  dy = along_y ? step : 0;
        own_borderline |= stride > 1 && is_borderline(static_cast<float>(i) * stride + 0.5f);
        own.add(filter.fetch(in, x + dx, y + dy), filter.fetch(in, x - dx, y - dy),
                std::exp(-0.5 * i * i * double(stride) * stride / (double(sigma) * sigma)) *
                    std::min(1.0, double(reach) - (i - 1)));
      }
      out[filter.at(x, y)] = own.mean();
    }
  return out;
}

/// assets/shaders/fluid_smooth.frag, in double precision.
std::vector<double> smoothed_once(const ExactFilter& filter, const std::vector<double>& in, int apart) {
  constexpr int half[12][2] = {{1, 0}, {0, 1},  {1, 1}, {1, -1}, {2, 0}, {0, 2},
                               {2, 1}, {2, -1}, {1, 2}, {1, -2}, {2, 2}, {2, -2}};
  std::vector<double> out = in;
  for (int y = 0; y < filter.f.height; ++y)
    for (int x = 0; x < filter.f.width; ++x) {
      const double middle = filter.fetch(in, x, y);
      const double sigma = middle > 0 ? std::min(double(filter.sigma(middle, x, y)), double(apart)) : 0;
      if (sigma <= 0) continue;
      ExactSmoothing own(middle, filter.f.range);
      for (const auto& [a, b] : half)
        own.add(filter.fetch(in, x + apart * a, y + apart * b), filter.fetch(in, x - apart * a, y - apart * b),
                std::exp(-0.5 * (a * a + b * b) * apart * apart / std::max(sigma * sigma, 1e-6)));
      out[filter.at(x, y)] = own.mean();
    }
  return out;
}

TEST_P(NarrowRangeFilter, IsTheFormulaInDoublePrecision) {
  std::mt19937 generator(8);
  std::uniform_real_distribution<float> noise(-0.01f, 0.01f);
  // Depths at which the filter spans a pixel or two, many, and more than there are taps for.
  for (const auto& [width, height, deviation] :
       {std::tuple{97, 61, 0.002f}, {150, 70, 0.012f}, {200, 90, 0.05f}, {1, 1, 0.02f}, {33, 5, 0.03f}})
    for (const bool orthographic : {false, true}) {
      render::DepthFilter filter;
      filter.width = width, filter.height = height, filter.pitch = (width + 31) / 32 * 32;
      filter.deviation = deviation;
      filter.pixels_per_meter = 900;
      filter.range = 0.08f;
      filter.orthographic = orthographic;
      std::vector<float> depth(static_cast<std::size_t>(filter.pitch * height), 0.0f), share = depth;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          // A slope, a step, and holes.
          const float u = float(x) / 100, v = float(y) / 100;
          const bool hole = (x / 9 + y / 7) % 5 == 0 && x > width / 2;
          depth[static_cast<std::size_t>(y * filter.pitch + x)] =
              hole ? 0 : 1 + 0.3f * u + 0.1f * v * v + (x < width / 3 ? 0.4f : 0.0f) + noise(generator);
        }
      // From unfiltered drops, over all widths between, to the whole width.
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          share[static_cast<std::size_t>(y * filter.pitch + x)] =
              std::clamp(1.6f * float(y) / float(height) - 0.3f, 0.0f, 1.0f);
      std::vector<double> expected(depth.begin(), depth.end());
      std::vector<char> borderline(depth.size(), 0);
      const ExactFilter exact{filter, share};
      for (const bool along_y : {false, true}) expected = filtered_once(exact, expected, along_y, borderline);
      int compared = 0;
      Buffer<float> on_device(device(), depth), scratch(device(), depth.size());
      const Buffer<float> shares(device(), share);
      render::filter_depth(device(), filter, shares.data(), on_device.data(), scratch.data());
      const std::vector<float> found = on_device.to_host();
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const auto at = static_cast<std::size_t>(y * filter.pitch + x);
          if (!orthographic && borderline[at]) continue;
          ++compared;
          ASSERT_NEAR(found[at], expected[at], 2e-5) << x << ", " << y << " of " << width << " x " << height;
        }
      EXPECT_GE(compared, width * height * 9 / 10);

      // Starts from the present depths, so that a last bit that mattered above has no effect here.
      std::vector<double> smooth(found.begin(), found.end());
      for (const int apart : render::kSmoothSteps) smooth = smoothed_once(exact, smooth, apart);
      render::smooth_depth(device(), filter, shares.data(), on_device.data(), scratch.data());
      const std::vector<float> after = on_device.to_host();
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const auto at = static_cast<std::size_t>(y * filter.pitch + x);
          ASSERT_NEAR(after[at], smooth[at], 2e-5) << x << ", " << y << " of " << width << " x " << height;
        }
    }
}

/// assets/shaders/fluid_around.glsl in double precision.
struct ExactPlaces {
  double all = 0, own = 0, behind = 0;
  bool borderline = false;  ///< the last bit of a depth decides

  double bulk() const {
    const double t = std::clamp((own / std::max(all, 1.0) - 0.16) / 0.16, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  }
};

/// @param same,other  [m]
ExactPlaces exact_places(const ExactFilter& filter, const std::vector<double>& depth, int x, int y, double spacing,
                         double same, double other) {
  const double middle = filter.fetch(depth, x, y), pi = 3.14159265358979;
  ExactPlaces places;
  if (middle <= 0) return places;
  const double scale = filter.f.orthographic ? 1 : middle;
  const double radius = std::max(2.25 * spacing * double(filter.f.pixels_per_meter) / scale, 2.5);
  const auto near = [&](double difference) {
    const double t = std::clamp((std::abs(difference) - same) / (other - same), 0.0, 1.0);
    return 1 - t * t * (3 - 2 * t);
  };
  const auto step = [&](double at) {
    places.borderline |= std::abs(at + 0.5 - std::round(at + 0.5)) < 1e-3;
    return static_cast<int>(std::floor(at + 0.5));
  };
  for (int d = 0; d < 6; ++d) {
    const double angle = pi / 6 * (d + 0.25);
    const int dx = step(0.5 * radius * std::cos(angle)), dy = step(0.5 * radius * std::sin(angle));
    double at[2][2];  // near and far, one side and the other
    for (int far = 0; far < 2; ++far)
      for (int side = 0; side < 2; ++side) {
        const int sign = (1 + far) * (side ? -1 : 1);
        at[far][side] = filter.fetch(depth, x + sign * dx, y + sign * dy);
      }
    for (int far = 0; far < 2; ++far) {
      const double between = 0.5 * (at[far][0] + at[far][1]);
      const bool both = at[far][0] > 0 && at[far][1] > 0;
      for (int side = 0; side < 2; ++side) {
        places.all += at[far][side] >= 0;
        if (at[far][side] <= 0) continue;
        places.borderline |= std::abs(at[far][side] - middle - same) < 1e-5;
        places.behind += at[far][side] - middle > same;
        const bool row = at[0][side] > 0 && at[1][side] > 0;
        places.own += std::max({near(at[far][side] - middle), both ? near(between - middle) : 0,
                                row ? near(2 * at[0][side] - at[1][side] - middle) : 0});
      }
    }
  }
  return places;
}

TEST_P(NarrowRangeFilter, TellsBodiesFromDropsAsInDoublePrecision) {
  std::mt19937 generator(9);
  std::uniform_real_distribution<float> noise(-0.2f, 0.2f), unit(0, 1);
  for (const float spacing : {0.004f, 0.01f, 0.03f})
    for (const bool orthographic : {false, true}) {
      render::DepthFilter filter;
      filter.width = 150, filter.height = 90, filter.pitch = 160;
      filter.pixels_per_meter = 400;
      filter.orthographic = orthographic;
      // An oblique body with a hole, and drops in front of it, of nothing, and of the picture's edge.
      std::vector<float> depth(static_cast<std::size_t>(filter.pitch * filter.height), 0.0f);
      const auto at = [&](int x, int y) -> float& { return depth[static_cast<std::size_t>(y * filter.pitch + x)]; };
      for (int y = 0; y < filter.height; ++y)
        for (int x = 0; x < filter.width; ++x)
          if (x > 40 && (x - 90) * (x - 90) + (y - 60) * (y - 60) > 200)
            at(x, y) = 1 + 0.002f * float(y) + spacing * noise(generator);
      const float radius = 0.75f * spacing * filter.pixels_per_meter;
      for (int drop = 0; drop < 40; ++drop) {
        const float u = unit(generator) * 150, v = unit(generator) * 90, front = 0.3f + 0.7f * unit(generator);
        for (int y = 0; y < filter.height; ++y)
          for (int x = 0; x < filter.width; ++x)
            if (std::hypot(float(x) - u, float(y) - v) <= radius) at(x, y) = front;
      }
      Buffer<float> spheres(device(), depth), bulk(device(), depth.size());
      render::find_bulk(device(), filter, spacing, spheres.data(), bulk.data());
      const std::vector<float> shares = bulk.to_host();
      const std::vector<double> exact_depth(depth.begin(), depth.end());
      const ExactFilter exact{filter, depth};
      const render::FluidAround around(filter, spacing, render::kDropSame, render::kDropOther, depth.data());
      int compared = 0, in_front = 0, drops = 0, bodies = 0;
      for (int y = 0; y < filter.height; ++y)
        for (int x = 0; x < filter.width; ++x) {
          const auto i = static_cast<std::size_t>(y * filter.pitch + x);
          const ExactPlaces wide =
              exact_places(exact, exact_depth, x, y, double(spacing), 2 * double(spacing), 4 * double(spacing));
          if (wide.borderline) continue;
          ++compared;
          ASSERT_NEAR(shares[i], wide.bulk(), 2e-3) << x << ", " << y << " at a spacing of " << spacing;
          drops += depth[i] > 0 && wide.bulk() < 0.5;
          bodies += wide.bulk() == 1;
          const ExactPlaces narrow =
              exact_places(exact, exact_depth, x, y, double(spacing), 1.25 * double(spacing), 2.5 * double(spacing));
          if (narrow.borderline || !(depth[i] > 0)) continue;
          const render::FluidAround::Places found = around.look(x, y, depth[i]);
          ASSERT_EQ(found.all, narrow.all);
          ASSERT_EQ(found.behind, narrow.behind);
          ASSERT_NEAR(found.own, narrow.own, 1e-2) << x << ", " << y << " at a spacing of " << spacing;
          in_front += narrow.own < 0.4 * narrow.all && narrow.behind > 0.3 * narrow.all;
        }
      EXPECT_GT(compared, filter.width * filter.height * 3 / 4);
      EXPECT_GT(in_front, 10) << spacing;
      EXPECT_GT(drops, 10) << spacing;
      EXPECT_GT(bodies, 1000) << spacing;
    }
}

}  // namespace
}  // namespace riffle::test
