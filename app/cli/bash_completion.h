#pragma once
/// A completion of commands, options and their values for bash.

#include <string>
#include <vector>

#include "app/cli/command_reference.h"

namespace riffle {

std::string bash_completion(const std::vector<CommandText>& commands);

}  // namespace riffle
