/// Groups of particles in contact, against a search through all pairs and with groups that are known.

#include "sim/measure/contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class Contact : public OnEachDevice {};

ContactReport by_all_pairs(const Simulation& simulation) {
  const auto position = by_id<Vec4>(simulation, "position");
  const NeighborSets sets =
      expected_neighbors(position, simulation.setup().domain, simulation.setup().support_radius());
  ContactReport report;
  report.particles = static_cast<int>(sets.size());
  int largest = 0;
  std::vector<bool> seen(sets.size(), false);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].empty()) ++report.alone;
    report.most_neighbors = std::max(report.most_neighbors, static_cast<int>(sets[i].size()));
    if (seen[i]) continue;
    ++report.groups;
    int members = 0;
    std::vector<std::size_t> waiting = {i};
    seen[i] = true;
    while (!waiting.empty()) {
      const std::size_t at = waiting.back();
      waiting.pop_back();
      ++members;
      for (const Neighbor& n : sets[at])
        if (!seen[n.j]) seen[n.j] = true, waiting.push_back(n.j);
    }
    largest = std::max(largest, members);
  }
  report.apart = report.particles - largest;
  return report;
}

void expect_same(const ContactReport& found, const ContactReport& expected) {
  EXPECT_EQ(found.particles, expected.particles);
  EXPECT_EQ(found.alone, expected.alone);
  EXPECT_EQ(found.apart, expected.apart);
  EXPECT_EQ(found.groups, expected.groups);
  EXPECT_EQ(found.most_neighbors, expected.most_neighbors);
}

// Few particles at random places are in groups of every size, at this density long chains too.
TEST_P(Contact, IsThatOfAllPairs) {
  int most_groups = 0;
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true})
      for (const float reach : {0.5f, 0.8f, 1.1f}) {
        SimulationSetup setup = with_solver(periodic_setup(dimension, dimension == 2 ? 40 : 12), SolverKind::Wcsph);
        if (!periodic)
          for (Axis& axis : setup.domain.axis) axis = Axis::Open;
        setup.support_ratio = reach;
        setup.bodies[0].filling = Filling::Random;
        setup.bodies[0].jitter = 0;
        const Simulation simulation(setup, device());
        const ContactReport expected = by_all_pairs(simulation);
        SCOPED_TRACE(testing::Message() << dimension << "-D, " << reach << ", " << expected.groups << " groups");
        expect_same(measure_contact(simulation), expected);
        expect_same(measure_contact(simulation.save_state(), device()), expected);
        most_groups = std::max(most_groups, expected.groups);
        EXPECT_GT(expected.alone, 0);
      }
  EXPECT_GT(most_groups, 100);
}

TEST_P(Contact, TwoBlocksAreTwoGroupsAndALineIsOne) {
  SimulationSetup setup = free_block(SolverKind::Wcsph, 2);
  const float s = setup.spacing;
  BodySetup small = setup.bodies[0];
  small.min = {0, 0, 0}, small.max = {4 * s, 4 * s, 0};
  setup.bodies.push_back(small);
  const ContactReport two = measure_contact(Simulation(setup, device()));
  EXPECT_EQ(two.groups, 2);
  EXPECT_EQ(two.apart, 16);
  EXPECT_EQ(two.alone, 0);
  setup.bodies[1].min = {0, 0, 0}, setup.bodies[1].max = {1, s, 0};
  setup.bodies.erase(setup.bodies.begin());
  const ContactReport line = measure_contact(Simulation(setup, device()));
  EXPECT_EQ(line.groups, 1);
  EXPECT_EQ(line.particles, 40);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Contact);

}  // namespace
}  // namespace riffle::test
