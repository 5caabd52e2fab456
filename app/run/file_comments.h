#pragma once
/// Texts of a run in comments of the files that it writes.

#include <string>

#include "core/text/xml_text.h"

namespace riffle {

/// A comment is one line.
inline std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

/// A line with that comment.
inline std::string xml_comment(std::string text) {
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text[at] = ' ';  // would end it
  return "<!-- " + xml_text(text) + " -->\n";
}

}  // namespace riffle
