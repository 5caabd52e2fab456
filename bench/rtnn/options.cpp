#include "bench/rtnn/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/cli/option_checks.h"
#include "bench/clouds/generated.h"
#include "core/error.h"
#include "core/text/suggestion.h"
#include "neighbors/tree/lbvh.h"

namespace riffle {

namespace {

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const CloudKindInfo& info : cloud_kinds()) names.emplace_back(info.name);
  return names;
}

/// Squares of it must be a float's too.
CLI::Validator length() {
  return CLI::Validator(
      [](std::string& given) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(given.c_str(), &end);
        if (end != given.c_str() && *end == '\0' && value >= 1e-18 && value <= 1e18) return "";
        return fmt::format("'{}' is no radius; allowed: a number from 1e-18 to 1e18", given);
      },
      "");
}

void add_what_is_searched(CLI::App& command, RtnnBenchOptions& options, RtnnWords& words) {
  command
      .add_option("--cloud", words.clouds,
                  fmt::format("a cloud that is made up ({}) or a file (.ply, .xyz, .txt, .csv, .pts; .xyzb: float "
                              "triples); may be repeated; lidar, surface and galaxies when not given",
                              fmt::join(kind_names(), ", ")))
      ->allow_extra_args(false)
      ->type_name("NAME|FILE");
  command.add_option("--count", options.count, "points of a cloud that is made up (100000)")
      ->check(whole_number())
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000000}))
      ->type_name("N");
  command.add_option("--seed", options.seed, "seed of the clouds and of their shuffling (1)")
      ->check(whole_number())
      ->type_name("S");
  command.add_flag("--drop-bad-points", options.drop_bad_points,
                   "leave points of a file out, and count them, whose coordinates are no finite numbers");
  command
      .add_option("--order", words.order,
                  "the points, which are the queries as well, shuffled, in the order of their file or making, or both "
                  "(both; shuffled with --sweep)")
      ->check(one_of("order", {"shuffled", "file", "both"}))
      ->type_name("shuffled|file|both");
}

void add_searches(CLI::App& command, RtnnBenchOptions& options, RtnnWords& words) {
  command
      .add_option("--search", words.search,
                  "any K within the radius (range), the K nearest of them (knn), or both (both); with range also the "
                  "count of all, beside a grid's")
      ->check(one_of("search", {"range", "knn", "both"}))
      ->type_name("range|knn|both");
  command
      .add_option("--radius", options.radius,
                  "in the cloud's unit of length; one within which there are 64 points on average when not given")
      ->check(length())
      ->type_name("R");
  command.add_option("--neighbors", options.neighbors, "K: at most so many per query (range 32, knn 8)")
      ->check(whole_number())
      ->check(CLI::Range(1, 4096))
      ->type_name("K");
  command
      .add_option("--sweep", options.sweep,
                  "one table for each of several radii, K, or numbers of points per leaf of the tree (none)")
      ->check(one_of("sweep", {"none", "radius", "neighbors", "leaf"}))
      ->type_name("none|radius|neighbors|leaf");
  command.add_option("--leaf", options.leaf, "points per leaf of the tree, in place of the device's own")
      ->check(whole_number())
      ->check(CLI::Range(1, Lbvh::kMostInLeaf))
      ->type_name("N");
}

}  // namespace

CLI::App* add_rtnn_bench(CLI::App& bench, RtnnBenchOptions& options, RtnnWords& words, std::string& device) {
  CLI::App* command = bench.add_subcommand(
      "rtnn", "range search and nearest neighbours in point clouds by a tree of boxes: each optimisation's share");
  add_what_is_searched(*command, options, words);
  add_searches(*command, options, words);
  add_device_option(*command, device);
  command->add_option("--runs", options.runs, "timed runs of each row (20), after 3 to warm up")
      ->check(whole_number())
      ->check(CLI::Range(1, 1000000))
      ->type_name("K");
  command
      ->add_option("--row-seconds", options.row_seconds, "begin no further run of a row after so long (20), and say so")
      ->check(positive_seconds())
      ->type_name("SECONDS");
  add_csv_option(*command, options.csv);
  add_json_option(*command, "the rows", options.json);
  command->footer(kExitCodes);
  return command;
}

void read_rtnn_words(const RtnnWords& words, RtnnBenchOptions& options) {
  options.clouds = words.clouds;
  if (options.clouds.empty()) options.clouds = {"lidar", "surface", "galaxies"};
  for (std::size_t k = 0; k < options.clouds.size(); ++k) {
    const std::string& name = options.clouds[k];
    if (std::find(options.clouds.begin(), options.clouds.begin() + static_cast<std::ptrdiff_t>(k), name) !=
        options.clouds.begin() + static_cast<std::ptrdiff_t>(k))
      throw InputError(fmt::format("--cloud {} is given twice", name));
    std::error_code ignored;
    if (cloud_kind_from(name) || std::filesystem::exists(name, ignored)) continue;
    throw InputError(fmt::format("--cloud: '{}' is neither a cloud that is made up nor a file;{} allowed: {}, FILE",
                                 name, suggestion(name, kind_names(), " "), fmt::join(kind_names(), ", ")));
  }
  options.range = words.search != "knn";
  options.knn = words.search != "range";
  const std::string order = words.order == "both" && options.sweep != "none" ? "shuffled" : words.order;
  options.shuffled = order != "file";
  options.in_order = order != "shuffled";
  if (options.sweep == "radius" && options.radius > 0)
    throw InputError("--sweep radius chooses the radii: no --radius");
  if (options.sweep == "neighbors" && options.neighbors > 0)
    throw InputError("--sweep neighbors chooses K: no --neighbors");
  if (options.sweep == "leaf" && options.leaf > 0) throw InputError("--sweep leaf chooses the leaves: no --leaf");
}

}  // namespace riffle
