#pragma once
/// How a build by OptiX comes to its pairs and waits for the device at most once. Private to neighbors/.
///
/// Listing the pairs waits for their number. Whether a refitted tree is of use, or its particles have moved too far for it,
/// is known only then. A rebuild would wait a second time. So a build whose refit is refused takes a tree of our own,
/// which lists no pairs and waits for nothing, and the next build is a rebuild.

#include <cstdint>

namespace riffle {

class RefitOrRebuild {
 public:
  enum class Result { Nothing, Rebuilt, Refitted, OwnTree };

  /// Whether the last build has left a tree of OptiX that fits moved particles.
  bool has_tree() const { return result_ == Result::Rebuilt || result_ == Result::Refitted; }
  bool by_own_tree() const { return result_ == Result::OwnTree; }
  void forget() { result_ = Result::Nothing; }

  /// @param refit     whether the tree may be refitted; only if has_tree()
  /// @param list      list(bool refit): lists the pairs, waits once. @return false: the refit is refused
  /// @param own_tree  builds the tree of our own, waits for nothing. @return false: there is no memory for it, so that this
  ///                  build waits twice
  /// If one of them throws, nothing is built.
  template <class List, class OwnTree>
  void build(bool refit, const List& list, const OwnTree& own_tree) {
    forget();
    Result result = Result::Rebuilt;
    if (!refit) {
      list(false);
    } else if (list(true)) {
      result = Result::Refitted;
    } else {
      ++refused_;
      if (own_tree())
        result = Result::OwnTree;
      else
        list(false);
    }
    result_ = result;
    if (result == Result::Rebuilt) ++rebuilds_;
    if (result == Result::Refitted) ++refits_;
  }

  Result result() const { return result_; }
  std::int64_t rebuilds() const { return rebuilds_; }
  std::int64_t refits() const { return refits_; }
  std::int64_t refused() const { return refused_; }  ///< refits

 private:
  Result result_ = Result::Nothing;
  std::int64_t rebuilds_ = 0, refits_ = 0, refused_ = 0;
};

}  // namespace riffle
