#include "sim/start/room.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/device/threads.h"
#include "sim/walls/inside_solids.h"

namespace riffle {

namespace {

constexpr double kInfiniteRoom = std::numeric_limits<double>::infinity();

using CellNumber = std::array<int, 3>;

/// The domain in cells, each of which is free or in a solid.
class RoomCells {
 public:
  explicit RoomCells(const SimulationSetup& setup) : setup_(setup), domain_(setup.domain) {
    double cells = 2 * kRoomCells;
    for (double wider = 1; cells > 1.1 * kRoomCells; wider *= 1.1) {
      cells = 1;
      for (int a = 0; a < domain_.dimension; ++a) {
        const double extent = component(domain_.extent(), a), along = std::round(extent / (wider * setup.spacing));
        count_[at(a)] = static_cast<int>(std::clamp(along, 1.0, kRoomCells));
        width_[at(a)] = static_cast<float>(extent / count_[at(a)]);
        cells *= count_[at(a)];
      }
    }
    free_.resize(at(count_[0]) * at(count_[1]) * at(count_[2]));
    const SolidsAtRest solids(setup);
    const float reach = std::max({width_[0], width_[1], width_[2]});
    constexpr std::int64_t kGrain = 4096;
    parallel_ranges(static_cast<std::int64_t>(free_.size()), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k)
        free_[at(k)] = solids.nearest(middle(number(at(k))), reach).distance >= 0 ? 1 : 0;
    });
  }

  /// Particles that fit into the cells that bodies reach, without layers; infinite if an open face is among them.
  /// layers: particles in a layer across each axis of the box around those cells
  double reached(double& layers) {
    std::vector<std::size_t> open = seeds();
    if (open.empty())
      for (std::size_t k = 0; k < free_.size(); ++k)
        if (take(k)) open.push_back(k);
    CellNumber low = count_, high{-1, -1, -1};
    std::size_t cells = 0;
    while (!open.empty()) {
      const CellNumber cell = number(open.back());
      open.pop_back();
      ++cells;
      for (int a = 0; a < domain_.dimension; ++a) {
        low[at(a)] = std::min(low[at(a)], cell[at(a)]);
        high[at(a)] = std::max(high[at(a)], cell[at(a)]);
        for (const int step : {-1, 1}) {
          CellNumber next = cell;
          next[at(a)] += step;
          if (next[at(a)] < 0 || next[at(a)] >= count_[at(a)]) {
            if (domain_.axis[a] == Axis::Open) return kInfiniteRoom;
            if (domain_.axis[a] == Axis::Walled) continue;
            next[at(a)] = step < 0 ? count_[at(a)] - 1 : 0;
          }
          if (const std::size_t k = index(next); take(k)) open.push_back(k);
        }
      }
    }
    double particles = double(cells), box = 1;
    std::array<double, 3> extent{1, 1, 1};  // [spacings] of the box around the cells
    for (int a = 0; a < domain_.dimension; ++a) {
      particles *= double{width_[at(a)]} / setup_.spacing;
      extent[at(a)] = double(high[at(a)] - low[at(a)] + 1) * width_[at(a)] / setup_.spacing;
      box *= extent[at(a)];
    }
    layers = 0;
    for (int a = 0; a < domain_.dimension; ++a) layers += box / extent[at(a)];
    return particles;
  }

 private:
  template <class Int>
  static std::size_t at(Int k) {
    return static_cast<std::size_t>(k);
  }

  std::size_t index(const CellNumber& n) const {
    return (at(n[2]) * at(count_[1]) + at(n[1])) * at(count_[0]) + at(n[0]);
  }
  CellNumber number(std::size_t k) const {
    const std::size_t row = k / at(count_[0]);
    return {static_cast<int>(k % at(count_[0])), static_cast<int>(row % at(count_[1])),
            static_cast<int>(row / at(count_[1]))};
  }
  Vec3 middle(const CellNumber& n) const {
    const auto place = [&](int a) {
      return component(domain_.min, a) + (static_cast<float>(n[at(a)]) + 0.5f) * width_[at(a)];
    };
    return {place(0), place(1), domain_.dimension == 3 ? place(2) : 0.0f};
  }

  /// The first call for a free cell takes it.
  bool take(std::size_t k) {
    if (!free_[k]) return false;
    free_[k] = 0;
    return true;
  }

  bool is_within(Vec3 x) const {
    for (int a = 0; a < domain_.dimension; ++a)
      if (!(component(x, a) >= component(domain_.min, a) && component(x, a) <= component(domain_.max, a))) return false;
    return true;
  }

  int cell_of(float x, int a) const {
    const float k = std::floor((x - component(domain_.min, a)) / width_[at(a)]);
    return static_cast<int>(std::clamp(k, 0.0f, static_cast<float>(count_[at(a)] - 1)));
  }

  /// Cells that bodies have, taken.
  std::vector<std::size_t> seeds() {
    std::vector<std::size_t> taken;
    const auto take_one = [&](const CellNumber& n) {
      if (const std::size_t k = index(n); take(k)) taken.push_back(k);
    };
    for (const BodySetup& body : setup_.bodies) {
      if (body.particles) {
        const FileParticles& file = *body.particles.from;
        for (std::size_t i = 0; i < file.size(); ++i) {
          const Vec3 x = file.position[i];
          if (body.particles.takes(i) && is_within(x))
            take_one({cell_of(x.x, 0), cell_of(x.y, 1), domain_.dimension == 3 ? cell_of(x.z, 2) : 0});
        }
        continue;
      }
      const Bounds bounds = bounds_of(body);
      CellNumber low{0, 0, 0}, high{0, 0, 0};
      for (int a = 0; a < domain_.dimension; ++a)
        low[at(a)] = cell_of(component(bounds.min, a), a), high[at(a)] = cell_of(component(bounds.max, a), a);
      for (int z = low[2]; z <= high[2]; ++z)
        for (int y = low[1]; y <= high[1]; ++y)
          for (int x = low[0]; x <= high[0]; ++x)
            if (contains(body, middle({x, y, z}), domain_.dimension)) take_one({x, y, z});
    }
    return taken;
  }

  const SimulationSetup& setup_;
  Domain domain_;
  CellNumber count_{1, 1, 1};
  std::array<float, 3> width_{0, 0, 0};  ///< [m]
  std::vector<std::uint8_t> free_;       ///< neither in a solid nor taken
};

}  // namespace

double particles_without_room(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  const bool between_solids = !setup.solid_regions.empty();
  double full = 1, layers = 0;
  for (int a = 0; a < domain.dimension; ++a) {
    full *= component(domain.extent(), a) / double{setup.spacing};
    if (domain.axis[a] == Axis::Open && !between_solids) return kInfiniteRoom;
  }
  if (!setup.solids.empty() && !between_solids) return 0;
  if (between_solids) {
    full = RoomCells(setup).reached(layers);
  } else {
    for (int a = 0; a < domain.dimension; ++a) layers += full * setup.spacing / component(domain.extent(), a);
  }
  return full - layers;
}

}  // namespace riffle
