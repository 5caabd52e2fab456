#include "app/desktop/playback.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/commands.h"
#include "app/memory_check.h"
#include "app/scene_view.h"
#include "app/stability.h"
#include "render/gather_vertices.h"

namespace riffle {

namespace {

/// For moments to go back to: an eighth of what is free, two gigabytes at most.
std::size_t history_budget() {
  return std::min<std::size_t>(free_memory(Device{}) / 8, std::size_t{2} << 30);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Playback::Playback(const SceneOptions& options)
    : options_(options), scene_(load_with_options(options)), history_(history_budget()) {
  const Device device = select_device_for(scene_.simulation, options_.device);
  simulation_ = std::make_unique<Simulation>(scene_.simulation, device);
  history_.add(simulation_->save_state(), 0, 0);
}

void Playback::step() {
  history_.cut_after(simulation_->latest().time);
  simulation_->step();
}

void Playback::remember(double wall) {
  if (!history_.due(wall)) return;
  const auto begin = std::chrono::steady_clock::now();
  SimulationState state = simulation_->save_state();
  history_.add(std::move(state), wall, seconds_since(begin));
}

void Playback::seek(double time) {
  const auto moment = history_.at(time);
  if (!moment) return;
  if (moment->setup.solver == simulation_->setup().solver)
    simulation_->restore_state(*moment);
  else
    simulation_ = std::make_unique<Simulation>(simulation_->setup(), simulation_->device(), *moment, simulation_.get());
  stages_.restart();
}

void Playback::continue_with(const SimulationSetup& setup, const Device& device) {
  const SimulationState now = simulation_->save_state();
  simulation_ = std::make_unique<Simulation>(setup, device, now, simulation_.get());
  stages_.restart();
}

void Playback::pick(Vec3 origin, Vec3 direction) {
  const auto hit = riffle::pick(*simulation_, origin, direction, view_of(scene_, *simulation_).radius);
  picked_ = hit ? std::optional(hit->id) : std::nullopt;
}

std::optional<ParticleReport> Playback::picked() const {
  return picked_ ? std::optional(inspect(*simulation_, *picked_)) : std::nullopt;
}

void Playback::set_neighbors(const NeighborSetup& neighbors) {
  simulation_->set_neighbors(neighbors);
  stages_.mark(neighbors.automatic ? "auto" : std::string(to_string(neighbors.method)));
}

std::string Playback::what_is_wrong() {
  const StepReport known = simulation_->finish();
  return what_blew_up(simulation_->diagnostics(), known, *simulation_);
}

void Playback::fill(ParticleFrame& frame) const {
  const ParticleView view = view_of(scene_, *simulation_);
  const StepReport clock = simulation_->latest();
  if (!(frame.vertices.device() == view.device)) frame.vertices = Buffer<Vec4>(view.device);
  frame.device = view.device;
  frame.vertices.resize(static_cast<std::size_t>(view.count));
  gather_vertices(view, frame.vertices.data());
  frame.count = view.count;
  frame.radius = view.radius;
  frame.spacing = view.spacing;
  frame.time = clock.time;
  frame.step = clock.step;
  frame.picked = picked();
  frame.neighbors = picked_ ? neighbors_of(*simulation_, *picked_) : std::vector<Vec4>{};
  synchronize(view.device);
}

}  // namespace riffle
