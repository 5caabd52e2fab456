#pragma once
/// What a run says of contact between bodies.

#include <cstdint>

#include "sim/bodies/free_body.h"

namespace riffle {

struct BodyReport {
  std::uint64_t contact_steps = 0;  ///< so far
  std::uint64_t long_ways =
      0;                      ///< so far: bodies that moved more than FreeBodies::kLongestWay between two contact steps
  std::int32_t interval = 1;  ///< steps from one contact step to the next
  std::int32_t touching = 0;  ///< pairs in the last one

  friend bool operator==(const BodyReport&, const BodyReport&) = default;
};

}  // namespace riffle
