#include "app/run/particle_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "app/run/particle_export.h"
#include "core/error.h"
#include "core/text/xml_text.h"

namespace riffle {

namespace fs = std::filesystem;

ParticleSeries::ParticleSeries(fs::path name, double every, double start, double before)
    : name_(std::move(name)), every_(every), before_(before), clock_(every, start) {
  if (particle_format_row(name_).one_file) trajectory_ = begin_trajectory(name_);
}

fs::path ParticleSeries::file(std::size_t number) const {
  if (trajectory_) return name_;
  return name_.parent_path() / fmt::format("{}_{:06}{}", name_.stem().string(), number, name_.extension().string());
}

fs::path ParticleSeries::next(double time) {
  clock_.take(time);
  times_.push_back(time);
  return file(before_us_ + times_.size() - 1);
}

ParticleSeries::Write ParticleSeries::writer() const {
  if (!trajectory_) return [](const fs::path& file, const ParticleTable& table) { write_particles(file, table); };
  return [trajectory = trajectory_](const fs::path&, const ParticleTable& table) { trajectory->add(table); };
}

void ParticleSeries::refuse_other_interval(std::size_t number, double time) const {
  const double at = time - before_, due = static_cast<double>(number) * every_;
  if (!(at > due - 1.001 * every_ && at < due + 1.001 * every_))
    throw InputError(
        fmt::format("{} has file {} at {:g}, which --particles-every {:g} has at {:g}: files would be "
                    "replaced by others; allowed: the interval of the run that goes on, or a new name",
                    (list().empty() ? name_ : list()).string(), number, at, every_, due));
}

void ParticleSeries::go_on_in_trajectory() {
  std::error_code ignored;
  if (!fs::exists(name_, ignored)) return;
  trajectory_ = continue_trajectory(name_, [&](const std::vector<double>& times) {
    // Frames have no numbers: that of a frame is the number of times that were due before it, none of which made two. A run that
    // ends between two times makes one more at its end, which a longer run does not have.
    double last = -1;
    std::size_t kept = 0;
    for (const double time : times) {
      const double number = whole_intervals(time - before_, every_);
      if (kept + 1 == times.size() && number == last) break;
      if (!(number > last))
        throw InputError(fmt::format(
            "{} has frames at {:g} and {:g}, and --particles-every {:g} has one of them: the file would have "
            "frames of two intervals; allowed: the interval of the run that goes on, or a new name",
            name_.string(), kept > 0 ? times[kept - 1] : 0.0, time, every_));
      last = number;
      if (number >= static_cast<double>(before_us_)) break;
      ++kept;
    }
    return kept;
  });
}

void ParticleSeries::go_on_after(double time) {
  if (!times_.empty()) throw std::logic_error("a series of particles that has begun goes on by itself");
  clock_ = MovieClock(every_, multiple_before(time, every_));
  clock_.take(time);
  before_us_ = static_cast<std::size_t>(std::lround(multiple_before(time, every_) / every_)) + 1;
  earlier_.clear();
  if (trajectory_) return go_on_in_trajectory();
  if (list().empty()) return;
  std::ifstream list_before(list());
  for (std::string line; std::getline(list_before, line);) {
    const std::size_t name = line.find("file=\""), digits = line.rfind('_');
    std::size_t number = before_us_;
    if (name == std::string::npos || digits == std::string::npos || digits < name) continue;
    std::from_chars(line.data() + digits + 1, line.data() + line.size(), number);
    if (const std::size_t stamp = line.find("timestep=\""); stamp != std::string::npos)
      refuse_other_interval(number, std::strtod(line.c_str() + stamp + 10, nullptr));
    std::error_code ignored;
    const bool ours = number < before_us_ && fs::exists(file(number), ignored) &&
                      line.find("\"" + xml_text(file(number).filename().string()) + "\"") != std::string::npos;
    if (ours) earlier_ += line + "\n";
  }
}

fs::path ParticleSeries::list() const {
  const char* const ending = particle_format_row(name_).list;
  return *ending != 0 ? fs::path(name_).replace_extension(ending) : fs::path();
}

std::string ParticleSeries::list_text() const {
  if (trajectory_) return trajectory_->companion();
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n" +
      earlier_;
  for (std::size_t k = 0; k < times_.size(); ++k) {
    std::error_code ignored;
    const fs::path file = this->file(before_us_ + k);
    if (!fs::exists(file, ignored)) continue;  // ParaView refuses a list with a file that is missing
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", before_ + times_[k],
                        xml_text(file.filename().string()));
  }
  return text + "</Collection>\n</VTKFile>\n";
}

bool ParticleSeries::list_is_due() const {
  return !list().empty() && (times_.size() <= 100 || times_.size() % 50 == 0);
}

std::string ParticleSeries::pattern() const {
  if (trajectory_) return name_.string();
  return (name_.parent_path() / (name_.stem().string() + "_*" + name_.extension().string())).string();
}

}  // namespace riffle
