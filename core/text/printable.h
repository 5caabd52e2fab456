#pragma once
/// Text that a terminal shows and does not obey.

#include <string>
#include <string_view>

namespace riffle {

/// UTF-8 text with every control character and every byte that is not UTF-8 spelled out ("\x1b", "\u009b"), except for
/// line breaks and tabs. Names, paths and values of a scene can hold escape sequences.
std::string printable(std::string_view text);

/// The same with line breaks and tabs as spaces, for a name within a line.
std::string printable_line(std::string_view text);

}  // namespace riffle
