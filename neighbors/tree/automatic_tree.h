#pragma once
/// `structure: auto` of rtnn on a GPU with OptiX: measures both structures on the particles of the run and takes the
/// faster one. Private to neighbors/.

#include <functional>
#include <string>
#include <vector>

#include "neighbors/search_method.h"
#include "neighbors/tree/tree_structures.h"

namespace riffle {

/// Times of some builds and searches in one structure.
struct MeasuredTree {
  TreeStructure structure = TreeStructure::Lbvh;
  double ms = 0;        ///< of a build with its lists and one search
  std::string refused;  ///< why there is no time; "" if there is one
};

/// The fastest of those that have a time; the first one if none has.
TreeStructure fastest_tree(const std::vector<MeasuredTree>& trees);

/// "rtnn searches with optix: 1.2 ms for a build and a search of 4096 particles, lbvh 2.3 ms"
std::string describe_choice(const std::vector<MeasuredTree>& trees, std::int64_t particles);

class AutomaticTree : public SearchMethod {
 public:
  /// How often each structure is built and searched for one measurement, after a build that warms up.
  static constexpr int kRuns = 2;
  /// A run that began with few particles is measured again once it has this many times as many.
  static constexpr int kMeasureAgain = 4;

  struct Parts {
    /// The search in a structure. @throws Unavailable if there is none
    std::function<std::unique_ptr<SearchMethod>(TreeStructure)> make;
    /// [ms] of a build and a search of these particles. @throws Unavailable if it cannot be done
    std::function<double(TreeStructure, const BuildInput&)> measure;
    std::function<void(const std::string&)> say;  ///< one line for the log
  };

  /// Searches with lbvh until the first build that has particles.
  explicit AutomaticTree(Parts parts);

  void build(const BuildInput& input) override;
  void forget() override { method_->forget(); }
  SearchView view() override { return method_->view(); }
  const std::uint32_t* order() const override { return method_->order(); }
  OccupancyStats occupancy() const override { return method_->occupancy(); }
  SearchStats stats() const override;  ///< of the chosen search, and the measured times
  std::size_t memory_bytes() const override { return method_->memory_bytes(); }

 private:
  void choose(const BuildInput& input);
  void change_to(TreeStructure structure);

  Parts parts_;
  TreeStructure structure_ = TreeStructure::Lbvh;
  std::unique_ptr<SearchMethod> method_;
  std::vector<MeasuredTree> measured_;
  std::int64_t measured_count_ = 0;  ///< particles then; 0: not yet
};

}  // namespace riffle
