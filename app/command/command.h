#pragma once
/// A command of the program: one row, made beside what the command does and listed in app/cli/command_list.cpp.

#include <functional>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace riffle {

/// Runs a command after its options were parsed. The command line is the whole text as given, for reports.
/// @return the exit code. @throws InputError, Unavailable or RuntimeFailure, which main() prints
using RunCommand = std::function<int(const std::string& command_line)>;

struct CommandRow {
  std::string name;                                  ///< "run"; "bench step" is a command of the group "bench"
  std::string summary;                               ///< one line of the help
  std::function<RunCommand(CLI::App&)> add_options;  ///< empty: the row is a group, whose commands follow
};

/// A command with options of type Options. Sets their member `command_line` if they have one.
template <class Options>
CommandRow command_row(std::string name, std::string summary, void (*add_options)(CLI::App&, Options&),
                       int (*run)(const Options&)) {
  return {std::move(name), std::move(summary), [add_options, run](CLI::App& app) -> RunCommand {
            const auto options = std::make_shared<Options>();
            add_options(app, *options);
            return [options, run](const std::string& command_line) {
              if constexpr (requires { options->command_line = command_line; }) options->command_line = command_line;
              return run(*options);
            };
          }};
}

/// A command without options.
inline CommandRow command_row(std::string name, std::string summary, int (*run)()) {
  return {std::move(name), std::move(summary),
          [run](CLI::App&) -> RunCommand { return [run](const std::string&) { return run(); }; }};
}

}  // namespace riffle
