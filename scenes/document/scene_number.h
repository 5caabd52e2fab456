#pragma once
/// Numbers as scene files have them, and what helps who wrote something else in a number's place.

#include <optional>
#include <string>

namespace riffle::scenes {

/// A number as YAML writes it, in any locale. rest: what follows the number ("2 cm").
std::optional<double> parse_number(const std::string& text, std::string& rest);

/// " (a plain number is expected, in m: write 0.02)" of "20 mm", " (decimals have a point: write 0.5)" of "0,5"; "" of a
/// text that is nothing of the kind.
/// @param unit  of the key, as the format has it; "" if it has none
std::string number_hint(const std::string& text, const std::string& unit);

/// What a number with a decimal comma means: "0.5" of "0,5", "1.2 or 1200" of "1,200"; "" of another text.
std::string without_comma(const std::string& text);

}  // namespace riffle::scenes
