#include "app/cli/zsh_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "app/cli/completion_values.h"

namespace riffle {

namespace {

/// In single quotes, in which zsh reads nothing but the end.
std::string zsh_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// "name:what it is", for _describe.
std::string described(const std::string& name, const std::string& text) { return zsh_quoted(name + ":" + text); }

/// A line of shell code; "" if there is nothing to offer.
std::string zsh_offer(const ValueOffer& offer) {
  switch (offer.kind) {
    case ValueOffer::Kind::Words: return fmt::format("compadd -- {}", fmt::join(offer.words, " "));
    case ValueOffer::Kind::Files: return "_files";
    case ValueOffer::Kind::Folders: return "_files -/";
    case ValueOffer::Kind::Scenes: return "_riffle_lines \"$(" + scenes_command("$riffle") + ")\"; _files";
    case ValueOffer::Kind::Cases: return "_riffle_lines \"$(" + cases_command("$riffle") + ")\"";
    case ValueOffer::Kind::Nothing: break;
  }
  return "";
}

constexpr const char* kZshHead =
    R"(#compdef riffle
# Completion of riffle for zsh, made by `riffle manual zsh` from the program's own tables.

# $1: a word on each line.
_riffle_lines() {
  local -a lines
  lines=("${(f)1}")
  compadd -- $lines
}

_riffle() {
  local riffle=$words[1] current=$words[CURRENT] before=$words[CURRENT-1] command=riffle k
  local -a offered
  if [[ $current == --*=* ]]; then
    before=${current%%=*}
    compset -P '*='
    current=${current#*=}
  fi
  for ((k = 2; k < CURRENT; k++)); do
    case "$command $words[k]" in
      COMMANDS) command="$command $words[k]" ;;
    esac
  done
)";

}  // namespace

std::string zsh_completion(const std::vector<CommandText>& commands) {
  std::map<std::string, std::string> summaries;
  for (const CommandText& command : commands) summaries[command.name] = command.summary;
  std::string known, values, rest;
  for (const CommandText& command : commands) {
    if (&command != &commands.front()) known += (known.empty() ? "" : " | ") + zsh_quoted(command.name);
    std::string names;
    for (const OptionText& option : command.options) {
      std::string pattern;
      for (const std::string& name : option.names) {
        names += " " + described(name, option.description);
        pattern += (pattern.empty() ? "" : " | ") + zsh_quoted(command.name + " " + name);
      }
      if (option.value.empty()) continue;
      const std::string code = zsh_offer(value_offer(option.value));
      values += fmt::format("    {}) {}{}return ;;\n", pattern, code, code.empty() ? "" : "; ");
    }
    std::string code;
    if (!command.commands.empty()) {
      std::string below;
      for (const std::string& name : command.commands)
        below += " " + described(name, summaries[command.name + " " + name]);
      code = fmt::format("offered=({} ); _describe command offered; ", below);
    }
    // `riffle SCENE` opens the window.
    if (&command == &commands.front()) code += zsh_offer({ValueOffer::Kind::Scenes, {}}) + "; ";
    for (const OptionText& one : command.positionals)
      if (const std::string offered = zsh_offer(positional_offer(one)); !offered.empty()) code += offered + "; ";
    rest += fmt::format(
        "    {})\n      case $current in\n        -*) offered=({} ); _describe -o option offered ;;\n        *) {};;\n"
        "      esac ;;\n",
        zsh_quoted(command.name), names, code);
  }
  std::string head = kZshHead;
  head.replace(head.find("COMMANDS"), std::string("COMMANDS").size(), known);
  return head + "  case \"$command $before\" in\n" + values + "  esac\n  case $command in\n" + rest +
         "  esac\n}\n\n# The first time, the file itself is the function.\nif [[ $funcstack[1] == _riffle ]]; then\n"
         "  _riffle \"$@\"\nelse\n  compdef _riffle riffle\nfi\n";
}

}  // namespace riffle
