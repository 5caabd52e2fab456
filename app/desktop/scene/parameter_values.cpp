#include "app/desktop/scene/parameter_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <sstream>

#include "core/text/suggestion.h"
#include "scenes/document/list_entries.h"
#include "scenes/document/yaml_writer.h"

namespace riffle::desktop {

namespace {

constexpr double kFar = 1e30;  // in place of infinity: a widget needs two ends

}  // namespace

ui::NumberDrag drag_of(const scenes::Parameter& p, double value) {
  const double min = std::max(p.min, -kFar), max = std::min(p.max, kFar);
  const bool bounded = min > -kFar && max < kFar;
  const double scale = value != 0 ? std::fabs(value) : bounded ? 0.1 * (max - min) : 0.1;
  const bool whole = p.kind == scenes::Parameter::Kind::Whole || p.component == scenes::Parameter::Kind::Whole;
  return {min, max, whole ? 0.1f * static_cast<float>(p.multiple_of) : static_cast<float>(0.005 * scale),
          whole ? "%.0f" : "%.5g"};
}

double dragged_to(const scenes::Parameter& p, double before, double wanted) {
  if (!(wanted >= p.min && wanted <= p.max) || (p.above_min && wanted == p.min)) return before;
  if (p.multiple_of == 1) return wanted;
  return before + p.multiple_of * std::trunc((wanted - before) / p.multiple_of);
}

std::string number_as_text(const scenes::Parameter& p, double value) {
  const bool whole = p.kind == scenes::Parameter::Kind::Whole || p.component == scenes::Parameter::Kind::Whole;
  return whole ? fmt::format("{:.0f}", value) : scenes::number_text(value);
}

std::string section_title(const std::vector<scenes::Parameter>& parameters, const std::string& section) {
  const auto value = [&](const std::string& key) {
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const scenes::Parameter& p) { return p.path == section + "." + key; });
    return at == parameters.end() ? "" : at->text();
  };
  if (section == "scene") return "scene: gravity, dimension, name, seed";
  if (section.starts_with("fluids[")) return section + ": " + value("name");
  const std::string list = section.substr(0, section.find('['));
  constexpr std::array shaped = {"bodies", "solids", "inlets", "outlets", "probes"};
  if (std::ranges::find(shaped, list) == shaped.end()) return section;
  const std::string fluid = value("fluid"), name = value("name");
  std::vector<std::string> words = scenes::shapes_of_entries(list);
  std::string shape = words.front();
  words.insert(words.end(), {"particles", "mesh"});
  for (const std::string& word : words)
    for (const scenes::Parameter& p : parameters)
      if (p.path.starts_with(section + "." + word + ".")) shape = word;
  return section + ": " + (name.empty() ? "" : name + ", ") + shape + (fluid.empty() ? "" : " of " + fluid);
}

std::string without_backticks(const std::string& text) {
  bool opening = true;
  std::string quoted;
  for (const char c : text) {
    if (c != '`') {
      quoted += c;
      continue;
    }
    quoted += opening ? "\u201c" : "\u201d";
    opening = !opening;
  }
  return quoted;
}

std::string with_component(const scenes::Parameter& p, const std::vector<double>& values, std::size_t k,
                           const std::string& text) {
  std::string yaml;
  for (std::size_t i = 0; i < values.size(); ++i)
    yaml += (i == 0 ? "[" : ", ") + (i == k ? text : number_as_text(p, values[i]));
  return yaml + "]";
}

std::string with_entry(const scenes::Parameter& p, const std::vector<double>& values, std::size_t size, std::size_t i,
                       std::size_t j, const std::string& text) {
  // A text that is refused is in one place: else it would be refused twice.
  const std::vector<double> typed = scenes::numbers_in(text);
  const bool taken = typed.size() == 1 && typed[0] >= p.min && typed[0] <= p.max && !(p.above_min && typed[0] == p.min);
  std::string yaml;
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      const bool it = (row == i && column == j) || (taken && row == j && column == i);
      yaml += column > 0 ? ", " : row > 0 ? ", [" : "[[";
      yaml += it ? text : number_as_text(p, values[row * size + column]);
    }
    yaml += "]";
  }
  return yaml + "]";
}

std::string broken_name(const std::string& name, double room, const std::function<double(const std::string&)>& width) {
  std::string lines, line;
  for (std::size_t from = 0; from < name.size();) {
    const std::size_t end = std::min(name.find_first_of("_.", from), name.size() - 1) + 1;
    const std::string part = name.substr(from, end - from);
    if (!line.empty() && width(line + part) > room) {
      lines += line + "\n";
      line.clear();
    }
    line += part;
    from = end;
  }
  return lines + line;
}

namespace {

/// The keys that a map may have, with their explanations. They are parameters of their own only once it is given.
void add_keys_in(const scenes::Record& record, std::string& text) {
  for (const scenes::Key& key : record.keys) {
    text += "\n" + key.name + "\n" + key.doc;
    for (const scenes::Form& form : key.forms)
      if (form.record) add_keys_in(*form.record, text);
  }
}

}  // namespace

bool matches(const scenes::Parameter& parameter, const std::string& words, const std::string& others) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  std::string all = parameter.path + "\n" + parameter.doc + "\n" + parameter.section_doc + "\n" + others;
  for (const scenes::Form& form : parameter.forms)
    if (form.record) add_keys_in(*form.record, all);
  const std::string text = lower(all);
  std::istringstream typed(lower(words));
  for (std::string word; typed >> word;)
    if (text.find(word) == std::string::npos) return false;
  return true;
}

namespace {

/// In small letters.
std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace

bool begins_words(const std::string& text, const std::string& words) {
  const std::vector<std::string> there = split_words(text), wanted = split_words(words);
  if (wanted.empty() || (wanted.size() == 1 && wanted[0].size() < 2)) return false;
  return std::ranges::all_of(wanted, [&](const std::string& word) {
    return std::ranges::any_of(there, [&](const std::string& one) { return one.starts_with(word); });
  });
}

std::string meant_words(const std::vector<scenes::Parameter>& parameters, const std::string& words,
                        const std::vector<std::string>& texts) {
  const auto found = [&](const std::string& text) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const scenes::Parameter& p) { return matches(p, text); }) ||
           std::ranges::any_of(texts, [&](const std::string& of_text) { return begins_words(of_text, text); });
  };
  std::vector<std::string> names;
  for (const scenes::Parameter& p : parameters) {
    std::string parts = p.path;
    for (char& c : parts)
      if (!std::isalpha(static_cast<unsigned char>(c))) c = ' ';
    std::istringstream in(parts);
    for (std::string part; in >> part;)
      if (part.size() > 2) names.push_back(part);
  }
  for (const std::string& text : texts)
    for (std::string& word : split_words(text))
      if (word.size() > 2) names.push_back(std::move(word));
  std::istringstream typed(words);
  std::string meant;
  for (std::string word; typed >> word;) {
    const std::string near = found(word) ? word : nearest_name(word, names);
    if (near.empty()) return "";
    meant += (meant.empty() ? "" : " ") + near;
  }
  return found(meant) ? meant : "";
}

}  // namespace riffle::desktop
