/// Mouths of inlets that are flat parts of meshes: which part is found, and where the particles of a layer are.

#include "sim/openings/mesh_mouth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "sim/openings/nozzle.h"
#include "tests/sim/meshes/example_meshes.h"

namespace riffle::test {
namespace {

/// A pipe with a square hole along y: 1 wide with a hole 0.5 wide, from y = 0 to 1. Its ends are planar and have a hole.
IndexedMesh square_pipe() {
  IndexedMesh mesh;
  for (const float y : {0.0f, 1.0f})
    for (const float half : {0.5f, 0.25f})
      for (const auto& [x, z] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
        mesh.vertices.push_back({half * static_cast<float>(x), y, half * static_cast<float>(z)});
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t next = (k + 1) % 4;
    quad(k, next, 4 + next, 4 + k);            // the end at y = 0, which looks down
    quad(8 + k, 12 + k, 12 + next, 8 + next);  // that at y = 1
    quad(k, 8 + k, 8 + next, next);            // outside
    quad(4 + k, 4 + next, 12 + next, 12 + k);  // the hole
  }
  return mesh;
}

std::string refusal(const MeshMouth& mouth, const IndexedMesh& mesh, float spacing) {
  try {
    chosen_region(mouth, mesh, spacing);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MeshMouths, AreTheFlatPartsOfASurface) {
  const std::vector<PlanarRegion> box = planar_regions(box_mesh({0, 0, 0}, {1, 2, 3}), 1e-6);
  ASSERT_EQ(box.size(), 6u);
  EXPECT_NEAR(box[0].area, 6, 1e-9);
  EXPECT_NEAR(box[5].area, 2, 1e-9);
  for (const PlanarRegion& region : box) EXPECT_EQ(region.rim.size(), 4u) << "the diagonal is no part of the rim";
  const std::vector<PlanarRegion> pipe = planar_regions(square_pipe(), 1e-6);
  ASSERT_EQ(pipe.size(), 10u);
  const auto end = std::find_if(pipe.begin(), pipe.end(), [](const PlanarRegion& r) { return r.normal[1] < -0.99; });
  ASSERT_NE(end, pipe.end());
  EXPECT_NEAR(end->area, 0.75, 1e-9);
  EXPECT_EQ(end->rim.size(), 8u) << "a hole has a rim of its own";
  EXPECT_NEAR(end->middle[0], 0, 1e-9);
  EXPECT_NEAR(end->width(), 2 * 0.75 / 6, 1e-9);
  EXPECT_TRUE(planar_regions(ball_mesh({}, 1, 48), 0.05).empty());
}

TEST(MeshMouths, AreFoundByNormalAndPlace) {
  const IndexedMesh pipe = square_pipe();
  MeshMouth mouth;
  mouth.normal = Vec3{0, -2, 0};
  EXPECT_NEAR(chosen_region(mouth, pipe, 0.05f).middle[1], 0, 1e-9);
  mouth.normal = Vec3{0.02f, 1, 0};  // by 1.1 degrees
  EXPECT_NEAR(chosen_region(mouth, pipe, 0.05f).middle[1], 1, 1e-9);
  mouth.normal.reset();
  mouth.near = Vec3{0.4f, 1.3f, 0.4f};
  EXPECT_NEAR(chosen_region(mouth, pipe, 0.05f).middle[1], 1, 1e-9);
  mouth.near = Vec3{0.7f, 0.5f, 0};
  EXPECT_NEAR(chosen_region(mouth, pipe, 0.05f).middle[0], 0.5, 1e-9);
  mouth.normal = Vec3{1, 0, 0};  // outside at x = 0.5, in the hole at x = -0.25
  EXPECT_NEAR(chosen_region(mouth, pipe, 0.05f).middle[0], 0.5, 1e-9);
  mouth.near = Vec3{-0.2f, 0.5f, 0};
  EXPECT_NEAR(chosen_region(mouth, pipe, 0.05f).middle[0], -0.25, 1e-9);
}

TEST(MeshMouths, SayWhatWasFound) {
  const IndexedMesh pipe = square_pipe();
  MeshMouth mouth;
  mouth.normal = Vec3{1, 1, 0};
  EXPECT_NE(refusal(mouth, pipe, 0.05f).find("found no planar region with the normal [1, 1, 0]; there are: 1 m^2 at"),
            std::string::npos)
      << refusal(mouth, pipe, 0.05f);
  mouth.normal = Vec3{1, 0, 0};
  const std::string several = refusal(mouth, pipe, 0.05f);
  EXPECT_NE(several.find("found 2 planar regions with that normal: 1 m^2 at [0.5, 0.5, 0]"), std::string::npos)
      << several;
  EXPECT_NE(several.find("0.5 m^2 at [-0.25, 0.5, 0]"), std::string::npos) << several;
  EXPECT_NE(several.find("allowed: `near`"), std::string::npos) << several;
  mouth.normal.reset();
  mouth.near = Vec3{0, 0.5f, 0};  // in the middle of the hole
  EXPECT_NE(refusal(mouth, pipe, 0.05f).find("found 4 planar regions that are equally near to [0, 0.5, 0]"),
            std::string::npos)
      << refusal(mouth, pipe, 0.05f);
  mouth.near = Vec3{0, 0, 0.4f};
  const std::string thin = refusal(mouth, pipe, 0.55f);
  EXPECT_NE(thin.find("found a planar region too thin for the particles: 0.75 m^2 at [0, 0, 0]"), std::string::npos)
      << thin;
  EXPECT_NE(thin.find("0.25 m wide; allowed: at least half a particle spacing, 0.275 m"), std::string::npos) << thin;
  const std::string none = refusal(mouth, ball_mesh({}, 1, 48), 0.3f);
  EXPECT_NE(none.find("found no planar region of at least a particle's face (0.09 m^2)"), std::string::npos) << none;
}

// A layer fills the region and leaves its hole empty, and goes straight away from the mesh.
TEST(MeshMouths, ALayerFillsTheRegion) {
  InletSetup inlet;
  inlet.mouth = Mouth::Mesh;
  inlet.speed = 1;
  inlet.mesh.normal = Vec3{0, -1, 0};
  inlet.mesh.region = std::make_shared<const PlanarRegion>(chosen_region(inlet.mesh, square_pipe(), 0.05f));
  Domain domain;
  const NozzleFrame frame = nozzle_frame(inlet, domain);
  EXPECT_NEAR(frame.along[1], -1, 1e-6);
  const auto sites = mouth_sites(inlet, domain, 0.05f);
  EXPECT_EQ(sites.size(), 300u);
  EXPECT_NEAR(mouth_area(inlet, domain, 0.05f), 0.75, 1e-6);
  for (const auto& [u, v] : sites) {
    const Vec3 x = frame.at(0.1, u, v);
    EXPECT_NEAR(x.y, -0.1, 1e-6);
    const float off = std::max(std::fabs(x.x), std::fabs(x.z));
    EXPECT_TRUE(off > 0.25f && off < 0.5f) << x.x << " " << x.z;
  }
  EXPECT_EQ(mouth_edges(inlet, domain).size(), 8u);
}

}  // namespace
}  // namespace riffle::test
