#include "scenes/document/reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text/suggestion.h"
#include "scenes/document/key_path.h"
#include "scenes/document/other_solvers.h"
#include "scenes/document/parted_numbers.h"
#include "scenes/document/scene_number.h"
#include "scenes/document/scene_units.h"
#include "scenes/document/synonyms.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/missing_features.h"
#include "sim/solver_info.h"

namespace riffle::scenes {

const Location& KeyLocations::of(const std::string& path) const {
  for (auto below = at_.lower_bound(path); below != at_.end() && below->first.starts_with(path); ++below)
    if (below->second.line == 0) return below->second;
  std::string at = path;
  while (true) {
    const auto found = at_.find(at);
    if (found != at_.end()) return found->second;
    const auto cut = at.find_last_of(".[");
    at = cut == std::string::npos ? "" : at.substr(0, cut);
  }
}

namespace {

std::string quoted(const std::string& text) { return "'" + text + "'"; }

class Reader {
 public:
  Reader(SceneDraft& draft, Problems& problems, KeyLocations& locations)
      : draft_(draft), problems_(problems), locations_(locations) {}

  void read_root(const Node& root) {
    locations_.add("", root.location);
    read_dimension(root);
    read_solver(root);
    read_record(scene_format(), root, "");
  }

 private:
  /// Read first, because vectors above the key `dimension` need it too.
  void read_dimension(const Node& root) {
    const Node* node = root.find("dimension");
    if (!node) return;
    if (node->text != "3") dimension_ = 2;  // of a wrong dimension, too: lists of two and of three numbers then pass
    was_deep_ = dimension_ == 2 && has_depth(root);
  }

  /// Read first, because hints about units above the key `solver` need it too.
  void read_solver(const Node& root) {
    units_ = &units_of_document(root);
    const Node* const solver = root.find("solver");
    const Node* const type = solver != nullptr ? solver->find("type") : nullptr;
    solver_ = type != nullptr ? solver_kind_from(type->text) : SimulationSetup{}.solver;
  }

  bool suits(const Key& key) const { return !solver_ || key.suits(*solver_); }

  /// Names of the record's keys that suit the solver, or of those that do not.
  std::vector<std::string> names_of(const Record& record, bool suiting = true) const {
    std::vector<std::string> names;
    for (const Key& key : record.keys)
      if (suits(key) == suiting) names.push_back(key.name);
    return names;
  }

  std::string allowed(std::vector<Form> forms) const {
    for (Form& form : forms) use_units(form, *units_, dimension_ == 2);
    return describe_forms(forms, dimension_);
  }

  void read_record(const Record& record, const Node& node, const std::string& path) {
    const Node::Member* before = nullptr;
    for (const auto& member : node.members) {
      report_if_unknown(record, member, before, path);
      before = &member;
    }
    for (const auto& key : record.keys) {
      const Node* value = node.find(key.name);
      if (value) locations_.add(child_path(path, key.name), value->location);
      if (value && !suits(key)) problems_.add(value->location, child_path(path, key.name), why_not_here(key, *solver_));
      if (value && suits(key))
        read_key(key, *value, child_path(path, key.name));
      else
        read_absent_key(record, key, node, path);
    }
    if (record.exactly_one_of.empty()) return;
    std::vector<std::string> given;
    std::string allowed;
    for (const auto& name : record.exactly_one_of) {
      if (node.find(name)) given.push_back(name);
      allowed += (allowed.empty() ? "" : " or ") + name;
    }
    if (given.empty()) problems_.add(node.location, path, "is incomplete; it needs " + allowed);
    if (given.size() > 1)
      problems_.add(node.location, path, "has both " + given[0] + " and " + given[1] + "; allowed: one of them");
  }

  /// @param before  the member that stands before it, nullptr: none
  void report_if_unknown(const Record& record, const Node::Member& member, const Node::Member* before,
                         const std::string& path) {
    if (record.find(member.key) != nullptr) return;
    const std::vector<std::string> names = names_of(record), strangers = names_of(record, false);
    std::string text = "unknown key " + quoted(member.key);
    const MissingFeature* missing = missing_feature(member.key);
    const std::string meant = suggestion(member.key, names, "; ");
    if (missing != nullptr) {
      problems_.add(member.key_location, child_path(path, member.key), text + ": " + sentence(*missing));
      return;
    }
    const std::string by_other_name = key_meant_by(member.key, names, solver_);
    const std::string decimals =
        before && member.value.kind == Node::Kind::Null ? without_comma(before->value.text + "," + member.key) : "";
    if (!decimals.empty()) {  // {spacing: 0,02} is a spacing of 0 and a key 02
      text += "; decimals have a point: write " + decimals + " for " + before->key + ".";
    } else if (!by_other_name.empty()) {
      text += "; its name here is " + by_other_name + ".";
    } else if (!meant.empty()) {
      text += meant;
    } else {
      const std::string elsewhere = path_elsewhere(member.key);
      text += !elsewhere.empty() ? "; there is a key " + quoted(elsewhere) : meant_stranger(record, member.key);
    }
    const std::string with_solver = strangers.empty() ? "" : " with solver.type " + std::string(to_string(*solver_));
    problems_.add(member.key_location, child_path(path, member.key),
                  fmt::format("{}{} Allowed here{}: {}", text, text.ends_with('.') || text.ends_with('?') ? "" : ".",
                              with_solver, fmt::join(names, ", ")));
  }

  /// 'spacing' at the top level is particles.spacing. "" where no key has the name.
  std::string path_elsewhere(const std::string& name) const {
    for (const std::string& path : all_key_paths())
      if (path.ends_with("." + name) && (!solver_ || path_suits(path, *solver_))) return path;
    return "";
  }

  /// What to say of a name that is near that of a key of other solvers, or another word for it; "" where there is none.
  std::string meant_stranger(const Record& record, const std::string& name) const {
    const std::vector<std::string> strangers = names_of(record, false);
    std::string meant = nearest_name(name, strangers);
    for (const Synonym& row : synonyms())
      if (meant.empty() && row.name == name &&
          std::find(strangers.begin(), strangers.end(), row.key) != strangers.end())
        meant = row.key;
    if (meant.empty()) return "";
    return "; '" + meant + "' is a key of other solvers: " + why_not_here(*record.find(meant), *solver_);
  }

  void read_absent_key(const Record& record, const Key& key, const Node& parent, const std::string& path) {
    for (const auto& name : record.exactly_one_of)
      if (name == key.name) return;
    const std::string inner = child_path(path, key.name);
    if (key.required) {
      problems_.add(parent.location, inner, "is missing; it needs " + allowed(key.forms));
    } else if (!key.default_value.is_empty()) {
      key.store(draft_, key.default_value);
    } else if (key.forms[0].kind == Form::Kind::Map) {
      Node empty;
      empty.kind = Node::Kind::Map;
      empty.location = parent.location;
      read_record(*key.forms[0].record, empty, inner);
    }
  }

  void read_key(const Key& key, const Node& node, const std::string& path) {
    for (const auto& form : key.forms) {
      if (form.kind == Form::Kind::Map && (node.kind == Node::Kind::Map || node.kind == Node::Kind::Null)) {
        if (node.kind == Node::Kind::Null && key.forms.size() > 1) break;
        if (key.enter) key.enter(draft_);
        read_record(*form.record, node, path);
        return;
      }
      if (form.kind == Form::Kind::List && node.kind == Node::Kind::List &&
          static_cast<int>(node.items.size()) >= form.min_count &&
          static_cast<int>(node.items.size()) <= form.max_count) {
        read_list(key, *form.record, node, path);
        return;
      }
    }
    if (const auto value = read_value(key.forms, node, path)) {
      key.store(draft_, *value);
      warn_of_third_number(key, node, path);
    } else if (!key.default_value.is_empty()) {
      key.store(draft_, key.default_value);  // the mistake is reported; later checks need some value
    }
  }

  void read_list(const Key& key, const Record& record, const Node& node, const std::string& path) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::string inner = path + "[" + std::to_string(i) + "]";
      locations_.add(inner, node.items[i].location);
      key.enter(draft_);
      if (node.items[i].kind == Node::Kind::Map) {
        read_record(record, node.items[i], inner);
      } else {
        problems_.add(node.items[i].location, inner,
                      fmt::format("found {}, allowed: a map with the keys {}", node.items[i].describe(),
                                  fmt::join(names_of(record), ", ")));
      }
    }
  }

  /// The value in the first form that accepts it. Otherwise adds one problem, about the form that came nearest.
  std::optional<Value> read_value(const std::vector<Form>& forms, const Node& node, const std::string& path) {
    for (const auto& form : forms) {
      Value value;
      if (try_form(form, node, value)) return value;
    }
    for (const auto& form : forms)
      if (form.kind == Form::Kind::Tuple && node.kind == Node::Kind::List &&
          (report_decimal_commas(form, node, path) || report_component(form, node, path)))
        return std::nullopt;
    const bool number = node.kind == Node::Kind::Scalar && is_number(node.text);
    problems_.add(node.location, path,
                  (number ? number_meant_for(path) : "") + "found " + node.describe() + hint(forms, node) +
                      ", allowed: " + allowed(forms));
    return std::nullopt;
  }

  static bool is_number(const std::string& text) {
    std::string rest;
    return parse_number(text, rest).has_value();
  }

  /// [1, x, 3]: points at the x rather than at the list.
  bool report_component(const Form& form, const Node& node, const std::string& path) {
    if (!has_right_count(form, node)) return false;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      Value value;
      if (try_form(form.element[0], node.items[i], value)) continue;
      read_value(form.element, node.items[i], path + "[" + std::to_string(i) + "]");
    }
    return true;
  }

  int least_count(const Form& form) const { return form.spatial ? dimension_ : form.min_count; }

  bool has_right_count(const Form& form, const Node& node) const {
    const int count = static_cast<int>(node.items.size());
    return count >= least_count(form) && count <= form.max_count;
  }

  /// The third number of a 2-D scene is ignored, unless a decimal comma seems to have made it: [0, -9,81]. In [2,2, 1] it
  /// stands apart. In [0,-9,81] no blank tells: an acceleration along z means nothing in 2-D and is hardly written, while
  /// the corner [1,1,1] of a scene that was 3-D is.
  bool third_by_comma(const Form& form, const Node& node) const {
    if (!form.spatial || dimension_ != 2 || node.items.size() != 3) return false;
    const PartedNumbers parted = parted_numbers(node, 2, 2);
    if (parted.by_blanks) return parted.first == 1;
    return form.element[0].unit == "m/s^2" && number_of(node.items[2]) != 0 && last_two_may_be_one(node);
  }

  static bool has_depth(const Node& root) {
    const Node *const low = find(root, "domain.min"), *const high = find(root, "domain.max");
    return low && high && low->items.size() == 3 && high->items.size() == 3 &&
           number_of(low->items[2]) < number_of(high->items[2]);
  }

  static double number_of(const Node& node) {
    std::string rest;
    return parse_number(node.text, rest).value_or(0);
  }

  /// A part of a vector that has no effect, or a decimal comma in a place: [1,0,25].
  void warn_of_third_number(const Key& key, const Node& node, const std::string& path) {
    if (dimension_ != 2 || node.kind != Node::Kind::List || node.items.size() != 3) return;
    if (key.in_flat != Key::InFlat::All || number_of(node.items[2]) == 0) return;
    const auto form = std::ranges::find_if(key.forms, [](const Form& one) { return one.spatial; });
    if (form == key.forms.end() || form->element[0].kind != Form::Kind::Number) return;
    const bool place = !form->element[0].unit.starts_with("m/s");
    // Places of a scene that was 3-D have three numbers.
    const bool one_number = last_two_may_be_one(node) && !(place && was_deep_);
    if (place && !one_number) return;
    const std::string& third = node.items[2].text;
    draft_.scene.warnings.push_back(
        {WarningKind::ThirdNumberIgnored, node.location.text(), path,
         fmt::format(
             "a 2-D scene ignores the third number of {}, {}{}", described_with_blanks(node), third,
             one_number ? fmt::format("; if {0},{1} is one number, write {0}.{1}", node.items[1].text, third) : "")});
  }

  /// [0, -9,81] has a number too many.
  bool report_decimal_commas(const Form& form, const Node& node, const std::string& path) {
    const bool third = third_by_comma(form, node);
    if (!third && static_cast<int>(node.items.size()) <= form.max_count) return false;
    const int most = form.spatial ? dimension_ : form.max_count;
    const PartedNumbers parted =
        parted_numbers(node, static_cast<std::size_t>(least_count(form)), static_cast<std::size_t>(most));
    const std::vector<std::string> whole =
        third && !parted.by_blanks ? std::vector{node.items[1].text + "." + node.items[2].text} : parted.whole;
    if (whole.empty()) return false;
    problems_.add(node.location, path,
                  fmt::format("found {}, {} numbers where {} are allowed; write {} with a point{}",
                              described_with_blanks(node), node.items.size(), most, fmt::join(whole, " and "),
                              third ? ". (A third number, which 2-D ignores, stands behind a blank.)" : ""));
    return true;
  }

  bool try_form(const Form& form, const Node& node, Value& value) const {
    const bool scalar = node.kind == Node::Kind::Scalar;
    std::string rest;
    switch (form.kind) {
      case Form::Kind::Text: value.data = node.text; return scalar;
      case Form::Kind::Flag:
        value.data = node.text == "true";
        return scalar && !node.quoted && (node.text == "true" || node.text == "false");
      case Form::Kind::Word:
        value.data = node.text;
        return scalar && std::find(form.words.begin(), form.words.end(), node.text) != form.words.end();
      case Form::Kind::HexColor:
        value.data = node.text;
        return scalar && node.text.size() == 7 && node.text[0] == '#' &&
               node.text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
      case Form::Kind::Number: {
        const auto number = scalar && !node.quoted ? parse_number(node.text, rest) : std::nullopt;
        if (!number || !rest.empty() || !in_range(form, *number)) return false;
        value.data = *number;
        return true;
      }
      case Form::Kind::Whole: {
        const auto number = scalar && !node.quoted ? parse_number(node.text, rest) : std::nullopt;
        if (!number || !rest.empty() || !in_range(form, *number) || *number != std::floor(*number)) return false;
        if (std::abs(*number) > 9007199254740992.0) return false;
        value.data = static_cast<std::int64_t>(*number);
        return std::get<std::int64_t>(value.data) % form.multiple_of == 0;
      }
      case Form::Kind::Tuple: {
        if (node.kind != Node::Kind::List || !has_right_count(form, node) || third_by_comma(form, node)) return false;
        std::vector<Value> items(node.items.size());
        for (std::size_t i = 0; i < items.size(); ++i)
          if (!try_form(form.element[0], node.items[i], items[i])) return false;
        value.data = std::move(items);
        return true;
      }
      case Form::Kind::Keys: {
        if (node.kind != Node::Kind::Map || node.members.empty()) return false;
        std::vector<Value> pairs;
        for (const auto& member : node.members)
          pairs.emplace_back(std::vector<Value>{member.key, flow_text(member.value)});
        value.data = std::move(pairs);
        return true;
      }
      case Form::Kind::Map:
      case Form::Kind::List: return false;
    }
    return false;
  }

  /// The simulation computes in single precision, where 1e-60 is 0 and 1e60 is infinite.
  static bool in_range(const Form& form, double value) {
    const float single = static_cast<float>(value);
    if (!std::isfinite(single)) return false;
    if (form.above_min && single <= static_cast<float>(form.min)) return false;
    return value >= form.min && value <= form.max;
  }

  std::string hint(const std::vector<Form>& forms, const Node& node) const {
    const bool color =
        std::any_of(forms.begin(), forms.end(), [](const Form& form) { return form.kind == Form::Kind::HexColor; });
    if (color && node.kind == Node::Kind::Null)
      return " (YAML takes what follows # for a comment; a colour stands in quotes)";
    if (node.kind != Node::Kind::Scalar) return "";
    for (const auto& form : forms) {
      if (form.kind == Form::Kind::Word) {
        const std::string meant = suggestion(node.text, form.words, " (", ")");
        if (!meant.empty()) return meant;
      }
      if (form.kind != Form::Kind::Number && form.kind != Form::Kind::Whole) continue;
      std::string rest;
      const auto number = parse_number(node.text, rest);
      if (!number) continue;
      if (!std::isfinite(*number)) return ", which is not a finite number";
      if (!rest.empty()) return number_hint(node.text, units_->si ? form.unit : "");
      if (node.quoted) return " (a number is written without quotes)";
      if (!std::isfinite(static_cast<float>(*number))) return " (too large for single precision)";
      if (*number != 0 && static_cast<float>(*number) == 0) return " (zero in single precision)";
    }
    if (forms[0].kind == Form::Kind::Flag && !nearest_bool(node.text).empty())
      return " (write " + nearest_bool(node.text) + ")";
    return "";
  }

  static std::string nearest_bool(const std::string& text) {
    for (const char* yes : {"yes", "Yes", "on", "On", "True", "TRUE", "1"})
      if (text == yes) return "true";
    for (const char* no : {"no", "No", "off", "Off", "False", "FALSE", "0"})
      if (text == no) return "false";
    return "";
  }

  SceneDraft& draft_;
  Problems& problems_;
  KeyLocations& locations_;
  int dimension_ = 3;
  bool was_deep_ = false;             ///< the domain of a 2-D scene has a depth, as one that was 3-D
  const Units* units_ = &kSiUnits;    ///< the solver's
  std::optional<SolverKind> solver_;  ///< nothing: its name is wrong, and all keys pass
};

}  // namespace

SceneDraft read_document(const Node& root, Problems& problems, KeyLocations& locations) {
  SceneDraft draft;
  Reader(draft, problems, locations).read_root(root);
  return draft;
}

}  // namespace riffle::scenes
