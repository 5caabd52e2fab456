/// The window's view of a search: its cells, or some boxes of its tree.

#include "app/desktop/scene/search_cells.h"

#include <gtest/gtest.h>

#include "sim/simulation.h"
#include "support/devices.h"

namespace riffle {
namespace {

class ShownTree : public test::OnEachDevice {
 protected:
  static SimulationSetup block(float spacing) {
    SimulationSetup setup;
    setup.spacing = spacing;
    setup.domain.max = {1, 1, 0.4f};
    setup.fluids.emplace_back();
    BodySetup body;
    body.max = {0.4f, 0.4f, 0.4f};
    setup.bodies.push_back(body);
    setup.neighbors.method = NeighborMethod::Rtnn;
    setup.neighbors.structure = TreeStructure::Lbvh;
    return setup;
  }
  static bool is_in(Vec4 x, const render::BoxView& box) {
    return x.x >= box.min.x && x.x <= box.max.x && x.y >= box.min.y && x.y <= box.max.y && x.z >= box.min.z &&
           x.z <= box.max.z;
  }
};

TEST_P(ShownTree, HasOneLevelOfBoxesThatHoldEveryParticle) {
  for (const float spacing : {0.2f, 0.05f, 0.02f}) {
    SCOPED_TRACE(spacing);
    const Simulation simulation(block(spacing), device());
    const desktop::SearchCells cells = desktop::cells_of(simulation);
    const auto most = static_cast<std::size_t>(desktop::kMostTreeBoxes);
    EXPECT_LE(cells.boxes.size(), most);
    if (simulation.particle_count() > 1000) {
      EXPECT_GT(cells.boxes.size(), most / 4);
    }
    for (const Vec4 x : simulation.particles().get<Vec4>("position").to_host()) {
      const auto holds = [x](const render::BoxView& box) { return is_in(x, box); };
      ASSERT_TRUE(std::any_of(cells.boxes.begin(), cells.boxes.end(), holds)) << x.x << " " << x.y << " " << x.z;
    }
    EXPECT_NE(cells.text.find("one level is shown"), std::string::npos) << cells.text;
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ShownTree);

}  // namespace
}  // namespace riffle
