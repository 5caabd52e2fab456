#pragma once
/// Motion given by a table: up to four values over time, as a cubic between two rows. Which values they are is the
/// owner's: a way and an angle, or gravity.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/platform.h"

namespace riffle {

inline constexpr int kTableValues = 4;

struct MotionKnot {
  double time = 0;  ///< [s]
  double value[kTableValues] = {};
  double slope[kTableValues] = {};  ///< of the cubic there [1/s]
};

/// Values, their first and their second derivatives.
struct TableValues {
  double value[kTableValues] = {}, rate[kTableValues] = {}, acceleration[kTableValues] = {};
};

/// The knots, on the device that reads them. Times ascend.
struct MotionTableView {
  const MotionKnot* knots = nullptr;  ///< (count)
  int count = 0;                      ///< 0: there is no table; otherwise at least 2

  /// [1/s] The largest rate of a value. On the host.
  double fastest(int value) const;

  RIFFLE_HD double duration() const { return count > 0 ? knots[count - 1].time - knots[0].time : 0; }

  /// At `time` [s]: before the first knot the first values, from the last knot on the last ones.
  RIFFLE_HD TableValues at(double time) const {
    TableValues now;
    if (count == 0) return now;
    const bool before = !(time > knots[0].time), after = time >= knots[count - 1].time;
    if (before || after) {
      for (int k = 0; k < kTableValues; ++k) now.value[k] = knots[before ? 0 : count - 1].value[k];
      // The start belongs to the first piece, so that a table that begins in motion does.
      if (!before || time < knots[0].time) return now;
    }
    int low = 0, high = count - 1;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (knots[middle].time <= time ? low : high) = middle;
    }
    const MotionKnot &a = knots[low], &b = knots[high];
    const double h = b.time - a.time, s = (time - a.time) / h;
    for (int k = 0; k < kTableValues; ++k) {
      const double rise = (b.value[k] - a.value[k]) / h;  // value = a + h s (m0 + s (c2 + s c3))
      const double c2 = 3 * rise - 2 * a.slope[k] - b.slope[k], c3 = a.slope[k] + b.slope[k] - 2 * rise;
      now.value[k] = a.value[k] + h * s * (a.slope[k] + s * (c2 + s * c3));
      now.rate[k] = a.slope[k] + s * (2 * c2 + 3 * s * c3);
      now.acceleration[k] = (2 * c2 + 6 * s * c3) / h;
    }
    return now;
  }
};

inline double MotionTableView::fastest(int value) const {
  double most = 0;
  for (int i = 1; i < count; ++i) {
    const MotionKnot &a = knots[i - 1], &b = knots[i];
    const double h = b.time - a.time, m = a.slope[value], n = b.slope[value];
    const double rise = (b.value[value] - a.value[value]) / h, c2 = 3 * rise - 2 * m - n, c3 = m + n - 2 * rise;
    most = std::max({most, std::fabs(m), std::fabs(n)});  // the rate is m + 2 c2 s + 3 c3 s^2
    const double s = c3 != 0 ? -c2 / (3 * c3) : -1;
    if (s > 0 && s < 1) most = std::max(most, std::fabs(m + s * (2 * c2 + 3 * s * c3)));
  }
  return most;
}

/// The same values, whoever holds them.
inline bool operator==(const MotionTableView& a, const MotionTableView& b) {
  if (a.count != b.count) return false;
  if (a.knots == b.knots) return true;
  for (int i = 0; i < a.count; ++i) {
    const MotionKnot &p = a.knots[i], &q = b.knots[i];
    if (p.time != q.time) return false;
    for (int k = 0; k < kTableValues; ++k)
      if (p.value[k] != q.value[k] || p.slope[k] != q.slope[k]) return false;
  }
  return true;
}

class MotionTable {
 public:
  explicit MotionTable(std::vector<MotionKnot> knots) : knots_(std::move(knots)) {}
  MotionTableView view() const { return {knots_.data(), static_cast<int>(knots_.size())}; }
  std::span<const MotionKnot> knots() const { return knots_; }

 private:
  std::vector<MotionKnot> knots_;
};

}  // namespace riffle
