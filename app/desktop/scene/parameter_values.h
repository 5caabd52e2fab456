#pragma once
/// Numbers of the scene's keys between the document's text and the panel's widgets.

#include <functional>
#include <string>
#include <vector>

#include "app/desktop/widgets/number_field.h"
#include "scenes/document/parameters.h"

namespace riffle {

/// How the mouse moves one of the key's numbers: a pixel is a share of the value, or of the range where that is 0.
ui::NumberDrag drag_of(const Parameter& parameter, double value);

/// What a drag from `before` to `wanted` gives: `before` where the key does not allow the value, a multiple of what it has to
/// be one of.
double dragged_to(const Parameter& parameter, double before, double wanted);

/// As the scene's file has it.
std::string number_as_text(const Parameter& parameter, double value);

/// What a section of the scene is called: "bodies[1]" is "body 2: sphere of water", "fluids[0]" is "fluid: water", and the
/// keys of no section are "scene: gravity, ...".
std::string section_title(const std::vector<Parameter>& parameters, const std::string& section);

/// The format's sentences mark words of the file by backticks, for its page.
std::string without_backticks(const std::string& text);

/// The vector's YAML with a text in place of one component. @param k below values.size()
std::string with_component(const Parameter& parameter, const std::vector<double>& values, std::size_t k,
                           const std::string& text);

/// The symmetric matrix's YAML with a text in place of entries (i, j) and (j, i). @param values size x size, row by row
std::string with_entry(const Parameter& parameter, const std::vector<double>& values, std::size_t size, std::size_t i,
                       std::size_t j, const std::string& text);

/// In as many lines as it needs: broken behind an underscore or a dot, as names of keys are, where a line would be wider.
/// @param width of a text
std::string broken_name(const std::string& name, double room, const std::function<double(const std::string&)>& width);

}  // namespace riffle
