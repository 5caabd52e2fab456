#pragma once
/// The command line of `riffle bench neighbors`.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/session.h"
#include "neighbors/fenns/tile_sums.h"
#include "neighbors/search_settings.h"

namespace riffle::bench {

struct NeighborBenchOptions : RowRuns {
  std::vector<std::string> words;         ///< SCENARIO ..., with a scene's name after "scene"
  std::vector<std::string> method_names;  ///< only these; none: all
  std::vector<std::string> section_words{std::string(word_of(TileSections::TwentySeven))};  ///< of `fenns`, a row each
  std::vector<std::string> sum_words{std::string(word_of(TileSums::Gather))};               ///< likewise
  double from_time = 0;  ///< [s] simulated before the scene's particles are taken
  DeviceRequest device = DeviceRequest::Auto;
  std::int64_t max_particles = 0;    ///< larger rows are left out; 0: none is
  std::string positions = "single";  ///< "double": thrust also lists pairs from positions in double precision
  std::string csv, json, plots;      ///< files and a folder; "-": standard output; "": none
  std::string markdown;              ///< a file; "": none
  std::string from;                  ///< a saved JSON report to show in place of measuring; "": none
  std::string command_line;          ///< as given, for the report

  // Set by understood():
  std::vector<std::string> scenarios;   ///< "fenns1" ... "scene"; none with `from`
  std::string scene;                    ///< of the scenario "scene"
  std::vector<NeighborMethod> methods;  ///< never none
  std::vector<TileSections> sections;   ///< never none
  std::vector<TileSums> sums;           ///< never none
};

void add_neighbor_bench_options(CLI::App& command, NeighborBenchOptions& options);

/// @throws InputError for words that do not fit together
NeighborBenchOptions understood(NeighborBenchOptions options);

}  // namespace riffle::bench
