#pragma once
/// The destinations of a command's results: a text for people on standard output, and files for programs.

#include <nlohmann/json.hpp>
#include <string>

namespace riffle {

/// File names, "-" for standard output in place of the text, "" for none.
struct ReportOutputs {
  std::string csv = "", json = "";

  bool json_is_file() const { return !json.empty() && json != "-"; }

  /// Checks, before anything is measured, that the files can be written.
  /// @throws InputError for two outputs in one place, RuntimeFailure for a file that cannot be made
  void prepare() const;

  void deliver(const std::string& text, const nlohmann::ordered_json& report, const std::string& csv_text = "") const;
};

}  // namespace riffle
