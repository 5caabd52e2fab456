#include "scenes/document/parameters.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "scenes/document/key_path.h"
#include "scenes/document/reader.h"
#include "scenes/document/scene_units.h"
#include "scenes/document/yaml_writer.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

Parameter::Kind kind_of(const Form& form) {
  switch (form.kind) {
    case Form::Kind::Text: return Parameter::Kind::Text;
    case Form::Kind::Flag: return Parameter::Kind::Flag;
    case Form::Kind::Whole: return Parameter::Kind::Whole;
    case Form::Kind::Number: return Parameter::Kind::Number;
    case Form::Kind::Word: return Parameter::Kind::Choice;
    case Form::Kind::HexColor: return Parameter::Kind::Color;
    case Form::Kind::Tuple:
      return form.element[0].kind == Form::Kind::Tuple ? Parameter::Kind::Matrix : Parameter::Kind::Vector;
    case Form::Kind::Map:
    case Form::Kind::List:
    case Form::Kind::Keys: break;
  }
  return Parameter::Kind::Section;
}

Node value_from(const std::string& text) {
  Problems ignored;
  return parse_value(text, {}, "", ignored);
}

/// Whether the value is written like this form, whatever its range.
bool looks_like(const Form& form, const Node& node) {
  const bool list = node.kind == Node::Kind::List;
  switch (form.kind) {
    case Form::Kind::Tuple:
      return list && (form.element[0].kind != Form::Kind::Tuple || node.items.empty() ||
                      node.items[0].kind == Node::Kind::List);
    case Form::Kind::Map: return node.kind == Node::Kind::Map;
    case Form::Kind::Number:
    case Form::Kind::Whole: return node.kind == Node::Kind::Scalar && !node.quoted && !numbers_in(node.text).empty();
    default: return node.kind == Node::Kind::Scalar;
  }
}

bool collect_numbers(const Node& node, std::vector<double>& numbers) {
  if (node.kind == Node::Kind::List)
    return std::all_of(node.items.begin(), node.items.end(),
                       [&](const Node& item) { return collect_numbers(item, numbers); });
  const char* first = node.text.data() + (node.text.starts_with('+') ? 1 : 0);
  const char* last = node.text.data() + node.text.size();
  double number = 0;
  const auto [end, error] = std::from_chars(first, last, number);
  if (node.kind != Node::Kind::Scalar || error != std::errc() || end != last) return false;
  numbers.push_back(number);
  return true;
}

class Lister {
 public:
  explicit Lister(const SceneSource& source) : source_(source) {
    Problems ignored;
    KeyLocations locations;
    const Scene scene = read_document(source.root, ignored, locations).scene;
    solver_ = scene.simulation.solver;
    units_ = &units_of(scene.simulation);
    dimension_ = scene.simulation.domain.dimension;
    for (const auto& fluid : scene.simulation.fluids) fluids_.push_back(fluid.name);
    if (fluids_.empty()) fluids_.push_back(FluidSetup{}.name);
  }

  std::vector<Parameter> list() {
    walk(scene_format(), &source_.root, "", {"scene", "", "", Effect::Restart});
    return std::move(found_);
  }

 private:
  struct Section {
    std::string name, doc;
    std::string prefix;  ///< of the paths in it; labels leave it out
    Effect effect;
  };

  void walk(const Record& record, const Node* node, const std::string& path, const Section& section) {
    for (const Key& key : record.keys) {
      const Node* value = node ? node->find(key.name) : nullptr;
      const bool alternative = std::find(record.exactly_one_of.begin(), record.exactly_one_of.end(), key.name) !=
                               record.exactly_one_of.end();
      if (alternative && !value) continue;
      if (!key.suits(solver_) || !key.is_parameter) continue;
      if (key.needs_third_axis && dimension_ == 2) continue;
      visit(key, value, child_path(path, key.name), section);
    }
  }

  void visit(const Key& key, const Node* value, const std::string& path, const Section& section) {
    Section inner = section;
    inner.effect = key.effect.value_or(section.effect);
    const Form& last = key.forms.back();
    if (last.kind == Form::Kind::List) {
      const bool within = !section.prefix.empty();                          // a list within an entry of another
      const bool implied = !within && !key.required && last.min_count > 0;  // `fluids` has one entry when not given
      const bool given = value && value->kind == Node::Kind::List;
      const std::size_t count = given ? value->items.size() : implied ? 1 : 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string item = path + "[" + std::to_string(i) + "]";
        if (within) {
          walk(*last.record, &value->items[i], item, inner);
          continue;
        }
        walk(*last.record, given ? &value->items[i] : nullptr, item, {item, key.doc, item + ".", inner.effect});
      }
      return;
    }
    if (last.kind != Form::Kind::Map) return add(key, value, path, inner);
    if (key.forms.size() > 1) {
      add(key, value, path, inner);
      if (!value || value->kind != Node::Kind::Map) return;
    }
    if (section.prefix.empty()) inner.name = path, inner.doc = key.doc, inner.prefix = path + ".";
    walk(*last.record, value, path, inner);
  }

  void add(const Key& key, const Node* value, const std::string& path, const Section& section) {
    Parameter p;
    p.path = path;
    p.section = section.name;
    p.section_doc = section.doc;
    p.label = path.substr(section.prefix.size());
    p.doc = key.doc;
    p.effect = section.effect;
    p.forms = key.forms;
    for (Form& form : p.forms) use_units(form, *units_, dimension_ == 2);
    p.required = key.required;
    p.example = key.example;
    p.default_note = key.default_note;
    p.written = value != nullptr;
    for (const Form& form : key.forms) add_choices(form, p.choices);

    const std::string implied = implied_default(path);
    Node fallback;
    if (!key.default_value.is_empty()) fallback = node_from(key.default_value);
    if (!implied.empty()) fallback = node_from(implied);
    const Form& form = form_of(p, value ? *value : fallback);
    describe(p, form);
    if (form.spatial && fallback.kind == Node::Kind::List)
      fallback.items.resize(std::min<std::size_t>(fallback.items.size(), static_cast<std::size_t>(dimension_)));
    if (fallback.kind != Node::Kind::Null) p.default_value = flow_text(fallback);
    p.value = value ? flow_text(*value) : p.default_value;
    show_components(p, key);
    found_.push_back(std::move(p));
  }

  static void add_choices(const Form& form, std::vector<std::string>& choices) {
    const Form& words = form.kind == Form::Kind::Tuple ? form.element[0] : form;
    for (const auto& word : words.words)
      if (std::find(choices.begin(), choices.end(), word) == choices.end()) choices.push_back(word);
  }

  /// Defaults that depend on the scene, so that no table can hold them; "" for none.
  std::string implied_default(const std::string& path) const {
    if (path == "name") return name_of_file(source_.path);
    if (path == "fluids[0].name" && !source_.root.find("fluids")) return fluids_[0];
    if (path.starts_with("bodies[") && path.ends_with("].fluid") && fluids_.size() == 1) return fluids_[0];
    return "";
  }

  /// The form in which the value is written; for a word like `auto` the first form that is not a word.
  static const Form& form_of(const Parameter& p, const Node& value) {
    const bool word = value.kind == Node::Kind::Scalar &&
                      std::find(p.choices.begin(), p.choices.end(), value.text) != p.choices.end();
    for (const Form& form : p.forms)
      if (!word && form.kind != Form::Kind::Word && looks_like(form, value)) return form;
    for (const Form& form : p.forms)
      if (form.kind != Form::Kind::Word) return form;
    return p.forms[0];
  }

  /// In 2-D an angular velocity has one number that means something, though three are written.
  void show_components(Parameter& p, const Key& key) const {
    p.shown = p.components;
    if (dimension_ == 3 || p.components != 3) return;
    const std::vector<double> numbers = p.numbers();
    const bool in_plane = key.in_flat == Key::InFlat::InPlane && numbers.size() == 3 && numbers[2] == 0;
    if (in_plane)
      p.shown = 2;
    else if (key.in_flat != Key::InFlat::All)
      p.first_shown = 2, p.shown = 1;
  }

  void describe(Parameter& p, const Form& form) const {
    p.kind = kind_of(form);
    if (p.forms[0].kind == Form::Kind::HexColor) p.kind = Parameter::Kind::Color;
    const Form* number = &form;
    if (form.kind == Form::Kind::Tuple) {
      number = &form.element[0];
      p.components = form.spatial ? dimension_ : form.max_count;
      if (number->kind == Form::Kind::Tuple) {
        number = &number->element[0];
        p.components = static_cast<int>(fluids_.size());
      }
      p.component = kind_of(*number);
    }
    p.unit = number->unit;
    p.min = number->min;
    p.max = number->max;
    p.above_min = number->above_min;
    p.multiple_of = number->multiple_of;
  }

  const SceneSource& source_;
  SolverKind solver_ = SolverKind::Wcsph;
  const Units* units_ = &kSiUnits;
  int dimension_ = 3;
  std::vector<std::string> fluids_;
  std::vector<Parameter> found_;
};

void collect_strangers(const Record& record, const Node& node, const std::string& path, SolverKind solver,
                       std::vector<std::string>& paths) {
  for (const auto& member : node.members) {
    const Key* key = record.find(member.key);
    if (!key) continue;
    const std::string inner = child_path(path, member.key);
    if (!key->suits(solver)) {
      paths.push_back(inner);
      continue;
    }
    const Form& last = key->forms.back();
    if (last.kind == Form::Kind::Map) collect_strangers(*last.record, member.value, inner, solver, paths);
    if (last.kind != Form::Kind::List) continue;
    for (std::size_t i = 0; i < member.value.items.size(); ++i)
      collect_strangers(*last.record, member.value.items[i], inner + "[" + std::to_string(i) + "]", solver, paths);
  }
}

}  // namespace

std::vector<Parameter> parameters(const SceneSource& source) { return Lister(source).list(); }

SolverKind solver_of(const SceneSource& source) {
  Problems ignored;
  KeyLocations locations;
  return read_document(source.root, ignored, locations).scene.simulation.solver;
}

std::vector<std::string> keys_of_other_solvers(const SceneSource& source) {
  std::vector<std::string> paths;
  const SolverKind solver = solver_of(source);
  collect_strangers(scene_format(), source.root, "", solver, paths);
  return paths;
}

std::vector<double> numbers_in(const std::string& value) {
  const Node node = value_from(value);
  std::vector<double> numbers;
  if (node.kind == Node::Kind::Scalar && node.text.size() == 7 && node.text[0] == '#' &&
      node.text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos) {
    const long rgb = std::stol(node.text.substr(1), nullptr, 16);
    for (const int shift : {16, 8, 0}) numbers.push_back(static_cast<double>(rgb >> shift & 255) / 255);
  } else if (!collect_numbers(node, numbers)) {
    numbers.clear();
  }
  return numbers;
}

bool Parameter::is_word() const { return std::find(choices.begin(), choices.end(), text()) != choices.end(); }

std::vector<double> Parameter::numbers() const { return numbers_in(value); }

std::string Parameter::text() const { return value_from(value).text; }

}  // namespace riffle::scenes
