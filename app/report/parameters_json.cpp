#include "app/report/parameters_json.h"

#include <cmath>
#include <cstdint>

namespace riffle {

namespace {

using Json = nlohmann::ordered_json;
using Kind = scenes::Parameter::Kind;

Json number_json(double value, bool whole) {
  if (whole && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return value;
}

Json value_json(const scenes::Parameter& p) {
  if (p.value.empty()) return nullptr;
  if (p.is_word()) return p.text();
  const std::vector<double> numbers = p.numbers();
  switch (p.kind) {
    case Kind::Number:
    case Kind::Whole:
      if (numbers.size() == 1) return number_json(numbers[0], p.kind == Kind::Whole);
      break;
    case Kind::Flag: return p.text() == "true";
    case Kind::Vector: {
      if (numbers.empty()) break;
      Json list = Json::array();
      for (const double value : numbers) list.push_back(number_json(value, p.component == Kind::Whole));
      return list;
    }
    default: break;
  }
  return p.text();
}

}  // namespace

Json to_json(const std::vector<scenes::Parameter>& parameters) {
  Json keys = Json::object();
  for (const scenes::Parameter& p : parameters)
    if (p.kind != Kind::Section || !p.value.empty()) keys[p.path] = value_json(p);
  return keys;
}

}  // namespace riffle
