#include "sim/walls/boundary.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "sim/walls/domain_faces.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle {

namespace {

bool any_moves(const std::vector<Solid>& solids) {
  return std::any_of(solids.begin(), solids.end(), [](const Solid& solid) { return solid.moves(); });
}

bool any_turns(const std::vector<Solid>& solids) {
  return std::any_of(solids.begin(), solids.end(), [](const Solid& solid) {
    return solid.driven || !(solid.placement.motion.angular_velocity == Vec3{});
  });
}

}  // namespace

Boundary::Boundary(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel,
                   const std::shared_ptr<PlacedWalls>& kept)
    : solids_(setup.solids), belts_(face_velocities(setup)), velocity_(device), table_(device), pairs_(device) {
  for (std::size_t s = 0; s < solids_.size(); ++s) check_placement(solids_[s].placement, setup.domain.dimension, s);
  walls_ = kept && kept->serves(device, setup, kernel) ? kept : std::make_shared<PlacedWalls>(device, setup, kernel);
  find_velocities();
}

void Boundary::place(std::span<const Placement> placements) {
  if (placements.size() != solids_.size())
    throw InputError(
        fmt::format("{} placements for {} solids: it takes one for each", placements.size(), solids_.size()));
  std::vector<Solid> next = solids_;
  bool elsewhere = !walls_->placed();
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    check_placement(placements[s], walls_->dimension(), s);
    elsewhere = elsewhere || !(placements[s].pose == solids_[s].placement.pose);
    next[s].placement = placements[s];
  }
  if (any_moves(next)) reserve_velocities();
  if (elsewhere) {
    pairs_.forget();
    PlacedWalls::place(walls_, placements);
  }
  solids_ = std::move(next);
  find_velocities();
}

void Boundary::drive(const SolidSurfaces& surfaces, bool at_end) {
  if (!surfaces.driven() || most() == 0) return;
  pairs_.outdate();
  walls_->drive(surfaces.frames(), at_end, table_, velocity_);
}

// They grow from nothing only, while velocities() is nullptr: resize() keeps no values.
void Boundary::reserve_velocities() {
  velocity_.resize(static_cast<std::size_t>(most()));
  table_.resize(solids_.size());
}

void Boundary::find_velocities() {
  moving_ = count() > 0 && (solids_.empty() ? belts_.any() : any_moves(solids_));
  turning_ = any_turns(solids_);
  if (!moving_) return;
  reserve_velocities();
  if (solids_.empty())
    walls_->find_velocities(belts_, velocity_);
  else
    walls_->find_velocities(solids_, table_, velocity_);
}

double Boundary::estimate_bytes(const Device& device, const SimulationSetup& setup, std::int64_t count) {
  const bool moving =
      any_driven(setup) || (setup.solids.empty() ? face_velocities(setup).any() : any_moves(setup.solids));
  return PlacedWalls::estimate_bytes(device, setup, count) + (moving ? double(count) * sizeof(Vec4) : 0);
}

}  // namespace riffle
