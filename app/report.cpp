#include "app/report.h"

#include <fmt/format.h>

#include "app/memory_check.h"
#include "app/progress.h"
#include "app/stage_table.h"

namespace riffle {

namespace {

using Json = nlohmann::ordered_json;

/// Sum of the means of those stages that a step has [ms].
double mean_of(const std::vector<StageStats>& stages, std::initializer_list<std::string_view> names) {
  double sum = 0;
  for (const auto& stage : stages)
    for (const auto name : names)
      if (stage.name == name) sum += stage.mean_ms;
  return sum;
}

}  // namespace

double RunReport::steps_per_second() const {
  const double stepping = wall_seconds - recording_seconds;
  return stepping > 0 ? static_cast<double>(clock.step) / stepping : 0;
}

Json to_json(const RunReport& r) {
  Json stages = Json::object();
  for (const auto& s : r.stages)
    stages[s.name] = {{"count", s.count}, {"mean_ms", s.mean_ms}, {"median_ms", s.median_ms}, {"p95_ms", s.p95_ms}};
  const Diagnostics& d = r.diagnostics;
  const Json diagnostics{{"kinetic_energy", d.kinetic_energy},
                         {"potential_energy", d.potential_energy},
                         {"internal_energy", d.internal_energy},
                         {"momentum", {d.momentum[0], d.momentum[1], d.momentum[2]}},
                         {"mass", d.mass},
                         {"density_error_mean", d.density_error_mean},
                         {"density_error_max", d.density_error_max},
                         {"max_speed", d.max_speed},
                         {"max_acceleration", d.max_acceleration},
                         {"non_finite", d.non_finite},
                         {"outside", d.outside},
                         {"contained", r.clock.contained},
                         {"state_hash", fmt::format("{:016x}", d.state_hash)}};
  return Json{
      {"scene", r.scene},
      {"solver", r.solver},
      {"device", {{"kind", std::string(to_string(r.device.kind))}, {"name", device_name(r.device)}}},
      {"particles", r.particles},
      {"wall_particles", r.wall_particles},
      {"steps", r.clock.step},
      {"simulated_time", r.clock.time},
      {"last_dt", r.clock.dt},
      {"wall_seconds", r.wall_seconds},
      {"recording_seconds", r.recording_seconds},
      {"steps_per_second", r.steps_per_second()},
      {"particle_steps_per_second", r.steps_per_second() * r.particles},
      {"memory_bytes", r.memory_bytes},
      {"neighbors",
       {{"method", r.neighbors.method},
        {"build_ms", mean_of(r.stages, {"build", "reorder", "list"})},
        {"query_ms", mean_of(r.stages, {"density", "forces"})},  // a traversal and the physics in it are one kernel
        {"memory_bytes", r.neighbors.memory_bytes},
        {"mean", r.neighbors.mean},
        {"min", r.neighbors.min},
        {"max", r.neighbors.max}}},
      {"stages", stages},
      {"diagnostics", r.diagnosed ? diagnostics : Json(nullptr)},
      {"interrupted", r.interrupted},
      {"failure", r.failure.empty() ? Json(nullptr) : Json(r.failure)},
      {"pictures", r.pictures},
      {"movie", r.movie.empty() ? Json(nullptr) : Json({{"file", r.movie}, {"frames", r.movie_frames}})},
      {"warnings", r.warnings},
  };
}

std::string summary_text(const RunReport& r) {
  std::string text = fmt::format(
      "{}: {} particles, {} steps, {:.4g} s simulated in {:.2f} s ({:.2f} s of it for pictures) on {}\n"
      "{} steps/s, {} particle-steps/s; {} neighbours per particle ({} to {}); {} of memory\n",
      r.scene, r.particles, r.clock.step, r.clock.time, r.wall_seconds, r.recording_seconds, device_name(r.device),
      short_count(r.steps_per_second()), short_count(r.steps_per_second() * r.particles),
      fmt::format("{:.1f}", r.neighbors.mean), r.neighbors.min, r.neighbors.max,
      bytes_text(static_cast<double>(r.memory_bytes)));
  if (r.diagnosed)
    text += fmt::format(
        "compression {:.2g} % on average, {:.2g} % at most; fastest particle {:.3g} m/s{}\n",
        100 * r.diagnostics.density_error_mean, 100 * r.diagnostics.density_error_max, r.diagnostics.max_speed,
        r.clock.contained > 0 ? fmt::format("; {} times one was put back behind a wall", r.clock.contained) : "");
  if (!r.stages.empty()) text.append("\n").append(stage_table(r.stages));
  if (!r.pictures.empty() || !r.movie.empty()) text += "\n";
  if (!r.pictures.empty())
    text += fmt::format("picture: {}{}\n", r.pictures.back(),
                        r.pictures.size() > 1 ? fmt::format(" (and {} more)", r.pictures.size() - 1) : "");
  if (!r.movie.empty()) text += fmt::format("movie:   {} ({} frames)\n", r.movie, r.movie_frames);
  return text;
}

}  // namespace riffle
