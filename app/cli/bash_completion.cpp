#include "app/cli/bash_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  });
}

/// What bash does for a value of this kind: a line of shell code; "" if it can offer nothing.
std::string offer(const std::string& value) {
  const std::vector<std::string> parts = alternatives(value);
  if (std::all_of(parts.begin(), parts.end(), is_word))
    return fmt::format("_riffle_words \"{}\"", fmt::join(parts, " "));
  for (const std::string& part : parts) {
    if (part.starts_with("FILE")) return "_riffle_files -f";
    if (part == "DIR" || part == "FOLDER") return "_riffle_files -d";
  }
  return "";
}

std::string offer_positional(const std::string& name, const std::string& value) {
  if (name == "SCENE") return "_riffle_lines \"$(\"$riffle\" list --names 2>/dev/null)\"; _riffle_files -f";
  if (name == "CASE")
    return "_riffle_lines \"$(\"$riffle\" validate --list 2>/dev/null | sed -n 's/^\\([a-z_0-9]*\\)  .*/\\1/p')\"";
  return offer(value.empty() ? name : value);
}

std::string names_of(const std::vector<OptionText>& options) {
  std::vector<std::string> names;
  for (const OptionText& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

/// The functions around the tables. COMP_WORDS has "--option=value" as three words.
constexpr const char* kHead =
    R"(# Completion of riffle for bash, made by `riffle manual bash` from the program's own tables.

# $1: a word on each line. compgen -W would run what stands in a file's name as shell code.
_riffle_lines() {
  local word
  while IFS= read -r word; do
    if [[ -n $word && $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
  done <<< "$1"
}

_riffle_words() { _riffle_lines "${1// /$'\n'}"; }

_riffle_files() {
  compopt -o filenames 2>/dev/null
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen "$1" -- "$cur")
}

_riffle() {
  local riffle=$1 cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=riffle k
  COMPREPLY=()
  if [ "$cur" = = ]; then
    cur=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((k = 1; k < COMP_CWORD; k++)); do
    case "$command ${COMP_WORDS[k]}" in
      COMMANDS) command="$command ${COMP_WORDS[k]}" ;;
    esac
  done
)";

}  // namespace

std::string bash_completion(const std::vector<CommandText>& commands) {
  std::string known, values, rest;
  for (const CommandText& command : commands) {
    if (&command != &commands.front()) known += fmt::format("{}\"{}\"", known.empty() ? "" : " | ", command.name);
    for (const OptionText& option : command.options) {
      if (option.value.empty()) continue;
      const std::string code = offer(option.value);
      std::string pattern;
      for (const std::string& name : option.names)
        pattern += fmt::format("{}\"{} {}\"", pattern.empty() ? "" : " | ", command.name, name);
      values += fmt::format("    {}) {}{}return ;;\n", pattern, code, code.empty() ? "" : "; ");
    }
    std::string code;
    if (!command.commands.empty()) code = fmt::format("_riffle_words \"{}\"; ", fmt::join(command.commands, " "));
    // `riffle SCENE` opens the window.
    if (&command == &commands.front()) code += offer_positional("SCENE", "") + "; ";
    for (const OptionText& one : command.positionals)
      if (const std::string offered = offer_positional(one.names[0], one.value); !offered.empty())
        code += offered + "; ";
    rest += fmt::format(
        "    \"{}\")\n      case $cur in\n        -*) _riffle_words \"{}\" ;;\n        *) {};;\n      esac ;;\n",
        command.name, names_of(command.options), code);
  }
  std::string head = kHead;
  head.replace(head.find("COMMANDS"), std::string("COMMANDS").size(), known);
  return head + "  case \"$command $before\" in\n" + values + "  esac\n  case $command in\n" + rest +
         "  esac\n}\n\ncomplete -F _riffle riffle\n";
}

}  // namespace riffle
