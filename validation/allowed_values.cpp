#include "validation/allowed_values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/error.h"
#include "core/text/suggestion.h"
#include "core/text/words.h"
#include "validation/reference_table.h"

namespace riffle {

namespace {

const std::string kNothing = "-";

std::string text_of(const std::string& field) { return field == kNothing ? "" : field; }

std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct Fields {
  std::string case_name, check, unit, size, rule, expected, bound, outer, shortfall, source;
};

AllowedValue row_of(const Fields& f, const std::string& path) {
  const auto wrong = [&](const std::string& column, const std::string& found, const std::string& allowed) {
    return InputError(
        fmt::format("{}: {}, '{}': {}: found '{}'; allowed: {}", path, f.case_name, f.check, column, found, allowed));
  };
  const auto number = [&](const std::string& column, const std::string& text) {
    const auto value = number_in(text);
    if (!value) throw wrong(column, text, "a number");
    return *value;
  };
  AllowedValue v;
  v.case_name = f.case_name;
  v.check = f.check;
  v.unit = text_of(f.unit);
  v.source = text_of(f.source);
  v.reduced = f.size == "reduced" || f.size == "both";
  v.full = f.size == "full" || f.size == "both";
  if (!v.reduced && !v.full) throw wrong("size", f.size, "reduced, full, both");
  const auto rule = value_of_word<Rule>(f.rule);
  if (!rule) throw wrong("rule", f.rule, "a rule");
  v.rule = *rule;
  v.computed = f.expected == "computed";
  if (!v.computed && f.expected != kNothing) v.expected = number("expected", f.expected);
  const bool has_reference = v.computed || v.expected;
  if ((v.rule == Rule::Within || v.rule == Rule::WithinRelative) && !has_reference)
    throw wrong("expected", f.expected, "a number or computed");
  if (v.rule != Rule::Within && v.rule != Rule::WithinRelative && v.rule != Rule::Between && has_reference)
    throw wrong("expected", f.expected, "- for this rule");
  if (v.rule == Rule::Between) {
    const std::size_t at = f.bound.find(" to ");
    if (at == std::string::npos) throw wrong("bound", f.bound, "LEAST to MOST");
    v.bound = number("bound", f.bound.substr(0, at));
    v.most = number("bound", f.bound.substr(at + 4));
    if (!(v.bound < v.most)) throw wrong("bound", f.bound, "LEAST below MOST");
  } else if (v.rule == Rule::Figure) {
    if (f.bound != kNothing) throw wrong("bound", f.bound, "- for a figure");
  } else {
    v.bound = number("bound", f.bound);
  }
  v.shortfall = text_of(f.shortfall);
  if (f.outer != kNothing) v.outer = number("outer", f.outer);
  if (v.outer.has_value() == v.shortfall.empty())
    throw wrong("shortfall", f.shortfall, "a reason with an outer bound, and none without");
  if (v.outer && (v.rule == Rule::Between || v.rule == Rule::Figure))
    throw wrong("outer", f.outer, "- for a rule without one bound");
  return v;
}

Check without_outer_bound(const AllowedValue& row, double measured, double expected) {
  switch (row.rule) {
    case Rule::Within: return within(row.check, measured, expected, row.bound, row.source, row.unit);
    case Rule::WithinRelative: return within_relative(row.check, measured, expected, row.bound, row.source, row.unit);
    case Rule::AtMost: return at_most(row.check, measured, row.bound, row.source, row.unit);
    case Rule::Below: return below(row.check, measured, row.bound, row.source, row.unit);
    case Rule::AtLeast: return at_least(row.check, measured, row.bound, row.source, row.unit);
    case Rule::Between: return between(row.check, measured, expected, row.bound, row.most, row.source, row.unit);
    case Rule::Figure: break;
  }
  return figure(row.check, measured, row.unit, row.source);
}

Check judged(const AllowedValue& row, double measured, double expected) {
  const Check check = without_outer_bound(row, measured, expected);
  return row.outer ? check.with_shortfall(row.shortfall, *row.outer) : check;
}

}  // namespace

std::string to_string(CaseSize size) { return size == CaseSize::Full ? "full" : "reduced"; }

std::vector<AllowedValue> read_allowed_values(const std::string& path) {
  const ReferenceTable table(path);
  const auto case_name = table.texts("case"), check = table.texts("check"), unit = table.texts("unit"),
             size = table.texts("size"), rule = table.texts("rule"), expected = table.texts("expected"),
             bound = table.texts("bound"), outer = table.texts("outer"), shortfall = table.texts("shortfall"),
             source = table.texts("source");
  std::vector<AllowedValue> values;
  for (std::size_t k = 0; k < table.rows(); ++k) {
    AllowedValue value = row_of(
        {case_name[k], check[k], unit[k], size[k], rule[k], expected[k], bound[k], outer[k], shortfall[k], source[k]},
        path);
    for (const AllowedValue& before : values)
      if (before.case_name == value.case_name && before.check == value.check &&
          ((before.full && value.full) || (before.reduced && value.reduced)))
        throw InputError(fmt::format("{}: {}, '{}': two rows for one size", path, value.case_name, value.check));
    values.push_back(std::move(value));
  }
  return values;
}

CaseBounds::CaseBounds(const std::vector<AllowedValue>& all, const std::string& case_name, CaseSize size)
    : case_name_(case_name), size_(size) {
  for (const AllowedValue& value : all)
    if (value.case_name == case_name && value.is_for(size)) rows_.push_back(value);
  used_.resize(rows_.size(), false);
}

Check CaseBounds::check(const std::string& name, double measured, std::optional<double> expected) {
  const auto wrong = [&](const std::string& what) {
    return InputError(fmt::format("allowed values of {}, {} size: '{}' {}", case_name_, to_string(size_), name, what));
  };
  std::vector<std::string> names;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const AllowedValue& row = rows_[k];
    names.push_back(row.check);
    if (row.check != name) continue;
    if (used_[k]) throw wrong("is checked twice");
    if (row.computed != expected.has_value())
      throw wrong(row.computed ? "needs a reference from the case" : "has a reference of its own");
    used_[k] = true;
    return judged(row, measured, expected ? *expected : row.expected.value_or(std::nan("")));
  }
  throw wrong("has no row" + suggestion(name, names, "; "));
}

std::vector<std::string> CaseBounds::unused() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (!used_[k]) names.push_back(rows_[k].check);
  return names;
}

}  // namespace riffle
