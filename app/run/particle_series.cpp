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
    // Frames have no numbers: that of a frame is the number of times that were due before it, none of which made two. A run that
    // ends between two times makes one more at its end, which a longer run does not have.
    double last = -1;
    std::size_t kept = 0;
    for (const double time : times) {
      const double number = whole_intervals(time - numbered_.before(), every());
      if (kept + 1 == times.size() && number == last) break;
      if (!(number > last))
        throw InputError(fmt::format(
            "{} has frames at {:g} and {:g}, and --particles-every {:g} has one of them: the file would have "
            "frames of two intervals; allowed: the interval of the run that goes on, or a new name",
            name_.string(), kept > 0 ? times[kept - 1] : 0.0, time, every()));
      last = number;
      if (number >= static_cast<double>(numbered_.before_us())) break;
      ++kept;
    }
    return kept;
  });
}

std::string ParticleSeries::list_text() const { return trajectory_ ? trajectory_->companion() : numbered_.list_text(); }

std::string ParticleSeries::pattern() const { return trajectory_ ? name_.string() : numbered_.pattern(); }

}  // namespace riffle
