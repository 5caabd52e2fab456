#include "scenes/document/yaml_writer.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "scenes/format/format.h"

namespace riffle::scenes {

namespace {

constexpr std::size_t kLongestLine = 100;

/// Whether YAML reads the text without quotes as this scalar, in a list and after a key. The parser decides: YAML has too
/// many special characters for a list of them.
bool reads_back(const std::string& text) {
  try {
    const YAML::Node in_map = YAML::Load("key: " + text), in_list = YAML::Load("[" + text + "]");
    if (!in_map.IsMap() || in_map.size() != 1 || !in_list.IsSequence() || in_list.size() != 1) return false;
    const YAML::Node value = in_map["key"], item = in_list[0];
    return value.IsScalar() && item.IsScalar() && value.Tag() == "?" && value.Scalar() == text && item.Scalar() == text;
  } catch (const YAML::Exception&) {
    return false;
  }
}

/// Whether YAML 1.1 or 1.2 reads the text as a number or a truth value.
bool is_no_text(const std::string& text) {
  std::string word = text;
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* special : {"true", "false", "yes", "no", "on", "off", "y", "n", "null"})
    if (word == special) return true;
  return text.find_first_of("0123456789") != std::string::npos &&
         text.find_first_not_of("0123456789+-._eExXoabcdfABCDF:") == std::string::npos;
}

bool all_in_one_line(const Node& list) {
  return std::all_of(list.items.begin(), list.items.end(), [](const Node& item) {
    return item.kind == Node::Kind::Scalar || (item.kind == Node::Kind::List && all_in_one_line(item));
  });
}

class Writer {
 public:
  /// @param column  indentation of the value; a map that does not fit the rest of a line gets several lines
  void write(const Node& node, int depth, std::size_t column) {
    switch (node.kind) {
      case Node::Kind::Null: out_ << YAML::Null; break;
      case Node::Kind::Scalar: write_scalar(node); break;
      case Node::Kind::List:
        out_ << (flow_ || all_in_one_line(node) ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
        for (const Node& item : node.items) write(item, depth + 1, column + 4);
        out_ << YAML::EndSeq;
        break;
      case Node::Kind::Map: {
        constexpr int kBody = 2;  // depth of an item of a list: the maps in an item are small
        const bool flow = flow_ || node.members.empty() ||
                          (in_item_ && depth > kBody && column + flow_text(node).size() <= kLongestLine);
        out_ << (flow ? YAML::Flow : YAML::Block) << YAML::BeginMap;
        for (const auto& member : node.members) {
          out_ << YAML::Key << member.key << YAML::Value;
          const bool outside = in_item_;
          in_item_ = in_item_ || member.value.kind == Node::Kind::List;
          write(member.value, depth + 1, column + member.key.size() + 2);
          in_item_ = outside;
        }
        out_ << YAML::EndMap;
      }
    }
    if (!out_.good()) throw RuntimeFailure("a scene cannot be written as YAML: " + out_.GetLastError());
  }

  void write_in_one_line(const Node& node) {
    flow_ = true;
    write(node, 0, 0);
  }

  std::string text() const { return out_.c_str(); }

 private:
  void write_scalar(const Node& node) {
    if (!reads_back(node.text) || (node.quoted && is_no_text(node.text))) out_ << YAML::DoubleQuoted;
    out_ << node.text;
  }

  YAML::Emitter out_;
  bool flow_ = false, in_item_ = false;
};

Node in_format_order(const Node& map, const Record& record) {
  Node sorted = map;
  const auto place = [&](const Node::Member& member) {
    return std::find_if(record.keys.begin(), record.keys.end(), [&](const Key& key) { return key.name == member.key; });
  };
  std::stable_sort(sorted.members.begin(), sorted.members.end(),
                   [&](const Node::Member& a, const Node::Member& b) { return place(a) < place(b); });
  for (auto& member : sorted.members)
    if (const Key* key = record.find(member.key))
      for (const Form& form : key->forms) {
        if (form.kind == Form::Kind::Map && member.value.kind == Node::Kind::Map)
          member.value = in_format_order(member.value, *form.record);
        if (form.kind == Form::Kind::List && member.value.kind == Node::Kind::List)
          for (Node& item : member.value.items) item = in_format_order(item, *form.record);
      }
  return sorted;
}

bool is_section(const Node& node) {
  return node.kind == Node::Kind::Map || (node.kind == Node::Kind::List && !all_in_one_line(node));
}

Node scalar(const std::string& text, bool quoted) {
  Node node;
  node.kind = Node::Kind::Scalar;
  node.text = text;
  node.quoted = quoted;
  return node;
}

template <class Number>
std::string shortest(Number value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  std::string text(digits, end);
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  std::string mantissa = text.substr(0, e), exponent = text.substr(e + 2);
  exponent.erase(0, std::min(exponent.find_first_not_of('0'), exponent.size() - 1));
  if (mantissa.find('.') == std::string::npos) mantissa += ".0";
  return mantissa + "e" + text[e + 1] + exponent;
}

}  // namespace

std::string to_yaml(const Node& document, const std::string& origin) {
  std::string text = "# Riffle scene, written from " + origin.substr(0, origin.find_first_of("\r\n")) + "\n";
  bool was_section = false;
  for (const auto& member : in_format_order(document, scene_format()).members) {
    Node alone;
    alone.kind = Node::Kind::Map;
    alone.members = {member};
    const bool section = is_section(member.value);
    if (section || was_section) text += "\n";
    was_section = section;
    Writer writer;
    writer.write(alone, 0, 0);
    text += writer.text() + "\n";
  }
  return text;
}

Node node_from(const Value& value) {
  if (value.is_text()) return scalar(value.text(), true);
  if (value.is_flag()) return scalar(value.flag() ? "true" : "false", false);
  if (value.is_whole()) return scalar(std::to_string(value.whole()), false);
  if (value.is_number()) return scalar(number_text(value.precise()), false);
  Node list;
  list.kind = Node::Kind::List;
  for (const Value& item : value.items()) list.items.push_back(node_from(item));
  return list;
}

std::string flow_text(const Node& value) {
  Writer writer;
  writer.write_in_one_line(value);
  return writer.text();
}

// The loader reads double precision; where rounding that gives another float, the text is that of the double.
std::string number_text(float value) {
  const std::string text = shortest(value);
  double read = value;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return static_cast<float>(read) == value || std::isnan(value) ? text : shortest(double{value});
}

std::string number_text(double value) { return shortest(value); }

std::string vector_text(std::span<const float> values) {
  std::string text;
  for (const float value : values) text += (text.empty() ? "" : ", ") + number_text(value);
  return "[" + text + "]";
}

std::string string_text(const std::string& text) {
  Node node;
  node.kind = Node::Kind::Scalar;
  node.text = text;
  node.quoted = true;
  return flow_text(node);
}

}  // namespace riffle::scenes
