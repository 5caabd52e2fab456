#pragma once
/// The completion of the command line for fish.

#include <string>
#include <vector>

#include "app/cli/command_reference.h"

namespace riffle {

std::string fish_completion(const std::vector<CommandText>& commands);

}  // namespace riffle
