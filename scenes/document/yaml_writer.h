#pragma once
/// Documents as text for the loader, and values as text for --set and EditedScene::set().

#include <span>
#include <string>

#include "scenes/document/document.h"
#include "scenes/format/value.h"

namespace riffle::scenes {

/// A scene's document in the style of the files in scenes/library: keys in the order of the format table, a blank line
/// between sections, vectors and small maps in one line, numbers and texts as they were written.
/// @param origin  the file it came from, for the comment in the first line
std::string to_yaml(const Node& document, const std::string& origin);

/// The value as a document has it; it must not be empty.
Node node_from(const Value& value);

/// One line: "[0, -9.81, 0]".
std::string flow_text(const Node& value);

/// The shortest text that reads back as the same bits, and as a number in every YAML: "1.0e-6", not "1e-06".
/// Not finite: ".nan", ".inf" and "-.inf", which every key refuses.
std::string number_text(float value);
std::string number_text(double value);

std::string vector_text(std::span<const float> values);  ///< "[0, -9.81, 0]"

std::string string_text(const std::string& text);  ///< quoted if YAML would read it as something else

}  // namespace riffle::scenes
