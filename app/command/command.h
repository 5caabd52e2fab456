#pragma once
/// What a command of the program is: one row of the list in app/cli/command_list.cpp, made beside what the command does.

#include <functional>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace riffle {

/// Runs a command whose options are parsed. It gets the whole command line as it was given, for reports.
/// @return the exit code. @throws InputError, Unavailable or RuntimeFailure, which main() prints
using RunCommand = std::function<int(const std::string& command_line)>;

struct CommandRow {
  std::string name;     ///< "run"; "bench step" is a command of the group "bench"
  std::string summary;  ///< one line of the help
  std::function<RunCommand(CLI::App&)> add_options;  ///< empty: the row is a group, whose commands follow
};

/// A command with options of type Options. If these have a member `command_line`, it is set to the command line.
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
