#pragma once
/// The vocabulary in which scenes/format*.cpp write down the scene format.

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "scenes/format/format.h"
#include "sim/solver_info.h"

namespace riffle::format_keys {

inline Form text() { return {}; }

inline Form flag() {
  Form form;
  form.kind = Form::Kind::Flag;
  return form;
}

inline Form whole(double min, double max, int multiple_of = 1) {
  Form form;
  form.kind = Form::Kind::Whole;
  form.min = min;
  form.max = max;
  form.multiple_of = multiple_of;
  return form;
}

inline Form number(std::string unit) {
  Form form;
  form.kind = Form::Kind::Number;
  form.unit = std::move(unit);
  return form;
}

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

inline Form number_above(double min, std::string unit, double max = kNoLimit) {
  Form form = number(std::move(unit));
  form.min = min;
  form.max = max;
  form.above_min = true;
  return form;
}

inline Form number_from(double min, double max, std::string unit) {
  Form form = number(std::move(unit));
  form.min = min;
  form.max = max;
  return form;
}

/// Either sign, small enough that its square and what follows from it stay numbers in single precision.
inline Form bounded(std::string unit) { return number_from(-1e6, 1e6, std::move(unit)); }

inline Form words(std::vector<std::string> allowed) {
  Form form;
  form.kind = Form::Kind::Word;
  form.words = std::move(allowed);
  return form;
}

inline Form hex_color() {
  Form form;
  form.kind = Form::Kind::HexColor;
  return form;
}

inline Form tuple(Form element, int min_count, int max_count) {
  Form form;
  form.kind = Form::Kind::Tuple;
  form.element = {std::move(element)};
  form.min_count = min_count;
  form.max_count = max_count;
  return form;
}

inline Form spatial(Form element) {
  Form form = tuple(std::move(element), 2, 3);
  form.spatial = true;
  return form;
}

inline Form map_of(Record record) {
  Form form;
  form.kind = Form::Kind::Map;
  form.record = std::make_shared<const Record>(std::move(record));
  return form;
}

inline Form list_of(Record record, int min_count, int max_count) {
  Form form;
  form.kind = Form::Kind::List;
  form.record = std::make_shared<const Record>(std::move(record));
  form.min_count = min_count;
  form.max_count = max_count;
  return form;
}

using Store = std::function<void(SceneDraft&, const Value&)>;

inline Key required(std::string name, std::vector<Form> forms, std::string doc, Store store) {
  Key key{std::move(name), std::move(doc), std::move(forms)};
  key.required = true;
  key.store = std::move(store);
  return key;
}

inline Key optional(std::string name, std::vector<Form> forms, Value default_value, std::string doc, Store store) {
  Key key{std::move(name), std::move(doc), std::move(forms)};
  key.default_value = std::move(default_value);
  key.store = std::move(store);
  return key;
}

inline Key section(std::string name, std::string doc, Record record, std::function<void(SceneDraft&)> enter = nullptr) {
  Key key{std::move(name), std::move(doc), {map_of(std::move(record))}};
  key.enter = std::move(enter);
  return key;
}

/// The same, of this solver only: with others the key is refused.
inline Key only_with(SolverKind solver, Key key) {
  key.solvers = {solver};
  return key;
}

/// The same, of the solvers with a property: a flag of SolverInfo, or a function of it.
template <class Property>
Key only_where(Property property, Key key) {
  for (const SolverInfo* info : solvers())
    if (std::invoke(property, *info)) key.solvers.push_back(info->kind);
  return key;
}

/// The same, and what is in it, unless that says otherwise.
inline Key with_effect(Effect effect, Key key) {
  key.effect = effect;
  return key;
}

/// A row of numbers for every fluid, with a column for every fluid.
inline Form rows(double min, std::string unit) {
  return tuple(tuple(number_from(min, 1e6, std::move(unit)), 1, kMaxFluids), 1, kMaxFluids);
}

inline void store(SceneDraft::Matrix& matrix, const Value& value) {
  matrix.given = true;
  if (!value.is_list()) {
    matrix.all = value.number();
    return;
  }
  for (const Value& row : value.items()) {
    matrix.rows.emplace_back();
    for (const Value& entry : row.items()) matrix.rows.back().push_back(entry.number());
  }
}

inline SimulationSetup& sim(SceneDraft& draft) { return draft.scene.simulation; }

}  // namespace riffle::format_keys

namespace riffle {

std::vector<Key> wcsph_keys();
std::vector<Key> pbf_keys();
std::vector<Key> dpd_keys();
Record neighbors_record();

}  // namespace riffle
