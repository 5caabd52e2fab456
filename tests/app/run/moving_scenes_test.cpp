/// Scenes in motion, a scene for each solver and the look of a fluid, compared with golden pictures at full size.
///
/// Runs repeat to the bit on one machine, with any number of threads. Another search adds in another order, as another
/// compiler would: both start a chaos that moves single particles. So the pictures are compared by their structure and by
/// the colours of their parts (support/picture_similarity.h), with bounds that other searches keep and changes do not.
///
/// RIFFLE_WRITE_PICTURES=FOLDER writes what is there now, and tools/golden-pictures FOLDER makes golden pictures of it.

#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "render/media/png.h"
#include "support/picture_similarity.h"
#include "support/program.h"

namespace riffle::test {
namespace {

using Words = std::vector<std::string>;

struct MovingScene {
  const char* name;  ///< of the golden picture
  Words scene;       ///< what follows `riffle run`
  double least_structure, most_color;
  Words shape_change, color_change;  ///< that must be noticed

  friend void PrintTo(const MovingScene& scene, std::ostream* out) { *out << scene.name; }
};

// Measured with green, fenns, thrust_pairs, rtnn and brute_force: the least structure and the most colour. And with changes,
// one at a time: time, gravity or the size of a body by some 5 %, another colour map or fluid's colour, spheres smaller by
// 10 %; of dpd also a higher temperature and a higher wave.
const MovingScene kScenes[] = {
    // wcsph, after the water has climbed the wall. Searches: 0.992, 2.5. Changes: below 0.91, or above 21.
    {"dam_break",
     {"dam_break", "--set", "dimension=2", "--set", "particles.spacing=0.03", "--time", "1"},
     0.95,
     10,
     {"--set", "gravity=[0,-9.3]"},
     {"--set", "picture.colormap=inferno"}},
    // dfsph, while the water runs along the floor: where it climbs the wall, searches differ as much as changes. Searches:
    // 0.985, 2.8. Changes: below 0.92, or above 26.
    {"dam_break_dfsph",
     {"dam_break_dfsph", "--set", "dimension=2", "--time", "0.3"},
     0.95,
     10,
     {"--set", "gravity=[0,-9.3]"},
     {"--set", "picture.particle_scale=0.9"}},
    // pbf, while the columns shoot up. Searches: 0.982, 7.8. Changes: below 0.96, or above 50.
    {"splash",
     {"splash", "--set", "particles.spacing=0.05", "--time", "0.4"},
     0.97,
     15,
     {"--set", "gravity=[0,-9.3,0]"},
     {"--set", "fluids.0.color=#2bd47f"}},
    // The same as a fluid's surface. Searches: 0.994, 1.9. Changes: below 0.981, or above 54.
    {"splash_fluid",
     {"splash", "--set", "particles.spacing=0.05", "--time", "0.4", "--look", "fluid"},
     0.988,
     8,
     {"--set", "gravity=[0,-9.3,0]"},
     {"--set", "fluids.0.color=#2bd47f"}},
    // dpd, whose particles scatter one another at random: later no single one is where it was. Searches: 0.929, 8.1.
    // Changes: below 0.83, or above 14.
    {"rayleigh_taylor_dpd",
     {"rayleigh_taylor_dpd", "--set", "start.equilibration=0", "--set", "domain.max=[32,21.333333,2]", "--set",
      "bodies.0.box.max=[32,21.333333,2]", "--time", "3"},
     0.88,
     11,
     {"--set", "start.interface.amplitude=1.5"},
     {"--set", "fluids.0.color=#e8703d"}},
};

class MovingScenes : public ProgramTest, public ::testing::WithParamInterface<MovingScene> {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!can_draw()) GTEST_SKIP() << "NO PICTURE IS COMPARED: there is no off-screen OpenGL";
  }

  render::Image picture(const Words& more = {}) {
    Words words = {"run"};
    words.insert(words.end(), GetParam().scene.begin(), GetParam().scene.end());
    for (const char* word : {"--device", "cpu", "--out", "o", "--set", "picture.size=[1280,720]", "--set",
                             "picture.quality=quick", "--set", "picture.background=#ffffff"})
      words.emplace_back(word);
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.exit_code == 0 ? render::read_png(folder_ / "o/final.png") : render::Image{};
  }

  static render::Image golden() {
    return render::read_png(std::string(RIFFLE_SOURCE_DIR "/tests/app/run/golden/") + GetParam().name + ".png");
  }

  static ::testing::AssertionResult as_golden(const render::Image& image) {
    const Similarity found = similarity(image, golden());
    const bool alike = found.structure > GetParam().least_structure && found.color < GetParam().most_color;
    return (alike ? ::testing::AssertionSuccess() : ::testing::AssertionFailure())
           << "structure " << found.structure << ", colour " << found.color << " at " << found.x << ", " << found.y;
  }
};

TEST_P(MovingScenes, LookAsTheyDid) {
  const render::Image now = picture();
  if (const char* folder = std::getenv("RIFFLE_WRITE_PICTURES"))
    render::write_png(std::string(folder) + "/" + GetParam().name + ".png", now.width, now.height, now.rgb);
  EXPECT_TRUE(as_golden(now)) << "RIFFLE_WRITE_PICTURES=FOLDER writes what is there now";
  EXPECT_TRUE(as_golden(picture({"--neighbors", "rtnn"}))) << "the bounds leave no room for rounding";
}

TEST_P(MovingScenes, DoNotLookSoAfterAChange) {
  EXPECT_FALSE(as_golden(picture(GetParam().shape_change)));
  EXPECT_FALSE(as_golden(picture(GetParam().color_change)));
}

INSTANTIATE_TEST_SUITE_P(Pictures, MovingScenes, ::testing::ValuesIn(kScenes),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace riffle::test
