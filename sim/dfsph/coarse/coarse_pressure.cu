#include "sim/dfsph/coarse/coarse_pressure.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/text/log_write.h"
#include "sim/dfsph/coarse/coarse_cycle.cuh"
#include "sim/dfsph/coarse/coarse_kernels.cuh"

namespace riffle::dfsph {

using namespace coarse;

namespace {

struct CellChoice {
  int width = CoarsePressure::kCellWidth;  ///< [spacings]
  Cells cells;
};

CellChoice choose_cells(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  CellChoice choice;
  for (;; choice.width *= 2) {
    double count = 1;
    for (int a = 0; a < domain.dimension; ++a) {
      const double n = std::ceil(component(domain.extent(), a) / (choice.width * double{setup.spacing}) - 1e-4);
      count *= std::max(1.0, n);
      choice.cells.along[a] = static_cast<int>(std::clamp(n, 1.0, double{CoarsePressure::kMostCells}));
    }
    if (count <= double{CoarsePressure::kMostCells}) break;
  }
  choice.cells.dimension = domain.dimension;
  for (int a = 0; a < domain.dimension; ++a) {
    choice.cells.periodic[a] = domain.periodic(a);
    choice.cells.walled[a] = domain.walled(a);
  }
  return choice;
}

std::vector<Cells> levels_of(const Cells& first) {
  std::vector<Cells> levels = {first};
  while (std::max({levels.back().along[0], levels.back().along[1], levels.back().along[2]}) > 2)
    levels.push_back(levels.back().coarser());
  return levels;
}

std::size_t cells_of(const std::vector<Cells>& levels) {
  std::int64_t count = 0;
  for (const Cells& cells : levels) count += cells.count();
  return static_cast<std::size_t>(count);
}

/// The first level of LowerLevels.
std::size_t first_lower(const std::vector<Level>& levels) {
  std::size_t first = 0;
  while (levels[first].cells.count() > kMostLowerCells ||
         levels.size() - first > static_cast<std::size_t>(kMostLowerLevels))
    ++first;
  return first;
}

}  // namespace

bool CoarsePressure::is_on(const SimulationSetup& setup) {
  if (setup.wcsph.negative_pressure) return false;
  const Vec3 extent = setup.domain.extent(), g = setup.gravity;
  int down = -1;
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (component(g, a) != 0 && (down < 0 || std::fabs(component(g, a)) > std::fabs(component(g, down)))) down = a;
  return down >= 0 && component(extent, down) >= kLeastDepth * setup.spacing;
}

std::size_t CoarsePressure::cell_bytes(int dimension) {
  const std::size_t all_levels = (sizeof(Vec4) + 3 * sizeof(float)) * 4 / 3;
  return 4 * (sizeof(CellSums) + sizeof(CellValue) + all_levels) /
         (dimension == 2 ? kCellWidth * kCellWidth : kCellWidth * kCellWidth * kCellWidth);
}

CoarsePressure::CoarsePressure(const SimulationSetup& setup, const Device& device, float bias)
    : device_(device), sums_(device), coefficient_(device), right_(device), q_(device), next_(device) {
  if (!is_on(setup)) return;
  const CellChoice choice = choose_cells(setup);
  const float width = static_cast<float>(choice.width) * setup.spacing;
  if (choice.width > kCellWidth)
    log::write(log::Level::Info, "the pressure's long waves are found in cells of " + std::to_string(choice.width) +
                                     " spacings: the domain has more than " + std::to_string(kMostCells) +
                                     " cells of " + std::to_string(kCellWidth));
  const int d = setup.domain.dimension;
  placing_ = {choice.cells, setup.domain.min, 1 / width, static_cast<float>(std::pow(choice.width, d))};
  face_ = d == 3 ? width : 1.0f;
  scale_ = setup.particle_volume() / (bias * bias);
  least_density_ = setup.fluids.front().rest_density;
  for (const FluidSetup& fluid : setup.fluids) least_density_ = std::min<float>(least_density_, fluid.rest_density);
  const std::vector<Cells> levels = levels_of(choice.cells);
  const std::size_t all = cells_of(levels);
  sums_ = Buffer<CellSums>(device, static_cast<std::size_t>(choice.cells.count()));
  value_ = Buffer<CellValue>(device, sums_.size());
  coefficient_ = Buffer<Vec4>(device, all);
  right_ = Buffer<float>(device, all);
  q_ = Buffer<float>(device, all);
  next_ = Buffer<float>(device, all);
  std::size_t at = 0;
  for (const Cells& cells : levels) {
    levels_.push_back({cells, coefficient_.data() + at, right_.data() + at, q_.data() + at, next_.data() + at});
    at += static_cast<std::size_t>(cells.count());
  }
}

std::size_t CoarsePressure::memory_bytes() const {
  return sums_.bytes() + value_.bytes() + coefficient_.bytes() + right_.bytes() + q_.bytes() + next_.bytes() +
         shared_.bytes();
}

void CoarsePressure::share_sums(Halo& halo) {
  const auto cells = static_cast<std::int64_t>(sums_.size());
  if (shared_.size() == 0) shared_ = Buffer<double>(device_, kSharedSums * sums_.size());
  parallel_for(device_, "read cells", cells, ReadSums{sums_.data(), shared_.data()});
  halo.share_sums(device_, shared_.data(), static_cast<int>(shared_.size()));
  parallel_for(device_, "write cells", cells, WriteSums{shared_.data(), sums_.data()});
}

void CoarsePressure::find(const Problem& p) {
  const SolveState* state = p.state;
  const Level& first = levels_.front();
  const auto on_cells = [&](const char* name, const Level& level, const auto& f) {
    parallel_for(device_, name, level.cells.count(), OnCells{state, f});
  };
  parallel_for(device_, "clear cells", first.cells.count(), ClearCells{state, sums_.data()});
  parallel_for(device_, "gather residuals", std::int64_t{p.particles} + p.walls,
               Both{p.particles,
                    Gather{placing_, p.fluids, least_density_, p.clamped, p.clock, state, p.foreign, p.fluid, p.record,
                           p.base, p.inverse, sums_.data()},
                    CountWalls{placing_, state, p.wall, sums_.data()}});
  if (p.halo) share_sums(*p.halo);
  parallel_for(device_, "assemble cells", first.cells.count(),
               Assemble{state, placing_.full, face_, scale_, least_density_, p.clock, sums_.data(), first});
  const std::size_t lower = first_lower(levels_);
  for (std::size_t l = 1; l <= lower; ++l) on_cells("coarsen", levels_[l], Coarsen{levels_[l - 1], levels_[l]});
  if (lower > 0) on_cells("start level", first, StartLevel{first});
  for (std::size_t l = 1; l <= lower; ++l) on_cells("restrict", levels_[l], Restrict{levels_[l - 1], levels_[l]});
  LowerLevels small{state, static_cast<int>(levels_.size() - lower), {}};
  std::copy(levels_.begin() + static_cast<std::ptrdiff_t>(lower), levels_.end(), small.level);
  parallel_blocks<kLowerBlock>(device_, "lower levels", 1, small);
  for (std::size_t l = lower; l-- > 0;) {
    on_cells("prolong", levels_[l], Prolong{levels_[l], levels_[l + 1]});
    on_cells("smooth", levels_[l], Smooth{levels_[l], levels_[l].q, levels_[l].next});
  }
}

void CoarsePressure::add_to_trial(const Problem& p) {
  find(p);
  parallel_for(device_, "cell values", static_cast<std::int64_t>(value_.size()),
               WriteValues{placing_.full, p.state, sums_.data(), levels_.front().next, value_.data()});
  const Field field{placing_, value_.data()};
  parallel_for(device_, "add long waves", std::int64_t{p.particles} + p.walls,
               Both{p.particles, AddWave{p.clamped, p.state, field, p.inverse, p.record},
                    AddWallWave{p.clamped, p.state, field, p.wall, p.constraint}});
}

}  // namespace riffle::dfsph
