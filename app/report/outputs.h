#pragma once
/// The destinations of a command's results: a text for people on standard output, and files for programs.

#include <nlohmann/json.hpp>
#include <string>

namespace riffle {

/// A report as text, with a line break at its end. What is not UTF-8 in it, a file's name say, is replaced.
std::string text_of_json(const nlohmann::ordered_json& report);

/// File names, "-" for standard output in place of the text, "" for none.
struct ReportOutputs {
  std::string csv = "", json = "";

  bool json_is_file() const { return !json.empty() && json != "-"; }

  /// Checks, before anything is measured, that the files can be written.
  /// @throws InputError for two outputs in one place, RuntimeFailure for a file that cannot be made
  void prepare() const;

  /// Writes every output, even if another one cannot be written. @throws RuntimeFailure naming those that cannot
  void deliver(const std::string& text, const nlohmann::ordered_json& report, const std::string& csv_text = "") const;
};

}  // namespace riffle
