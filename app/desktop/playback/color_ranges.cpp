#include "app/desktop/playback/color_ranges.h"

namespace riffle::desktop {

std::string ColorRanges::change(Quantity before, const std::string& range, Quantity after) {
  kept_[before] = range;
  const auto known = kept_.find(after);
  return known == kept_.end() ? "auto" : known->second;
}

}  // namespace riffle::desktop
