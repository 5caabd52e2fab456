#include "app/cli/bash_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/completion_values.h"

namespace riffle {

namespace {

/// A line of shell code; "" if bash can offer nothing.
std::string bash_offer(const ValueOffer& offer) {
  switch (offer.kind) {
    case ValueOffer::Kind::Words: return fmt::format("_riffle_words \"{}\"", fmt::join(offer.words, " "));
    case ValueOffer::Kind::Files: return "_riffle_files -f";
    case ValueOffer::Kind::Folders: return "_riffle_files -d";
    case ValueOffer::Kind::Scenes:
      return "_riffle_lines \"$(" + scenes_command("\"$riffle\"") + ")\"; _riffle_files -f";
    case ValueOffer::Kind::Cases: return "_riffle_lines \"$(" + cases_command("\"$riffle\"") + ")\"";
    case ValueOffer::Kind::Nothing: break;
  }
  return "";
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
      const std::string code = bash_offer(value_offer(option.value));
      std::string pattern;
      for (const std::string& name : option.names)
        pattern += fmt::format("{}\"{} {}\"", pattern.empty() ? "" : " | ", command.name, name);
      values += fmt::format("    {}) {}{}return ;;\n", pattern, code, code.empty() ? "" : "; ");
    }
    std::string code;
    if (!command.commands.empty()) code = fmt::format("_riffle_words \"{}\"; ", fmt::join(command.commands, " "));
    // `riffle SCENE` opens the window.
    if (&command == &commands.front()) code += bash_offer({ValueOffer::Kind::Scenes, {}}) + "; ";
    for (const OptionText& one : command.positionals)
      if (const std::string offered = bash_offer(positional_offer(one)); !offered.empty()) code += offered + "; ";
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
