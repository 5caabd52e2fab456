#pragma once
/// The few widgets that every panel is made of, so that they look and behave alike, and each has a name to be found by.

#include <imgui.h>

#include <functional>
#include <string>

namespace riffle::ui {

/// Names the item before it for InterfaceTrace.
void mark(const std::string& name);

/// @param name for InterfaceTrace; @param tip shown after a moment, "" for none
bool button(const char* name, const char* label, const char* tip = "", ImVec2 size = {0, 0});
bool small_button(const char* name, const char* label, const char* tip = "");  ///< no higher than a line of text
bool checkbox(const char* name, const char* label, bool* value, const char* tip = "");

/// A heading that opens and closes; its state is remembered.
bool section(const char* name, const char* label, bool open_at_first);

/// Opens that section and scrolls to it, in the next picture that has it.
void reveal_section(const std::string& name);

/// "label      value" with the value at the right edge of a column, so that numbers do not dance.
void row(const char* label, const std::string& value, const char* tip = "");

void refusal(const std::string& text);  ///< why something was not done, in the colour of errors

void tip(const char* text);   ///< of the item before it, after a moment

enum class Icon { Play, Pause, Step, Reset, Record, Stop };
/// A button with a drawn symbol.
bool icon_button(const char* name, Icon icon, const char* tip, bool active = false);

float em();  ///< [pixel] the font's size

std::string bytes(double bytes);      ///< "3.2 GiB"
std::string count(double count);      ///< "72,600"; from a million on "4.01 M"
std::string milliseconds(double ms);  ///< "0.046", "12.3", "2,192": three digits or more

}  // namespace riffle::ui
