#pragma once
/// The box that contains a simulation, and what each pair of its faces does.

#include "core/math/vec.h"
#include "core/text/words.h"

namespace riffle {

/// What the two faces across an axis do. The box of an open axis only sizes the grid.
enum class Axis { Open, Walled, Periodic };
inline constexpr Word<Axis> kAxisWords[] = {
    {Axis::Open, "open", "particles may leave through them"},
    {Axis::Walled, "walled", "both are solid"},
    {Axis::Periodic, "periodic", "they are one and the same"},
};
constexpr std::span<const Word<Axis>> words_of(Axis) { return kAxisWords; }

struct Domain {
  int dimension = 3;  ///< 2 or 3; in 2-D every z is 0 and axis[2] is ignored
  Vec3 min{0, 0, 0};  ///< [length unit of the scene]
  Vec3 max{1, 1, 1};
  Axis axis[3] = {Axis::Open, Axis::Open, Axis::Open};

  Vec3 extent() const { return max - min; }
  bool periodic(int a) const { return a < dimension && axis[a] == Axis::Periodic; }
  bool any_periodic() const { return periodic(0) || periodic(1) || periodic(2); }
  bool walled(int a) const { return a < dimension && axis[a] == Axis::Walled; }

  /// The same box with the same faces; in 2-D whatever z is.
  friend bool operator==(const Domain& a, const Domain& b) {
    if (a.dimension != b.dimension) return false;
    for (int k = 0; k < a.dimension; ++k)
      if (a.axis[k] != b.axis[k] || component(a.min, k) != component(b.min, k) ||
          component(a.max, k) != component(b.max, k))
        return false;
    return true;
  }
};

}  // namespace riffle
