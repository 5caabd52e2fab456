#include "neighbors/tree/automatic_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace riffle {

TreeStructure fastest_tree(const std::vector<MeasuredTree>& trees) {
  const MeasuredTree* best = nullptr;
  for (const MeasuredTree& tree : trees)
    if (tree.refused.empty() && (!best || tree.ms < best->ms)) best = &tree;
  return (best ? *best : trees.front()).structure;
}

std::string describe_choice(const std::vector<MeasuredTree>& trees, std::int64_t particles) {
  const TreeStructure chosen = fastest_tree(trees);
  const auto time = [](const MeasuredTree& tree) {
    return tree.refused.empty() ? fmt::format("{:.3g} ms", tree.ms) : "not measured (" + tree.refused + ")";
  };
  std::string others, mine;
  for (const MeasuredTree& tree : trees)
    if (tree.structure == chosen)
      mine = time(tree);
    else
      others += fmt::format(", {} {}", word_of(tree.structure), time(tree));
  return fmt::format("rtnn searches with {}: {} for a build and a search of {} particles{}", word_of(chosen), mine,
                     particles, others);
}

AutomaticTree::AutomaticTree(Parts parts) : parts_(std::move(parts)), method_(parts_.make(TreeStructure::Lbvh)) {}

void AutomaticTree::build(const BuildInput& input) {
  if (input.count > 0 && (measured_count_ == 0 || input.count / kMeasureAgain >= measured_count_)) choose(input);
  try {
    method_->build(input);
  } catch (const Unavailable& shortage) {
    if (structure_ == TreeStructure::Lbvh) throw;
    parts_.say(std::string("rtnn goes on with lbvh: ") + shortage.what());
    change_to(TreeStructure::Lbvh);
    method_->build(input);
  }
}

void AutomaticTree::choose(const BuildInput& input) {
  measured_.clear();
  for (const TreeStructure structure : {TreeStructure::Lbvh, TreeStructure::Optix}) {
    MeasuredTree tree{structure, 0, ""};
    try {
      tree.ms = parts_.measure(structure, input);
    } catch (const Unavailable& refusal) {
      tree.refused = refusal.what();
    }
    measured_.push_back(std::move(tree));
  }
  measured_count_ = input.count;
  parts_.say(describe_choice(measured_, input.count));
  change_to(fastest_tree(measured_));
}

void AutomaticTree::change_to(TreeStructure structure) {
  if (structure == structure_) return;
  method_ = parts_.make(structure);
  structure_ = structure;
}

SearchStats AutomaticTree::stats() const {
  SearchStats stats = method_->stats();
  for (const MeasuredTree& tree : measured_)
    if (tree.refused.empty())
      stats.counts.push_back({std::string(tree.structure == TreeStructure::Optix ? kMsByOptix : kMsByLbvh), tree.ms});
  return stats;
}

}  // namespace riffle
