/// What movements of the mouse make of an entry, without a window.

#include "app/desktop/handles/handle_drag.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/desktop/handles/outline.h"
#include "app/desktop/handles/thing_picking.h"
#include "scenes/load.h"
#include "sim/shapes/mesh.h"

namespace riffle::desktop {
namespace {

constexpr float kEm = 16;

struct Drags : ::testing::Test {
  scenes::EditedScene scene{
      scenes::parse_source("domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.05}\n"
                           "bodies:\n  - box: {min: [0, 0, 0], max: [0.3, 0.2, 1]}\n  - fill: {level: 0.1}\n"
                           "solids:\n"
                           "  - {box: {min: [0.4, 0.3, 0.4], max: [0.6, 0.7, 0.6]}}\n"
                           "  - {cylinder: {from: [0.7, 0.5, 0.5], to: [0.9, 0.5, 0.5], radius: 0.05}}\n"
                           "probes:\n  - {level: {from: [0.3, 0, 0.5], to: [0.3, 1, 0.5]}}\n"
                           "  - {point: [0.2, 0.3, 0.5]}\n",
                           "s.yaml")};
  PictureProjection picture{{.position = {0.5f, 0.6f, 4}, .target = {0.5f, 0.5f, 0.5f}, .fov_degrees = 35},
                            {100, 50, 800, 600}};

  scenes::PlacedEntry entry(const std::string& path) {
    return *scenes::placed_entry(scene.scene(), path, scene.parameters());
  }

  /// Takes hold of a handle, and lets go where the place lies in the picture.
  scenes::PlacedEntry dragged(const std::string& path, const std::string& name, Vec3 by, bool whole = false) {
    const scenes::PlacedEntry start = entry(path);
    const auto sizes = sizes_of(start);
    const std::vector<Handle> handles = handles_of(start, sizes, picture, kEm);
    const auto found = std::ranges::find(handles, name, &Handle::name);
    EXPECT_NE(found, handles.end()) << name;
    if (found == handles.end()) return start;
    const ImVec2 grip = *picture.pixel(found->grip), end = *picture.pixel(found->grip + by);
    EXPECT_EQ(handle_at(handles, picture, grip, kEm), found - handles.begin()) << name << " is what is hit there";
    const HandleDrag drag(
        start, *found, sizes, picture.ray(grip), picture.forward(),
        {scene.scene().simulation.spacing, scene.scene().simulation.domain.min, scene.scene().simulation.domain.max});
    return drag.at(picture.ray(end), whole);
  }
  static const Region& region(const scenes::PlacedEntry& entry) { return *scenes::region_of(entry); }
};

TEST_F(Drags, AnArrowMovesAlongItsAxisByWhatTheMouseGoesAlongIt) {
  const auto there = dragged("solids[0]", "move.x", {0.1234f, 0, 0});
  EXPECT_NEAR(region(there).min.x, 0.5234f, 1.1e-4f) << "a hundredth of a spacing is 0.0005: rounded to 0.0001";
  EXPECT_NEAR(region(there).max.x - region(there).min.x, 0.2f, 1e-6f);
  EXPECT_EQ(region(there).min.y, 0.3f);
  EXPECT_EQ(region(there).min.z, 0.4f);
}

TEST_F(Drags, WithWholeSpacingsTheCornerLiesOnThem) {
  const auto there = dragged("solids[0]", "move.y", {0, 0.0812f, 0}, true);
  EXPECT_NEAR(region(there).min.y, 0.4f, 1e-6f);
}

TEST_F(Drags, TheDiscMovesInThePlaneThatIsSeen) {
  const auto there = dragged("solids[0]", "move", {0.1f, 0.1f, 0});
  const Vec3 by = region(there).min - Vec3{0.4f, 0.3f, 0.4f};
  EXPECT_NEAR(by.x, 0.1f, 2e-3f);
  EXPECT_NEAR(by.y, 0.1f, 2e-3f);
  EXPECT_LT(std::fabs(dot(by, picture.forward())), 2e-4f);
}

TEST_F(Drags, AFaceGoesWithItsSmallBox) {
  const auto there = dragged("solids[0]", "size.max y", {0, -0.15f, 0});
  EXPECT_NEAR(region(there).max.y, 0.55f, 1.1e-4f);
  EXPECT_EQ(region(there).min.y, 0.3f);
  const auto other = dragged("solids[0]", "size.min x", {0.05f, 0, 0});
  EXPECT_NEAR(region(other).min.x, 0.45f, 1.1e-4f);
}

TEST_F(Drags, ARadiusStaysAboveZero) {
  const auto there = dragged("solids[1]", "size.radius", {0, -0.5f, 0});
  EXPECT_GT(region(there).radius, 0);
}

TEST_F(Drags, ARingTurnsByWholeDegrees) {
  const scenes::PlacedEntry log = entry("solids[1]");
  const auto handles = handles_of(log, sizes_of(log), picture, kEm);
  const auto ring = std::ranges::find(handles, "turn.z", &Handle::name);
  ASSERT_NE(ring, handles.end());
  const HandleDrag drag(log, *ring, sizes_of(log), picture.ray(*picture.pixel(ring->grip)), picture.forward(),
                        {0.05f, {}});
  const Vec3 arm = ring->grip - log.middle;
  const double unit = 1e-4;  // [m] of the places, at or below a hundredth of the spacing; the log is 0.2 m long
  const double even = 180 / M_PI * unit / 0.2;
  const auto turned_to = [&](double degrees, bool whole) {
    const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
    const Vec3 place = log.middle + Vec3{float(c * arm.x - s * arm.y), float(s * arm.x + c * arm.y), 0};
    const auto there = drag.at(picture.ray(*picture.pixel(place)), whole);
    const Vec3 along = region(there).to - region(there).from;
    for (const double x : {region(there).to.x, region(there).to.y})
      EXPECT_NEAR(x / unit, std::round(x / unit), 1e-2) << "as a person writes it";
    return std::atan2(along.y, along.x) * 180 / M_PI;
  };
  EXPECT_NEAR(turned_to(40.2, false), 40, even);
  EXPECT_NEAR(turned_to(-130.3, false), -130, even);
  EXPECT_NEAR(turned_to(40.2, true), 45, even);
}

// A drag that is refused as a whole for a pixel too much would move nothing.
TEST_F(Drags, AProbeStaysInTheDomain) {
  const auto probe = [&](const std::string& path, const std::string& name, Vec3 by) {
    return std::get<ProbeSetup>(dragged(path, name, by).what);
  };
  const ProbeSetup level = probe("probes[0]", "move", {0.2f, -0.1f, 0});
  EXPECT_NEAR(level.at.x, 0.5f, 2e-3f);
  EXPECT_EQ(level.at.y, 0) << "as high as the domain it has no way up or down";
  EXPECT_EQ(level.to.y, 1);
  const ProbeSetup point = probe("probes[1]", "move", {-0.5f, 0.1f, 0});
  EXPECT_EQ(point.at.x, 0);
  EXPECT_NEAR(point.at.y, 0.4f, 2e-3f);
  EXPECT_EQ(probe("probes[1]", "move.y", {0, 0.9f, 0}).at.y, 1);
  const ProbeSetup longer = probe("probes[0]", "size.to", {0, 0.2f, 0});
  EXPECT_EQ(longer.to.y, 1);
  EXPECT_LT(region(dragged("solids[0]", "move.x", {-0.6f, 0, 0})).min.x, 0) << "a solid may lie partly outside";
}

TEST_F(Drags, ABodyByFillHasOneArrow) {
  const scenes::PlacedEntry fill = entry("bodies[1]");
  const auto handles = handles_of(fill, sizes_of(fill), picture, kEm);
  ASSERT_EQ(handles.size(), 1u);
  EXPECT_EQ(handles[0].name, "move.y");
  EXPECT_NEAR(region(dragged("bodies[1]", "move.y", {0, 0.2f, 0})).max.y, 0.3f, 1.1e-4f);
}

TEST_F(Drags, ABodyIsFoundByAPlaceInIt) {
  EXPECT_EQ(body_at(scene.scene(), {0.1f, 0.15f, 0.5f}), "bodies[0]");
  EXPECT_EQ(body_at(scene.scene(), {0.8f, 0.05f, 0.5f}), "bodies[1]");
  EXPECT_EQ(body_at(scene.scene(), {0.8f, 0.5f, 0.5f}), "");
}

TEST_F(Drags, AnArrowThatWouldLeaveThePicturePointsTheOtherWay) {
  scenes::PlacedEntry log = entry("solids[1]");
  const auto tip_of = [&] {
    for (const Handle& handle : handles_of(log, sizes_of(log), picture, kEm))
      if (handle.name == "move.x") return handle.grip;
    return log.middle;
  };
  EXPECT_GT(tip_of().x, log.middle.x);
  move(log, {1, 0, 0});
  EXPECT_LT(tip_of().x, log.middle.x);
}

TEST(Outline, OfABoxAreItsTwelveEdgesAndOfABallItsRim) {
  Domain domain;
  domain.max = {1, 1, 1};
  Region box;
  box.min = {0.2f, 0.2f, 0.2f};
  box.max = {0.4f, 0.5f, 0.6f};
  const auto edges = edges_of(mesh_of(box, domain));
  EXPECT_EQ(std::ranges::count_if(edges, [](const OutlineEdge& edge) { return edge.always; }), 12);
  Region ball;
  ball.shape = Shape::Sphere;
  ball.center = {0.5f, 0.5f, 0.5f};
  ball.radius = 0.2f;
  const Vec3 sight{0, 0, -1};
  int rim = 0;
  for (const OutlineEdge& edge : edges_of(mesh_of(ball, domain))) {
    EXPECT_FALSE(edge.always);
    if ((dot(edge.left, sight) < 0) == (dot(edge.right, sight) < 0)) continue;
    ++rim;
    EXPECT_NEAR(std::hypot(edge.from.x - 0.5f, edge.from.y - 0.5f), 0.2f, 0.01f);
  }
  EXPECT_GT(rim, 40);
}

}  // namespace
}  // namespace riffle::desktop
