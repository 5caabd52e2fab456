#pragma once
/// All commands and options of the program as plain text, read from the command line's own tables.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace riffle {

struct OptionText {
  std::vector<std::string> names;  ///< {"-h", "--help"}; of a positional its only name, {"SCENE"}
  std::string value;               ///< "KEY=VALUE", "auto|cpu|cuda"; "" for a flag
  std::string range;               ///< what CLI11 says of the allowed numbers, "INT in [1 - 1000]"; mostly ""
  std::string description;
  bool required = false, repeats = false;
  std::vector<std::string> needs, excludes;  ///< names of other options
};

struct CommandText {
  std::string name;  ///< "riffle bench step"; of the program itself "riffle"
  std::string summary;
  std::vector<OptionText> positionals, options;
  std::vector<std::string> commands;  ///< below this one, each by its last word
};

/// The program, then all its commands in the order of the help.
std::vector<CommandText> command_reference(const CLI::App& program);

}  // namespace riffle
