#include "scenes/document/comments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "scenes/document/document.h"
#include "scenes/document/key_path.h"
#include "scenes/document/yaml_writer.h"

namespace riffle::scenes {

namespace {

/// Lines that programs write and read: ours, and an editor's path of the schema, which is right from the old folder only.
constexpr const char* kOfPrograms[] = {"# Riffle scene, written from ", "# yaml-language-server:"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::size_t indentation(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

struct Comment {
  int line = 0;  ///< from 1
  bool alone = false;
  std::string text;  ///< from '#' on
};

/// Finds '#' where YAML begins a comment: not within quotes, words or blocks of text.
class CommentFinder {
 public:
  std::vector<Comment> find(const std::string& text) {
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t k = 0; k < lines.size(); ++k) look_at(lines[k], static_cast<int>(k) + 1);
    return std::move(found_);
  }

 private:
  void look_at(const std::string& line, int number) {
    const std::size_t indent = indentation(line);
    if (block_ && (indent == line.size() || indent > key_)) return;
    block_ = false;
    if (brackets_ == 0 && indent < line.size() && indent <= key_) plain_ = false;
    std::size_t last = std::string::npos;  // of what is no comment
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote_ != 0) {
        read_quoted(line, i);
      } else if (c == '#' && (i == 0 || blank(line[i - 1]))) {
        found_.push_back({number, last == std::string::npos, line.substr(i)});
        plain_ = false;
        break;
      } else if (!blank(c) && !block_) {
        read(line, i);
      }
      if (!blank(c)) last = i;
    }
  }

  static bool blank(char c) { return c == ' ' || c == '\t'; }
  static bool ends_at(const std::string& line, std::size_t i) { return i + 1 >= line.size() || blank(line[i + 1]); }
  bool is_bracket_or_comma(char c) const {
    return c == '[' || c == '{' || (brackets_ > 0 && (c == ']' || c == '}' || c == ','));
  }

  /// In single quotes '' is a quote, in double ones \" is.
  void read_quoted(const std::string& line, std::size_t& i) {
    const bool pair = quote_ == '\'' && line[i] == quote_ && i + 1 < line.size() && line[i + 1] == quote_;
    if (pair || (quote_ == '"' && line[i] == '\\'))
      ++i;
    else if (line[i] == quote_)
      quote_ = 0;
  }

  /// A character that is neither blank nor within quotes. What begins a value elsewhere is a letter within plain text.
  void read(const std::string& line, std::size_t& i) {
    const char c = line[i];
    const bool last_of_key = c == ':' && (ends_at(line, i) || (!plain_ && brackets_ > 0));
    if (plain_ && !last_of_key && (brackets_ == 0 || !is_bracket_or_comma(c))) return;
    plain_ = false;
    if (last_of_key) {
      if (brackets_ == 0) key_ = start_;
    } else if (is_bracket_or_comma(c)) {
      brackets_ += c == '[' || c == '{' ? 1 : c == ',' ? 0 : -1;
    } else if (brackets_ == 0 && (c == '-' || c == '?') && ends_at(line, i)) {
      key_ = i;
    } else if (brackets_ == 0 && (c == '|' || c == '>')) {
      block_ = true;
    } else if (c == '&' || c == '*' || c == '!') {  // the name of an anchor or a tag
      while (!ends_at(line, i) && !(brackets_ > 0 && is_bracket_or_comma(line[i + 1]))) ++i;
    } else {
      if (brackets_ == 0) start_ = i;
      if (c == '"' || c == '\'')
        quote_ = c;
      else
        plain_ = true;
    }
  }

  std::vector<Comment> found_;
  char quote_ = 0;      ///< within which the text is; 0: none
  bool plain_ = false;  ///< within a value, or a key, without quotes
  bool block_ = false;  ///< within a block of text, "text: |"
  int brackets_ = 0;    ///< open ones
  std::size_t start_ = 0,
              key_ = 0;  ///< columns of the last value, and of the last key or '-': what belongs to it is deeper
};

/// The keys and entries of a document in the order of their lines, the outer one first.
struct Place {
  int line = 0;
  std::string path;
};

void add_places(const Node& node, const std::string& path, std::vector<Place>& places) {
  for (const Node::Member& member : node.members) {
    const std::string inner = child_path(path, member.key);
    places.push_back({member.key_location.line, inner});
    add_places(member.value, inner, places);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string inner = path + "[" + std::to_string(i) + "]";
    places.push_back({node.items[i].location.line, inner});
    add_places(node.items[i], inner, places);
  }
}

std::vector<Place> places_of(const Node& root) {
  std::vector<Place> places;
  add_places(root, "", places);
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.line < b.line; });
  return places;
}

/// Which entry of the new list each of the old ones is.
std::vector<std::optional<std::size_t>> same_items(const Node& old_list, const Node& new_list) {
  std::vector<std::optional<std::size_t>> same(old_list.items.size());
  std::vector<bool> taken(new_list.items.size());
  std::map<std::string, std::vector<std::size_t>> places;  // of equal entries, the last one first
  for (std::size_t j = taken.size(); j-- > 0;) places[flow_text(new_list.items[j])].push_back(j);
  for (std::size_t i = 0; i < same.size(); ++i) {
    const auto found = places.find(flow_text(old_list.items[i]));
    if (found == places.end() || found->second.empty()) continue;
    same[i] = found->second.back();
    taken[*same[i]] = true;
    found->second.pop_back();
  }
  const auto changed = std::count(same.begin(), same.end(), std::nullopt);
  if (changed != std::count(taken.begin(), taken.end(), false)) return same;
  std::size_t j = 0;
  for (std::optional<std::size_t>& item : same) {
    if (item) continue;
    while (taken[j]) ++j;
    item = j++;
  }
  return same;
}

/// The new path of each old one that is still there.
void match(const Node& old_node, const Node& new_node, const std::string& old_path, const std::string& new_path,
           std::map<std::string, std::string>& moved) {
  if (!old_path.empty()) moved[old_path] = new_path;
  for (const Node::Member& member : old_node.members)
    if (const Node* now = new_node.find(member.key))
      match(member.value, *now, child_path(old_path, member.key), child_path(new_path, member.key), moved);
  const auto same = same_items(old_node, new_node);
  for (std::size_t i = 0; i < same.size(); ++i)
    if (same[i])
      match(old_node.items[i], new_node.items[*same[i]], old_path + "[" + std::to_string(i) + "]",
            new_path + "[" + std::to_string(*same[i]) + "]", moved);
}

/// What is added to the lines of the new text.
struct Additions {
  std::vector<std::string> head, tail;
  std::map<int, std::vector<std::string>> above;
  std::map<int, std::string> behind;
};

std::string put_together(const std::vector<std::string>& lines, const Additions& more) {
  std::string text;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const int number = static_cast<int>(k) + 1;
    if (const auto above = more.above.find(number); above != more.above.end())
      for (const std::string& comment : above->second) text += std::string(indentation(lines[k]), ' ') + comment + "\n";
    const auto behind = more.behind.find(number);
    text += lines[k] + (behind == more.behind.end() ? "" : "  " + behind->second) + "\n";
    if (k == 0)
      for (const std::string& comment : more.head) text += comment + "\n";
  }
  for (const std::string& comment : more.tail) text += comment + "\n";
  return text;
}

}  // namespace

Commented with_comments(const std::string& yaml, const std::string& original) {
  std::vector<Comment> comments = CommentFinder().find(original);
  std::erase_if(comments, [](const Comment& comment) {
    return std::ranges::any_of(kOfPrograms, [&](const char* line) { return comment.text.starts_with(line); });
  });
  if (comments.empty()) return {yaml, 0};
  try {
    Problems problems;
    const Node before = parse_document(original, "", problems), now = parse_document(yaml, "", problems);
    const std::vector<Place> old_places = places_of(before), new_places = places_of(now);
    std::map<std::string, std::string> moved;
    match(before, now, "", "", moved);
    std::map<std::string, int> line_of;
    for (const Place& place : new_places) line_of.try_emplace(place.path, place.line);

    Additions more;
    std::size_t left_out = 0;
    for (const Comment& comment : comments) {
      const bool above_all = old_places.empty() || comment.line < old_places.front().line;
      // The first one below it, or in its line.
      auto place = comment.alone ? std::ranges::upper_bound(old_places, comment.line, {}, &Place::line)
                                 : std::ranges::lower_bound(old_places, comment.line, {}, &Place::line);
      if (above_all) {
        more.head.push_back(comment.text);
        continue;
      }
      if (comment.alone && place == old_places.end()) {
        more.tail.push_back(comment.text);
        continue;
      }
      if (!comment.alone && (place == old_places.end() || place->line != comment.line)) --place;  // behind a bracket
      const auto there = moved.find(place->path);
      if (there == moved.end() || !line_of.contains(there->second)) {
        ++left_out;
        continue;
      }
      const int line = line_of.at(there->second);
      if (comment.alone) {
        more.above[line].push_back(comment.text);
      } else {
        std::string& behind = more.behind[line];
        behind += (behind.empty() ? "" : "  ") + comment.text;
      }
    }
    const std::string text = put_together(lines_of(yaml), more);
    Problems none;
    if (flow_text(parse_document(text, "", none)) == flow_text(now)) return {text, left_out};
  } catch (const InputError&) {  // it is no YAML, though the scene was read from it
  }
  return {yaml, comments.size()};
}

}  // namespace riffle::scenes
