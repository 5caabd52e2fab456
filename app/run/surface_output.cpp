#include "app/run/surface_output.h"

#include <chrono>
#include <utility>

#include "core/text/output_files.h"
#include "core/timing/seconds_since.h"
#include "sim/start/origin.h"

namespace riffle {

SurfaceOutput::SurfaceOutput(std::filesystem::path file, double every, const Simulation& simulation, std::string scene,
                             std::optional<double> goes_on, double step)
    : file_(std::move(file)), scene_(std::move(scene)), surface_(simulation) {
  if (every > 0)
    series_.emplace(file_, every, 0, time_of_files(simulation.setup()).value_or(0), surface_list(file_),
                    "--surface-every");
  if (series_ && goes_on) series_->go_on_after(*goes_on, step);
}

void SurfaceOutput::take_back(double time) {
  if (series_) series_->take_back(time);
}

void SurfaceOutput::write(Simulation& simulation) {
  const double time = simulation.finish().time;
  const auto begin = std::chrono::steady_clock::now();
  const std::filesystem::path file = series_ ? series_->next(time) : file_;
  const SurfaceTable table = read_surface(simulation, surface_, scene_);
  write_surface(file, table);
  if (series_ && series_->list_is_due()) write_text(series_->list(), series_->list_text());
  report_ = {file.string(),  series_ ? series_->files() : 1, table.triangles(),
             table.volume(), table.volume_of_particles(),    table.left_out};
  seconds_ += seconds_since(begin);
}

void SurfaceOutput::after_step(Simulation& simulation, double time) {
  if (series_ && series_->due(time)) write(simulation);
}

void SurfaceOutput::finish(Simulation& simulation) {
  if (!series_ || !series_->has(simulation.finish().time)) write(simulation);
  if (!series_) return;
  if (!series_->list().empty()) write_text(series_->list(), series_->list_text());
  report_.file = series_->list().empty() ? series_->pattern() : series_->list().string();
}

}  // namespace riffle
