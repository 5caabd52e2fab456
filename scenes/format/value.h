#pragma once
/// A value of a scene key.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/math/vec.h"

namespace riffle::scenes {

/// A value that has passed the checks of its form, or the default of a key.
struct Value {
  std::variant<std::monostate, std::string, bool, std::int64_t, double, std::vector<Value>> data;

  Value() = default;
  Value(const char* text) : data(std::string(text)) {}
  Value(std::string text) : data(std::move(text)) {}
  Value(bool flag) : data(flag) {}
  Value(int whole) : data(std::int64_t{whole}) {}
  Value(std::int64_t whole) : data(whole) {}
  Value(double number) : data(number) {}
  Value(float number);  ///< the shortest decimal that reads back as the same float: 0.2f is 0.2
  Value(std::vector<Value> items) : data(std::move(items)) {}
  Value(Vec3 vector) : Value(std::vector<Value>{vector.x, vector.y, vector.z}) {}

  bool is_empty() const { return std::holds_alternative<std::monostate>(data); }
  bool is_text() const { return std::holds_alternative<std::string>(data); }
  bool is_flag() const { return std::holds_alternative<bool>(data); }
  bool is_whole() const { return std::holds_alternative<std::int64_t>(data); }
  bool is_number() const { return std::holds_alternative<double>(data); }
  bool is_list() const { return std::holds_alternative<std::vector<Value>>(data); }
  const std::string& text() const { return std::get<std::string>(data); }
  bool flag() const { return std::get<bool>(data); }
  std::int64_t whole() const { return std::get<std::int64_t>(data); }
  float number() const { return static_cast<float>(std::get<double>(data)); }
  double precise() const { return std::get<double>(data); }
  const std::vector<Value>& items() const { return std::get<std::vector<Value>>(data); }
  Vec3 vector() const;  ///< a missing third component is 0
};

}  // namespace riffle::scenes
