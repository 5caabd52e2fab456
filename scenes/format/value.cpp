#include "scenes/format/value.h"

#include <charconv>

namespace riffle::scenes {

Value::Value(float number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  double decimal = number;
  std::from_chars(digits, end, decimal);
  data = decimal;
}

Vec3 Value::vector() const {
  const auto& v = items();
  return {v[0].number(), v[1].number(), v.size() > 2 ? v[2].number() : 0.0f};
}

}  // namespace riffle::scenes
