/// The choice between the structures of rtnn, with times that a test makes up and trees that run everywhere.

#include "neighbors/tree/automatic_tree.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/clouds.h"

namespace riffle::test {
namespace {

TEST(AutomaticTree, TheFastestIsTakenAndTheReasonSaid) {
  const auto chosen = [](double lbvh, double optix) {
    return fastest_tree({{TreeStructure::Lbvh, lbvh, ""}, {TreeStructure::Optix, optix, ""}});
  };
  EXPECT_EQ(chosen(2, 3), TreeStructure::Lbvh);
  EXPECT_EQ(chosen(3, 2), TreeStructure::Optix);
  EXPECT_EQ(chosen(2, 2), TreeStructure::Lbvh);
  EXPECT_EQ(describe_choice({{TreeStructure::Lbvh, 2.345678, ""}, {TreeStructure::Optix, 1.25, ""}}, 4096),
            "rtnn searches with optix: 1.25 ms for a build and a search of 4096 particles, lbvh 2.35 ms");
}

TEST(AutomaticTree, WhatWasRefusedIsNotTakenHoweverShortItsTime) {
  const std::vector<MeasuredTree> trees{{TreeStructure::Lbvh, 5, ""}, {TreeStructure::Optix, 0, "no room"}};
  EXPECT_EQ(fastest_tree(trees), TreeStructure::Lbvh);
  EXPECT_EQ(describe_choice(trees, 7),
            "rtnn searches with lbvh: 5 ms for a build and a search of 7 particles, optix not measured (no room)");
  EXPECT_EQ(fastest_tree({{TreeStructure::Lbvh, 0, "no room"}, {TreeStructure::Optix, 0, "none"}}),
            TreeStructure::Lbvh);
  EXPECT_EQ(fastest_tree({{TreeStructure::Lbvh, 0, "no room"}, {TreeStructure::Optix, 9, ""}}), TreeStructure::Optix);
}

/// Stands in for a search by OptiX: rtnn's own tree, with a mark of its own in its statistics.
class StandIn : public SearchMethod {
 public:
  explicit StandIn(bool refuses)
      : tree_(method_info(NeighborMethod::Rtnn).make(Device{}, {{.structure = TreeStructure::Lbvh}})),
        refuses_(refuses) {}
  void build(const BuildInput& input) override {
    if (refuses_) throw Unavailable("the rows do not fit");
    tree_->build(input);
  }
  SearchView view() override { return tree_->view(); }
  const std::uint32_t* order() const override { return tree_->order(); }
  OccupancyStats occupancy() const override { return tree_->occupancy(); }
  SearchStats stats() const override { return {occupancy(), {{"stand-in", 1}}}; }
  std::size_t memory_bytes() const override { return tree_->memory_bytes(); }

 private:
  std::unique_ptr<SearchMethod> tree_;
  bool refuses_;
};

class AutomaticTreeBuilds : public testing::Test {
 protected:
  AutomaticTreeBuilds() : x_(uniform_cloud(random_, box(3, 0, 1), 1000)), positions_(Device{}, x_) {}

  std::unique_ptr<AutomaticTree> tree() {
    return std::make_unique<AutomaticTree>(
        AutomaticTree::Parts{.make = [this](TreeStructure structure) -> std::unique_ptr<SearchMethod> {
                               made_.push_back(structure);
                               if (structure == TreeStructure::Optix || lbvh_refuses_)
                                 return std::make_unique<StandIn>(refuses_);
                               return method_info(NeighborMethod::Rtnn).make(Device{}, {{.structure = structure}});
                             },
                             .measure =
                                 [this](TreeStructure structure, const BuildInput& input) {
                                   measured_.emplace_back(structure, input.count);
                                   if (structure == TreeStructure::Optix && no_optix_)
                                     throw Unavailable("it is not there");
                                   return structure == TreeStructure::Optix ? optix_ms_ : 2.0;
                                 },
                             .say = [this](const std::string& line) { said_.push_back(line); }});
  }
  BuildInput input(int count) const { return {positions_.data(), count, box(3, 0, 1), 0.1f}; }
  static bool by_stand_in(const AutomaticTree& tree) { return tree.stats().find("stand-in") != nullptr; }

  Random random_{921};
  std::vector<Vec4> x_;
  Buffer<Vec4> positions_;
  double optix_ms_ = 1;
  bool no_optix_ = false, refuses_ = false, lbvh_refuses_ = false;
  std::vector<TreeStructure> made_;
  std::vector<std::pair<TreeStructure, int>> measured_;
  std::vector<std::string> said_;
};

TEST_F(AutomaticTreeBuilds, BothAreMeasuredOnceOnTheFirstParticles) {
  const auto tree = this->tree();
  tree->build(input(0));
  EXPECT_TRUE(measured_.empty()) << "there is nothing to measure on";
  for (const int count : {100, 100, 399, 50}) tree->build(input(count));
  const std::vector<std::pair<TreeStructure, int>> once{{TreeStructure::Lbvh, 100}, {TreeStructure::Optix, 100}};
  EXPECT_EQ(measured_, once);
  EXPECT_TRUE(by_stand_in(*tree));
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_EQ(said_[0], "rtnn searches with optix: 1 ms for a build and a search of 100 particles, lbvh 2 ms");
  const SearchStats stats = tree->stats();
  EXPECT_EQ(stats.find(kMsByLbvh)->value, 2);
  EXPECT_EQ(stats.find(kMsByOptix)->value, 1);
  EXPECT_NE(tree->order(), nullptr);
  EXPECT_GT(tree->memory_bytes(), 0u);
}

TEST_F(AutomaticTreeBuilds, FourTimesAsManyParticlesAreMeasuredAgain) {
  const auto tree = this->tree();
  tree->build(input(100));
  EXPECT_TRUE(by_stand_in(*tree));
  optix_ms_ = 3;
  tree->build(input(400));
  EXPECT_EQ(measured_.size(), 4u);
  EXPECT_FALSE(by_stand_in(*tree));
  EXPECT_EQ(said_.back(), "rtnn searches with lbvh: 2 ms for a build and a search of 400 particles, optix 3 ms");
  tree->build(input(1000));
  EXPECT_EQ(measured_.size(), 4u);
}

TEST_F(AutomaticTreeBuilds, WhatCannotBeMeasuredIsNotTaken) {
  no_optix_ = true;
  const auto tree = this->tree();
  tree->build(input(200));
  EXPECT_FALSE(by_stand_in(*tree));
  EXPECT_EQ(made_, std::vector<TreeStructure>{TreeStructure::Lbvh});
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_NE(said_[0].find("optix not measured (it is not there)"), std::string::npos) << said_[0];
  EXPECT_EQ(tree->stats().find(kMsByOptix), nullptr);
}

TEST_F(AutomaticTreeBuilds, ABuildThatFindsNoRoomGoesOnWithItsOwnTree) {
  refuses_ = true;
  const auto tree = this->tree();
  tree->build(input(200));
  EXPECT_FALSE(by_stand_in(*tree));
  ASSERT_EQ(said_.size(), 2u);
  EXPECT_EQ(said_[1], "rtnn goes on with lbvh: the rows do not fit");
  tree->build(input(200));
  EXPECT_EQ(said_.size(), 2u) << "it has changed for good";
}

TEST_F(AutomaticTreeBuilds, WhatItsOwnTreeRefusesIsRefused) {
  no_optix_ = refuses_ = lbvh_refuses_ = true;
  const auto tree = this->tree();
  EXPECT_THROW(tree->build(input(200)), Unavailable);
  EXPECT_EQ(said_.size(), 1u) << "the choice alone: there is nothing else to go on with";
}

}  // namespace
}  // namespace riffle::test
