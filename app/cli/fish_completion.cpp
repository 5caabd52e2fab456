#include "app/cli/fish_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "app/cli/completion_values.h"

namespace riffle {

namespace {

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

/// The arguments of `complete` for such values.
std::string fish_offer(const ValueOffer& offer) {
  switch (offer.kind) {
    case ValueOffer::Kind::Words: return " -a " + fish_quoted(fmt::format("{}", fmt::join(offer.words, " ")));
    case ValueOffer::Kind::Files: return " -F";
    case ValueOffer::Kind::Folders: return " -a '(__fish_complete_directories (commandline -ct))'";
    case ValueOffer::Kind::Scenes: return " -F -a " + fish_quoted("(" + scenes_command("riffle") + ")");
    case ValueOffer::Kind::Cases: return " -a " + fish_quoted("(" + cases_command("riffle") + ")");
    case ValueOffer::Kind::Nothing: break;
  }
  return "";
}

constexpr const char* kFishHead =
    R"(# Completion of riffle for fish, made by `riffle manual fish` from the program's own tables.

function __riffle_command
    set -l command riffle
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case COMMANDS
                set command "$command $word"
        end
    end
    echo $command
end

function __riffle_is
    test (__riffle_command) = "$argv"
end

complete -c riffle -e
complete -c riffle -f
)";

}  // namespace

std::string fish_completion(const std::vector<CommandText>& commands) {
  std::map<std::string, std::string> summaries;
  for (const CommandText& command : commands) summaries[command.name] = command.summary;
  std::string known, lines;
  for (const CommandText& command : commands) {
    if (&command != &commands.front()) known += (known.empty() ? "" : " ") + fish_quoted(command.name);
    const std::string complete = "complete -c riffle -n " + fish_quoted("__riffle_is " + command.name);
    for (const std::string& name : command.commands)
      lines += fmt::format("{} -a {} -d {}\n", complete, name, fish_quoted(summaries[command.name + " " + name]));
    // `riffle SCENE` opens the window.
    if (&command == &commands.front()) lines += complete + fish_offer({ValueOffer::Kind::Scenes, {}}) + "\n";
    for (const OptionText& one : command.positionals)
      if (const std::string offered = fish_offer(positional_offer(one)); !offered.empty())
        lines += complete + offered + "\n";
    for (const OptionText& option : command.options) {
      std::string names;
      for (const std::string& name : option.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      // A value follows; -x leaves out files.
      const ValueOffer offer = value_offer(option.value);
      const bool files = offer.kind == ValueOffer::Kind::Files;
      const std::string value = option.value.empty() ? "" : (files ? " -r" : " -x") + fish_offer(offer);
      lines += fmt::format("{}{}{} -d {}\n", complete, names, value, fish_quoted(option.description));
    }
  }
  std::string head = kFishHead;
  head.replace(head.find("COMMANDS"), std::string("COMMANDS").size(), known);
  return head + lines;
}

}  // namespace riffle
