#pragma once
/// Rows of sweeps over radii and widths that would take too long, as earlier rows tell.

#include <string>
#include <vector>

#include "bench/rtnn/rtnn.h"

namespace riffle::bench {

/// [s] of one search, by the measured ones of `before` that differ only in their radii: on the line through the last two over
/// the points per ball; as long as the only one, which is too short a time, since the growth is not known; 0 if there is none.
double predicted_seconds(const RtnnRow& row, const std::vector<RtnnRow>& before);

/// Why the row is left out: one search would take longer than `seconds`. "": it is not.
std::string why_too_long(const RtnnRow& row, const std::vector<RtnnRow>& before, double seconds);

}  // namespace riffle::bench
