#pragma once
/// The completion of the command line for zsh.

#include <string>
#include <vector>

#include "app/cli/command_reference.h"

namespace riffle {

std::string zsh_completion(const std::vector<CommandText>& commands);

}  // namespace riffle
