#include "app/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/cli/option_checks.h"
#include "bench/rtnn/options.h"
#include "core/error.h"
#include "core/text/suggestion.h"
#include "scenes/catalog.h"

namespace riffle {

namespace {

const std::vector<std::string> kCommands = {"run", "check", "audit", "bench", "validate", "doctor", "list"};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& info : neighbor_methods()) names.emplace_back(info.name);
  return names;
}

std::vector<std::string> method_names_and_auto() {
  auto names = method_names();
  names.emplace_back("auto");
  return names;
}

void add_scene_options(CLI::App& command, SceneOptions& scene, std::string& device, std::string& neighbors,
                       std::uint64_t& seed) {
  command.add_option("SCENE", scene.scene, "a scene's name (`riffle list` has them) or a YAML file")
      ->required()
      ->type_name("");
  add_device_option(command, device);
  command.add_option("--neighbors", neighbors, "neighbour search, in place of the scene's; auto times them all")
      ->check(one_of("neighbour search", method_names_and_auto()))
      ->type_name(fmt::format("{}", fmt::join(method_names_and_auto(), "|")));
  command
      .add_option("--set", scene.overrides,
                  "key.path=value, in place of the scene's: --set particles.spacing=0.01; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command.add_option("--seed", seed, "seed of everything random, in place of the scene's")
      ->check(whole_number())
      ->type_name("S");
}

/// Words that mean something only together.
struct NeighborWords {
  std::vector<std::string> scenarios;
  std::vector<std::string> methods;
  std::uint64_t runs = 20, max_particles = 0;
};

const std::vector<std::string> kScenarios = {"fenns1", "fenns2", "fenns3", "bucket", "thrust", "dense", "clustered"};

CLI::App* add_neighbor_bench(CLI::App& bench, NeighborBenchOptions& options, NeighborWords& words,
                             std::string& device) {
  CLI::App* command = bench.add_subcommand(
      "neighbors", "build, reorder and query of every neighbour search, beside the figures of papers and public codes");
  command
      ->add_option("SCENARIO", words.scenarios,
                   fmt::format("one or several of {}, or: scene FILE", fmt::join(kScenarios, ", ")))
      ->type_name("");
  add_device_option(*command, device);
  command->add_option("--methods", words.methods, "only these searches, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of("neighbour search", method_names()))
      ->type_name("A,B,...");
  command->add_option("--max-particles", words.max_particles, "leave larger rows out, and say so")
      ->check(whole_number())
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000000}))
      ->type_name("N");
  command->add_option("--runs", words.runs, "timed runs of each row (20), after 3 to warm up")
      ->check(whole_number())
      ->check(CLI::Range(1, 1000000))
      ->type_name("K");
  command
      ->add_option("--row-seconds", options.row_seconds, "begin no further run of a row after so long (20), and say so")
      ->check(positive_seconds())
      ->type_name("SECONDS");
  command->add_option("--from-time", options.from_time, "scene FILE: simulate this long first")
      ->check(seconds(true))
      ->type_name("SECONDS");
  add_csv_option(*command, options.csv);
  add_json_option(*command, "the rows", options.json);
  command->add_option("--plots", options.plots, "pictures of the tables (needs gnuplot), their scripts and data")
      ->check(output_path())
      ->type_name("DIR");
  command->add_option("--from", options.from, "show a JSON report that was saved, instead of measuring")
      ->check(output_path())
      ->type_name("FILE.json");
  command->footer(kExitCodes);
  return command;
}

CLI::App* add_rng_bench(CLI::App& bench, RngBenchOptions& options, std::string& device) {
  CLI::App* command =
      bench.add_subcommand("rng", "how random the numbers of each generator are, and how quickly they are made");
  add_device_option(*command, device);
  command->add_option("--count", options.count, "numbers of each row (10000000)")
      ->check(whole_number())
      ->check(CLI::Range(10000, 100000000))
      ->type_name("N");
  command->add_option("--seed", options.seed, "seed of the generators (1)")->check(whole_number())->type_name("S");
  add_csv_option(*command, options.csv);
  add_json_option(*command, "the result", options.json);
  command->footer(kExitCodes);
  return command;
}

CLI::App* add_validate(CLI::App& app, ValidateOptions& options, std::string& device, std::string& size) {
  CLI::App* command =
      app.add_subcommand("validate", "physics cases against experiments, exact solutions and other codes");
  command->add_option("CASE", options.cases, "one or several; all when none is given (--list names them)")
      ->type_name("");
  command->add_flag("--list", options.list, "name the cases and do nothing else");
  command->add_option("--size", size, "reduced: seconds on a CPU; full: what the acceptance is stated for (reduced)")
      ->check(one_of("size", {"reduced", "full"}))
      ->type_name("reduced|full");
  add_device_option(*command, device);
  command->add_option("--out", options.out, "folder for curves and their pictures; output/validation when not given")
      ->check(output_path())
      ->type_name("DIR");
  command->add_option("--reference", options.reference, "folder of reference tables, in place of the installed ones")
      ->check(output_path())
      ->type_name("DIR");
  add_json_option(*command, "the result", options.json);
  command->add_option("--markdown", options.markdown, "the tables as docs/validation.md has them")
      ->check(output_path())
      ->type_name("FILE.md");
  command->footer(kExitCodes);
  return command;
}

/// @throws InputError
void read_neighbor_words(const NeighborWords& words, NeighborBenchOptions& options) {
  for (std::size_t k = 0; k < words.scenarios.size(); ++k) {
    const std::string& word = words.scenarios[k];
    if (word == "scene") {
      if (k + 1 == words.scenarios.size()) throw InputError("scene: which one? `scene FILE`, or the name of a scene");
      if (!options.scene.empty()) throw InputError("scene FILE is given twice; one command measures one scene");
      options.scene = words.scenarios[++k];
    } else if (std::find(kScenarios.begin(), kScenarios.end(), word) == kScenarios.end()) {
      std::vector<std::string> names = kScenarios;
      names.emplace_back("scene");
      throw InputError(fmt::format("'{}' is no scenario;{} allowed: {}, scene FILE", word, suggestion(word, names, " "),
                                   fmt::join(kScenarios, ", ")));
    }
    if (std::find(options.scenarios.begin(), options.scenarios.end(), word) != options.scenarios.end())
      throw InputError("'" + word + "' is given twice");
    options.scenarios.push_back(word);
  }
  if (options.from.empty() == options.scenarios.empty())
    throw InputError(options.from.empty() ? "SCENARIO is required; `riffle bench neighbors --help` has them"
                                          : "--from shows what was measured: it takes no SCENARIO");
  if (options.from_time > 0 && options.scene.empty()) throw InputError("--from-time needs scene FILE");
  for (const std::string& name : words.methods) {
    const NeighborMethod method = *neighbor_method_from(name);
    if (std::find(options.methods.begin(), options.methods.end(), method) == options.methods.end())
      options.methods.push_back(method);
  }
  options.runs = static_cast<int>(words.runs);
  options.max_particles = static_cast<std::int64_t>(words.max_particles);
}

std::string command_text(int argc, char** argv) {
  std::string text = "riffle";
  for (int k = 1; k < argc; ++k) text += std::string(" ") + argv[k];
  return text;
}

/// "--stepz 5": CLI11 says which words it did not expect; the nearest option says what was meant.
std::string with_suggestion(const std::string& message, const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames()[0]);
  std::string text = message;
  for (const auto& word : command.remaining(true)) {
    if (!word.starts_with("-")) {
      if (word.find('=') != std::string::npos)
        text += fmt::format("; every override needs its own --set: --set {}", word);
      continue;
    }
    text += suggestion(word.substr(0, word.find('=')), names, "; ");
  }
  return text;
}

/// Turns `riffle [SCENE] ...` into `riffle run SCENE ...`. @throws InputError when the first word is neither command
/// nor scene.
std::vector<std::string> with_command(int argc, char** argv, bool& wants_window) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) words = {default_scene(cuda_status().usable ? DeviceKind::Cuda : DeviceKind::Cpu)};
  if (words[0].starts_with("-") || std::find(kCommands.begin(), kCommands.end(), words[0]) != kCommands.end())
    return words;
  std::error_code ignored;
  if (!std::filesystem::exists(words[0], ignored)) {
    std::vector<std::string> names = kCommands;
    for (const auto& scene : list_scenes()) names.push_back(scene.name);
    if (std::find(names.begin(), names.end(), words[0]) == names.end()) {
      const std::string meant = suggestion(words[0], names, "; ");
      throw InputError(
          fmt::format("'{}' is no command, no scene and no file{}", words[0],
                      meant.empty() ? "; `riffle --help` has the commands and `riffle list` the scenes" : meant));
    }
  }
  wants_window = true;
  words.insert(words.begin(), "run");
  return words;
}

}  // namespace

Options parse_command_line(int argc, char** argv) {
  Options options;
  auto words = with_command(argc, argv, options.wants_window);

  CLI::App app(
      "Riffle: real-time particle fluids on switchable neighbour searches.\n"
      "`riffle SCENE` opens the scene in a window; where there is no display it does what `riffle run SCENE` does.\n",
      "riffle");
  app.set_version_flag("--version", "riffle " RIFFLE_VERSION);
  app.set_help_flag("-h,--help", "this text; `riffle run --help` has the options of run");
  app.footer(kExitCodes);
  app.require_subcommand(1);

  std::string device = "auto", neighbors, size = "reduced";
  std::uint64_t seed = 0, steps = 0;
  double time = 0;

  CLI::App* run = app.add_subcommand("run", "run a scene and write pictures, a movie and a report");
  add_scene_options(*run, options.scene, device, neighbors, seed);
  auto* steps_option = run->add_option("--steps", steps, "do exactly N steps")->check(whole_number())->type_name("N");
  auto* time_option = run->add_option("--time", time, "simulate exactly T seconds, in place of the scene's time.end")
                          ->check(positive_seconds())
                          ->type_name("SECONDS");
  steps_option->excludes(time_option);
  run->add_option("--out", options.run.out, "folder for pictures; output/<scene> when not given")
      ->check(output_path())
      ->type_name("DIR");
  run->add_option("--image-every", options.run.image_every, "a picture every K steps, besides the last one")
      ->check(whole_number())
      ->type_name("K");
  run->add_option("--video", options.run.video, "a movie of the run (needs ffmpeg)")
      ->check(output_path())
      ->type_name("FILE.mp4");
  run->add_option("--look", options.run.look, "how the particles are drawn, in place of the scene's picture.look")
      ->check(one_of("look", {"spheres", "fluid"}))
      ->type_name("spheres|fluid");
  add_json_option(*run, "the report", options.run.json);
  auto* series_option = run->add_option("--series", options.run.series,
                                        "energies, temperatures, heights of fingers ... along the run, as CSV")
                            ->check(output_path())
                            ->type_name("FILE.csv");
  run->add_option("--series-every", options.run.series_every,
                  "simulated time between its rows, in place of the movie's frames")
      ->check(positive_seconds())
      ->type_name("SECONDS")
      ->needs(series_option);
  run->add_option("--particles", options.run.particles,
                  "the particles at the end with all their attributes; .vtp is what ParaView opens best")
      ->check(output_path())
      ->type_name("FILE.ply|.vtp");
  run->add_flag("--quiet", options.run.quiet, "no progress, no table; only warnings and errors");
  run->footer(kExitCodes);

  CLI::App* check =
      app.add_subcommand("check", "check a scene without running it: particles, memory, estimated time per step");
  add_scene_options(*check, options.scene, device, neighbors, seed);
  check->footer(kExitCodes);
  CLI::App* bench = app.add_subcommand("bench", "measure what a step or a picture costs");
  bench->require_subcommand(1);
  const auto add_bench = [&](const char* name, const char* what, const char* count_text) {
    CLI::App* command = bench->add_subcommand(name, what);
    add_scene_options(*command, options.scene, device, neighbors, seed);
    command
        ->add_option("--from-time", options.bench.from_time,
                     "simulate this long first: a starting lattice is faster than a fluid in motion")
        ->check(seconds(true))
        ->type_name("SECONDS");
    command->add_option("--count", options.bench.count, count_text)->check(CLI::Range(1, 1000000000))->type_name("N");
    add_json_option(*command, "the result", options.bench.json);
    command->footer(kExitCodes);
    return command;
  };
  CLI::App* bench_steps =
      add_bench("step", "whole time steps of a scene, neighbour search included", "steps measured (200)");
  CLI::App* bench_pictures =
      add_bench("draw", "pictures of a scene's particles, drawn off-screen", "pictures measured (50)");
  std::string spheres = "auto";
  bench_pictures
      ->add_option("--spheres", spheres,
                   "rasterised by OpenGL, splatted by kernels on the particles' device, or what suits both (auto)")
      ->check(one_of("way to draw spheres", {"raster", "splat", "auto"}))
      ->type_name("raster|splat|auto");
  bench_pictures
      ->add_option("--steps-per-picture", options.bench.steps_per_picture,
                   "steps before each picture, measured with it; 0 draws the same particles over and over (0)")
      ->check(CLI::Range(0, 1000000))
      ->type_name("K");
  NeighborWords neighbor_words;
  CLI::App* bench_searches = add_neighbor_bench(*bench, options.neighbors, neighbor_words, device);
  CLI::App* bench_random = add_rng_bench(*bench, options.rng, device);
  RtnnWords rtnn_words;
  CLI::App* bench_points = add_rtnn_bench(*bench, options.rtnn, rtnn_words, device);
  CLI::App* audit = app.add_subcommand("audit", "compare every neighbour search with the pairs there are, along a run");
  add_scene_options(*audit, options.scene, device, neighbors, seed);
  audit->add_option("--steps", options.audit.steps, "steps of the run (100)")->check(whole_number())->type_name("N");
  audit->add_option("--every", options.audit.every, "compare before the first step and after every K-th (10)")
      ->check(whole_number())
      ->check(CLI::Range(1, 1000000000))
      ->type_name("K");
  add_json_option(*audit, "the result", options.audit.json);
  audit->footer(kExitCodes);
  CLI::App* validate = add_validate(app, options.validate, device, size);
  CLI::App* doctor = app.add_subcommand("doctor", "what this machine offers: processor, GPU, OpenGL, ffmpeg");
  CLI::App* list = app.add_subcommand("list", "scenes and neighbour searches");

  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::ExtrasError& error) {
    const CLI::App* command = run->parsed()              ? run
                              : check->parsed()          ? check
                              : bench_steps->parsed()    ? bench_steps
                              : bench_pictures->parsed() ? bench_pictures
                              : bench_searches->parsed() ? bench_searches
                              : bench_random->parsed()   ? bench_random
                              : bench_points->parsed()   ? bench_points
                              : audit->parsed()          ? audit
                              : validate->parsed()       ? validate
                                                         : &app;
    throw InputError(with_suggestion(error.what(), *command));
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
    return options;
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("{}; `riffle{} --help` has the options", error.what(),
                                 run->parsed()              ? " run"
                                 : check->parsed()          ? " check"
                                 : audit->parsed()          ? " audit"
                                 : validate->parsed()       ? " validate"
                                 : bench_searches->parsed() ? " bench neighbors"
                                 : bench_random->parsed()   ? " bench rng"
                                 : bench_points->parsed()   ? " bench rtnn"
                                                            : ""));
  }

  options.command = run->parsed()              ? Command::Run
                    : check->parsed()          ? Command::Check
                    : bench_steps->parsed()    ? Command::BenchStep
                    : bench_pictures->parsed() ? Command::BenchDraw
                    : bench_searches->parsed() ? Command::BenchNeighbors
                    : bench_random->parsed()   ? Command::BenchRng
                    : bench_points->parsed()   ? Command::BenchRtnn
                    : audit->parsed()          ? Command::Audit
                    : validate->parsed()       ? Command::Validate
                    : doctor->parsed()         ? Command::Doctor
                    : list->parsed()           ? Command::List
                                               : Command::Nothing;
  options.scene.device = device == "cuda"  ? DeviceRequest::Cuda
                         : device == "cpu" ? DeviceRequest::Cpu
                                           : DeviceRequest::Auto;
  if (!neighbors.empty()) options.scene.neighbors = neighbor_method_from(neighbors);
  options.scene.automatic_neighbors = neighbors == "auto";
  const CLI::App* with_scene = run->parsed()              ? run
                               : bench_steps->parsed()    ? bench_steps
                               : bench_pictures->parsed() ? bench_pictures
                               : audit->parsed()          ? audit
                                                          : check;
  options.bench.spheres = sphere_method_from(spheres);
  if (options.bench.count == 0) options.bench.count = bench_pictures->parsed() ? 50 : 200;
  if (with_scene->count("--seed") > 0) options.scene.seed = seed;
  if (bench_searches->parsed()) {
    options.neighbors.device = options.scene.device;
    options.neighbors.command = command_text(argc, argv);
    read_neighbor_words(neighbor_words, options.neighbors);
  }
  options.rng.device = options.scene.device;
  if (bench_random->parsed()) options.rng.command = command_text(argc, argv);
  if (bench_points->parsed()) {
    options.rtnn.device = options.scene.device;
    options.rtnn.command = command_text(argc, argv);
    read_rtnn_words(rtnn_words, options.rtnn);
  }
  if (validate->parsed()) {
    options.validate.device = options.scene.device;
    options.validate.full = size == "full";
    options.validate.command = command_text(argc, argv);
  }
  if (run->count("--steps") > 0) options.run.steps = steps;
  if (run->count("--time") > 0) options.run.time = time;
  for (const char* option :
       {"--steps", "--time", "--out", "--image-every", "--video", "--json", "--series", "--particles", "--quiet"})
    if (run->count(option) > 0) options.wants_window = false;  // it asks for a run and its results
  return options;
}

}  // namespace riffle
