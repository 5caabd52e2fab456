#include "scenes/document/document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "core/text/near_file.h"
#include "scenes/document/key_path.h"
#include "scenes/document/no_scene.h"
#include "sim/setup.h"

namespace riffle::scenes {

namespace {

constexpr std::size_t kMaxBytes = 4 << 20;
constexpr int kMaxNodes = 200000;  // a kilobyte of nested aliases can expand to gigabytes
constexpr int kMaxDepth = 64;      // an alias inside its own anchor never ends

/// yaml-cpp's tree as ours.
class Converter {
 public:
  Converter(std::string source, bool with_lines, Problems& problems)
      : source_(std::move(source)), with_lines_(with_lines), problems_(problems) {}

  Node convert(const YAML::Node& from, const std::string& path, int depth = 0) {
    Node node;
    node.location = locate(from.Mark());
    if (depth > kMaxDepth)
      throw InputError(node.location.text() + ": nested too deep, or an alias inside its own anchor");
    if (++count_ > kMaxNodes)
      throw InputError(node.location.text() + ": too many values once its aliases are expanded");
    switch (from.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null: break;
      case YAML::NodeType::Scalar:
        node.kind = Node::Kind::Scalar;
        node.text = from.Scalar();
        node.quoted = from.Tag() == "!";
        break;
      case YAML::NodeType::Sequence:
        node.kind = Node::Kind::List;
        for (const auto& item : from)
          node.items.push_back(convert(item, path + "[" + std::to_string(node.items.size()) + "]", depth + 1));
        break;
      case YAML::NodeType::Map:
        node.kind = Node::Kind::Map;
        for (const auto& member : from) add_member(node, member.first, member.second, path, depth);
        break;
    }
    return node;
  }

 private:
  Location locate(const YAML::Mark& mark) const {
    if (!with_lines_) return {source_, 0, mark.column + 1};  // which tells how far items are apart
    return {source_, mark.line + 1, mark.column + 1};
  }

  void add_member(Node& node, const YAML::Node& key, const YAML::Node& value, const std::string& path, int depth) {
    const Location at = locate(key.Mark());
    if (!key.IsScalar()) {
      problems_.add(at, path, "a key must be a plain word");
      return;
    }
    const std::string name = key.Scalar();
    const std::string inner = path.empty() ? name : path + "." + name;
    for (const auto& other : node.members)
      if (other.key == name) {
        problems_.add(at, inner, "is given twice; the first is at line " + std::to_string(other.key_location.line));
        return;
      }
    node.members.push_back({name, at, convert(value, inner, depth + 1)});
  }

  std::string source_;
  bool with_lines_;
  Problems& problems_;
  int count_ = 0;
};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The beginnings of the first two documents of the text.
class DocumentStarts : public YAML::EventHandler {
 public:
  std::vector<YAML::Mark> marks;

  void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// Without YAML::LoadAll, which finds empty documents without end before a stray comma.
void refuse_unless_one_document(const std::string& text, const std::string& path) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  while (starts.marks.size() < 2 && parser.HandleNextDocument(starts)) {
  }
  if (starts.marks.size() < 2) return;
  const bool stuck = starts.marks[0].pos == starts.marks[1].pos;
  throw InputError(Location{path, starts.marks[1].line + 1, starts.marks[1].column + 1}.text() +
                   (stuck ? ": not valid YAML: a document cannot begin with this character"
                          : ": a second YAML document begins here; a scene is one document"));
}

/// The first tab that indents a line with content, up to the line of the mark; lines and columns count from 1.
std::optional<Location> tab_in_indentation(const std::string& text, const YAML::Mark& mark) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; number <= mark.line + 1 && std::getline(lines, line); ++number) {
    const std::size_t content = line.find_first_not_of(" \t\r"), tab = line.find('\t');
    if (content == line.npos || line[content] == '#' || tab == line.npos || tab > content) continue;
    return Location{"", number, static_cast<int>(tab) + 1};
  }
  return std::nullopt;
}

/// What a path is that is no regular file; nullptr for a regular file.
const char* kind_of_no_file(const std::string& path) {
  std::error_code error;
  switch (std::filesystem::status(path, error).type()) {
    case std::filesystem::file_type::regular: return nullptr;
    case std::filesystem::file_type::directory: return "a folder";
    case std::filesystem::file_type::fifo: return "a pipe (FIFO)";
    case std::filesystem::file_type::character:
    case std::filesystem::file_type::block: return "a device";
    case std::filesystem::file_type::socket: return "a socket";
    default: return "not a regular file";
  }
}

/// "#rrggbb", which means a colour, though YAML takes it for a comment.
bool is_hex_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

}  // namespace

const Node* Node::find(const std::string& key) const {
  for (const auto& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string Node::describe() const {
  constexpr std::size_t kLongest = 60;
  const auto shortened = [](std::string text) {
    for (char& c : text)
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    return text.size() <= kLongest ? text : text.substr(0, kLongest - 3) + "...";
  };
  switch (kind) {
    case Kind::Null: return "nothing";
    case Kind::Scalar:
      return std::string(quoted ? "the text \"" : "'").append(shortened(text)).append(quoted ? "\"" : "'");
    case Kind::Map: return members.empty() ? "an empty map" : "a map with the key '" + shortened(members[0].key) + "'";
    case Kind::List: break;
  }
  std::string list;
  for (const auto& item : items) {
    if (!list.empty()) list += ", ";
    if (item.kind == Kind::Scalar)
      list += item.text;
    else
      list += item.kind == Kind::Null ? "(nothing)" : item.kind == Kind::List ? "[...]" : "{...}";
    if (list.size() > kLongest) break;
  }
  return "the list [" + shortened(list) + "]";
}

Node parse_document(const std::string& text, const std::string& path, Problems& problems) {
  try {
    refuse_unless_one_document(text, path);
    Node root = Converter(path, true, problems).convert(YAML::Load(text), "");
    if (root.kind == Node::Kind::Null)
      throw InputError(path + ": the file is empty; a scene needs at least domain, particles and bodies");
    if (root.kind != Node::Kind::Map)
      throw InputError(root.location.text() + ": found " + root.describe() +
                       "; a scene is a map of keys and values (name: value)");
    return root;
  } catch (const YAML::Exception& error) {
    const Location at{path, error.mark.line + 1, error.mark.column + 1};
    if (const auto tab = tab_in_indentation(text, error.mark))
      throw InputError(Location{path, tab->line, tab->column}.text() +
                       ": not valid YAML: found a tab in the indentation; allowed: spaces (" + error.msg + " at " +
                       std::to_string(at.line) + ":" + std::to_string(at.column) + ")");
    throw InputError((error.mark.is_null() ? path : at.text()) + ": not valid YAML: " + error.msg);
  }
}

Node parse_value(const std::string& text, const Location& at, const std::string& key, Problems& problems) {
  const std::string plain = trimmed(text);
  if (plain.starts_with('#')) {
    Node value;
    value.location = at;
    if (is_hex_color(plain)) {
      value.kind = Node::Kind::Scalar;
      value.text = plain;
      value.quoted = true;
    } else {
      problems.add(at, key,
                   "found '" + plain +
                       "', which is a comment in YAML, where # begins one; a text stands in quotes: \"" + plain +
                       "\", a colour has six digits: #rrggbb");
    }
    return value;
  }
  try {
    Node value = Converter(at.source, false, problems).convert(YAML::Load(text), key);
    value.location = at;
    return value;
  } catch (const YAML::Exception& error) {
    problems.add(at, key, "'" + text + "' is not a YAML value: " + error.msg);
    Node nothing;
    nothing.location = at;
    return nothing;
  }
}

void apply_override(Node& root, const std::string& assignment, Problems& problems) {
  const auto equals = assignment.find('=');
  const std::string key = trimmed(assignment.substr(0, equals));
  const Location at{"--set " + key, 0, 0};
  if (equals == std::string::npos) {
    problems.add(at, key, "has no '='; it is written --set key.path=value");
    return;
  }
  const std::vector<PathStep> steps = split_path(key);
  if (steps.size() > 1 && steps[0].name == "fluids" && steps[1].index == std::size_t{0}) write_the_fluid(root, at);
  put(root, key, assignment.substr(equals + 1), at, problems);
}

void name_without_lines(Node& root, const std::string& path, const std::string& source) {
  const auto rename = [&](Location& at) {
    if (at.source == path) at = {source, 0, 0};
  };
  rename(root.location);
  for (Node& item : root.items) name_without_lines(item, path, source);
  for (Node::Member& member : root.members) {
    rename(member.key_location);
    name_without_lines(member.value, path, source);
  }
}

void write_the_fluid(Node& root, const Location& at) {
  Problems none;
  if (!root.find("fluids")) put(root, "fluids", "[{name: " + FluidSetup{}.name + "}]", at, none);
}

std::string read_scene_text(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw InputError(path + ": no such file" + near_file(path));
  if (const char* kind = kind_of_no_file(path))
    throw InputError(path + ": is " + kind + "; a scene is a YAML file");  // reading a pipe would wait for its writer
  if (const std::string why = why_no_scene(path); !why.empty()) throw InputError(path + ": " + why);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be read: " + std::strerror(errno));
  std::string text(kMaxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw InputError(path + ": cannot be read: " + std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxBytes) throw InputError(path + ": larger than 4 MiB; a scene is a short YAML file");
  if (text.find('\0') != std::string::npos) throw InputError(path + ": not valid YAML: it holds binary data");
  return text;
}

}  // namespace riffle::scenes
