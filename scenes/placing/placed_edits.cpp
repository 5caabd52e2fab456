/// From places to the text of their keys.

#include <algorithm>
#include <cmath>

#include "scenes/document/yaml_writer.h"
#include "scenes/placing/place_keys.h"

namespace riffle::scenes {

namespace {

/// Ten to a power, so that no more than this decade and four digits after it are written.
/// A float of 0.01 or of length 1 may lie just below it.
double decade_of(double value) { return std::pow(10.0, std::floor(std::log10(value) + 1e-6)); }

struct KeyNumbers {
  std::string key;
  enum class Form { Number, Vector, Pairs } form = Form::Number;
  std::vector<float> numbers;
  double unit = 0;  ///< of its rounding
};

/// Reads all numbers of the place.
struct Reader : PlaceVisitor {
  std::vector<KeyNumbers> all;
  bool flat;
  double unit;  ///< [m]
  Reader(bool is_flat, float spacing) : flat(is_flat), unit(1e-4 * decade_of(spacing)) {}

  void vector(const std::string& key, Vec3 v, double rounded) {
    KeyNumbers numbers{key, KeyNumbers::Form::Vector, {v.x, v.y}, rounded};
    if (!flat) numbers.numbers.push_back(v.z);
    all.push_back(std::move(numbers));
  }
  void number(const std::string& key, float value, double rounded) {
    all.push_back({key, KeyNumbers::Form::Number, {value}, rounded});
  }
  void point(const std::string& key, Vec3& p) override { vector(key, p, unit); }
  void carried(const std::string& key, Vec3& p) override { vector(key, p, unit); }
  void side(const std::string& key, Vec3& v) override { vector(key, v, unit); }
  void direction(const std::string& key, Vec3& v) override {
    const double length = std::sqrt(double{length2(v)});
    vector(key, v, length > 0 ? 1e-4 * decade_of(length) : 1e-4);
  }
  void length(const std::string& key, float& value) override { number(key, value, unit); }
  void coordinate(const std::string& key, float& x, int) override { number(key, x, unit); }
  void angle(const std::string& key, float& degrees) override { number(key, degrees, 0.1); }
  void corners(const std::string& key, std::vector<std::array<float, 2>>& list, int) override {
    KeyNumbers numbers{key, KeyNumbers::Form::Pairs, {}, unit};
    for (const auto& [first, second] : list) numbers.numbers.insert(numbers.numbers.end(), {first, second});
    all.push_back(std::move(numbers));
  }
  void mesh(const std::string& section, MeshPlacement& placement) override {
    const Vec3 scale = placement.scale;
    const double decade = 1e-4 * decade_of(std::max(1e-30f, std::max({scale.x, scale.y, scale.z})));
    if (scale.x == scale.y && scale.y == scale.z)
      number(section + ".scale", scale.x, decade);
    else
      vector(section + ".scale", scale, decade);
    vector(section + ".rotation", placement.rotation, 0.01);
    vector(section + ".at", placement.at, unit);
  }
};

std::vector<KeyNumbers> numbers_of(PlacedEntry entry, float spacing) {
  Reader reader(entry.flat, spacing);
  visit_places(reader, entry);
  return std::move(reader.all);
}

std::string text_of(const KeyNumbers& now, const KeyNumbers& before) {
  std::string text;
  for (std::size_t k = 0; k < now.numbers.size(); ++k) {
    const float value = now.numbers[k];
    const bool same = k < before.numbers.size() && before.numbers[k] == value;
    const float rounded =
        same || !std::isfinite(value) ? value : static_cast<float>(std::round(value / now.unit) * now.unit);
    const std::string number = number_text(rounded + 0.0f);  // not "-0"
    if (now.form == KeyNumbers::Form::Number) return number;
    if (now.form == KeyNumbers::Form::Pairs && k % 2 == 0) text += (k ? ", [" : "[");
    text += (now.form == KeyNumbers::Form::Pairs ? k % 2 : k) ? ", " + number : number;
    if (now.form == KeyNumbers::Form::Pairs && k % 2 == 1) text += "]";
  }
  return "[" + text + "]";
}

}  // namespace

std::vector<Edit> edits_between(const PlacedEntry& before, const PlacedEntry& after, float spacing) {
  const std::vector<KeyNumbers> from = numbers_of(before, spacing), to = numbers_of(after, spacing);
  std::vector<Edit> edits;
  for (std::size_t k = 0; k < to.size() && k < from.size(); ++k)
    if (to[k].numbers != from[k].numbers) {
      const std::string text = text_of(to[k], from[k]);
      if (text != text_of(from[k], from[k])) edits.push_back({to[k].key, text});
    }
  return edits;
}

}  // namespace riffle::scenes
