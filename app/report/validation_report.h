#pragma once
/// The results of `riffle validate`: as a table, as JSON, as pictures.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "validation/validation_case.h"

namespace riffle {

struct ValidatedCase {
  const ValidationCase* which = nullptr;
  CaseResult result;
  std::vector<std::string> settings;  ///< settings_text() of its set-ups, each text once
  std::string failure;                ///< why it did not finish; "": it did
  std::vector<std::string> files;     ///< that were written for it

  bool passed() const { return failure.empty() && result.passed(); }
};

struct ValidationReport {
  std::string command;
  Device device;
  CaseSize size = CaseSize::Reduced;
  std::vector<ValidatedCase> cases;
  bool interrupted = false;  ///< some cases are missing

  bool passed() const;
};

/// The table of one case, with its notes.
std::string case_text(const ValidatedCase& validated, const ValidationReport& report);

/// "3 cases: 20 checks passed, 1 short of the bound as is known, 2 failed"
std::string summary_text(const ValidationReport& report);

/// A section per case, as docs/validation.md has them.
std::string markdown_text(const ValidationReport& report);

nlohmann::ordered_json to_json(const ValidationReport& report);

/// Writes each curve's data and script, and its picture where gnuplot is given.
/// @param gnuplot  the program's path; "": no picture
/// @return the files. @throws RuntimeFailure
std::vector<std::string> write_curves(const ValidatedCase& validated, const std::string& folder,
                                      const std::string& gnuplot);

}  // namespace riffle
