#include "app/desktop/widgets/plot_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/overlay/legend.h"

namespace riffle::desktop {

namespace {

constexpr double kRoom = 0.06;      // of the range, beyond each end
constexpr double kConstant = 1e-6;  // relative: single precision cannot resolve smaller differences

std::string superscript(int exponent) {
  static constexpr const char* digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                           "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text;
  for (const char c : fmt::format("{}", exponent)) text += c == '-' ? "\u207b" : digits[c - '0'];
  return text;
}

AxisTicks linear_ticks(AxisRange range, int wanted) {
  render::Ticks nice;
  // Round numbers lie up to 2.5 times farther apart than requested: if there are few, only one may be within the range.
  for (int asked = wanted; nice.ticks.size() < 2 && asked <= wanted + 4; ++asked)
    nice = render::nice_ticks(range.min, range.max, asked);
  AxisTicks result;
  for (const render::Tick& tick : nice.ticks) result.ticks.push_back({tick.value, tick.label});
  if (nice.exponent != 0) result.factor = "\u00d710" + superscript(nice.exponent);
  return result;
}

AxisTicks log_ticks(AxisRange range, int wanted) {
  AxisTicks result;
  const int first = static_cast<int>(std::floor(std::log10(range.min))),
            last = static_cast<int>(std::ceil(std::log10(range.max)));
  const int powers = static_cast<int>(std::floor(std::log10(range.max)) - std::ceil(std::log10(range.min))) + 1;
  const int stride = std::max(1, powers / std::max(1, wanted));
  const bool fine = powers <= std::max(1, wanted / 3);
  for (int e = first; e <= last; e += stride)
    for (const double multiple : {1.0, 2.0, 5.0}) {
      if (multiple > 1 && !fine) continue;
      const double value = multiple * std::pow(10.0, e);
      if (value >= range.min * (1 - 1e-9) && value <= range.max * (1 + 1e-9))
        result.ticks.push_back({value, fmt::format("{:g}", value)});
    }
  return result.ticks.size() < 2 ? linear_ticks(range, wanted) : result;
}

}  // namespace

AxisRange range_of(std::span<const double> values, AxisScale scale) {
  const bool log = scale == AxisScale::Log;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) return log ? AxisRange{0.1, 1} : AxisRange{0, 1};
  if (log) {
    const double extent = std::max(std::log10(high / low), 0.5);
    const double middle = std::log10(low) / 2 + std::log10(high) / 2, half = (0.5 + kRoom) * extent;
    return {std::pow(10.0, middle - half), std::pow(10.0, middle + half)};
  }
  const double extent = high - low;
  // A constant gets an axis of its own size, or of 1 where it is 0: rounding must not fill the plot.
  if (!(extent > kConstant * std::max(std::fabs(low), std::fabs(high)))) {
    const double half = low == 0 ? 0.5 : 0.5 * std::fabs(low);
    return {low - half, high + half};
  }
  return {low - kRoom * extent, high + kRoom * extent};
}

AxisMap::AxisMap(AxisRange range, AxisScale scale, float from, float to)
    : range_(range), scale_(scale), low_(range.min), high_(range.max), from_(from), to_(to) {
  if (scale_ == AxisScale::Log) low_ = std::log10(low_), high_ = std::log10(high_);
}

float AxisMap::pixel(double value) const {
  if (scale_ == AxisScale::Log) value = value > 0 ? std::log10(value) : low_;
  return from_ + (to_ - from_) * static_cast<float>((value - low_) / (high_ - low_));
}

double AxisMap::value(float pixel) const {
  const double at = low_ + (high_ - low_) * static_cast<double>((pixel - from_) / (to_ - from_));
  return scale_ == AxisScale::Log ? std::pow(10.0, at) : at;
}

AxisTicks axis_ticks(AxisRange range, AxisScale scale, int wanted) {
  return scale == AxisScale::Log ? log_ticks(range, wanted) : linear_ticks(range, wanted);
}

std::string plot_number(double value, const std::string& unit) {
  if (!std::isfinite(value)) return "no number";
  return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
}

}  // namespace riffle::desktop
