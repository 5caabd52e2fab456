#pragma once
/// Texts in XML files.

#include <string>

namespace riffle {

std::string xml_text(const std::string& text);  ///< as an element's text or an attribute; no control characters

}  // namespace riffle
