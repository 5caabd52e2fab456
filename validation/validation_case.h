#pragma once
/// A physics case: a simulation or a formula, what was measured on it, and the figures of a paper or of an independent
/// computation to compare with. `riffle validate` and the tests run the cases.
///
///   CaseResult ring(const CaseContext& context) {
///     const ReferenceTable table = context.table("ring.csv");
///     const int across = context.full() ? 40 : 20;
///     ...
///     CaseResult result;
///     result.checks.push_back(context.check("period", period));  // its reference and bound: allowed.csv
///     result.curves.push_back({"axis", "semi-axis", "t [s]", "b [m]", {{"20 per radius", times, axis}},
///                              {{"exact", table.numbers("t"), table.numbers("b")}}});
///     return result;
///   }

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "sim/setup.h"
#include "validation/allowed_values.h"
#include "validation/check.h"
#include "validation/reference_table.h"

namespace riffle {

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
  std::vector<std::string> notes;          ///< one sentence each: what a reader of the figures must know
  double seconds = 0;                      ///< wall time; set by run_case()
  std::vector<std::string> unused_bounds;  ///< rows of allowed.csv that no check has used; set by run_case()

  bool passed() const;  ///< false with no check at all
};

/// Where and how large a case runs.
struct CaseContext {
  Device device;
  CaseSize size = CaseSize::Reduced;
  std::string reference_folder;  ///< replaces the usual folders; "": keep them
  std::function<void(double fraction, const std::string& what)> on_progress;

  std::shared_ptr<CaseBounds> bounds;  ///< set by run_case(); one for all parts of the case

  /// The set-up that is simulated in place of the case's; may throw, which ends the case. Empty: the case's.
  std::function<SimulationSetup(const SimulationSetup&)> change;

  /// What `change` has made of the fluid and the forces that the references are of: "solver.temperature from 1 to 2". Filled by
  /// `change`; "" or nullptr: nothing.
  std::shared_ptr<std::string> other_physics;

  /// Told of every set-up before it is simulated; may throw, which ends the case.
  std::function<void(const SimulationSetup&)> on_setup;

  /// The set-up to simulate. Cases make every simulation of one that went through here.
  SimulationSetup noted(const SimulationSetup& setup) const {
    SimulationSetup used = change ? change(setup) : setup;
    if (on_setup) on_setup(used);
    return used;
  }

  bool full() const { return size == CaseSize::Full; }

  /// The case's row of allowed.csv judges the figure, unless other physics than the row's is simulated.
  /// @throws what CaseBounds::check throws
  Check check(const std::string& name, double measured) const {
    return of_these_physics(bounds_of_case().check(name, measured));
  }

  /// The same for a row whose reference is computed by the case.
  Check check(const std::string& name, double measured, double expected) const {
    return of_these_physics(bounds_of_case().check(name, measured, expected));
  }

  /// A row that holds whatever is simulated. @param unit  what the numbers of the row are in: kT of the set-up, where they are of 1
  Check check_any_physics(const std::string& name, double measured, double unit = 1) const {
    return bounds_of_case().check(name, measured).scaled(unit);
  }

  /// @throws what ReferenceTable throws
  ReferenceTable table(const std::string& file) const { return ReferenceTable(find_reference(file, reference_folder)); }

  /// @param fraction  finished part of the case, 0..1. May be called at every step.
  void progress(double fraction, const std::string& what) const;

  Check of_these_physics(Check check) const;

  CaseBounds& bounds_of_case() const;  ///< @throws std::logic_error outside run_case()

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

/// Runs and times the case. @throws what the case throws, and read_allowed_values()
CaseResult run_case(const ValidationCase& which, const CaseContext& context);

}  // namespace riffle
