#include "app/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "app/cli/command_list.h"
#include "app/cli/version_text.h"
#include "app/command/scene_options.h"
#include "app/desktop/shell/desktop.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/near_file.h"
#include "core/text/suggestion.h"
#include "scenes/catalog.h"
#include "scenes/missing_features.h"

namespace riffle {

namespace {

using Words = std::vector<std::string>;

/// The end of `riffle --help`.
std::string missing_text() {
  std::string text = "\nWhat this version has not:\n";
  for (const scenes::MissingFeature& feature : scenes::missing_features())
    text += fmt::format("  It {}.\n    {}\n", feature.what, feature.instead);
  return text;
}

std::string exit_codes() { return fmt::format("\nExit codes: {}\n", exit_codes_text()); }

/// The commands as CLI11 parses them, and what runs each.
struct Parser {
  CLI::App app{
      "Riffle: real-time particle fluids on switchable neighbour searches.\n"
      "`riffle SCENE` opens the scene in a window; where there is no display it does what `riffle run SCENE` does.\n"
      "`riffle FILE.h5` goes on from a state in the window; where there is no display it does what `riffle resume "
      "FILE.h5` does.\n",
      "riffle"};
  std::map<const CLI::App*, RunCommand> run;

  Parser() {
    app.set_version_flag("--version", std::function<std::string()>(version_text),
                         "version, commit, options of the build, and libraries");
    app.set_help_flag("-h,--help", "this text; `riffle run --help` has the options of run");
    app.footer(missing_text() + exit_codes());
    app.require_subcommand(1);
    for (const CommandRow& row : commands()) {
      const std::size_t space = row.name.find(' ');
      CLI::App* parent = space == std::string::npos ? &app : app.get_subcommand(row.name.substr(0, space));
      CLI::App* command = parent->add_subcommand(row.name.substr(space + 1), row.summary);
      command->set_help_flag("-h,--help", "this text");
      command->footer(exit_codes());
      if (row.add_options)
        run[command] = row.add_options(*command);
      else
        command->require_subcommand(1);
    }
  }

  /// The command named by the words read so far; the program itself when they name none.
  const CLI::App& named() const {
    const CLI::App* deepest = &app;
    while (!deepest->get_subcommands().empty()) deepest = deepest->get_subcommands().front();
    return *deepest;
  }

  Words command_names() const {
    Words names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(command->get_name());
    return names;
  }
  bool has_command(const std::string& name) const {
    const Words names = command_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  }
};

/// "riffle bench step"
std::string full_name(const CLI::App& command) {
  return command.get_parent() ? full_name(*command.get_parent()) + " " + command.get_name() : command.get_name();
}

/// The first key that --set was given without a value; "" if there is none.
std::string key_without_value(const CLI::App& command) {
  if (const CLI::Option* set = command.get_option_no_throw("--set"))
    for (const std::string& given : set->results())
      if (given.find('=') == std::string::npos) return given;
  return "";
}

/// What other programs call an option of this one. Too far from its name to be a misspelling of it.
constexpr struct {
  const char *word, *option;
} kOptionsMeant[] = {
    {"--movie", "--video"},      {"--film", "--video"},         {"--animation", "--video"},  {"--mp4", "--video"},
    {"--end", "--time"},         {"--until", "--time"},         {"--duration", "--time"},    {"--output", "--out"},
    {"--folder", "--out"},       {"--cpu", "--device"},         {"--gpu", "--device"},       {"--cuda", "--device"},
    {"--search", "--neighbors"}, {"--state", "--checkpoint"},   {"--save", "--checkpoint"},  {"--csv", "--series"},
    {"--table", "--series"},     {"--diagnostics", "--series"}, {"--random-seed", "--seed"},
};

/// "; did you mean '--video'?"; "" where the command has no option that is meant.
std::string option_meant(const std::string& name, const Words& names) {
  for (const auto& [word, option] : kOptionsMeant)
    if (name == word && std::ranges::find(names, option) != names.end())
      return fmt::format("; did you mean '{}'?", option);
  return suggestion(name, names, "; ");
}

/// The words that CLI11 did not expect, in the order in which they were given: first what is wrong, then what was probably meant.
std::string what_was_not_expected(const CLI::App& command) {
  Words names;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames()[0]);
  std::string text;
  bool option_before = false;  // whose value the word may be
  for (const std::string& word : command.remaining(true)) {
    const bool is_option = word.starts_with("-");
    if (!is_option && std::exchange(option_before, false)) continue;
    option_before = is_option && word.find('=') == std::string::npos;
    const std::string name = is_option ? word.substr(0, word.find('=')) : word;
    if (!text.empty()) text += "\n";
    text += is_option ? fmt::format("'{}' is no option of `{}`", name, full_name(command))
                      : fmt::format("'{}' is a word too many", word);
    if (const auto* missing = word.starts_with("--") ? scenes::missing_feature(name) : nullptr)
      text += "; " + scenes::sentence(*missing);
    else if (is_option)
      text += option_meant(name, names);
    else if (word.find('=') != std::string::npos)
      text += fmt::format("; every override needs its own --set: --set {}", word);
    else if (const std::string key = key_without_value(command); !key.empty())
      text += fmt::format("; an override is one word: --set {}={}", key, word);
  }
  return text;
}

/// Why `word` is neither a command, nor a scene, nor a file; "" when it is one.
std::string what_is_unknown(const std::string& word, const Parser& parser) {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) return "";
  Words names = parser.command_names();
  for (const auto& [name, file] : scenes::scene_files()) names.push_back(name);
  if (std::find(names.begin(), names.end(), word) != names.end()) return "";
  if (const std::filesystem::path path(word); path.has_extension() || path.has_parent_path())
    if (const std::string near = near_file(path, {".yaml", ".yml", ".h5", ".hdf5", ".zip"}); !near.empty())
      return fmt::format("'{}' is no command, no scene and no file{}", word, near);
  const std::string meant = suggestion(word, names, "; ");
  return fmt::format("'{}' is no command, no scene and no file{}", word,
                     meant.empty() ? "; `riffle --help` has the commands and `riffle list` the scenes" : meant);
}

/// The options of the window; nothing if an option was given that only `run` has, since that requests results.
std::optional<SceneOptions> window_options(const CLI::App& run, Words words) {
  SceneOptions options;
  CLI::App scene;
  add_scene_options(scene, options);
  for (const CLI::Option* option : run.parse_order())
    if (!option->get_positional() && !scene.get_option_no_throw(option->get_name())) return std::nullopt;
  std::reverse(words.begin(), words.end());
  scene.parse(words);
  return options;
}

}  // namespace

const char* exit_codes_text() {
  return "0 done; 1 it failed while running; 2 the command line or the scene is wrong, or this machine lacks\n"
         "what they need; 130 ended by Ctrl-C, 143 by `kill` and 129 by a terminal that closed, with the\n"
         "outputs so far written.";
}

int run_command_line(int argc, char** argv) {
  Words words(argv + 1, argv + argc);
  if (words.empty()) words = {scenes::default_scene(cuda_status().usable ? DeviceKind::Cuda : DeviceKind::Cpu)};
  Parser parser;
  const bool names_scene = !words[0].starts_with("-") && !parser.has_command(words[0]);
  if (names_scene) {
    if (const std::string unknown = what_is_unknown(words[0], parser); !unknown.empty()) throw InputError(unknown);
    words.insert(words.begin(), is_state_file(words[0]) ? "resume" : "run");
  }
  try {
    Words reversed(words.rbegin(), words.rend());
    parser.app.parse(reversed);
  } catch (const CLI::ExtrasError&) {
    throw InputError(what_was_not_expected(parser.named()));
  } catch (const CLI::Success& help_or_version) {
    return parser.app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("{}; `{} --help` has the options", error.what(), full_name(parser.named())));
  }
  const CLI::App& command = parser.named();
  if (const auto options =
          names_scene ? window_options(command, Words(words.begin() + 1, words.end())) : std::nullopt) {
    try {
      return desktop::run_desktop(*options);
    } catch (const desktop::NoWindow& why) {
      log::info("{}: running without one", why.what());
    }
  }
  std::string command_line = "riffle";
  for (int k = 1; k < argc; ++k) command_line.append(" ").append(argv[k]);
  return parser.run.at(&command)(command_line);
}

}  // namespace riffle
