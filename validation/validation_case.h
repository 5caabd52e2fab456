#pragma once
/// A physics case: a simulation or a formula, what was measured on it, and the figures of a paper or of an independent
/// computation to compare with. `riffle validate` and the tests run the cases.
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
#include "sim/setup.h"
#include "validation/reference_table.h"

namespace riffle {

/// How a figure is judged. NaN passes only Figure.
enum class Rule {
  Within,          ///< |measured - expected| <= tolerance
  WithinRelative,  ///< |measured - expected| <= tolerance |expected|
  AtMost,          ///< measured <= most
  Below,           ///< measured < most
  AtLeast,         ///< measured >= least
  Between,         ///< least <= measured <= most
  Figure           ///< no bound: only reported
};

enum class Verdict {
  Pass,
  Short,  ///< outside its bounds, for a known and stated reason (Check::shortfall), and inside an outer bound
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
  std::string shortfall;  ///< why a miss is known and not a failure; "": a miss is a failure
  double outer = 0;  ///< of a known miss: takes the place of tolerance, most or least. A miss of this too is a failure

  Verdict verdict() const;
  bool passed() const { return verdict() != Verdict::Fail; }
  std::string allowed() const;  ///< "+- 0.136", "0.046 to 0.06", "< 0.05 (short: < 0.07)"; "" for a figure

  /// The same check with a known miss, which docs/validation.md must state too. Not for Between, which has two bounds.
  Check with_shortfall(std::string why, double outer_bound) const;
};

Check within(std::string name, double measured, double expected, double tolerance, std::string source,
             std::string unit = "");
Check within_relative(std::string name, double measured, double expected, double tolerance, std::string source,
                      std::string unit = "");
Check at_most(std::string name, double measured, double most, std::string source, std::string unit = "");
Check below(std::string name, double measured, double most, std::string source, std::string unit = "");
Check at_least(std::string name, double measured, double least, std::string source, std::string unit = "");
/// @param expected  NaN if there are only bounds
Check between(std::string name, double measured, double expected, double least, double most, std::string source,
              std::string unit = "");
Check figure(std::string name, double measured, std::string unit = "", std::string source = "");

struct Series {
  std::string label;
  std::vector<double> x, y;  ///< equally long
};

/// One plot: the measured curves and the reference.
struct Curve {
  std::string name;  ///< name of its files: lower-case letters, digits and '_'
  std::string title;
  std::string x_label, y_label;   ///< with units
  std::vector<Series> measured;   ///< coloured
  std::vector<Series> reference;  ///< black: a line if there are 25 points or more, else single points
  bool log_x = false, log_y = false;
};

struct CaseResult {
  std::vector<Check> checks;
  std::vector<Curve> curves;
  std::vector<std::string> notes;  ///< one sentence each: what a reader of the figures must know
  double seconds = 0;              ///< wall time; set by run_case()

  bool passed() const;  ///< false with no check at all
};

enum class CaseSize {
  Reduced,  ///< for every run of the tests: seconds on a CPU
  Full      ///< for the acceptance that the reference states: minutes
};

std::string to_string(CaseSize size);  ///< "reduced" or "full"

/// Where and how large a case runs.
struct CaseContext {
  Device device;
  CaseSize size = CaseSize::Reduced;
  std::string reference_folder;  ///< replaces the usual folders; "": keep them
  std::function<void(double fraction, const std::string& what)> on_progress;

  /// Told of every set-up before it is simulated; may throw, which ends the case.
  std::function<void(const SimulationSetup&)> on_setup;

  /// The same set-up. Cases make every simulation of one that went through here.
  const SimulationSetup& noted(const SimulationSetup& setup) const {
    if (on_setup) on_setup(setup);
    return setup;
  }

  bool full() const { return size == CaseSize::Full; }

  /// @throws what ReferenceTable throws
  ReferenceTable table(const std::string& file) const { return ReferenceTable(find_reference(file, reference_folder)); }

  /// @param fraction  finished part of the case, 0..1. May be called at every step.
  void progress(double fraction, const std::string& what) const;

  /// For one of several runs: its progress from 0 to 1 becomes this context's progress from begin to end.
  CaseContext part(double begin, double end) const;
};

struct ValidationCase {
  std::string name;           ///< what `riffle validate` takes: lower-case letters, digits and '_'
  std::string title;          ///< one line
  std::string reduced, full;  ///< what is simulated at each size: "20 spacings deep"
  std::function<CaseResult(const CaseContext&)> run;

  const std::string& size_text(CaseSize size) const { return size == CaseSize::Full ? full : reduced; }
};

/// All cases, in the order in which they run. The list is in cases.cpp.
const std::vector<ValidationCase>& validation_cases();

/// @throws InputError that suggests the nearest name
const ValidationCase& validation_case(const std::string& name);

/// Runs and times the case.
CaseResult run_case(const ValidationCase& which, const CaseContext& context);

}  // namespace riffle
