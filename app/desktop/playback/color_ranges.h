#pragma once
/// The range of colours that each quantity of a scene has had.

#include <map>
#include <string>

#include "sim/measure/quantity.h"

namespace riffle::desktop {

class ColorRanges {
 public:
  /// Another quantity is shown. @param range of `before`, as YAML; it is kept
  /// @return the range that `after` had when it was shown last; "auto" if it never was
  std::string change(Quantity before, const std::string& range, Quantity after);

 private:
  std::map<Quantity, std::string> kept_;
};

}  // namespace riffle::desktop
