#pragma once
/// Figures of papers and of public codes, which the benchmark's tables show beside ours.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/rows.h"

namespace riffle::bench {

/// A figure with what it was measured on.
struct PublishedRow {
  std::string cloud;
  std::int64_t particles = 0;
  double radius = 0;
  PublishedFigure figure;
};

/// The tables h200.csv and gross2019.csv. @throws as TableFile
std::vector<PublishedRow> read_h200(const std::string& path);
std::vector<PublishedRow> read_gross2019(const std::string& path);

/// Gross, Koester and Krueger 2019, "Fast and Efficient Nearest Neighbor Search for Particle Simulations", tables 1-3.
/// @throws Unavailable without the table
std::vector<PublishedFigure> fenns_figures(int scenario, std::int64_t particles, float radius);

/// Rozen, Boryczko and Alda 2008, "GPU bucket sort algorithm with applications to nearest-neighbour search".
std::vector<PublishedFigure> bucket_figures_table1(std::int64_t particles, int per_cell);
std::vector<PublishedFigure> bucket_figures_table2(std::int64_t moved);
std::vector<PublishedFigure> bucket_figures_table3(std::int64_t particles);

/// The article "Fixed-radius neighbour search using Thrust".
std::vector<PublishedFigure> thrust_figures();

/// Public codes measured on one NVIDIA H200 with CUDA 13.0 and driver 580. cloud: "dense1M", "dense4M", "cube1M",
/// "s1", "s3" (the scenarios 1 and 3 of the FENNS paper). @throws Unavailable without the table
std::vector<PublishedFigure> h200_figures(const std::string& cloud, std::int64_t particles, float radius);

}  // namespace riffle::bench
