#pragma once
/// A physics case: a simulation or a formula, what was measured on it, and the figures of a paper or of an independent
/// computation that it is held against. `riffle validate` runs them, and so do the tests.
///
///   CaseResult ring(const CaseContext& context) {
///     const ReferenceTable table = context.table("ring.csv");
///     const int across = context.full() ? 40 : 20;
///     ...
///     CaseResult result;
///     result.checks.push_back(within("period", period, 4.8273, 0.05, "Monaghan & Rafiee 2013", "s"));
///     result.curves.push_back({"axis", "semi-axis", "t [s]", "b [m]", {{"20 per radius", times, axis}},
///                              {{"exact", table.numbers("t"), table.numbers("b")}}});
///     return result;
///   }

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "validation/reference_table.h"

namespace riffle {

/// How a figure is judged. Not a number passes none of them but Figure.
enum class Rule {
  Within,          ///< |measured - expected| <= tolerance
  WithinRelative,  ///< |measured - expected| <= tolerance |expected|
  AtMost,          ///< measured <= most
  Below,           ///< measured < most
  AtLeast,         ///< measured >= least
  Between,         ///< least <= measured <= most
  Figure           ///< nothing is asked of it
};

enum class Verdict {
  Pass,
  Short,  ///< outside its bounds, as is known and said (Check::shortfall)
  Fail,
  None  ///< Rule::Figure
};

struct Check {
  std::string name;
  double measured = 0;
  Rule rule = Rule::Figure;
  double expected = std::numeric_limits<double>::quiet_NaN();  ///< NaN: no reference, only bounds
  double tolerance = 0;                                        ///< of Within and WithinRelative
  double least = -std::numeric_limits<double>::infinity();     ///< least and most follow from the tolerance, where
  double most = std::numeric_limits<double>::infinity();       ///< there is one
  std::string unit;                                            ///< "" for a pure number
  std::string source;                                          ///< of the reference and of the bounds
  std::string shortfall;  ///< why a miss is known and no failure; "": a miss is a failure

  Verdict verdict() const;
  bool passed() const { return verdict() != Verdict::Fail; }
  std::string allowed() const;  ///< "+- 0.136", "<= 0.1", "0.046 to 0.06"; "" for a figure

  /// The same check where missing it is known; docs/validation.md has to say so too.
  Check with_shortfall(std::string why) const;
};

Check within(std::string name, double measured, double expected, double tolerance, std::string source,
             std::string unit = "");
Check within_relative(std::string name, double measured, double expected, double tolerance, std::string source,
                      std::string unit = "");
Check at_most(std::string name, double measured, double most, std::string source, std::string unit = "");
Check below(std::string name, double measured, double most, std::string source, std::string unit = "");
Check at_least(std::string name, double measured, double least, std::string source, std::string unit = "");
/// @param expected  NaN where there are only bounds
Check between(std::string name, double measured, double expected, double least, double most, std::string source,
              std::string unit = "");
Check figure(std::string name, double measured, std::string unit = "", std::string source = "");

struct Series {
  std::string label;
  std::vector<double> x, y;  ///< equally long
};

/// One picture: what was measured over what it should be.
struct Curve {
  std::string name;  ///< of its files: lower-case letters, digits and '_'
  std::string title;
  std::string x_label, y_label;   ///< with units
  std::vector<Series> measured;   ///< coloured
  std::vector<Series> reference;  ///< black: a line from 25 points on, single points below
  bool log_x = false, log_y = false;
};

struct CaseResult {
  std::vector<Check> checks;
  std::vector<Curve> curves;
  std::vector<std::string> notes;  ///< a sentence each: what a reader of the figures has to know
  double seconds = 0;              ///< of wall time; set by run_case()

  bool passed() const;  ///< false with no check at all
};

enum class CaseSize {
  Reduced,  ///< in every run of the tests: seconds on a CPU
  Full      ///< what the reference's acceptance is stated for: minutes
};

std::string to_string(CaseSize size);  ///< "reduced" or "full"

/// Where and how large a case runs.
struct CaseContext {
  Device device;
  CaseSize size = CaseSize::Reduced;
  std::string reference_folder;  ///< in place of the usual ones; "": those
  std::function<void(double fraction, const std::string& what)> on_progress;

  bool full() const { return size == CaseSize::Full; }

  /// @throws as ReferenceTable
  ReferenceTable table(const std::string& file) const { return ReferenceTable(find_reference(file, reference_folder)); }

  /// @param fraction of the case that is done, 0..1. May be called at every step.
  void progress(double fraction, const std::string& what) const;

  /// For a run that is one of several: its progress from 0 to 1 is this one's from begin to end.
  CaseContext part(double begin, double end) const;
};

struct ValidationCase {
  std::string name;           ///< what `riffle validate` takes: lower-case letters, digits and '_'
  std::string title;          ///< one line
  std::string reduced, full;  ///< what is simulated at each size: "20 spacings deep"
  std::function<CaseResult(const CaseContext&)> run;

  const std::string& size_text(CaseSize size) const { return size == CaseSize::Full ? full : reduced; }
};

/// All of them, in the order in which they are run. The list is in cases.cpp.
const std::vector<ValidationCase>& validation_cases();

/// @throws InputError with the nearest name
const ValidationCase& validation_case(const std::string& name);

/// Runs and times it.
CaseResult run_case(const ValidationCase& which, const CaseContext& context);

}  // namespace riffle
