/// Words for the forms of the scene format.

#include <cmath>

#include "scenes/format/format.h"

namespace riffle::scenes {

namespace {

std::string plain(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.16g", value);
  return text;
}

std::string range_text(const Form& form) {
  const bool has_min = std::isfinite(form.min), has_max = std::isfinite(form.max);
  if (has_min && has_max)
    return form.above_min ? " above " + plain(form.min) + " and at most " + plain(form.max)
                          : " from " + plain(form.min) + " to " + plain(form.max);
  if (has_min) return (form.above_min ? " above " : " of at least ") + plain(form.min);
  if (has_max) return " of at most " + plain(form.max);
  return "";
}

std::string join(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  return text;
}

}  // namespace

std::string Form::describe(int dimension) const {
  switch (kind) {
    case Kind::Text: return "a text";
    case Kind::Flag: return "true or false";
    case Kind::Whole:
      if (max - min == 1) return plain(min) + " or " + plain(max);
      return (multiple_of == 2 ? "an even number" : "a whole number") + range_text(*this);
    case Kind::Number: return "a number" + range_text(*this) + (unit.empty() ? "" : " in " + unit);
    case Kind::Word: return join(words, " or ");
    case Kind::HexColor: return "a colour \"#rrggbb\"";
    case Kind::Tuple: {
      const int least = spatial && dimension == 3 ? 3 : min_count;
      const std::string between = max_count - least > 1 ? " to " : " or ";
      const std::string count =
          least == max_count ? std::to_string(least) : std::to_string(least) + between + std::to_string(max_count);
      std::string each = element[0].describe();
      if (element[0].kind == Kind::Number)
        each = "numbers" + range_text(element[0]) + (element[0].unit.empty() ? "" : " in " + element[0].unit);
      else if (element[0].kind == Kind::Whole)
        each = (element[0].multiple_of == 2 ? "even numbers" : "whole numbers") + range_text(element[0]);
      else if (element[0].kind == Kind::Tuple)
        each = "rows, each " + each;
      else if (element[0].kind == Kind::Word)
        each = "words, each " + each;
      return "a list of " + count + " " + each + (spatial && dimension == 3 ? " (the scene is 3-D)" : "");
    }
    case Kind::Map: {
      std::vector<std::string> names;
      for (const auto& key : record->keys) names.push_back(key.name);
      return "a map with the keys " + join(names, ", ");
    }
    case Kind::List: {
      std::vector<std::string> names;
      for (const auto& key : record->keys) names.push_back(key.name);
      return "a list (\"- key: value\") of " + std::to_string(min_count) + " to " + std::to_string(max_count) +
             ", each with the keys " + join(names, ", ");
    }
    case Kind::Keys: return "a map of paths of keys, as `--set` has them, and their values";
  }
  return "";
}

std::string describe_forms(const std::vector<Form>& forms, int dimension) {
  std::vector<std::string> words;
  for (const auto& form : forms) words.push_back(form.describe(dimension));
  return join(words, ", or ");
}

}  // namespace riffle::scenes
