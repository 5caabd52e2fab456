#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <ostream>

#include "app/lammps/lammps_files.h"
#include "app/run/file_comments.h"

namespace riffle {

namespace {

/// In 2-D LAMMPS wants a box with a thickness too; particles lie in its middle.
float box_face(const SimulationSetup& setup, int axis, bool upper) {
  const Domain& domain = setup.domain;
  if (axis >= domain.dimension) return (upper ? 0.5f : -0.5f) * setup.spacing;
  return component(upper ? domain.max : domain.min, axis);
}

std::string data_header(const LammpsScene& scene, const LammpsParticleTable& particles) {
  const SimulationSetup& setup = scene.setup;
  constexpr const char* kLetters = "xyz";
  // LAMMPS takes the first line as a title. The words of units are those of its own files.
  std::string text = fmt::format("LAMMPS data file of {} by Riffle {}, units = lj\n", scene.name, RIFFLE_VERSION);
  text +=
      fmt::format("# time {} step {}\n# expected_speed {}\n\n", particles.time, particles.step, scene.expected_speed);
  text += fmt::format("{} atoms\n{} atom types\n\n", particles.id.size(), setup.fluids.size());
  for (int a = 0; a < 3; ++a)
    text += fmt::format("{0} {1} {2}lo {2}hi\n", box_face(setup, a, false), box_face(setup, a, true), kLetters[a]);
  text += "\nMasses\n\n";
  for (std::size_t f = 0; f < setup.fluids.size(); ++f)
    text += fmt::format("{} {} # {}\n", f + 1, setup.fluids[f].mass, one_line(setup.fluids[f].name));
  return text;
}

}  // namespace

void write_lammps_data(std::ostream& out, const LammpsScene& scene, const LammpsParticleTable& particles) {
  constexpr std::size_t kFlush = std::size_t{1} << 20;
  const bool mdpd =
      scene.integrator == LammpsIntegrator::Mvv;  // has the velocities that fix mvv/dpd needs, and a density
  out << data_header(scene, particles) << (mdpd ? "\nAtoms # mdpd\n\n" : "\nAtoms # atomic\n\n");
  fmt::memory_buffer rows;
  const auto flush = [&](std::size_t from) {
    if (rows.size() < from) return;
    out.write(rows.data(), static_cast<std::streamsize>(rows.size()));
    rows.clear();
  };
  for (std::size_t i = 0; i < particles.id.size(); ++i) {
    const Vec3 x = particles.position[i];
    fmt::format_to(std::back_inserter(rows), "{} {} {}{} {} {}", std::uint64_t{particles.id[i]} + 1,
                   particles.fluid[i] + 1, mdpd ? "0 " : "", x.x, x.y, x.z);
    if (!particles.turns.empty()) {
      const auto& turns = particles.turns[i].along;
      fmt::format_to(std::back_inserter(rows), " {} {} {}", turns[0], turns[1], turns[2]);
    }
    rows.push_back('\n');
    flush(kFlush);
  }
  flush(0);
  out << "\nVelocities\n\n";
  for (std::size_t i = 0; i < particles.id.size(); ++i) {
    const Vec3 v = particles.velocity[i];
    fmt::format_to(std::back_inserter(rows), "{} {} {} {}\n", std::uint64_t{particles.id[i]} + 1, v.x, v.y, v.z);
    flush(kFlush);
  }
  flush(0);
}

}  // namespace riffle
