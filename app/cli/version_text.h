#pragma once
/// What `riffle --version` prints: version, commit, options of the build, libraries.

#include <string>

namespace riffle {

std::string version_text();  ///< lines, the first of which is "riffle 0.1.0"

}  // namespace riffle
