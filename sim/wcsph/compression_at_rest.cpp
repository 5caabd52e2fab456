#include "sim/wcsph/continuity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/motion/gravity_bounds.h"
#include "sim/walls/inside_solids.h"

namespace riffle::wcsph {

namespace {

/// Cells of one spacing, each with the fluid of the particle in it, or a solid.
class Cells {
 public:
  static constexpr int kEmpty = -1, kSolid = -2;

  Cells(const Domain& domain, const SolidsAtRest& solids, double spacing, const std::vector<Vec4>& position,
        const std::vector<std::uint32_t>& fluid)
      : domain_(domain), place_(position.size()) {
    // The first particle is in the middle of its cell, and with it all of its lattice.
    for (int a = 0; a < domain.dimension; ++a) {
      const double from = component(domain.min, a), at = component(xyz(position[0]), a) - from;
      const double offset = at - (std::floor(at / spacing) + 0.5) * spacing;
      origin_[a] = from + offset - (offset > 1e-3 * spacing ? spacing : 0);
      const double extent = component(domain.max, a) - origin_[a];
      size_[a] = static_cast<std::int64_t>(std::floor(extent / spacing + 1e-3));
    }
    if (size_[0] < 1 || size_[1] < 1 || size_[2] < 1) return;
    if (double(size_[0]) * double(size_[1]) * double(size_[2]) > 8.0 * double(position.size()) + 1e6) return;
    content_.assign(static_cast<std::size_t>(size_[0] * size_[1] * size_[2]), kEmpty);
    for (std::size_t i = 0; i < position.size(); ++i) {
      std::int64_t at[3] = {0, 0, 0};
      for (int a = 0; a < domain.dimension; ++a) {
        const double place = std::floor((component(xyz(position[i]), a) - origin_[a]) / spacing);
        if (!(place >= 0 && place < static_cast<double>(size_[a]))) {
          content_.clear();
          return;
        }
        at[a] = static_cast<std::int64_t>(place);
      }
      place_[i] = index(at);
      content_[place_[i]] = static_cast<int>(fluid[i]);
    }
    if (!solids.empty()) find_solids(solids, spacing);
  }

  bool valid() const { return !content_.empty(); }
  std::size_t place(std::size_t particle) const { return place_[particle]; }
  std::size_t count() const { return content_.size(); }
  int content(std::size_t cell) const { return content_[cell]; }
  bool has_fluid(std::size_t cell) const { return content_[cell] >= 0; }

  std::int64_t coordinate(std::size_t cell, int axis) const {
    const auto n = static_cast<std::int64_t>(cell);
    return axis == 0 ? n % size_[0] : axis == 1 ? n / size_[0] % size_[1] : n / (size_[0] * size_[1]);
  }

  enum class Beyond { Cell, Wall, Nothing };
  /// The cell beside one; to: its place, where there is one.
  Beyond step(std::size_t cell, int axis, int direction, std::size_t& to) const {
    std::int64_t at[3] = {coordinate(cell, 0), coordinate(cell, 1), coordinate(cell, 2)};
    at[axis] += direction;
    if (at[axis] < 0 || at[axis] >= size_[axis]) {
      if (domain_.axis[axis] == Axis::Walled) return Beyond::Wall;
      if (domain_.axis[axis] == Axis::Open) return Beyond::Nothing;
      at[axis] = at[axis] < 0 ? size_[axis] - 1 : 0;
    }
    to = index(at);
    return Beyond::Cell;
  }

 private:
  /// Without a particle, and nearer to a solid than half a spacing: fluid there is at the solid, or left out for it.
  void find_solids(const SolidsAtRest& solids, double spacing) {
    for (std::size_t cell = 0; cell < content_.size(); ++cell) {
      if (content_[cell] != kEmpty) continue;
      const auto n = static_cast<std::int64_t>(cell);
      const std::int64_t at[3] = {n % size_[0], n / size_[0] % size_[1], n / (size_[0] * size_[1])};
      float x[3] = {0, 0, 0};
      for (int a = 0; a < domain_.dimension; ++a)
        x[a] = static_cast<float>(origin_[a] + (static_cast<double>(at[a]) + 0.5) * spacing);
      const float half = static_cast<float>(0.5 * spacing);
      if (solids.nearer({x[0], x[1], x[2]}, half)) content_[cell] = kSolid;
    }
  }

  std::size_t index(const std::int64_t (&at)[3]) const {
    return static_cast<std::size_t>((at[2] * size_[1] + at[1]) * size_[0] + at[0]);
  }

  Domain domain_;
  double origin_[3] = {0, 0, 0};
  std::int64_t size_[3] = {1, 1, 1};
  std::vector<int> content_;
  std::vector<std::size_t> place_;  ///< (count) of the particles
};

/// Whether the cell has fluid, a wall or a solid beside it on each side but the upper one.
bool is_held(const Cells& cells, std::size_t cell, int dimension, int up_axis, int up) {
  for (int axis = 0; axis < dimension; ++axis)
    for (const int direction : {-1, 1}) {
      if (axis == up_axis && direction == up) continue;
      std::size_t to = 0;
      const Cells::Beyond beyond = cells.step(cell, axis, direction, to);
      if (beyond == Cells::Beyond::Nothing) return false;
      if (beyond == Cells::Beyond::Cell && cells.content(to) == Cells::kEmpty) return false;
    }
  return true;
}

/// Of the speed's square, in units of the weight of the fluid's column per mass. Up to there the weight has most part in the
/// pressure, and a start without it would be farther from balance.
constexpr double kCalm = 0.1;

/// (cells) whether the connected fluid that a cell is part of is held all round and moves slowly.
/// @param speed2 (cells) [m^2/s^2] of the fastest particle in it @param cell_head [m^2/s^2] gravity times the height of a cell
std::vector<bool> cells_at_rest(const Cells& cells, int dimension, int up_axis, int up,
                                const std::vector<float>& speed2, double cell_head) {
  std::vector<bool> seen(cells.count(), false), at_rest(cells.count(), false);
  std::vector<std::size_t> part;
  for (std::size_t first = 0; first < cells.count(); ++first) {
    if (seen[first] || !cells.has_fluid(first)) continue;
    part.assign(1, first);
    seen[first] = true;
    bool held = true;
    double fastest2 = 0;
    std::int64_t low = cells.coordinate(first, up_axis), high = low;
    for (std::size_t k = 0; k < part.size(); ++k) {
      fastest2 = std::max(fastest2, double{speed2[part[k]]});
      low = std::min(low, cells.coordinate(part[k], up_axis));
      high = std::max(high, cells.coordinate(part[k], up_axis));
      held = held && is_held(cells, part[k], dimension, up_axis, up);
      for (int axis = 0; axis < dimension; ++axis)
        for (const int direction : {-1, 1}) {
          std::size_t to = 0;
          if (cells.step(part[k], axis, direction, to) != Cells::Beyond::Cell) continue;
          if (seen[to] || !cells.has_fluid(to)) continue;
          seen[to] = true;
          part.push_back(to);
        }
    }
    const double head = cell_head * static_cast<double>(high - low + 1);
    if (held && fastest2 <= kCalm * head)
      for (const std::size_t cell : part) at_rest[cell] = true;
  }
  return at_rest;
}

/// (cells) in their middles; NaN where nothing is at rest. Columns from their free tops down: half of a cell's own weight
/// acts in its middle. Under a solid the pressure is that of the fluid beside, at the same height. Connected fluid that has
/// a solid above all of its columns starts from its highest cell, as under a walled face.
/// weight: of a cell's fluid, over its area [Pa]
template <class Weight>
std::vector<double> pressure_at_rest(const Cells& cells, const std::vector<bool>& at_rest, int dimension, int up_axis,
                                     int up, const Weight& weight) {
  std::vector<double> pressure(cells.count(), std::numeric_limits<double>::quiet_NaN());
  std::vector<std::size_t> known;
  const auto next = [&](std::size_t cell, int axis, int direction, std::size_t& to) {
    return cells.step(cell, axis, direction, to) == Cells::Beyond::Cell && cells.has_fluid(to);
  };
  const auto set = [&](std::size_t cell, double p) {
    pressure[cell] = p;
    known.push_back(cell);
  };
  for (std::size_t top = 0; top < cells.count(); ++top) {
    std::size_t above = 0, below = 0;
    if (!at_rest[top]) continue;
    const bool covered =
        cells.step(top, up_axis, up, above) == Cells::Beyond::Cell && cells.content(above) != Cells::kEmpty;
    if (covered) continue;
    double above_it = 0;
    for (std::size_t cell = top;; cell = below) {
      const double half = 0.5 * weight(cell);
      set(cell, above_it + half);
      above_it += 2 * half;
      if (!next(cell, up_axis, -up, below)) break;
    }
  }
  std::size_t done = 0;
  const auto spread = [&] {
    for (; done < known.size(); ++done)
      for (int axis = 0; axis < dimension; ++axis)
        for (const int direction : {-1, 1}) {
          const std::size_t cell = known[done];
          std::size_t to = 0;
          if (!next(cell, axis, direction, to) || !std::isnan(pressure[to])) continue;
          const double step = axis == up_axis ? 0.5 * (weight(cell) + weight(to)) : 0;
          set(to, pressure[cell] + (direction == up ? -step : step));
        }
  };
  spread();
  // What has no free top, from the highest cells down: the first of a part is its highest.
  std::vector<std::size_t> covered;
  for (std::size_t cell = 0; cell < cells.count(); ++cell)
    if (at_rest[cell] && std::isnan(pressure[cell])) covered.push_back(cell);
  std::stable_sort(covered.begin(), covered.end(), [&](std::size_t a, std::size_t b) {
    return up * cells.coordinate(a, up_axis) > up * cells.coordinate(b, up_axis);
  });
  for (const std::size_t cell : covered) {
    if (!std::isnan(pressure[cell])) continue;
    set(cell, 0.5 * weight(cell));
    spread();
  }
  return pressure;
}

}  // namespace

std::vector<float> compression_at_rest(const SimulationSetup& setup, const FluidTable& fluids,
                                       const std::vector<Vec4>& position, const std::vector<Vec4>& velocity,
                                       const std::vector<std::uint32_t>& fluid) {
  std::vector<float> compression(position.size(), 0);
  const Domain& domain = setup.domain;
  const Vec3 gravity = gravity_at_start(setup);
  int up_axis = -1, axes = 0;
  for (int a = 0; a < domain.dimension; ++a)
    if (component(gravity, a) != 0) up_axis = a, ++axes;
  if (position.empty() || axes != 1 || domain.periodic(up_axis) ||
      (!setup.solids.empty() && setup.solid_regions.empty()))
    return compression;
  const Cells cells(domain, SolidsAtRest(setup), setup.spacing, position, fluid);
  if (!cells.valid()) return compression;
  const int up = component(gravity, up_axis) < 0 ? 1 : -1;
  const double cell_head = std::fabs(double{component(gravity, up_axis)}) * setup.spacing;
  std::vector<float> speed2(cells.count(), 0);
  for (std::size_t i = 0; i < position.size(); ++i) {
    float& of_cell = speed2[cells.place(i)];
    of_cell = std::max(of_cell, length2(xyz(velocity[i])));
  }
  const std::vector<bool> at_rest = cells_at_rest(cells, domain.dimension, up_axis, up, speed2, cell_head);

  const std::vector<double> pressure =
      pressure_at_rest(cells, at_rest, domain.dimension, up_axis, up,
                       [&](std::size_t cell) { return fluids.rest_density[cells.content(cell)] * cell_head; });
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double p = std::isnan(pressure[cells.place(i)]) ? 0 : pressure[cells.place(i)];
    compression[i] = static_cast<float>(std::pow(p / fluids.stiffness + 1, 1.0 / setup.wcsph.tait_exponent) - 1);
  }
  return compression;
}

}  // namespace riffle::wcsph
