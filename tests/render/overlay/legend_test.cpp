/// Numbers, names and colours beside the picture, without a golden image.

#include "render/overlay/legend.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/error.h"
#include "render/color_map.h"
#include "tests/render/picture.h"

namespace riffle::test {
namespace {

std::vector<std::string> labels(float min, float max) {
  std::vector<std::string> list;
  for (const render::Tick& tick : render::nice_ticks(min, max, 5).ticks) list.push_back(tick.label);
  return list;
}

TEST(Ticks, AreRoundNumbersInsideTheRange) {
  EXPECT_EQ(labels(0, 3), (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(labels(0, 1), (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(-1.5f, 1.5f), (std::vector<std::string>{"−1", "0", "1"}));
  EXPECT_EQ(labels(0.13f, 0.47f), (std::vector<std::string>{"0.2", "0.3", "0.4"}));
}

TEST(Ticks, OfExtremeRangesShareAPowerOfTen) {
  const render::Ticks large = render::nice_ticks(0, 2.5e6f, 5);
  EXPECT_EQ(large.exponent, 6);
  EXPECT_EQ(large.ticks.back().label, "2.5");
  const render::Ticks small = render::nice_ticks(0, 3e-5f, 5);
  EXPECT_EQ(small.exponent, -6);
  EXPECT_EQ(small.ticks.back().label, "30");
}

TEST(Ticks, AreFewAndFiniteForEveryRange) {
  for (const float a : {0.0f, 1.0f, -1.0f, 1e-30f, 3.7e8f, -2e-7f, 1e38f})
    for (const float b : {0.0f, 1.0f, -1.0f, 1.0000001f, 1e-30f, 4.2e8f, -3e38f}) {
      const render::Ticks t = render::nice_ticks(a, b, 5);
      EXPECT_GE(t.ticks.size(), 1u) << a << " " << b;
      EXPECT_LE(t.ticks.size(), 12u) << a << " " << b;
    }
  EXPECT_TRUE(render::nice_ticks(0, std::nanf(""), 5).ticks.empty());
}

TEST(Text, IsReadAsUtf8AndSurvivesBrokenBytes) {
  std::string_view text = "a·²−";
  EXPECT_EQ(render::next_character(text), U'a');
  EXPECT_EQ(render::next_character(text), U'·');
  EXPECT_EQ(render::next_character(text), U'²');
  EXPECT_EQ(render::next_character(text), U'−');
  std::string_view broken = "\xe2\x28\xff";
  EXPECT_EQ(render::next_character(broken), char32_t{0xfffd});
  EXPECT_EQ(render::next_character(broken), U'(');
  EXPECT_EQ(render::next_character(broken), char32_t{0xfffd});
  EXPECT_TRUE(broken.empty());
}

TEST(Text, WidthIsTheSumOfItsParts) {
  const render::Font font;
  EXPECT_GT(font.width("W", 20), font.width("i", 20));
  EXPECT_FLOAT_EQ(font.width("ab", 20), font.width("a", 20) + font.width("b", 20));
  EXPECT_EQ(font.width("", 20), 0);
}

TEST(ColorMap, WithAnUnknownNameListsTheKnownOnes) {
  try {
    render::color_map("viridsi");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("viridis"), std::string::npos);
  }
}

TEST(ColorMap, LightnessOfTheSequentialMapsRisesEvenly) {
  for (const char* name : {"viridis", "inferno", "water", "grey"}) {
    double before = -1;
    for (const auto& color : render::color_map(name)) {
      const auto linear = [](std::uint8_t c) { return std::pow(c / 255.0, 2.2); };
      const double y = 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
      const double lightness = y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
      EXPECT_GT(lightness, before - 0.25) << name;
      EXPECT_LT(lightness - before, before < 0 ? 100 : 1.6) << name << ": no step that the eye would take for an edge";
      before = lightness;
    }
  }
}

class Legend : public GlTest {
 protected:
  static constexpr int kWidth = 1280, kHeight = 720;
  static render::Image draw(const render::ColorScale& scale, std::string_view caption, bool legend = true) {
    render::RenderOptions options = bare();
    options.legend = legend;
    render::Renderer renderer(kWidth, kHeight, Device{}, options);
    renderer.draw({}, {}, scale, unit_box(), caption);
    return renderer.read_image();
  }
  /// Pixels in a rectangle that differ between two pictures by more than noise.
  static int changed(const render::Image& a, const render::Image& b, int x0, int y0, int x1, int y1) {
    int count = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) {
        const Rgb p = pixel(a, x, y), q = pixel(b, x, y);
        count += std::abs(p.r - q.r) + std::abs(p.g - q.g) + std::abs(p.b - q.b) > 24;
      }
    return count;
  }
};

TEST_F(Legend, HasTheWholeColorMapFromBottomToTop) {
  render::ColorScale scale;
  const render::Image image = draw(scale, "");
  const auto table = render::color_map(scale.colormap);
  // Some column of the picture holds the map's colours in order.
  int best = 0;
  for (int x = kWidth * 4 / 5; x < kWidth; ++x) {
    std::size_t next = 0;
    int found = 0;
    for (int y = kHeight - 1; y >= 0; --y)
      for (std::size_t k = next; k < table.size(); ++k) {
        const Rgb p = pixel(image, x, y);
        if (std::abs(p.r - table[k][0]) + std::abs(p.g - table[k][1]) + std::abs(p.b - table[k][2]) <= 4) {
          ++found;
          next = k;
          break;
        }
      }
    best = std::max(best, found);
  }
  EXPECT_GT(best, kHeight * 4 / 10);
}

TEST_F(Legend, ShowsTitleNumbersAndCaption) {
  render::ColorScale scale;
  const render::Image plain = draw(scale, "", false), full = draw(scale, "scene · t = 1.0 s");
  EXPECT_GT(changed(plain, full, kWidth * 4 / 5, 0, kWidth, kHeight / 4), 200) << "title";
  EXPECT_GT(changed(plain, full, kWidth - 60, kHeight / 4, kWidth, kHeight * 3 / 4), 200) << "numbers";
  EXPECT_GT(changed(plain, full, 0, kHeight * 9 / 10, kWidth / 3, kHeight), 400) << "caption";
  EXPECT_EQ(changed(plain, full, 0, 0, kWidth * 3 / 4, kHeight * 9 / 10), 0) << "nothing over the scene";
  render::ColorScale other = scale;
  other.max = 7;
  EXPECT_GT(changed(draw(other, ""), draw(scale, ""), kWidth - 60, kHeight / 4, kWidth, kHeight * 3 / 4), 50)
      << "numbers follow the range";
}

TEST_F(Legend, NumbersStandBesideTheirTicks) {
  const render::Image plain = draw({}, "", false), full = draw({}, "");
  const auto column_changes = [&](int x) { return changed(plain, full, x, 0, x + 1, kHeight); };
  int right = 0;  // the right edge of the bar's frame
  for (int x = kWidth * 4 / 5; x < kWidth; ++x)
    if (column_changes(x) > kHeight * 2 / 5) right = x;
  ASSERT_GT(right, 0);
  // Middles of the groups of rows that have something in these columns.
  const auto middles = [&](int x0, int x1) {
    std::vector<double> list;
    int begin = -1;
    for (int y = 0; y <= kHeight; ++y) {
      const bool now = y < kHeight && changed(plain, full, x0, y, x1, y + 1) > 0;
      if (now && begin < 0) begin = y;
      if (!now && begin >= 0) list.push_back(0.5 * (std::exchange(begin, -1) + y - 1));
    }
    return list;
  };
  const std::vector<double> ticks = middles(right + 2, right + 4), numbers = middles(right + 9, kWidth);
  ASSERT_GE(ticks.size(), 3u);
  for (const double tick : ticks) {
    double nearest = kHeight;
    for (const double number : numbers) nearest = std::min(nearest, std::fabs(number - tick));
    EXPECT_LE(nearest, 2) << "at row " << tick;
  }
}

TEST_F(Legend, TicksAreAThirdAsLongAsTheBarIsWide) {
  const render::Image plain = draw({}, "", false), full = draw({}, "");
  int left = kWidth, right = 0;  // the bar's frame
  for (int x = kWidth * 4 / 5; x < kWidth; ++x)
    if (changed(plain, full, x, 0, x + 1, kHeight) > kHeight * 2 / 5) left = std::min(left, x), right = x;
  ASSERT_GT(right, left + 10);
  int ticks = 0;
  for (int y = 0; y < kHeight; ++y) {
    int length = 0;
    if (changed(plain, full, right, y, right + 1, y + 1) == 0) continue;  // above or below the bar
    while (changed(plain, full, right + 1 + length, y, right + 2 + length, y + 1) > 0) ++length;
    if (length == 0) continue;
    ++ticks;
    EXPECT_NEAR(length, 0.35 * (right - left - 1), 1.5) << "at row " << y;
  }
  EXPECT_GE(ticks, 3);
}

TEST_F(Legend, OfAPaletteHasEveryColor) {
  render::ColorScale scale;
  scale.quantity = "fluid";
  for (int i = 0; i < 8; ++i)
    scale.palette.push_back(
        {"fluid number " + std::to_string(i), render::categorical_colors()[static_cast<std::size_t>(i)]});
  const render::Image image = draw(scale, "");
  for (const render::PaletteEntry& entry : scale.palette) {
    int found = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = kWidth / 2; x < kWidth; ++x) {
        const Rgb p = pixel(image, x, y);
        found += std::abs(p.r - 255 * entry.rgb.x) < 2 && std::abs(p.g - 255 * entry.rgb.y) < 2 &&
                 std::abs(p.b - 255 * entry.rgb.z) < 2;
      }
    EXPECT_GT(found, 200) << entry.name;
  }
}

TEST_F(Legend, OfAStrangeScaleIsDrawnWithoutComplaint) {
  render::ColorScale scale;
  for (const auto& [min, max] :
       {std::pair{0.0f, 0.0f}, {1.0f, -1.0f}, {std::nanf(""), 1.0f}, {0.0f, INFINITY}, {1e30f, 2e30f}}) {
    scale.min = min;
    scale.max = max;
    scale.quantity = "a quantity with a name that is much too long for any legend at all, whatever its size";
    draw(scale, std::string(500, 'x') + "\xff 中");
  }
}

render::ColorScale speeds() {
  render::ColorScale scale;
  scale.quantity = "speed";
  scale.unit = "m/s";
  scale.max = 3;
  return scale;
}

// 9 pixels are the smallest text: below some 500 pixels the legend takes a larger share of the picture.
TEST_F(Legend, AutomaticCameraKeepsTheBoxClearOfItAtEverySize) {
  const render::BoxView box{{0, 0, 0}, {2, 1, 1}, false};
  render::ColorScale fluids;
  fluids.quantity = "fluid";
  fluids.palette = {{"water", {0, 0, 1}}, {"oil of olives", {1, 1, 0}}};
  for (const render::ColorScale& scale : {speeds(), fluids})
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{1280, 720}, {640, 360}, {480, 270}, {320, 240}}) {
      const float aspect = static_cast<float>(width) / static_cast<float>(height);
      const float taken = render::legend_width(render::Font(), scale, width, height), w = static_cast<float>(width);
      const Camera camera = render::frame_domain(box, {0, 1, 0}, aspect, false, taken / w);
      const render::Outline outline = render::outline_of(box, render::view_transform(camera, aspect), width, height);
      EXPECT_FALSE(outline.touches({w - taken + 0.5f, 0, w, static_cast<float>(height)})) << width << " " << taken;
      EXPECT_TRUE(outline.touches({0, 0, w - taken, static_cast<float>(height)}));
    }
}

bool is_nothing(const render::PixelRect& rect) { return !(rect.right > rect.left); }
bool overlap(const render::PixelRect& a, const render::PixelRect& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

std::vector<render::ColorScale> several_scales() {
  render::ColorScale few, many;
  few.quantity = many.quantity = "fluid";
  few.palette = {{"light", {1, 0.6f, 0}}, {"heavy", {0, 0.3f, 0.7f}}};
  for (int i = 0; i < 8; ++i) many.palette.push_back({"fluid number " + std::to_string(i), {0, 0, 1}});
  return {speeds(), few, many};
}

render::Outline rectangle(float left, float top, float right, float bottom) {
  return render::Outline({{left, top}, {right, top}, {right, bottom}, {left, bottom}});
}

TEST_F(Legend, OfASmallPictureIsClearOfEverythingOrLeftOut) {
  render::Overlay overlay;
  int drawn = 0, left_out = 0;
  for (const auto& [width, height] : std::vector<std::pair<int, int>>{
           {64, 48}, {120, 90}, {160, 120}, {240, 180}, {320, 240}, {400, 100}, {480, 270}, {200, 600}}) {
    const float w = static_cast<float>(width), h = static_cast<float>(height);
    // A domain to the left, one that leaves strips alone, and one that covers the picture.
    for (const render::Outline& domain :
         {rectangle(0, 0.2f * h, 0.7f * w, 0.8f * h), rectangle(0, 0, w, h - 16), rectangle(-w, -h, 2 * w, 2 * h)})
      for (const render::ColorScale& scale : several_scales()) {
        overlay.clear();
        const render::PixelRect caption = render::layout_caption(overlay, "t = 0.054 s   18,432 particles",
                                                                 render::Theme::light(), width, height, domain);
        const render::PixelRect legend =
            render::layout_legend(overlay, scale, render::Theme::light(), width, height, domain, caption);
        EXPECT_EQ(overlay.size() == 0, is_nothing(caption) && is_nothing(legend));
        for (const render::PixelRect& rect : {legend, caption}) {
          ++(is_nothing(rect) ? left_out : drawn);
          if (is_nothing(rect)) continue;
          EXPECT_TRUE(rect.left >= 0 && rect.top >= 0 && rect.right <= w && rect.bottom <= h) << width << " " << height;
          EXPECT_FALSE(domain.touches(rect)) << width << " " << height;
        }
        EXPECT_FALSE(overlap(legend, caption)) << width << " " << height;
      }
  }
  EXPECT_GT(drawn, 20);
  EXPECT_GT(left_out, 20);
}

TEST_F(Legend, OfALargerPictureIsThereEvenWhereNothingIsFree) {
  render::Overlay overlay;
  for (const auto& [width, height] : {std::pair{640, 480}, {1280, 720}})
    for (const render::ColorScale& scale : several_scales())
      EXPECT_FALSE(is_nothing(
          render::layout_legend(overlay, scale, render::Theme::light(), width, height, rectangle(-1, -1, 2000, 2000))))
          << width;
}

TEST_F(Legend, AvoidsTheDomainAtEveryEdge) {
  render::Overlay overlay;
  const auto place = [&](const render::ColorScale& scale, const render::Outline& domain) {
    overlay.clear();
    const render::PixelRect rect = render::layout_legend(overlay, scale, render::Theme::light(), 640, 480, domain);
    EXPECT_FALSE(is_nothing(rect));
    EXPECT_FALSE(domain.touches(rect));
    EXPECT_TRUE(rect.left >= 0 && rect.top >= 0 && rect.right <= 640 && rect.bottom <= 480);
    return rect;
  };
  for (const render::ColorScale& scale : {several_scales()[0], several_scales()[1]}) {
    EXPECT_LT(place(scale, rectangle(200, -10, 700, 500)).right, 200) << "at the left edge";
    EXPECT_GT(place(scale, rectangle(-10, -10, 700, 435)).top, 435) << "below";
    EXPECT_LT(place(scale, rectangle(-10, 45, 700, 500)).bottom, 45) << "above";
  }
}

TEST_F(Legend, AvoidsTheParticlesWhereTheDomainLeavesNoPlace) {
  render::Overlay overlay;
  render::Occupied occupied(rectangle(-1, -1, 2000, 2000));
  occupied.particles = [] { return rectangle(-1, 260, 2000, 2000); };
  for (const render::ColorScale& scale : {several_scales()[0], several_scales()[1]})
    EXPECT_LT(render::layout_legend(overlay, scale, render::Theme::light(), 640, 480, occupied).bottom, 260);
}

TEST_F(Legend, HasAPlateOnlyWhereItCoversParticles) {
  render::Overlay overlay;
  const auto parts = [&](const render::Occupied& occupied) {
    overlay.clear();
    render::layout_legend(overlay, speeds(), render::Theme::light(), 640, 480, occupied);
    render::layout_caption(overlay, "t = 1 s", render::Theme::light(), 640, 480, occupied);
    return overlay.size();
  };
  const int without = parts({});
  const render::Outline everything = rectangle(-1, -1, 2000, 2000);
  EXPECT_EQ(parts(everything), without + 3) << "behind the title, the bar and the caption";
  render::Occupied in_a_corner(everything);
  in_a_corner.particles = [] { return rectangle(10, 10, 50, 50); };
  EXPECT_EQ(parts(in_a_corner), without);
  in_a_corner.stays = true;
  EXPECT_EQ(parts(in_a_corner), without);
  in_a_corner.particles = [&] { return everything; };
  EXPECT_EQ(parts(in_a_corner), without + 3) << "in the window too";
}

TEST_F(Legend, PlateFadesOut) {
  Cloud wall;
  wall.radius = 3;
  wall.add({0, 0, 0}, 1.5f);
  Camera camera;
  camera.position = {0, 0, 6};
  camera.target = {0, 0, 0};
  for (const render::Theme& theme : {render::Theme::light(), render::Theme::dark(), render::Theme::on({1, 1, 1})}) {
    render::RenderOptions options = bare();
    options.theme = theme;
    const auto drawn = [&](bool legend) {
      options.legend = legend;
      render::Renderer renderer(640, 480, Device{}, options);
      renderer.draw(wall.view(), camera, speeds(), {{-3, -3, -3}, {3, 3, 3}, false});
      return renderer.read_image();
    };
    const render::Image with = drawn(true), without = drawn(false);
    render::Overlay overlay;
    render::Occupied occupied(rectangle(-1, -1, 2000, 2000));
    occupied.stays = true;
    const render::PixelRect rect = render::layout_legend(overlay, speeds(), theme, 640, 480, occupied);
    // Left of the title there is only its plate.
    const int edge = static_cast<int>(rect.left) - 2;
    int y = static_cast<int>(rect.top) + 8;
    const auto added = [&](int x) { return std::abs(pixel(with, x, y).g - pixel(without, x, y).g); };
    int most = 0, largest_step = 0;
    for (int x = edge - 60; x < edge; ++x) {
      most = std::max(most, added(x));
      largest_step = std::max(largest_step, std::abs(added(x + 1) - added(x)));
    }
    EXPECT_GT(most, 30) << "levels: there is a plate";
    EXPECT_LT(largest_step, 0.2 * most) << "levels from one pixel to the next, of " << most;
    // The title is wider than the bar with its numbers. Beside those the picture stays as it is.
    y = static_cast<int>(0.5f * (rect.top + rect.bottom));
    for (int x = edge - 40; x < edge; ++x) EXPECT_EQ(added(x), 0) << x;
  }
}

TEST_F(Legend, IsPointedWhereValuesLieBeyondItsRange) {
  const auto table = render::color_map("viridis");
  // Pixels of the two end colours above and below the bar.
  const auto ends = [&](float least, float most) {
    Cloud cloud;
    cloud.add({0.5f, 0.5f, 0.5f}, least);
    cloud.add({0.5f, 0.5f, 0.4f}, most);
    render::RenderOptions options = bare();
    options.legend = true;
    render::Renderer renderer(kWidth, kHeight, Device{}, options);
    Camera camera = render::frame_domain(unit_box(), {0, 1, 0}, float(kWidth) / kHeight, false);
    render::ColorScale scale = speeds();
    scale.min = 1;
    renderer.draw(cloud.view(), camera, scale, unit_box());
    const render::Image image = renderer.read_image();
    std::pair<int, int> found;
    for (int y = 0; y < kHeight; ++y)
      for (int x = kWidth * 4 / 5; x < kWidth; ++x) {
        const Rgb p = pixel(image, x, y);
        const auto is = [&](const std::array<std::uint8_t, 3>& c) {
          return std::abs(p.r - c[0]) + std::abs(p.g - c[1]) + std::abs(p.b - c[2]) <= 3;
        };
        found.first += is(table.front());
        found.second += is(table.back());
      }
    return found;
  };
  const auto inside = ends(1, 3), above = ends(1, 4), below = ends(0.5f, 3), hardly = ends(1, 3.0001f);
  EXPECT_EQ(above.first, inside.first);
  EXPECT_GT(above.second, inside.second + 40);
  EXPECT_GT(below.first, inside.first + 40);
  EXPECT_EQ(below.second, inside.second);
  EXPECT_EQ(hardly, inside);
}

TEST_F(Legend, OfASmallPictureIsThereWhereTheDomainLeavesRoom) {
  render::Overlay overlay;
  for (const render::ColorScale& scale : several_scales()) {
    overlay.clear();
    EXPECT_FALSE(is_nothing(
        render::layout_legend(overlay, scale, render::Theme::light(), 320, 240, rectangle(10, 20, 210, 200))));
    EXPECT_FALSE(is_nothing(
        render::layout_caption(overlay, "t = 1 s", render::Theme::light(), 320, 240, rectangle(0, 0, 320, 224))))
        << "a strip below the domain is room enough";
  }
}

TEST_F(Legend, IsAsLargeToTheEyeOnADenserScreen) {
  render::Overlay overlay;
  for (const render::ColorScale& scale : several_scales()) {
    const render::PixelRect usual = render::layout_legend(overlay, scale, render::Theme::light(), 320, 240);
    const render::PixelRect dense = render::layout_legend(overlay, scale, render::Theme::light(), 640, 480, {}, {}, 2);
    EXPECT_NEAR(dense.right - dense.left, 2 * (usual.right - usual.left), 3);
    EXPECT_NEAR(dense.bottom - dense.top, 2 * (usual.bottom - usual.top), 3);
    EXPECT_FLOAT_EQ(render::legend_width(overlay.font(), scale, 640, 480, 2),
                    2 * legend_width(overlay.font(), scale, 320, 240));
  }
}

TEST(Outline, IsTheHullAndNotTheRectangleRoundIt) {
  const render::Outline triangle({{10, 10}, {90, 10}, {10, 90}, {30, 30}});
  EXPECT_TRUE(triangle.touches({20, 20, 25, 25}));
  EXPECT_TRUE(triangle.touches({0, 0, 100, 100})) << "all of it";
  EXPECT_TRUE(triangle.touches({85, 5, 95, 15}));
  EXPECT_FALSE(triangle.touches({60, 60, 80, 80})) << "beyond the long side";
  EXPECT_FALSE(triangle.touches({0, 0, 100, 9}));
  EXPECT_FALSE(triangle.touches({91, 0, 100, 100}));
  EXPECT_FALSE(render::Outline().touches({0, 0, 100, 100}));
  EXPECT_TRUE(render::Outline({{50, 50}}).touches({0, 0, 100, 100}));
  EXPECT_FALSE(render::Outline({{50, 50}}).touches({0, 0, 40, 100}));
}

}  // namespace
}  // namespace riffle::test
