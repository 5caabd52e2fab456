#include <fmt/format.h>

#include <cmath>

#include "bench/published/published_figures.h"
#include "core/text/program_folder.h"
#include "core/text/table_file.h"

namespace riffle::bench {

namespace {

std::string find_published(const std::string& file) {
  return find_shared(file, shared_folders("published", RIFFLE_SOURCE_PUBLISHED), "published");
}

std::vector<PublishedFigure> figures_of(const std::vector<PublishedRow>& rows, const std::string& cloud,
                                        std::int64_t particles, float radius) {
  std::vector<PublishedFigure> figures;
  for (const PublishedRow& row : rows)
    if (row.cloud == cloud && row.particles == particles && std::abs(row.radius - double{radius}) <= 1e-4)
      figures.push_back(row.figure);
  return figures;
}

/// The rows without their figures.
std::vector<PublishedRow> rows_of(const TableFile& table, const std::string& cloud_column,
                                  const std::string& label_column) {
  std::vector<PublishedRow> rows(table.rows());
  const auto clouds = table.texts(cloud_column), labels = table.texts(label_column);
  const auto particles = table.numbers("particles"), radius = table.numbers("radius");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r].cloud = clouds[r];
    rows[r].particles = static_cast<std::int64_t>(particles[r]);
    rows[r].radius = radius[r];
    rows[r].figure.label = labels[r];
  }
  return rows;
}

}  // namespace

std::vector<PublishedRow> read_h200(const std::string& path) {
  const TableFile table(path);
  std::vector<PublishedRow> rows = rows_of(table, "cloud", "code");
  const auto build = table.numbers("build_ms"), query = table.numbers("query_ms"), total = table.numbers("total_ms");
  const auto neighbors = table.numbers("neighbors"), bytes = table.numbers("bytes");
  const auto cut_off = table.flags("cut_off");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    PublishedFigure& figure = rows[r].figure;
    figure.source = cut_off[r] ? "H200, CUDA 13.0; its lists are cut off" : "H200, CUDA 13.0";
    figure.build_ms = build[r];
    figure.query_ms = query[r];
    figure.total_ms = total[r];
    figure.neighbors = neighbors[r];
    figure.memory_bytes = static_cast<std::int64_t>(bytes[r]);
  }
  return rows;
}

std::vector<PublishedRow> read_gross2019(const std::string& path) {
  const TableFile table(path);
  std::vector<PublishedRow> rows = rows_of(table, "scenario", "method");
  const auto gpus = table.texts("gpu");
  const auto total = table.numbers("total_ms");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r].figure.source = "Gross et al. 2019, " + gpus[r];
    rows[r].figure.total_ms = total[r];
  }
  return rows;
}

std::vector<PublishedFigure> fenns_figures(int scenario, std::int64_t particles, float radius) {
  static const std::vector<PublishedRow> rows = read_gross2019(find_published("gross2019.csv"));
  return figures_of(rows, std::to_string(scenario), particles, radius);
}

std::vector<PublishedFigure> h200_figures(const std::string& cloud, std::int64_t particles, float radius) {
  static const std::vector<PublishedRow> rows = read_h200(find_published("h200.csv"));
  return figures_of(rows, cloud, particles, radius);
}

}  // namespace riffle::bench
