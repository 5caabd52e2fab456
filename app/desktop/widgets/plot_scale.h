#pragma once
/// From numbers to pixels: an axis of a plot, and where it is marked.

#include <span>
#include <string>
#include <vector>

namespace riffle {

enum class AxisScale { Linear, Log };

struct AxisRange {
  double min = 0, max = 1;
};

/// Of everything finite in the values, with a little room beyond; on a logarithmic axis of what is above 0, and at least
/// half a decade. Values that differ by less than a millionth are a constant, which gets room of its own size.
/// [0, 1], or [0.1, 1], of nothing.
AxisRange range_of(std::span<const double> values, AxisScale scale);

/// Maps a range to pixels; the end in pixels may be the smaller one.
class AxisMap {
 public:
  AxisMap(AxisRange range, AxisScale scale, float from, float to);

  /// What has no logarithm is at the axis' lower end.
  float pixel(double value) const;
  double value(float pixel) const;
  const AxisRange& range() const { return range_; }

 private:
  AxisRange range_;
  AxisScale scale_;
  double low_, high_;  ///< of the range, or of its logarithms
  float from_, to_;
};

struct AxisTick {
  double value = 0;
  std::string label;
};
struct AxisTicks {
  std::vector<AxisTick> ticks;
  std::string factor;  ///< "×10³": what all labels are to be multiplied by; "" for nothing
};

/// Round numbers, about so many, but two at least, or an axis could not be read: of every range that is wider than a
/// millionth of its numbers. On a logarithmic axis powers of ten, with 2 and 5 between them where there are few; those
/// of a linear axis where there are too few even so.
AxisTicks axis_ticks(AxisRange range, AxisScale scale, int wanted);

/// "0.00123", "12.3", "4.56e+07": four digits
std::string plot_number(double value);

}  // namespace riffle
