#pragma once
/// Finds and runs the command that the words of the command line name.

namespace riffle {

/// Runs the command, or opens the window for `riffle [SCENE]`. Prints help and version.
/// @return the exit code. @throws InputError for a wrong command line, and what the command throws
int run_command_line(int argc, char** argv);

const char* exit_codes_text();  ///< what each exit code means

}  // namespace riffle
