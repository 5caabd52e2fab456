#pragma once
/// The bounds of all checks: allowed.csv among the reference tables. No case has a bound in its code, so that a change
/// of a bound is a change of that file alone.
///
/// Columns: case; check, its name; unit; size: reduced, full or both; rule: a word of kRuleWords; expected: the
/// reference, `computed` when the case gives it; bound: the tolerance or the bound, "LEAST to MOST" for between; outer
/// and shortfall: the outer bound of a known miss and why it is one; source. `-` is nothing.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validation/check.h"

namespace riffle {

enum class CaseSize {
  Reduced,  ///< for every run of the tests: seconds on a CPU
  Full      ///< for the acceptance that the reference states: minutes
};

std::string to_string(CaseSize size);  ///< "reduced" or "full"

/// A row.
struct AllowedValue {
  std::string case_name, check, unit;
  bool reduced = false, full = false;  ///< the sizes that it is for
  Rule rule = Rule::Figure;
  std::optional<double> expected;
  bool computed = false;       ///< the case gives the reference
  double bound = 0, most = 0;  ///< most: of Between, whose `bound` is the least
  std::optional<double> outer;
  std::string shortfall;  ///< "" without an outer bound
  std::string source;

  bool is_for(CaseSize size) const { return size == CaseSize::Full ? full : reduced; }
};

/// All rows of a file. @throws what TableFile throws; InputError that names case and check of a row that is wrong, or
///         that stands there twice for one size
std::vector<AllowedValue> read_allowed_values(const std::string& path);

/// The rows of one case at one size, which remember what they were used for.
class CaseBounds {
 public:
  CaseBounds(const std::vector<AllowedValue>& all, const std::string& case_name, CaseSize size);

  /// @param expected  for a row whose reference is `computed`, and for no other
  /// @throws InputError when no row has this name, a second use of a row, and an expected value too many or too few
  Check check(const std::string& name, double measured, std::optional<double> expected = {});

  std::vector<std::string> unused() const;  ///< names of the rows that no check has used

 private:
  std::string case_name_;
  CaseSize size_;
  std::vector<AllowedValue> rows_;
  std::vector<bool> used_;  ///< (rows)
};

}  // namespace riffle
