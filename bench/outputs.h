#pragma once
/// Where a benchmark's results go: a table for people on standard output, and files for programs.

#include <nlohmann/json.hpp>
#include <string>

namespace riffle {

/// File names, "-" for standard output in place of the table, "" for none.
struct BenchOutputs {
  const std::string &csv, &json;

  /// Whatever cannot be written at the end is said before anything is measured.
  /// @throws InputError for two outputs in one place, RuntimeFailure for a file that cannot be made
  void prepare() const;

  void deliver(const std::string& text, const std::string& csv_text, const nlohmann::ordered_json& report) const;
};

}  // namespace riffle
