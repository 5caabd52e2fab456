#include "app/cli/completion_values.h"

#include <algorithm>
#include <cctype>

namespace riffle {

namespace {

/// The parts of "FILE.ply|.vtp" or "auto|cpu".
std::vector<std::string> alternatives(const std::string& value) {
  std::vector<std::string> parts(1);
  for (const char c : value) {
    if (c == '|')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool is_plain_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  });
}

}  // namespace

ValueOffer value_offer(const std::string& value) {
  std::vector<std::string> parts = alternatives(value);
  if (std::all_of(parts.begin(), parts.end(), is_plain_word)) return {ValueOffer::Kind::Words, std::move(parts)};
  for (const std::string& part : parts) {
    if (part.starts_with("FILE")) return {ValueOffer::Kind::Files, {}};
    if (part == "DIR" || part == "FOLDER") return {ValueOffer::Kind::Folders, {}};
  }
  return {};
}

ValueOffer positional_offer(const OptionText& positional) {
  const std::string& name = positional.names[0];
  if (name == "SCENE") return {ValueOffer::Kind::Scenes, {}};
  if (name == "CASE") return {ValueOffer::Kind::Cases, {}};
  return value_offer(positional.value.empty() ? name : positional.value);
}

std::string scenes_command(const std::string& program) { return program + " list --names 2>/dev/null"; }

std::string cases_command(const std::string& program) {
  return program + " validate --list 2>/dev/null | sed -n 's/^\\([a-z_0-9]*\\)  .*/\\1/p'";
}

}  // namespace riffle
