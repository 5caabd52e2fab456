#pragma once
/// How the window writes units: with Greek letters, as units_of() has them. Files have plain ones (plain_unit()).

#include <string>

namespace riffle::desktop {

/// "eps/r_c^3" of a column of the table gives that with the letters of the window.
inline std::string shown_unit(std::string unit) {
  const struct { const char *plain, *greek; } letters[] = {{"tau", "\u03c4"}, {"eps", "\u03b5"}};
  for (const auto& [plain, greek] : letters)
    for (std::size_t at; (at = unit.find(plain)) != std::string::npos;) unit.replace(at, 3, greek);
  return unit;
}

}  // namespace riffle::desktop
