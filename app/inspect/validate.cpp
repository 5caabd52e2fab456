/// `riffle validate`: the physics cases against their reference figures.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>

#include "app/cli/commands.h"
#include "app/report/validation_report.h"
#include "app/terminal/progress.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "render/media/process.h"

namespace riffle {

namespace {

/// Thrown out of a case that a signal ends; no exception, or the case would have failed.
struct CaseInterrupted {};

void print_list() {
  std::size_t width = 0;
  for (const ValidationCase& c : validation_cases()) width = std::max(width, c.name.size());
  for (const ValidationCase& c : validation_cases()) {
    fmt::print("{:<{}}  {}\n", c.name, width, c.title);
    if (c.reduced == c.full)
      fmt::print("{:<{}}  both sizes: {}\n", "", width, c.full);
    else
      fmt::print("{:<{}}  reduced: {}; full: {}\n", "", width, c.reduced, c.full);
  }
}

std::vector<const ValidationCase*> cases_of(const std::vector<std::string>& names) {
  std::vector<const ValidationCase*> cases;
  for (const std::string& name : names) {
    const ValidationCase* which = &validation_case(name);
    if (std::find(cases.begin(), cases.end(), which) != cases.end()) throw InputError("'" + name + "' is given twice");
    cases.push_back(which);
  }
  if (names.empty())
    for (const ValidationCase& which : validation_cases()) cases.push_back(&which);
  return cases;
}

/// A case that falls apart has failed; the others are run all the same.
ValidatedCase validate(const ValidationCase& which, const CaseContext& context) {
  ValidatedCase validated;
  validated.which = &which;
  try {
    validated.result = run_case(which, context);
  } catch (const InputError&) {
    throw;
  } catch (const Unavailable&) {
    throw;
  } catch (const std::exception& error) {
    validated.failure = error.what();
  }
  return validated;
}

}  // namespace

int validate_physics(const ValidateOptions& options) {
  const std::vector<const ValidationCase*> cases = cases_of(options.cases);
  if (options.list) {
    print_list();
    return 0;
  }
  if (std::any_of(options.out.begin(), options.out.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw InputError("--out: a folder whose name has a control character cannot be given to gnuplot");
  const bool json_file = !options.json.empty() && options.json != "-";
  if (json_file && !options.markdown.empty() && same_file(options.json, options.markdown))
    throw InputError("--json and --markdown are the same file, " + options.json);
  prepare_folder(options.out);
  if (json_file) prepare_file(options.json);
  if (!options.markdown.empty()) prepare_file(options.markdown);
  ValidationReport report;
  report.command = options.command;
  report.device = select_device(options.device);
  report.size = options.full ? CaseSize::Full : CaseSize::Reduced;
  const std::string gnuplot = find_program("gnuplot");
  if (gnuplot.empty())
    log::info(
        "no pictures: gnuplot is not on the PATH (Debian: apt install gnuplot-nox); `gnuplot *.gp` in {} draws them",
        options.out);
  std::exception_ptr unfinished;
  std::optional<Interruption> interruption(std::in_place);
  for (const ValidationCase* which : cases) {
    if (interrupted()) break;
    CaseContext context;
    context.device = report.device;
    context.size = report.size;
    context.reference_folder = options.reference;
    ValidatedCase validated;
    try {
      Progress progress(true, 0);
      context.on_progress = [&](double fraction, const std::string& what) {
        progress.update(fraction, which->name + ": " + what);
        if (interrupted()) throw CaseInterrupted{};
      };
      validated = validate(*which, context);
    } catch (...) {
      unfinished = std::current_exception();  // what the cases before it have found is written first
      break;
    }
    validated.files = write_curves(validated, options.out, gnuplot);
    if (options.json != "-") {
      std::fputs((case_text(validated, report) + "\n").c_str(), stdout);
      std::fflush(stdout);  // the next case may take minutes
    }
    report.cases.push_back(std::move(validated));
  }
  interruption.reset();  // from here on a signal ends the program
  report.interrupted = interrupted();
  if (options.json == "-")
    std::fputs((to_json(report).dump(2) + "\n").c_str(), stdout);
  else
    std::fputs((summary_text(report) + fmt::format("curves in {}\n", options.out)).c_str(), stdout);
  if (json_file) write_text(options.json, to_json(report).dump(2) + "\n");
  if (!options.markdown.empty()) write_text(options.markdown, markdown_text(report));
  if (unfinished && !interrupted()) std::rethrow_exception(unfinished);
  return exit_code_or_interrupted(report.passed() ? 0 : 1);
}

}  // namespace riffle
