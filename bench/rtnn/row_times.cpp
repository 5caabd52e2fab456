#include "bench/rtnn/row_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace riffle::bench {

namespace {

bool differ_in_radius(const RtnnRow& a, const RtnnRow& b) {
  return a.cloud == b.cloud && a.input == b.input && a.structure == b.structure && a.sweep == b.sweep &&
         a.variant == b.variant && a.task == b.task && a.points == b.points && a.queries == b.queries &&
         a.neighbors == b.neighbors && a.leaf == b.leaf;
}

}  // namespace

double predicted_seconds(const RtnnRow& row, const std::vector<RtnnRow>& before) {
  if (row.sweep != "radius" && row.sweep != "width") return 0;
  const RtnnRow *last = nullptr, *one_before = nullptr;
  for (const RtnnRow& known : before)
    if (known.measured() && known.total.median >= 0 && differ_in_radius(known, row))
      one_before = std::exchange(last, &known);
  if (!last) return 0;
  double ms = last->total.median;
  if (one_before && last->ball_mean > one_before->ball_mean) {
    const double growth = (ms - one_before->total.median) / (last->ball_mean - one_before->ball_mean);
    ms += std::max(0.0, growth) * (row.ball_mean - last->ball_mean);
  }
  return ms / 1000;
}

std::string why_too_long(const RtnnRow& row, const std::vector<RtnnRow>& before, double seconds) {
  const double would = predicted_seconds(row, before);
  if (!(would > seconds)) return "";
  return fmt::format("left out: would take about {:.2g} s a search, more than --row-seconds {:g}", would, seconds);
}

}  // namespace riffle::bench
