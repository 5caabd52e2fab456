#include "bench/rtnn/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/command/option_checks.h"
#include "bench/clouds/generated.h"
#include "core/error.h"
#include "core/text/suggestion.h"
#include "neighbors/tree/lbvh.h"

namespace riffle::bench {

namespace {

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const CloudKindInfo& info : cloud_kinds()) names.emplace_back(info.name);
  return names;
}

/// Its square must fit a float too.
CLI::Validator length() {
  return CLI::Validator(
      [](std::string& given) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(given.c_str(), &end);
        if (end != given.c_str() && *end == '\0' && value >= 1e-18 && value <= 1e18) return "";
        return fmt::format("'{}' is not a radius; allowed: a number from 1e-18 to 1e18", given);
      },
      "");
}

void add_what_is_searched(CLI::App& command, RtnnBenchOptions& options) {
  command
      .add_option("--cloud", options.clouds,
                  fmt::format("a generated cloud ({}) or a file (.ply, .xyz, .txt, .csv, .pts; .xyzb: float "
                              "triples); may be repeated; lidar, surface and galaxies when not given",
                              fmt::join(kind_names(), ", ")))
      ->allow_extra_args(false)
      ->type_name("NAME|FILE");
  command.add_option("--count", options.count, "points of a generated cloud (100000)")
      ->check(whole_number_from(1, 1000000000))
      ->type_name("N");
  command.add_option("--seed", options.seed, "seed of the clouds and of their shuffling (1)")
      ->check(whole_number())
      ->type_name("S");
  command.add_flag("--drop-bad-points", options.drop_bad_points,
                   "leave out, and count, points of a file whose coordinates are not finite numbers");
  command
      .add_option("--order", options.order,
                  "the points, which are the queries as well, shuffled, in the order of their file or making, or both "
                  "(both; shuffled with --sweep)")
      ->check(one_of("order", {"shuffled", "file", "both"}))
      ->type_name("shuffled|file|both");
}

void add_searches(CLI::App& command, RtnnBenchOptions& options) {
  command
      .add_option("--search", options.search,
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
      ->check(whole_number_from(1, 4096))
      ->type_name("K");
  command
      .add_option(
          "--structure", options.structures,
          "what is searched: one tree of the points, a tree of boxes for each part of the queries, as the paper "
          "has it, the same by OptiX, or all; may be repeated (points)")
      ->allow_extra_args(false)
      ->check(one_of("structure", {"points", "boxes", "optix", "all"}))
      ->type_name("points|boxes|optix|all");
  command
      .add_option(
          "--sweep", options.sweep,
          "a table for each of several radii, K, points per leaf of the tree, widths of the boxes, numbers of "
          "queries (in raster order and at random), numbers of boxes (what a tree of them takes), or one with "
          "the parts of the queries (none). Wide radii and widths are left out where a search would take longer "
          "than --row-seconds, as the two before it tell; the second is left out only where the first took longer")
      ->check(one_of("sweep", {std::begin(kRtnnSweeps), std::end(kRtnnSweeps)}))
      ->type_name(fmt::format("{}", fmt::join(kRtnnSweeps, "|")));
  command.add_option("--leaf", options.leaf, "points per leaf of the tree, in place of the device's own")
      ->check(whole_number_from(1, Lbvh::kMostInLeaf))
      ->type_name("N");
}

}  // namespace

void add_rtnn_bench_options(CLI::App& command, RtnnBenchOptions& options) {
  add_what_is_searched(command, options);
  add_searches(command, options);
  add_device_option(command, options.device);
  add_row_options(command, options);
  add_csv_option(command, options.csv);
  add_json_option(command, "the rows", options.json);
}

RtnnBenchOptions understood(RtnnBenchOptions options) {
  if (options.clouds.empty()) options.clouds = {"lidar", "surface", "galaxies"};
  for (auto name = options.clouds.begin(); name != options.clouds.end(); ++name) {
    if (std::find(options.clouds.begin(), name, *name) != name)
      throw InputError(fmt::format("--cloud {} is given twice", *name));
    std::error_code ignored;
    if (cloud_kind_from(*name) || std::filesystem::exists(*name, ignored)) continue;
    throw InputError(fmt::format("--cloud: '{}' is neither a generated cloud nor a file;{} allowed: {}, FILE", *name,
                                 suggestion(*name, kind_names(), " "), fmt::join(kind_names(), ", ")));
  }
  for (auto name = options.structures.begin(); name != options.structures.end(); ++name)
    if (std::find(options.structures.begin(), name, *name) != name)
      throw InputError(fmt::format("--structure {} is given twice", *name));
  if (options.structures.empty()) options.structures = {"points"};
  if (options.sweep == "radius" && options.radius > 0)
    throw InputError("--sweep radius chooses the radii: no --radius");
  for (const char* sweep : {"queries", "boxes"})
    if (options.sweeps(sweep) && options.order != "both")
      throw InputError(fmt::format("--sweep {} chooses the order: no --order", sweep));
  if (options.sweep == "neighbors" && options.neighbors > 0)
    throw InputError("--sweep neighbors chooses K: no --neighbors");
  if (options.sweep == "leaf" && options.leaf > 0) throw InputError("--sweep leaf chooses the leaves: no --leaf");
  return options;
}

std::vector<PointStructure> RtnnBenchOptions::searched() const {
  std::vector<PointStructure> all;
  for (const PointStructure structure : kPointStructures)
    for (const std::string& name : structures)
      if (name == "all" || name == to_string(structure)) {
        all.push_back(structure);
        break;
      }
  return all;
}

}  // namespace riffle::bench
