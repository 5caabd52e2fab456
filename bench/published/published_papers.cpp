#include "bench/published/published_figures.h"

namespace riffle::bench {

namespace {

constexpr const char* kBucketSource = "Rozen et al. 2008, GeForce 6800 Ultra";

PublishedFigure sorting(const char* label, double ms) {
  PublishedFigure figure;
  figure.label = label;
  figure.source = kBucketSource;
  figure.build_ms = ms;
  return figure;
}

}  // namespace

std::vector<PublishedFigure> bucket_figures_table1(std::int64_t particles, int per_cell) {
  constexpr struct {
    std::int64_t particles;
    double ms[5];  ///< at 1, 2, 4, 8, 16 particles per cell
  } rows[] = {{65536, {13.28, 16.15, 19.84, 28.01, 38.17}},
              {131072, {23.33, 28.21, 34.7, 45.33, 62.03}},
              {262144, {43.27, 50.26, 60.24, 76.86, 109.02}},
              {524288, {85.1, 94.79, 112.36, 145.57, 203.58}},
              {1048576, {206.15, 213.25, 227.66, 274.73, 361.52}}};
  for (const auto& row : rows)
    for (int k = 0; k < 5; ++k)
      if (row.particles == particles && 1 << k == per_cell) return {sorting("bucket sort, table 1", row.ms[k])};
  return {};
}

std::vector<PublishedFigure> bucket_figures_table2(std::int64_t moved) {
  constexpr struct {
    std::int64_t moved;
    double resort_ms;
  } rows[] = {{0, 78.07},       {256, 92.63},     {4096, 106.4},    {20971, 120.73},
              {209715, 195.87}, {419430, 233.13}, {1048576, 369.75}};
  for (const auto& row : rows)
    if (row.moved == moved) return {sorting("sort, table 2", 231.26), sorting("re-sort, table 2", row.resort_ms)};
  return {};
}

std::vector<PublishedFigure> bucket_figures_table3(std::int64_t particles) {
  constexpr struct {
    std::int64_t particles;
    double bucket, resort, gpusort;
  } rows[] = {{65536, 19.34, 7.68, 17.67},
              {131072, 33.81, 16.5, 40.36},
              {262144, 58.61, 31.27, 90.75},
              {524288, 111.06, 61.59, 202.27},
              {1048576, 233.69, 121.23, 450.42}};
  for (const auto& row : rows)
    if (row.particles == particles)
      return {sorting("bucket sort, table 3", row.bucket), sorting("2 % re-sort, table 3", row.resort),
              sorting("GPUSort, table 3", row.gpusort)};
  return {};
}

std::vector<PublishedFigure> thrust_figures() {
  PublishedFigure figure;
  figure.label = "the article's pair list, in double precision";
  figure.source = "Thrust article, A100";
  figure.total_ms = 65;
  return {figure};
}

}  // namespace riffle::bench
