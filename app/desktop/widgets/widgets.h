#pragma once
/// The few widgets that all panels share, so that they look and behave alike. Each has a name for InterfaceTrace.

#include <imgui.h>

#include <functional>
#include <string>

namespace riffle::desktop::ui {

/// Gives the last item a name for InterfaceTrace.
void mark(const std::string& name);

/// Notes whether the text of the named item fits into its room [pixel].
void mark_text(const std::string& name, const std::string& text, float room);

/// @param name for InterfaceTrace @param tip shown after a moment, "" for none
bool button(const char* name, const char* label, const char* tip = "", ImVec2 size = {0, 0});
bool small_button(const char* name, const char* label, const char* tip = "");  ///< no higher than a line of text
bool checkbox(const char* name, const char* label, bool* value, const char* tip = "");

/// A heading that opens and closes; its state is remembered.
bool section(const char* name, const char* label, bool open_at_first);

/// Opens that section and scrolls to it when it is next drawn.
void reveal_section(const std::string& name);

/// "label      value", both with the tip. The value is at the right edge, so that its digits stay in place.
void row(const char* label, const std::string& value, const char* tip = "");

/// The same in one line, whatever it says: a label that is too long for it is cut, then the value.
void row_of_one_line(const std::string& label, const std::string& value, const char* tip = "");

/// Places the next item beside the last one if it fits there, else below. @param width [pixel] of the next item
void same_line_if_fits(float width);
float button_width(const char* label);  ///< [pixel]

/// As much of the text as fits, with "..." behind it where it does not. @param room [pixel]
std::string shortened(const std::string& text, float room);

/// Text that is broken only at spaces, and paths after slashes. Dear ImGui also breaks it after a point or a comma, within
/// numbers.
void text(const std::string& text);
void dim_text(const std::string& text);
/// @param room [pixel] of a line; a word that is longer is broken after its slashes, or has a line of its own
/// @param width_of [pixel]
std::string broken_at_spaces(const std::string& text, float room,
                             const std::function<float(const std::string&)>& width_of);

/// The same in the font that is in use.
std::string broken_at_spaces(const std::string& text, float room);

void warning(const std::string& text);  ///< of something doubtful, in the colour of warnings
void refusal(const std::string& text);  ///< why something was refused, in the colour of errors
ImU32 refusal_color();
ImU32 warning_color();

void tip(const char* text);        ///< of the last item, shown after a moment
void tip_above(const char* text);  ///< the same, above the item: it does not cover what is below

enum class Icon { Play, Pause, Step, StepBack, Reset, Record, Stop };
/// A button with a drawn symbol.
bool icon_button(const char* name, Icon icon, const char* tip, bool active = false);

float em();  ///< [pixel] the font's size

std::string bytes(double bytes);      ///< "3.2 GiB"
std::string count(double count);      ///< "72,600"; from a million on "4.01 M"
std::string milliseconds(double ms);  ///< "0.046", "12.3", "2,192": three digits or more

}  // namespace riffle::desktop::ui
