#pragma once
/// A number that was typed into a field that is no key of the scene.

#include <optional>
#include <string>

namespace riffle::desktop::ui {

/// @param allowed  "a time above 0" @param why  if the text is no number: what was found and what is allowed; else ""
std::optional<double> number_of(const std::string& text, const std::string& allowed, std::string& why);

/// A field for a number. The reason of a refusal stands beside it until the field is left again.
/// @param name  for InterfaceTrace @param now  shown while nothing is typed @param why  memory of the caller's
/// @return a finished number
std::optional<double> typed_number(const std::string& name, const std::string& now, float width,
                                   const std::string& allowed, std::string& why);

}  // namespace riffle::desktop::ui
