#pragma once
/// What single options of the command line may be.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace riffle {

/// At the end of every command's help.
inline constexpr const char* kExitCodes =
    "\nExit codes: 0 done; 1 it failed while running; 2 the command line or the scene is wrong, or asks for what this\n"
    "machine has not; 130 ended by Ctrl-C and 143 by `kill`, with everything written that was done so far.\n";

/// "unknown X 'hoetzlien'; did you mean 'hoetzlein'? Allowed: ..."; "" for one of the allowed.
CLI::Validator one_of(const std::string& what, std::vector<std::string> allowed);

/// CLI11's own ranges take "nan", which is below nothing.
CLI::Validator seconds(bool zero_too);
CLI::Validator positive_seconds();

/// CLI11 would read -1 as 2^64 - 1.
CLI::Validator whole_number();

CLI::Validator output_path();

// What several commands take, in the same words.
void add_device_option(CLI::App& command, std::string& device);
void add_csv_option(CLI::App& command, std::string& file);
/// @param what "the rows"
void add_json_option(CLI::App& command, const std::string& what, std::string& file);

}  // namespace riffle
