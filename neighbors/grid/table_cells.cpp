#include "neighbors/grid/table_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <string>

#include "core/text/log.h"
#include "neighbors/chosen_cells.h"

namespace riffle {

namespace {

/// Time to read a candidate over time to fill a cell and to sum it. On an H200 a cell takes 3.4 ps (729 million cells
/// of `hoetzlein`: 2.5 ms) and a candidate about 1.4 ps.
constexpr double kCandidateCost = 0.4;
constexpr double kMostTableCells = 2147483646;  ///< that can be numbered
constexpr double kUnknownDensity = 2;           ///< [particles per h] along an axis
constexpr double kFewCells = 32768;             ///< they take less time than starting a kernel
/// Walls are searched by other particles, whose number is not known here. So their cells stay small while the table is.
constexpr double kMostStaticCells = 1 << 27;

CellSize cubes(const SearchSettings& settings, float edge) { return cell_size(settings, {edge, edge, edge}); }

}  // namespace

CellSize cell_size(const SearchSettings& settings, Vec3 own_choice) {
  const float r = settings.cell_ratio;
  return {r > 0 ? Vec3{r, r, r} : own_choice, settings.cell_count};
}

Vec3 fastest_cells(const SearchSettings& settings, float h) {
  const float spacings = settings.spacing > 0 ? h / settings.spacing : 0;
  const float parts = spacings < 2.3f ? 1 : settings.static_sources ? 2 : std::round(std::min(spacings, 4.6f) / 1.15f);
  return {settings.static_sources && parts < 2 ? 1 : 0.25f, 1 / parts, 1 / parts};
}

float table_cell_edge(const SearchSettings& settings, const Domain& domain, float h, std::int64_t particles) {
  const double n = double(std::max<std::int64_t>(particles, 1)), cells = count_cells(domain, h, cubes(settings, 1));
  const auto power = [&](double x) { return domain.dimension == 2 ? x * x : x * x * x; };
  const double spaced = power(settings.spacing > 0 ? double{h} / double{settings.spacing} : kUnknownDensity);
  const double per_h = std::max(n / cells, spaced);  // particles in a cube of edge h
  const auto cost = [&](double edge, double count) {
    return count + kCandidateCost * n * std::min(n, per_h * power(2 + edge));
  };
  const double most = settings.static_sources ? kMostStaticCells : kMostTableCells;
  if (cells <= kFewCells) return 1;
  double best = 1, least = cost(1, cells), count = cells;
  for (double edge = 1.25; count > kFewCells && (count > most || !settings.static_sources); edge *= 1.25) {
    const bool too_many = count > most;
    count = count_cells(domain, h, cubes(settings, static_cast<float>(edge)));
    const double now = cost(edge, count);
    if (too_many || now < least) best = edge, least = now;
    if (edge > 1e9) break;
  }
  return static_cast<float>(best);
}

CellSize table_cell_size(const Device& device, const SearchSettings& settings, Vec3 finest, const Domain& domain,
                         float h, std::int64_t particles) {
  if (device.is_cuda())
    for (const Vec3 edges : {finest, kLongRows}) {
      const CellSize fine = cell_size(settings, edges);
      if (count_cells(domain, h, fine) <= most_dense_cells(particles)) return fine;
      if (settings.static_sources) break;
    }
  return cube_size(settings, domain, h, particles);
}

CellSize cube_size(const SearchSettings& settings, const Domain& domain, float h, std::int64_t particles) {
  const bool given = settings.cell_ratio > 0 || settings.cell_count.x > 0;
  return cubes(settings, given ? 1 : table_cell_edge(settings, domain, h, particles));
}

SearchSettings with_chosen_cells(SearchSettings settings, const Domain& domain, float h, std::int64_t particles) {
  settings.cell_ratio = table_cell_edge(settings, domain, h, particles);
  return settings;
}

namespace {

/// Diagnostics and measurements make searches of their own, which have the same to say.
bool is_new(const std::string& line) {
  constexpr std::size_t kMost = 64;
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.size() == kMost) said.clear();
  return said.insert(line).second;
}

}  // namespace

void SparseBoxNote::tell(std::string_view method, const SearchSettings& settings, const Domain& domain, float h,
                         std::int64_t particles, double cells) {
  const double wished = count_cells(domain, h, cubes(settings, 1));
  if (told_ || cells >= wished) return;
  told_ = true;
  const std::string line = fmt::format(
      "{}: the box has {:.3g} cells of the support radius for {} particles, so {:.3g} larger ones are used; "
      "green with a hashed table and fenns keep small cells",
      method, wished, particles, cells);
  if (is_new(line)) log::info("{}", line);
}

}  // namespace riffle
