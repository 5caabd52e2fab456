#include "app/run/particle_series.h"

#include <algorithm>
#include <utility>

#include "app/run/particle_export.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

fs::path list_beside(const fs::path& name) {
  const char* const ending = particle_format_row(name).list;
  return *ending != 0 ? fs::path(name).replace_extension(ending) : fs::path();
}

}  // namespace

ParticleSeries::ParticleSeries(fs::path name, double every, double start, double before)
    : name_(std::move(name)),
      list_(list_beside(name_)),
      numbered_(name_, every, start, before, particle_format_row(name_).one_file ? fs::path() : list_,
                "--particles-every") {
  if (particle_format_row(name_).one_file) trajectory_ = begin_trajectory(name_);
}

fs::path ParticleSeries::next(double time) {
  const fs::path file = numbered_.next(time);
  return trajectory_ ? name_ : file;
}

ParticleSeries::Write ParticleSeries::writer() const {
  if (!trajectory_) return [](const fs::path& file, const ParticleTable& table) { write_particles(file, table); };
  return [trajectory = trajectory_](const fs::path&, const ParticleTable& table) { trajectory->add(table); };
}

void ParticleSeries::go_on_after(double time) {
  numbered_.go_on_after(time);
  std::error_code ignored;
  if (!trajectory_ || !fs::exists(name_, ignored)) return;
  trajectory_ = continue_trajectory(name_, [&](const std::vector<double>& times) {
    for (std::size_t k = 0; k < times.size(); ++k) numbered_.refuse_other_interval(k, times[k]);
    return std::min(times.size(), numbered_.before_us());
  });
}

std::string ParticleSeries::list_text() const { return trajectory_ ? trajectory_->companion() : numbered_.list_text(); }

std::string ParticleSeries::pattern() const { return trajectory_ ? name_.string() : numbered_.pattern(); }

}  // namespace riffle
