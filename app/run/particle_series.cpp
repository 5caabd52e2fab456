#include "app/run/particle_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/run/number_ranges.h"
#include "app/run/particle_export.h"
#include "core/error.h"

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

void ParticleSeries::go_on_after(double time, double step) {
  numbered_.go_on_after(time, step);
  gaps_ = trajectory_ ? "" : numbered_.gaps();
  if (!trajectory_) return;
  const std::size_t due = numbered_.before_us();
  std::vector<std::size_t> there;
  const auto note_gaps = [&] {
    if (there.empty() && due > 0)
      gaps_ = fmt::format("{}: none of the {} frames of before the state is there", name_.string(), due);
    if (there.empty() || numbered_.follows_steps(step)) return;  // such frames are not at all multiples
    const std::string missing = missing_text(fmt::format("{} frames", due), there, due, [&](std::size_t k) {
      return fmt::format("that of {:g}", numbered_.before() + static_cast<double>(k) * every());
    });
    if (!missing.empty()) gaps_ = fmt::format("{}: {}", name_.string(), missing);
  };
  std::error_code ignored;
  if (!fs::exists(name_, ignored)) return note_gaps();
  trajectory_ = continue_trajectory(name_, [&](const std::vector<double>& times) {
    // Frames have no numbers: that of a frame is the number of times that were due before it, none of which made two. A run that
    // ends between two times makes one more at its end, which a longer run does not have.
    const auto refuse = [&](std::size_t k, const char* how_many) {
      throw InputError(
          fmt::format("{} has frames at {:g} and {:g}, and --particles-every {:g} has {}: the file would have "
                      "frames of two intervals; allowed: the interval of the run that goes on, or a new name",
                      name_.string(), times[k - 1], times[k], every(), how_many));
    };
    double last = -1, least_gap = std::numeric_limits<double>::infinity();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double number = whole_intervals(times[k] - numbered_.before(), every());
      if (k > 0 && k + 1 == times.size() && number == last) break;
      if (k > 0 && !(number > last)) refuse(k, "one of them");
      if (k > 0) least_gap = std::min(least_gap, number - last);
      last = number;
      if (!(number < static_cast<double>(due))) continue;
      if (number >= 0) there.push_back(static_cast<std::size_t>(number));
      ++kept;
    }
    if (std::isfinite(least_gap) && least_gap > 1.5 && !numbered_.follows_steps(step)) refuse(1, "more between them");
    return kept;
  });
  note_gaps();
}

void ParticleSeries::take_back(double time) {
  numbered_.take_back(time);
  if (!trajectory_) return;
  trajectory_.reset();  // two writers would not agree about the file's end
  std::error_code ignored;
  if (!fs::exists(name_, ignored)) {
    trajectory_ = begin_trajectory(name_);
    return;
  }
  trajectory_ = continue_trajectory(name_, [&](const std::vector<double>& times) {
    const double last = time + numbered_.before() + 1e-3 * every();
    return static_cast<std::size_t>(std::count_if(times.begin(), times.end(), [&](double t) { return t <= last; }));
  });
}

std::string ParticleSeries::list_text() const { return trajectory_ ? trajectory_->companion() : numbered_.list_text(); }

std::string ParticleSeries::pattern() const { return trajectory_ ? name_.string() : numbered_.pattern(); }

}  // namespace riffle
