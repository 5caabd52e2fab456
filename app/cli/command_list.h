#pragma once
/// All commands of the program.

#include <vector>

#include "app/command/command.h"

namespace riffle {

const std::vector<CommandRow>& commands();  ///< in the order of the help

}  // namespace riffle
