/// What is refused about solids, and what they are warned of.

#include "sim/start/sampling.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string tank(const std::string& axes, const std::string& solids) {
  return "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: " + axes +
         "}\nparticles: {spacing: 0.05}\ngravity: [0, 0, 0]\nbodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}\n"
         "solids:\n" +
         solids;
}

std::string walled(const std::string& solids) { return tank("walled", solids); }

}  // namespace

TEST(SolidReview, NamesThatOccurTwiceAreRefused) {
  const std::string two =
      "  - {%s sphere: {center: [1, 0.5, 0.5], radius: 0.2}}\n"
      "  - {%s sphere: {center: [1.6, 0.5, 0.5], radius: 0.2}}\n";
  const auto named = [&](const std::string& first, const std::string& second) {
    std::string text = two;
    text.replace(text.find("%s"), 2, first);
    text.replace(text.find("%s"), 2, second);
    return complaint(walled(text));
  };
  EXPECT_EQ(named("name: a,", "name: b,"), "");
  EXPECT_EQ(named("", ""), "");
  EXPECT_TRUE(
      contains(named("name: a,", "name: a,"),
               "solids[1].name: found 'a', which is already the name of solids[0]; allowed: a name of its own"));
  EXPECT_TRUE(
      contains(named("name: solid_2,", ""), "solids[0].name: found 'solid_2', which is already the name of solids[1]"));
}

TEST(SolidReview, ASolidWithNothingLeftOfItIsRefused) {
  const std::string box =
      "  - box: {min: [1, 0, 0], max: [1.5, 1, 1]}\n    without: [{box: {min: [%s, -1, -1], max: "
      "[1.6, 2, 2]}}]\n";
  const auto cut_from = [&](const std::string& low) {
    std::string text = box;
    return complaint(walled(text.replace(text.find("%s"), 2, low)));
  };
  EXPECT_EQ(cut_from("1.2"), "");
  EXPECT_TRUE(contains(cut_from("0.9"),
                       "solids[0].without: takes away all of the solid that lies in the domain; allowed: shapes that "
                       "leave some of it"));
  EXPECT_EQ(complaint(walled("  - sphere: {center: [1, 0.5, 0.5], radius: 0.4}\n"
                             "    without: [{sphere: {center: [1, 0.5, 0.5], radius: 0.3}}]\n")),
            "");
}

TEST(SolidReview, AHoleBesideItsSolidGetsAWarning) {
  EXPECT_TRUE(contains(warnings_of(walled("  - box: {min: [1, 0, 0], max: [1.5, 1, 1]}\n"
                                          "    without: [{sphere: {center: [1.8, 0.5, 0.5], radius: 0.1}}]\n")),
                       "solids[0].without[0]: has no effect: it lies outside the solid"));
}

TEST(SolidReview, ASolidOutsideTheDomainIsRefused) {
  EXPECT_TRUE(contains(complaint(walled("  - box: {min: [2.5, 0, 0], max: [3, 1, 1]}\n")),
                       "solids[0]: lies wholly outside the domain: x from 2.5 to 3 m, the domain has 0 to 2 m"));
  // Only the box around this ball reaches into the domain's corner.
  EXPECT_TRUE(contains(complaint(walled("  - sphere: {center: [2.25, 1.25, 0.5], radius: 0.3}\n")),
                       "solids[0]: lies wholly outside the domain, though the box of its bounds reaches into it"));
  EXPECT_EQ(complaint(walled("  - sphere: {center: [2.15, 1.15, 0.5], radius: 0.3}\n")), "");
}

TEST(SolidReview, ThinSolidsGetAWarningAndThinnerOnesAreRefused) {
  const std::string advice =
      "; allowed: at least one particle spacing (0.05 m). A smaller particles.spacing resolves it";
  const std::string weak = ", less than two particle spacings (0.1 m): it holds the fluid off too weakly";
  for (const std::string shape : {"sphere: {{center: [1, 0.5, 0.5], radius: {:g}}}",
                                  "cylinder: {{from: [1, 0.2, 0.5], to: [1, 0.8, 0.5], radius: {:g}}}"}) {
    const auto wide = [&](double size) { return walled("  - " + fmt::format(fmt::runtime(shape), 0.5 * size) + "\n"); };
    EXPECT_EQ(warnings_of(wide(0.1)), "") << shape;
    EXPECT_TRUE(contains(warnings_of(wide(0.08)), "solids[0]: is 0.08 m thick across" + weak));
    EXPECT_TRUE(contains(complaint(wide(0.04)), "solids[0]: is 0.04 m thick across" + advice));
    EXPECT_EQ(complaint(wide(0.05)), "") << shape;
  }
  const auto plate = [](double thick) {
    return walled(fmt::format("  - box: {{min: [1, 0.2, 0.2], max: [{:g}, 0.8, 0.8]}}\n", 1 + thick));
  };
  EXPECT_EQ(warnings_of(plate(0.1)), "");
  EXPECT_TRUE(contains(warnings_of(plate(0.07)), "thick along x" + weak));
  EXPECT_TRUE(contains(complaint(plate(0.03)), "thick along x" + advice));
  const auto disc = [](double thick) {
    return walled(fmt::format("  - cylinder: {{from: [1, 0.5, 0.5], to: [1, {:g}, 0.5], radius: 0.3}}\n", 0.5 + thick));
  };
  EXPECT_EQ(warnings_of(disc(0.1)), "");
  EXPECT_TRUE(contains(warnings_of(disc(0.07)), "thick from end to end" + weak));
  EXPECT_TRUE(contains(complaint(disc(0.03)), "thick from end to end" + advice));
  const auto wedge = [](double thick) {
    return walled(
        fmt::format("  - polygon: {{corners: [[1, 0.2], [1.5, 0.2], [1, 0.8]], from: 0.2, to: {:g}}}\n", 0.2 + thick));
  };
  EXPECT_EQ(warnings_of(wedge(0.1)), "");
  EXPECT_TRUE(contains(warnings_of(wedge(0.07)), "thick along z" + weak));
  EXPECT_TRUE(contains(complaint(wedge(0.03)), "thick along z" + advice));
}

// Neither the box of its bounds nor its outer shape tells how thin a solid is.
TEST(SolidReview, ThinWallsAreFoundWhereverTheyAre) {
  const auto room = [](double wall) {
    return walled(
        fmt::format("  - box: {{min: [1, 0.2, 0.2], max: [1.6, 0.8, 0.8]}}\n"
                    "    without: [{{box: {{min: [{0:g}, {1:g}, {1:g}], max: [{2:g}, 0.9, {3:g}]}}}}]\n",
                    1 + wall, 0.2 + wall, 1.6 - wall, 0.8 - wall));
  };
  EXPECT_EQ(warnings_of(room(0.11)), "");
  EXPECT_TRUE(contains(warnings_of(room(0.065)), "solids[0]: is nowhere thicker than about 0.0"));
  EXPECT_TRUE(contains(warnings_of(room(0.065)), ", less than two particle spacings (0.1 m)"));
  EXPECT_TRUE(contains(complaint(room(0.02)), "solids[0]: is nowhere thicker than about 0.02"));
  EXPECT_TRUE(contains(complaint(room(0.02)), "allowed: at least one particle spacing (0.05 m)"));
  const auto sliver = [](double thick) {
    return walled(
        fmt::format("  - polygon: {{corners: [[1, 0], [{:g}, 0], [{:g}, 1], [1.4, 1]]}}\n", 1 + thick, 1.4 + thick));
  };
  EXPECT_EQ(warnings_of(sliver(0.15)), "");
  EXPECT_TRUE(contains(warnings_of(sliver(0.09)), "solids[0]: is nowhere thicker than about 0.0"));
  EXPECT_TRUE(contains(complaint(sliver(0.01)), "solids[0]: is nowhere thicker than about 0.0"));
  // A block with a pocket that leaves a thin wall at one side.
  const auto pocket = [](double wall) {
    return walled(
        fmt::format("  - box: {{min: [1, 0.2, 0.2], max: [1.8, 0.8, 0.8]}}\n"
                    "    without: [{{box: {{min: [{:g}, 0.4, 0.1], max: [1.5, 0.9, 0.9]}}}}]\n",
                    1 + wall));
  };
  EXPECT_EQ(warnings_of(pocket(0.1)), "");
  EXPECT_TRUE(
      contains(warnings_of(pocket(0.02)), "solids[0]: has a wall that is about 0.02 m thick, for example at [1"));
  EXPECT_EQ(complaint(pocket(0.02)), "");
  // What tapers is thin at its edge alone.
  EXPECT_EQ(warnings_of(walled("  - polygon: {corners: [[1, 0.2], [1.6, 0.4], [1, 0.6]], from: 0.2, to: 0.8}\n")), "");
  EXPECT_EQ(warnings_of(walled("  - polygon: {corners: [[1, 0], [1.9, 0], [1.9, 0.3]]}\n")), "") << "a ramp";
}

// A mirror has no wall particles that could be too few.
TEST(SolidReview, ThinSolidsOfDpdGetNoWarning) {
  const std::string soup =
      "domain: {min: [0, 0, 0], max: [8, 8, 8]}\ngravity: [0, 0, 0]\nparticles: {spacing: 0.7}\n"
      "solver: {type: dpd}\ntime: {step: 0.01}\nbodies:\n  - box: {min: [0, 0, 0], max: [8, 4, 8]}\n"
      "solids:\n  - box: {min: [2, 6, 2], max: [6, ";
  EXPECT_EQ(warnings_of(soup + "6.9, 6]}\n"), "");
  EXPECT_TRUE(contains(complaint(soup + "6.5, 6]}\n"), "solids[0]: is 0.5 r_c thick along y"));
}

TEST(SolidReview, ASolidWithAWallBehindItIsNotThin) {
  EXPECT_EQ(warnings_of(walled("  - box: {min: [1, 0, 0], max: [2, 0.03, 1]}\n")), "");
  EXPECT_EQ(warnings_of(walled("  - cylinder: {from: [1, -0.1, 0.5], to: [1, 0.03, 0.5], radius: 0.3}\n")), "");
  EXPECT_TRUE(contains(complaint(tank("open", "  - box: {min: [1, 0, 0], max: [2, 0.03, 1]}\n")), "thick along y"));
}

TEST(SolidReview, WhatCrossesOnePeriodicFaceMustNotMeetItself) {
  const std::string axes = "[periodic, walled, periodic]";
  EXPECT_TRUE(
      contains(complaint(tank(axes, "  - box: {min: [0.1, 0, 0], max: [2.05, 0.3, 1]}\n")),
               "solids[0]: sticks out through one face of the periodic axis x: x from 0.1 to 2.05 m, the domain "
               "has 0 to 2 m; allowed: from face to face and beyond, or within the domain, or a length of at "
               "most 1.9 m, so that it does not meet itself"));
  EXPECT_EQ(complaint(tank(axes, "  - box: {min: [1.5, 0, 0], max: [2.1, 0.3, 1]}\n")), "");
  EXPECT_EQ(complaint(tank(axes, "  - sphere: {center: [1, 0.5, 0.1], radius: 0.2}\n")), "");
  EXPECT_EQ(complaint(tank(axes, "  - box: {min: [1.5, 0, 0], max: [2, 0.3, 1]}\n")), "");
  EXPECT_EQ(complaint(tank(axes, "  - sphere: {center: [2.15, 0.5, 0.5], radius: 0.2}\n")), "") << "all but a cap";
  EXPECT_EQ(complaint(tank(axes, "  - box: {min: [1.5, -1, -1], max: [2, 0.3, 2]}\n")), "");
  EXPECT_EQ(complaint(tank(axes, "  - cylinder: {from: [1, 0.5, 0], to: [1, 0.5, 1], radius: 0.2}\n")), "");
  EXPECT_EQ(complaint(tank("open", "  - sphere: {center: [2, 0.5, 0.1], radius: 0.2}\n")), "");
  EXPECT_EQ(complaint(walled("  - sphere: {center: [2, 0.5, 0.1], radius: 0.2}\n")), "");
}

TEST(SolidReview, WhatCrossesAPeriodicFaceIsLookedForOnBothSides) {
  const std::string ball = "  - sphere: {center: [2, 0.5, 0.5], radius: 0.2}\n";
  EXPECT_TRUE(contains(warnings_of(tank("periodic", ball + "  - box: {min: [0.1, 0.1, 0.1], max: [0.4, 0.8, 0.8]}\n")),
                       "solids[1]: overlaps solids[0], for example at [0.1"));
  EXPECT_EQ(warnings_of(tank("periodic", ball + "  - box: {min: [0.3, 0.1, 0.1], max: [0.6, 0.8, 0.8]}\n")), "");
}

TEST(SolidReview, AHoleOpensBothPeriodicFacesOrNone) {
  const std::string box = "  - box: {min: [1, 0, 0], max: [1.5, 0.8, 1]}\n    without: [{box: ";
  EXPECT_TRUE(contains(complaint(tank("periodic", box + "{min: [1.2, 0.1, 0.5], max: [1.3, 0.3, 1.2]}}]\n")),
                       "solids[0].without[0]: sticks out through one face of the periodic axis z"));
  EXPECT_EQ(complaint(tank("periodic", box + "{min: [1.2, 0.1, -0.1], max: [1.3, 0.3, 1.2]}}]\n")), "");
  EXPECT_EQ(complaint(walled(box + "{min: [1.2, 0.1, 0.5], max: [1.3, 0.3, 1.2]}}]\n")), "");
  EXPECT_EQ(complaint(tank("periodic",
                           "  - box: {min: [1, 0.1, 0.1], max: [1.5, 0.8, 0.9]}\n"
                           "    without: [{box: {min: [1.2, 0.1, 0.5], max: [1.3, 0.3, 1.2]}}]\n")),
            "")
      << "this solid does not go on through the face";
}

TEST(SolidReview, SolidsThatOverlapGetAWarningAndTouchingOnesDoNot) {
  const std::string first = "  - name: step\n    box: {min: [1, 0, 0], max: [1.3, 0.4, 1]}\n";
  const std::string said = warnings_of(walled(first + "  - box: {min: [1.28, 0, 0], max: [1.5, 0.2, 1]}\n"));
  EXPECT_TRUE(contains(said, "solids[1]: overlaps solids[0] ('step'), for example at [1.2"));
  EXPECT_TRUE(contains(said, ": the part in both belongs to solids[0]"));
  EXPECT_EQ(warnings_of(walled(first + "  - box: {min: [1.3, 0, 0], max: [1.5, 0.2, 1]}\n")), "");
  EXPECT_EQ(warnings_of(walled(first + "  - box: {min: [1.6, 0, 0], max: [1.9, 0.2, 1]}\n")), "");
  EXPECT_EQ(warnings_of(walled("  - sphere: {center: [1, 0.5, 0.5], radius: 0.4}\n"
                               "    without: [{sphere: {center: [1, 0.5, 0.5], radius: 0.25}}]\n"
                               "  - sphere: {center: [1, 0.5, 0.5], radius: 0.2}\n")),
            "")
      << "a ball in a hollow one";
}

// Fluid goes round a solid that is sunk in it: that is usual. A body that mostly lies in solids is not.
TEST(SolidReview, ABodyThatMostlyLiesInSolidsGetsAWarning) {
  const std::string small = walled("  - box: {min: [0.3, 0, 0], max: [0.8, 0.5, 1]}\n");
  EXPECT_EQ(warnings_of(small), "") << "two fifths";
  // 4 x 10 x 20 of the sites lie in the box; none of the others is nearer to it than half a spacing.
  EXPECT_EQ(count_particles(scenes::parse_scene(small, "s.yaml").simulation), 1200);
  const std::string large = walled("  - box: {min: [0.2, 0, 0], max: [0.8, 0.5, 1]}\n");
  EXPECT_TRUE(contains(warnings_of(large),
                       "bodies[0]: has about 1200 of its 2000 particles where solids are: they are left out "
                       "(solids[0])"));
  EXPECT_EQ(count_particles(scenes::parse_scene(large, "s.yaml").simulation), 800);
  const auto cut = walled("  - box: {min: [0.486, 0, 0], max: [0.8, 0.5, 1]}\n");
  EXPECT_NEAR(static_cast<double>(count_particles(scenes::parse_scene(cut, "s.yaml").simulation)), 1944, 5)
      << "0.72 of the last 200, as of their cells";
}

TEST(SolidReview, ASceneInWhichNothingIsLeftIsRefused) {
  EXPECT_TRUE(contains(complaint(walled("  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n")),
                       "s.yaml:7:3: solids: leave no particle: all of the bodies lies in solids; allowed: solids that "
                       "leave some of it"));
  EXPECT_EQ(complaint(walled("  - box: {min: [0, 0, 0], max: [0.45, 1, 1]}\n")), "");
}

}  // namespace riffle
