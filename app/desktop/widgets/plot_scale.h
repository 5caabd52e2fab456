#pragma once
/// An axis of a plot: from numbers to pixels, and its labels.

#include <span>
#include <string>
#include <vector>

namespace riffle::desktop {

enum class AxisScale { Linear, Log };

struct AxisRange {
  double min = 0, max = 1;
};

/// The range of the finite values, with a little room on both sides. A logarithmic axis counts only values above 0, and
/// is at least half a decade wide. Values that differ by less than a millionth count as a constant, whose range is its
/// own size. Without values: [0, 1], or [0.1, 1] on a logarithmic axis.
AxisRange range_of(std::span<const double> values, AxisScale scale);

/// Maps a range to pixels. `from` may be larger than `to`.
class AxisMap {
 public:
  AxisMap(AxisRange range, AxisScale scale, float from, float to);

  /// A value without a logarithm is at the axis' lower end.
  float pixel(double value) const;
  double value(float pixel) const;
  bool has(double value) const { return scale_ == AxisScale::Linear || value > 0; }  ///< a place for it
  const AxisRange& range() const { return range_; }

 private:
  AxisRange range_;
  AxisScale scale_;
  double low_, high_;  ///< ends of the range, or their logarithms
  float from_, to_;
};

struct AxisTick {
  double value = 0;
  std::string label;
};
struct AxisTicks {
  std::vector<AxisTick> ticks;
  std::string factor;  ///< "×10³": common factor of all labels; "" for none
};

/// Round numbers: about `wanted`, and at least two for every range that is wider than a millionth of its numbers. On a
/// logarithmic axis powers of ten, with 2 and 5 between them if there are few, or those of a linear axis if there are
/// still too few.
AxisTicks axis_ticks(AxisRange range, AxisScale scale, int wanted);

/// "0.00123", "12.3", "4.56e+07": four digits
std::string plot_number(double value, const std::string& unit = "");

}  // namespace riffle::desktop
