#include "app/desktop/playback.h"

#include <utility>

#include "app/commands.h"
#include "app/memory_check.h"
#include "app/scene_view.h"
#include "app/stability.h"
#include "render/gather_vertices.h"

namespace riffle {

Playback::Playback(const SceneOptions& options) : options_(options), scene_(load_with_options(options)) {
  const Device device = select_device_for(scene_.simulation, options_.device);
  simulation_ = std::make_unique<Simulation>(scene_.simulation, device);
}

void Playback::step() { simulation_->step(); }

void Playback::reset() {
  SimulationSetup setup = scene_.simulation;
  setup.neighbors = simulation_->setup().neighbors;
  simulation_ = std::make_unique<Simulation>(setup, simulation_->device());
  stages_.restart();
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
  frame.time = clock.time;
  frame.step = clock.step;
  synchronize(view.device);
}

}  // namespace riffle
