/// `riffle validate`: the physics cases against their reference figures.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/inspect/case_scene.h"
#include "app/report/case_settings.h"
#include "app/report/outputs.h"
#include "app/report/validation_report.h"
#include "app/terminal/progress.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"
#include "render/media/process.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"

namespace riffle {

namespace {

struct ValidateOptions {
  std::vector<std::string> cases;  ///< all when none is given
  bool list = false;               ///< name them and do nothing else
  std::string size = "reduced";    ///< or "full": the size that the acceptance is stated for
  DeviceRequest device = DeviceRequest::Auto;
  std::string out = "output/validation";  ///< folder of curves and pictures
  std::string reference;                  ///< folder of the reference tables; "": where they are installed
  std::string json;                       ///< file; "-": standard output; "": none
  std::string markdown;                   ///< file of the tables as docs/validation.md has them; "": none
  std::string scene;                      ///< file for the set-up as a scene, in place of a run; "": none
  std::string scenes;                     ///< folder for every set-up that is run, as scenes; "": none
  std::vector<std::string> overrides;     ///< --set key.path=value
  std::string command_line;               ///< as given, for the report
};

void add_validate_options(CLI::App& command, ValidateOptions& options) {
  command.add_option("CASE", options.cases, "one or several; all when none is given (--list names them)")
      ->type_name("");
  command.add_flag("--list", options.list, "name the cases and do nothing else");
  command
      .add_option("--size", options.size,
                  "reduced: seconds on a CPU; full: what the acceptance is stated for (reduced)")
      ->check(one_of("size", {"reduced", "full"}))
      ->type_name("reduced|full");
  add_device_option(command, options.device);
  command.add_option("--out", options.out, "folder for curves and their pictures; output/validation when not given")
      ->check(output_path())
      ->type_name("DIR");
  command.add_option("--reference", options.reference, "folder of reference tables, in place of the installed ones")
      ->check(output_path())
      ->type_name("DIR");
  add_json_option(command, "the result", options.json);
  command.add_option("--markdown", options.markdown, "the tables as docs/validation.md has them")
      ->check(output_path())
      ->type_name("FILE.md");
  command
      .add_option("--set", options.overrides,
                  "key.path=value, in place of the cases' own: --set particles.support_ratio=3; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command
      .add_option("--scene", options.scene,
                  "write the first set-up of the one CASE, in its size, as a scene, and do nothing else")
      ->check(output_path())
      ->type_name("FILE.yaml");
  command
      .add_option("--scenes", options.scenes,
                  "folder for all set-ups as scenes, CASE_1.yaml and on, each written before it is run")
      ->check(output_path())
      ->type_name("DIR");
}

/// Thrown out of a case that a signal ends. Not a std::exception, which would count as a failed case.
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

/// The case's set-ups with the values of --set. A warning is logged once.
void apply_overrides(const ValidateOptions& options, const ValidationCase& which, CaseContext& context) {
  if (options.overrides.empty()) return;
  context.other_physics = std::make_shared<std::string>();
  context.change = [&options, &which, other = context.other_physics,
                    said = std::vector<std::string>()](const SimulationSetup& setup) mutable {
    std::vector<std::string> warnings;
    SimulationSetup changed = with_overrides(which, setup, options.overrides, warnings);
    for (const std::string& warning : warnings)
      if (std::find(said.begin(), said.end(), warning) == said.end()) {
        said.push_back(warning);
        log::warn("{}", warning);
      }
    if (const std::string here = changed_physics(which, setup, options.overrides); !here.empty()) *other = here;
    return changed;
  };
}

/// A case that throws has failed; the other cases still run.
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

std::string scene_text(const scenes::Scene& scene, const ValidationCase& which, CaseSize size) {
  return scenes::to_yaml(scenes::document_of(scene), "riffle validate " + which.name + " --size " + to_string(size));
}

/// Writes the set-ups of a case as scenes, those that are equal once.
class SceneWriter {
 public:
  SceneWriter(std::filesystem::path folder, const ValidationCase& which, CaseSize size)
      : folder_(std::move(folder)), which_(which), size_(size) {}

  void write(const SimulationSetup& setup) {
    std::string text = scene_text(scene_of(which_, setup), which_, size_);
    if (std::find(written_.begin(), written_.end(), text) != written_.end()) return;
    written_.push_back(std::move(text));
    write_text(folder_ / fmt::format("{}_{}.yaml", which_.name, written_.size()), written_.back());
  }

 private:
  std::filesystem::path folder_;
  const ValidationCase& which_;
  CaseSize size_;
  std::vector<std::string> written_;
};

int write_scene(const ValidateOptions& options, const std::vector<const ValidationCase*>& cases) {
  if (options.cases.size() != 1)
    throw InputError("--scene: found " + std::to_string(options.cases.size()) + " cases; allowed: one");
  if (!options.scenes.empty()) throw InputError("--scene and --scenes: allowed: one of them");
  prepare_file(options.scene);
  CaseContext context;
  context.size = options.size == "full" ? CaseSize::Full : CaseSize::Reduced;
  context.reference_folder = options.reference;
  apply_overrides(options, *cases[0], context);
  const scenes::Scene scene = case_scene(*cases[0], context);
  write_text(options.scene, scene_text(scene, *cases[0], context.size));
  fmt::print("{} holds the set-up of {}\n", printable(options.scene), cases[0]->name);
  return 0;
}

int validate_physics(const ValidateOptions& options) {
  const std::vector<const ValidationCase*> cases = cases_of(options.cases);
  if (options.list) {
    print_list();
    return 0;
  }
  if (!options.scene.empty()) return write_scene(options, cases);
  if (std::any_of(options.out.begin(), options.out.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw InputError("--out: a folder whose name has a control character cannot be given to gnuplot");
  const ReportOutputs outputs{.json = options.json};
  if (outputs.json_is_file() && !options.markdown.empty() && same_file(options.json, options.markdown))
    throw InputError("--json and --markdown are the same file, " + options.json);
  prepare_folder(options.out);
  if (!options.scenes.empty()) prepare_folder(options.scenes);
  outputs.prepare();
  if (!options.markdown.empty()) prepare_file(options.markdown);
  ValidationReport report;
  report.command = options.command_line;
  report.device = select_device(options.device);
  report.size = options.size == "full" ? CaseSize::Full : CaseSize::Reduced;
  const std::string gnuplot = render::find_program("gnuplot");
  if (gnuplot.empty())
    log::info(
        "no pictures: gnuplot is not on the PATH (Debian: apt install gnuplot-nox); `gnuplot *.gp` in {} draws them",
        options.out);
  std::exception_ptr unfinished;
  std::string unwritten;  // a failed output must not prevent the others, nor the cases that follow
  const auto attempt = [&](auto&& write) {
    try {
      write();
    } catch (const RuntimeFailure& failure) {
      log::error("{}", failure.what());
      unwritten += (unwritten.empty() ? "" : "\n") + std::string(failure.what());
    }
  };
  std::optional<Interruption> interruption(std::in_place);
  for (const ValidationCase* which : cases) {
    if (interrupted()) break;
    CaseContext context;
    context.device = report.device;
    context.size = report.size;
    context.reference_folder = options.reference;
    apply_overrides(options, *which, context);
    ValidatedCase validated;
    try {
      Progress progress(true, 0);
      context.on_progress = [&](double fraction, const std::string& what) {
        progress.update(fraction, which->name + ": " + what);
        if (interrupted()) throw CaseInterrupted{};
      };
      std::vector<std::string> settings;
      std::optional<SceneWriter> scenes;
      if (!options.scenes.empty()) scenes.emplace(options.scenes, *which, report.size);
      context.on_setup = [&](const SimulationSetup& setup) {
        std::string text = settings_text(setup);
        if (std::find(settings.begin(), settings.end(), text) == settings.end()) settings.push_back(std::move(text));
        if (scenes) scenes->write(setup);
      };
      validated = validate(*which, context);
      validated.settings = std::move(settings);
    } catch (...) {
      unfinished = std::current_exception();  // the results of the cases before it are written first
      break;
    }
    attempt([&] { validated.files = write_curves(validated, options.out, gnuplot); });
    if (options.json != "-") {
      std::fputs(printable(case_text(validated, report) + "\n").c_str(), stdout);
      std::fflush(stdout);  // the next case may take minutes
    }
    report.cases.push_back(std::move(validated));
  }
  interruption.reset();  // from here on a signal ends the program
  report.interrupted = interrupted();
  attempt([&] { outputs.deliver(summary_text(report) + fmt::format("curves in {}\n", options.out), to_json(report)); });
  attempt([&] {
    if (!options.markdown.empty()) write_text(options.markdown, markdown_text(report));
  });
  if (unfinished && !interrupted()) std::rethrow_exception(unfinished);
  if (!unwritten.empty()) throw RuntimeFailure(unwritten);
  return exit_code_or_interrupted(report.passed() ? 0 : 1);
}

}  // namespace

CommandRow validate_command() {
  return command_row("validate", "physics cases against experiments, exact solutions and other codes",
                     add_validate_options, validate_physics);
}

}  // namespace riffle
