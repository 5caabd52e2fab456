/// The tables of Rozen, Boryczko and Alda 2008: building the lists, from nothing and after some particles have moved.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/published/published_figures.h"
#include "bench/rows.h"

namespace riffle::bench {

namespace {

constexpr std::uint64_t kSeed = 20081;

bool has_bucket(const NeighborBenchOptions& options) {
  return std::find(options.methods.begin(), options.methods.end(), NeighborMethod::Bucket) != options.methods.end();
}

BenchVariant bucket_variant(const char* label, int cells, BucketInsertion insertion = BucketInsertion::Atomic) {
  BenchVariant variant;
  variant.label = label;
  variant.settings.method = NeighborMethod::Bucket;
  variant.settings.insertion = insertion;
  variant.settings.cell_count = {cells, cells, cells};
  set_bucket_rebuild(variant.settings, BucketBuilds::Full);
  return variant;
}

BenchVariant resort_variant(int cells) {
  BenchVariant variant = bucket_variant("bucket, re-sort", cells);
  set_bucket_rebuild(variant.settings, BucketBuilds::Resort);
  variant.rebuild = true;
  return variant;
}

BenchGroup build_group(const std::string& table, const char* sweep, double value, std::int64_t particles) {
  BenchGroup group;
  group.scenario = "bucket";
  group.table = table;
  group.sweep = sweep;
  group.value = value;
  group.particles = particles;
  group.builds_only = true;
  return group;
}

BenchCloud moved_cloud(std::int64_t count, int cells, std::int64_t moved) {
  BenchCloud cloud = cell_cloud(count, cells, kSeed);
  move_to_other_cells(cloud, cells, moved, kSeed + 1);
  return cloud;
}

void add_table1(std::vector<BenchGroup>& groups, const NeighborBenchOptions& options) {
  for (const int per_cell : {1, 2, 4, 8, 16})
    for (std::int64_t count = 65536; count <= 1048576; count *= 2) {
      const auto cells = static_cast<int>(std::lround(std::cbrt(double(count) / per_cell)));
      BenchGroup group = build_group(fmt::format("table 1, {} per cell", per_cell), "particles", double(count), count);
      if (has_bucket(options))
        group.variants = {bucket_variant("bucket, atomic", cells),
                          bucket_variant("bucket, iterative", cells, BucketInsertion::Iterative)};
      group.published = bucket_figures_table1(count, per_cell);
      group.make = [=] { return cell_cloud(count, cells, kSeed); };
      groups.push_back(std::move(group));
    }
}

void add_table2(std::vector<BenchGroup>& groups, const NeighborBenchOptions& options) {
  constexpr std::int64_t count = 1048576;
  constexpr int cells = 64;
  for (const std::int64_t moved : {0, 256, 4096, 20971, 209715, 419430, 1048576}) {
    BenchGroup group =
        build_group("table 2, 1,048,576 particles on 64^3 cells", "particles moved", double(moved), count);
    if (has_bucket(options)) group.variants = {bucket_variant("bucket, full sort", cells), resort_variant(cells)};
    group.published = bucket_figures_table2(moved);
    group.make = [=] { return moved_cloud(count, cells, moved); };
    groups.push_back(std::move(group));
  }
}

/// Sorts of today in the place of GPUSort: a radix sort by the number of the cell with a table of where each cell begins,
/// as the paper has it, and a counting sort.
std::vector<BenchVariant> whole_sorts(const NeighborBenchOptions& options, int cells) {
  std::vector<BenchVariant> sorts;
  for (const auto& [method, label] : {std::pair(NeighborMethod::Green, "radix sort (green)"),
                                      std::pair(NeighborMethod::Hoetzlein, "counting sort (hoetzlein)")}) {
    if (std::find(options.methods.begin(), options.methods.end(), method) == options.methods.end()) continue;
    BenchVariant sort;
    sort.label = label;
    sort.settings.method = method;
    sort.settings.cell_count = {cells, cells, cells};
    sorts.push_back(std::move(sort));
  }
  return sorts;
}

void add_table3(std::vector<BenchGroup>& groups, const NeighborBenchOptions& options) {
  for (std::int64_t count = 65536; count <= 1048576; count *= 2) {
    const auto cells = static_cast<int>(std::lround(std::cbrt(double(count) / 4)));  // table 2's four per cell
    BenchGroup group = build_group("table 3, 4 per cell, 2 % moved", "particles", double(count), count);
    if (has_bucket(options)) group.variants = {bucket_variant("bucket, full sort", cells), resort_variant(cells)};
    for (BenchVariant& sort : whole_sorts(options, cells)) group.variants.push_back(std::move(sort));
    group.published = bucket_figures_table3(count);
    group.make = [=] { return moved_cloud(count, cells, count / 50); };
    groups.push_back(std::move(group));
  }
}

}  // namespace

std::vector<BenchGroup> bucket_groups(const NeighborBenchOptions& options) {
  std::vector<BenchGroup> groups;
  add_table1(groups, options);
  add_table2(groups, options);
  add_table3(groups, options);
  return groups;
}

}  // namespace riffle::bench
