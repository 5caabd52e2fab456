#pragma once
/// Remembers what takes long to compute of a region (some 10 ms): a scene is read and reviewed again for every edit of it.

#include <algorithm>
#include <cstddef>
#include <list>
#include <mutex>
#include <utility>

#include "sim/shapes/shape.h"

namespace riffle {

/// Values that follow from a region and from Given, which has ==. Callable from several threads.
template <class Given, class Value>
class KnownOfRegions {
 public:
  static constexpr std::size_t kMost = 1024;  ///< values; the one not asked for the longest is forgotten first

  /// compute(), or what it gave before for an equal region and an equal `given`.
  /// That of a region with a mesh is computed each time: to remember it would keep the mesh in memory.
  template <class Compute>
  Value of(const Region& region, const Given& given, const Compute& compute) {
    if (has_mesh(region)) return compute();
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(known_.begin(), known_.end(),
                                      [&](const Known& one) { return one.given == given && one.region == region; });
      if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
        return found->value;
      }
    }
    const Value value = compute();
    const std::lock_guard lock(mutex_);
    known_.push_front({region, given, value});
    if (known_.size() > kMost) known_.pop_back();
    return value;
  }

 private:
  struct Known {
    Region region;
    Given given;
    Value value;
  };

  static bool has_mesh(const Region& region) {
    bool mesh = false;
    for_each_part(region, [&](const PlainShape& part) { mesh = mesh || part.shape == Shape::Mesh; });
    return mesh;
  }

  std::mutex mutex_;
  std::list<Known> known_;  // the last asked for is first
};

}  // namespace riffle
