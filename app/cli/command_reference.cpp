#include "app/cli/command_reference.h"

#include <CLI/CLI.hpp>

namespace riffle {

namespace {

template <class Options>
std::vector<std::string> first_names(const Options& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  return names;
}

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  if (option.get_positional()) {
    text.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  }
  const std::string type = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  const std::size_t colon = type.find(':');
  text.value = type.substr(0, colon);
  if (colon != std::string::npos) text.range = type.substr(colon + 1);
  text.description = option.get_description();
  text.required = option.get_required();
  text.repeats = option.get_expected_max() > 1;
  text.needs = first_names(option.get_needs());
  text.excludes = first_names(option.get_excludes());
  return text;
}

void add(const CLI::App& command, const std::string& before, std::vector<CommandText>& all) {
  CommandText text;
  text.name = before + command.get_name();
  text.summary = command.get_description();
  for (const CLI::Option* option :
       command.get_options([](const CLI::Option* one) { return !one->get_group().empty(); }))
    (option->get_positional() ? text.positionals : text.options).push_back(text_of(*option));
  const auto below = command.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* one : below) text.commands.push_back(one->get_name());
  all.push_back(text);
  for (const CLI::App* one : below) add(*one, text.name + " ", all);
}

}  // namespace

std::vector<CommandText> command_reference(const CLI::App& program) {
  std::vector<CommandText> all;
  add(program, "", all);
  return all;
}

}  // namespace riffle
