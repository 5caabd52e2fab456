#pragma once
/// Between the text of the scene's keys and the numbers of the panel's widgets.

#include <functional>
#include <string>
#include <vector>

#include "app/desktop/widgets/number_field.h"
#include "scenes/document/parameters.h"

namespace riffle::desktop {

/// How the mouse moves one of the key's numbers: a pixel is a fraction of the value, or of the range if the value is 0.
ui::NumberDrag drag_of(const scenes::Parameter& parameter, double value);

/// The value that a drag from `before` to `wanted` gives: `before` if the key does not allow `wanted`; rounded to a
/// multiple if the key requires one.
double dragged_to(const scenes::Parameter& parameter, double before, double wanted);

/// The number as text of a scene file.
std::string number_as_text(const scenes::Parameter& parameter, double value);

/// The heading of a section of the scene: "bodies[1]: sphere of water", "solids[0]: post, cylinder" and "fluids[0]:
/// water", numbered as in messages and in paths of keys, and "scene: gravity, ..." for the keys outside of sections.
std::string section_title(const std::vector<scenes::Parameter>& parameters, const std::string& section);

/// The format's documentation marks words of the file with backticks; tips show quotation marks instead.
std::string without_backticks(const std::string& text);

/// The vector's YAML with a text in place of component k. @param k below values.size()
std::string with_component(const scenes::Parameter& parameter, const std::vector<double>& values, std::size_t k,
                           const std::string& text);

/// The symmetric matrix's YAML with a text in place of entries (i, j) and (j, i). @param values size x size, row by row
std::string with_entry(const scenes::Parameter& parameter, const std::vector<double>& values, std::size_t size,
                       std::size_t i, std::size_t j, const std::string& text);

/// The name of a key in as many lines as it needs, broken after underscores and dots.
/// @param room largest width of a line @param width gives the width of a text
std::string broken_name(const std::string& name, double room, const std::function<double(const std::string&)>& width);

/// Whether every one of the words is part of the key's path, its section's heading or its explanation, in any case of
/// letters. True without words.
bool matches(const scenes::Parameter& parameter, const std::string& words, const std::string& others = "");

/// Whether each of the words begins a word of the text, in any case of letters. False without words, and for a single letter.
bool begins_words(const std::string& text, const std::string& words);

/// The words of a search that finds nothing, with each one that nothing has replaced by the nearest part of a key's name, or
/// word of the texts. "" if that finds nothing either.
/// @param texts of what else is searched, with begins_words()
std::string meant_words(const std::vector<scenes::Parameter>& parameters, const std::string& words,
                        const std::vector<std::string>& texts = {});

}  // namespace riffle::desktop
