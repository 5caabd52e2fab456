#include "app/cli/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/command_line.h"
#include "scenes/missing_features.h"

namespace riffle {

namespace {

/// Text as troff prints it literally. What stands between two backquotes becomes bold, and lines are filled.
std::string troff(const std::string& text) {
  std::string out;
  bool bold = false;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '`')
      out += (bold = !bold) ? "\\fB" : "\\fR";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;  // it would begin a request
    else if (c != '\n' || (!out.empty() && out.back() != '\n'))
      out += c;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + troff(text) + "\\fR"; }

std::string synopsis(const CommandText& command) {
  std::string line = bold(command.name);
  line += " [\\fIOPTION\\fR ...]";
  for (const OptionText& one : command.positionals)
    line += fmt::format(" {}\\fI{}\\fR{}{}", one.required ? "" : "[", troff(one.names[0]), one.repeats ? " ..." : "",
                        one.required ? "" : "]");
  return line;
}

std::string paragraph(const OptionText& option, bool positional) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + (positional ? "\\fI" + troff(name) + "\\fR" : bold(name));
  if (!option.value.empty()) names += fmt::format("{} \\fI{}\\fR", positional ? ":" : "", troff(option.value));
  std::string text = option.description;
  if (!option.range.empty()) text += fmt::format(". Allowed: {}", option.range);
  if (!option.needs.empty()) text += fmt::format(". Needs {}", fmt::join(option.needs, ", "));
  if (!option.excludes.empty()) text += fmt::format(". Not with {}", fmt::join(option.excludes, ", "));
  if (!text.ends_with('.')) text += '.';
  return fmt::format(".TP\n{}\n{}\n", names, troff(text));
}

std::string section(const CommandText& command) {
  std::string text = fmt::format("{}.\n", troff(command.summary));
  for (const OptionText& one : command.positionals) text += paragraph(one, true);
  for (const OptionText& one : command.options) text += paragraph(one, false);
  return text;
}

}  // namespace

std::string man_page(const std::vector<CommandText>& commands) {
  const CommandText& program = commands.front();
  std::string page = fmt::format(
      ".\\\" Made by `riffle manual man` from the program's own tables.\n"
      ".TH RIFFLE 1 \"\" \"riffle {}\" \"User Commands\"\n"
      ".SH NAME\nriffle \\- real\\-time particle fluids on switchable neighbour searches\n"
      ".SH SYNOPSIS\n.B riffle\n[\\fISCENE\\fR]\n",
      RIFFLE_VERSION);
  for (std::size_t k = 1; k < commands.size(); ++k)
    if (commands[k].commands.empty()) page += ".br\n" + synopsis(commands[k]) + "\n";
  page += ".SH DESCRIPTION\n" + troff(program.summary) + ".PP\n" +
          troff(
              "Without arguments it opens the window with a scene that suits this machine. A scene is a YAML file, or "
              "the name of one of those that came with the program; `riffle list` has them.\n") +
          ".SH OPTIONS\n";
  for (const OptionText& one : program.options) page += paragraph(one, false);
  page += ".SH COMMANDS\n";
  for (std::size_t k = 1; k < commands.size(); ++k)
    if (commands[k].commands.empty()) page += ".SS " + synopsis(commands[k]) + "\n" + section(commands[k]);
  page += fmt::format(".SH EXIT STATUS\n{}\n", troff(exit_codes_text()));
  page +=
      ".SH FILES\n.TP\n.I share/riffle/scenes\nThe scenes that came with the program, beside the folder of the "
      "program.\n"
      ".TP\n.I scenes\nYours, in the folder in which the program is started. They are found by name, too.\n"
      ".TP\n.I share/doc/riffle/docs\nPages on the window, the command line, scenes and state files.\n";
  page += ".SH BUGS\nWhat this version has not:\n";
  for (const scenes::MissingFeature& feature : scenes::missing_features())
    page +=
        fmt::format(".TP\n\\(bu\nIt {}.\n{}\n", troff(std::string(feature.what)), troff(std::string(feature.instead)));
  return page;
}

}  // namespace riffle
