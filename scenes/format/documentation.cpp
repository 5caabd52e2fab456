/// The scene format as a JSON schema for editors and as a page of documentation.

#include <cmath>
#include <nlohmann/json.hpp>

#include "scenes/format/format.h"
#include "sim/solver_info.h"

namespace riffle::scenes {

namespace {

/// " Only with `pbf`.", or nothing.
std::string of_solvers(const Key& key) {
  std::string names;
  for (const SolverKind solver : key.solvers)
    names += (names.empty() ? "" : " and ") + std::string("`") + to_string(solver) + "`";
  return names.empty() ? "" : " Only with " + names + ".";
}

using Json = nlohmann::ordered_json;

/// 2.0 as 2: a limit reads as people write it.
Json tidy(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

Json json_of(const Value& value) {
  if (value.is_text()) return value.text();
  if (value.is_flag()) return value.flag();
  if (value.is_whole()) return value.whole();
  if (value.is_number()) return value.precise();
  Json list = Json::array();
  for (const Value& item : value.items()) list.push_back(json_of(item));
  return list;
}

Json schema_of(const Record& record);

Json schema_of(const Form& form) {
  Json schema;
  switch (form.kind) {
    case Form::Kind::Text: schema["type"] = "string"; break;
    case Form::Kind::Flag: schema["type"] = "boolean"; break;
    case Form::Kind::Word: schema["enum"] = form.words; break;
    case Form::Kind::HexColor:
      schema["type"] = "string";
      schema["pattern"] = "^#[0-9a-fA-F]{6}$";
      break;
    case Form::Kind::Number:
    case Form::Kind::Whole:
      schema["type"] = form.kind == Form::Kind::Whole ? "integer" : "number";
      if (std::isfinite(form.min)) schema[form.above_min ? "exclusiveMinimum" : "minimum"] = tidy(form.min);
      if (std::isfinite(form.max)) schema["maximum"] = tidy(form.max);
      if (form.multiple_of != 1) schema["multipleOf"] = form.multiple_of;
      break;
    case Form::Kind::Tuple:
      schema["type"] = "array";
      schema["items"] = schema_of(form.element[0]);
      schema["minItems"] = form.min_count;
      schema["maxItems"] = form.max_count;
      break;
    case Form::Kind::Map: schema = schema_of(*form.record); break;
    case Form::Kind::List:
      schema["type"] = "array";
      schema["items"] = schema_of(*form.record);
      schema["minItems"] = form.min_count;
      schema["maxItems"] = form.max_count;
      break;
    case Form::Kind::Keys: schema["type"] = "object"; break;
  }
  return schema;
}

std::string unit_of(const Key& key) {
  for (const auto& form : key.forms) {
    if (!form.unit.empty()) return form.unit;
    if (!form.element.empty() && !form.element[0].unit.empty()) return form.element[0].unit;
  }
  return "";
}

Json schema_of(const Record& record) {
  Json schema;
  schema["type"] = "object";
  schema["additionalProperties"] = false;
  Json needed = Json::array();
  for (const auto& key : record.keys) {
    const std::string unit = unit_of(key);
    Json property;
    property["description"] = key.doc + of_solvers(key) + (unit.empty() ? "" : " [" + unit + "]");
    if (key.forms.size() == 1) {
      property.update(schema_of(key.forms[0]));
    } else {
      for (const auto& form : key.forms) property["anyOf"].push_back(schema_of(form));
    }
    if (!key.default_value.is_empty()) property["default"] = json_of(key.default_value);
    schema["properties"][key.name] = property;
    if (key.required) needed.push_back(key.name);
  }
  if (!needed.empty()) schema["required"] = needed;
  for (const auto& name : record.exactly_one_of) schema["oneOf"].push_back({{"required", {name}}});
  return schema;
}

std::string text_of(const Value& value) {
  if (value.is_text()) return value.text();
  if (value.is_number()) return tidy(value.precise()).dump();
  if (!value.is_list()) return json_of(value).dump();
  std::string text;
  for (const Value& item : value.items()) text += (text.empty() ? "[" : ", ") + text_of(item);
  return text + "]";
}

std::string default_text(const Key& key) {
  if (key.required) return "*required*";
  if (!key.default_note.empty()) return key.default_note;
  const Value& value = key.default_value;
  if (value.is_empty() || (value.is_text() && value.text().empty())) return "";
  return "`" + text_of(value) + "`";
}

/// "`box`, `sphere` and `fill`"
std::string alternatives(const Record& record) {
  const auto& names = record.exactly_one_of;
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + names[i] + "`";
  return text;
}

void append_table(const Record& record, const std::string& prefix, std::string& page) {
  page += "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const auto& key : record.keys) {
    std::string value;
    for (const auto& form : key.forms) {
      std::string words = form.describe();
      if (form.kind == Form::Kind::Map) words = "a map, see below";
      if (form.kind == Form::Kind::List) words = "a list, see below";
      value += (value.empty() ? "" : ", or ") + words;
    }
    std::string doc = key.doc + of_solvers(key);
    for (const auto& name : record.exactly_one_of)
      if (name == key.name) doc += " One of " + alternatives(record) + " is given.";
    page += "| `" + key.name + "` | " + value + " | " + default_text(key) + " | " + doc + " |\n";
  }
  page += "\n";
  for (const auto& key : record.keys)
    for (const auto& form : key.forms) {
      if (!form.record) continue;
      const std::string path = prefix + key.name + (form.kind == Form::Kind::List ? "[]" : "");
      page += "## `" + path + "`\n\n" + key.doc + (form.kind == Form::Kind::List ? " Each item has:" : "") + "\n\n";
      append_table(*form.record, path + ".", page);
    }
}

}  // namespace

std::string scene_format_as_json_schema() {
  Json schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Riffle scene";
  schema.update(schema_of(scene_format()));
  return schema.dump(2) + "\n";
}

std::string scene_format_as_markdown() {
  std::string page =
      "# The scene format\n\n"
      "<!-- Written by the target `scene-format` from the table in scenes/format/format.cpp; edit that. -->\n\n"
      "A scene is one YAML map. Everything in it is checked before the first step; `riffle check SCENE` does only "
      "that.\n"
      "Units are SI and are not written: `spacing: 0.02` is 2 cm. Only scenes with `dpd` are in reduced units: where "
      "this "
      "page\n"
      "says m, kg and s, their numbers are in r_c, a mass and tau (see [`solver`](#solver)). y is up. Positions, "
      "velocities and\n"
      "directions have three "
      "components; a scene with `dimension: 2` ignores the third, which may be left out.\n\n"
      "Any key can be given on the command line, with the same checks:\n"
      "`riffle run dam_break --set particles.spacing=0.01 --set bodies[0].velocity=[1,0,0]`.\n\n"
      "Particles sit at the centres of cells one spacing wide: a box of n spacings holds exactly n particles along "
      "that axis,\n"
      "the first half a spacing inside.\n\n"
      "Bodies of fluid, solids and outlets have a shape: `box`, `sphere`, `cylinder`, `capsule`, `plane` or `polygon`; "
      "a "
      "solid may also be a `mesh`.\n"
      "`with` adds further shapes and `without` takes shapes away: (the shape or one of `with`) and none of `without`. "
      "It stays one body, whose\n"
      "parts in common count once:\n\n"
      "```yaml\n"
      "solids:\n"
      "  - name: bolt\n"
      "    box: {min: [0.4, 0, 0.4], max: [0.6, 0.1, 0.6]}\n"
      "    with: [{cylinder: {from: [0.5, 0, 0.5], to: [0.5, 0.4, 0.5], radius: 0.05}}]\n"
      "    without: [{sphere: {center: [0.5, 0.3, 0.5], radius: 0.02}}]\n"
      "  - name: slope                      # solid below the plane, as far as the domain goes\n"
      "    plane: {point: [0, 0.2, 0], normal: [0.3, 1, 0]}\n"
      "```\n\n"
      "A plane holds all that lies behind it, on the side that its normal points away from: of a slope `normal` points "
      "to the fluid, of water up\n"
      "from its surface. It must cross the domain, and as a solid it stands still.\n\n"
      "Editors that understand JSON schemas check a scene while you write it, if its first line is\n"
      "`# yaml-language-server: $schema=scene.schema.json` (the path to `scenes/library/scene.schema.json`).\n\n"
      "## Top level\n\n";
  append_table(scene_format(), "", page);
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace riffle::scenes
