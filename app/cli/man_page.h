#pragma once
/// The manual page riffle(1).

#include <string>
#include <vector>

#include "app/cli/command_reference.h"

namespace riffle {

std::string man_page(const std::vector<CommandText>& commands);

}  // namespace riffle
