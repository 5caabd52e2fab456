#include "app/run/particle_series.h"

#include <fmt/format.h>

#include <utility>

#include "app/run/particle_export.h"

namespace riffle {

namespace fs = std::filesystem;

ParticleSeries::ParticleSeries(fs::path name, double every, double start, double before)
    : name_(std::move(name)), every_(every), before_(before), clock_(every, start) {
  particle_format(name_);
}

fs::path ParticleSeries::file(std::size_t number) const {
  return name_.parent_path() / fmt::format("{}_{:06}{}", name_.stem().string(), number, name_.extension().string());
}

fs::path ParticleSeries::next(double time) {
  clock_.take(time);
  times_.push_back(time);
  return file(times_.size() - 1);
}

fs::path ParticleSeries::list() const {
  return particle_format(name_) == ParticleFormat::Vtp ? fs::path(name_).replace_extension(".pvd") : fs::path();
}

std::string ParticleSeries::list_text() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (std::size_t k = 0; k < times_.size(); ++k) {
    std::error_code ignored;
    if (!fs::exists(file(k), ignored)) continue;  // ParaView refuses a list with a file that is missing
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", before_ + times_[k],
                        xml_text(file(k).filename().string()));
  }
  return text + "</Collection>\n</VTKFile>\n";
}

bool ParticleSeries::list_is_due() const {
  return !list().empty() && (times_.size() <= 100 || times_.size() % 50 == 0);
}

std::string ParticleSeries::pattern() const {
  return (name_.parent_path() / (name_.stem().string() + "_*" + name_.extension().string())).string();
}

}  // namespace riffle
