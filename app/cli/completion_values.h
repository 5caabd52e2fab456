#pragma once
/// What a shell can offer for the value of an option or for a positional. All completions ask here.

#include <string>
#include <vector>

#include "app/cli/command_reference.h"

namespace riffle {

struct ValueOffer {
  enum class Kind { Nothing, Words, Files, Folders, Scenes, Cases };
  Kind kind = Kind::Nothing;
  std::vector<std::string> words;  ///< of Kind::Words
};

/// @param value "auto|cpu|cuda", "FILE.ply|.vtp", "DIR", "N"
ValueOffer value_offer(const std::string& value);

/// Scenes are files, too.
ValueOffer positional_offer(const OptionText& positional);

/// The names of the scenes, and of the validation cases, as a shell command that writes one a line.
/// @param program  how the shell names the program: "$riffle"
std::string scenes_command(const std::string& program);
std::string cases_command(const std::string& program);

}  // namespace riffle
