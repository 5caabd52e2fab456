#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lammps/lammps_files.h"

namespace riffle {

namespace {

constexpr const char* kAxisLetters = "xyz";

/// Open axes grow with the particles there, as places outside an open axis are allowed here.
const char* boundary_of(const Domain& domain, int axis) {
  if (axis >= domain.dimension || domain.periodic(axis)) return "p";
  return domain.walled(axis) ? "f" : "s";
}

std::string comments(const LammpsScene& scene, const LammpsParticleTable& particles) {
  std::string text = fmt::format("# {}, at time {}, step {}; written by Riffle {}\n", scene.name, particles.time,
                                 particles.step, RIFFLE_VERSION);
  text += fmt::format(
      "# mpiexec -n 4 lmp -in {}.in, in this folder. -var steps N, -var every N (steps between rows of the log), "
      "-var frame_every N (steps between frames of the dump) and -var seed N change the variables below.\n",
      scene.stem);
  for (const std::string& difference : scene.differences) text += "# " + difference + ".\n";
  return text;
}

std::string pair_coefficients(const LammpsScene& scene) {
  const SimulationSetup& setup = scene.setup;
  std::string text = fmt::format("pair_style dpd {} {} ${{seed}}\n", scene.temperature, setup.dpd.cutoff);
  for (std::size_t k = 0; k < setup.fluids.size(); ++k)
    for (std::size_t l = k; l < setup.fluids.size(); ++l)
      text += fmt::format("pair_coeff {} {} {} {}\n", k + 1, l + 1, setup.dpd.repulsion.value[k][l],
                          setup.dpd.friction.value[k][l]);
  return text;
}

std::string body_force(const SimulationSetup& setup) {
  const BodyForceSetup& force = setup.body_force;
  if (!force.given) return "";
  const float low = component(setup.domain.min, force.across), high = component(setup.domain.max, force.across);
  std::string text = fmt::format("variable wave atom \"({} - {}) * {} / {}\"\n", kAxisLetters[force.across], low,
                                 force.waves, high - low);
  text += force.profile == ForceProfile::Sine
              ? "variable profile atom \"mass * sin(2*PI*v_wave)\"\n"
              : "variable profile atom \"mass * (1 - 2*((v_wave - floor(v_wave)) >= 0.5))\"\n";
  std::string names;
  for (int a = 0; a < 3; ++a) {
    const float along = a < setup.domain.dimension ? component(force.acceleration, a) : 0.0f;
    if (along == 0) {
      names += " 0.0";
      continue;
    }
    text += fmt::format("variable force_{0} atom \"{1} * v_profile\"\n", kAxisLetters[a], along);
    names += fmt::format(" v_force_{}", kAxisLetters[a]);
  }
  return text + "fix body_force all addforce" + names + "\n";
}

std::string fixes(const LammpsScene& scene) {
  const SimulationSetup& setup = scene.setup;
  const Domain& domain = setup.domain;
  std::string text = scene.integrator == LammpsIntegrator::Mvv
                         ? fmt::format("fix motion all mvv/dpd {}\n", setup.dpd.lambda)
                         : "fix motion all nve\n";
  std::string mirrors;
  for (int a = 0; a < domain.dimension; ++a)
    if (domain.walled(a)) mirrors += fmt::format(" {0}lo EDGE {0}hi EDGE", kAxisLetters[a]);
  if (!mirrors.empty()) text += "fix mirrors all wall/reflect" + mirrors + "\n";
  Vec3 g = setup.gravity;
  if (domain.dimension == 2) g.z = 0;
  const double size = std::sqrt(double{g.x} * g.x + double{g.y} * g.y + double{g.z} * g.z);
  if (size > 0) text += fmt::format("fix gravity all gravity {} vector {} {} {}\n", size, g.x, g.y, g.z);
  text += body_force(setup);
  if (domain.dimension == 2) text += "fix plane all enforce2d\n";
  return text;
}

/// kT and P as `riffle run --series` has them: without the flow along axes that have no walls. P is the column
/// thermostat_pressure, since LAMMPS's virial has all forces of a pair.
std::string measures(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  int free_axes = 0;
  bool open = false;
  std::string flow;
  for (int a = 0; a < domain.dimension; ++a) {
    open |= domain.axis[a] == Axis::Open;
    if (domain.walled(a)) continue;
    ++free_axes;
    flow += fmt::format("{}vcm(all,{})^2", flow.empty() ? "" : " + ", kAxisLetters[a]);
  }
  std::string text = "compute kinetic all ke\n";
  text += fmt::format("variable kT equal \"2 * (c_kinetic{}) / ({} * atoms - {})\"\n",
                      flow.empty() ? "" : " - 0.5 * mass(all) * (" + flow + ")", domain.dimension, free_axes);
  if (!open)
    text +=
        "compute virial all pressure NULL virial\n"
        "variable P equal \"atoms * v_kT / vol + c_virial\"\n";
  return text + fmt::format(
                    "thermo ${{every}}\nthermo_style custom step time v_kT{} pe\nthermo_modify norm yes format "
                    "float %.9g\n",
                    open ? "" : " v_P");
}

}  // namespace

std::uint64_t lammps_steps(const LammpsScene& scene, const LammpsParticleTable& particles) {
  if (scene.end_step) return *scene.end_step > particles.step ? *scene.end_step - particles.step : 0;
  const double steps = (scene.end_time - particles.time) / scene.step;
  constexpr double kRounding = 1e-6;  // of the clock's sum of steps and of the step itself
  return steps > 0.5 ? static_cast<std::uint64_t>(std::ceil(steps * (1 - kRounding))) : 0;
}

namespace {

std::uint64_t row_steps(const LammpsScene& scene) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(1, std::llround(scene.frame_interval / scene.step)));
}

/// LAMMPS writes the first state, and then those at multiples of the interval.
std::uint64_t frames_of(const LammpsScene& scene, const LammpsParticleTable& particles, std::uint64_t interval) {
  const std::uint64_t begin = particles.step, end = begin + lammps_steps(scene, particles);
  return 1 + end / interval - begin / interval;
}

}  // namespace

std::uint64_t lammps_frame_steps(const LammpsScene& scene, const LammpsParticleTable& particles) {
  constexpr std::uint64_t kMostFrames = 100;
  const std::uint64_t row = row_steps(scene), rows = lammps_steps(scene, particles) / row;
  std::uint64_t between = row * std::max<std::uint64_t>(1, rows / kMostFrames);
  while (frames_of(scene, particles, between) > kMostFrames) between += row;
  return between;
}

LammpsDump lammps_dump(const LammpsScene& scene, const LammpsParticleTable& particles) {
  constexpr double kLine = 80;  // [bytes] id, type and six numbers of nine digits
  const std::uint64_t frames = frames_of(scene, particles, lammps_frame_steps(scene, particles));
  return {frames, kLine * static_cast<double>(frames) * static_cast<double>(particles.id.size())};
}

std::string lammps_input(const LammpsScene& scene, const LammpsParticleTable& particles, const std::string& data) {
  const SimulationSetup& setup = scene.setup;
  const Domain& domain = setup.domain;
  std::string text = comments(scene, particles);
  text += fmt::format(
      "variable steps index {}\nvariable every index {}\nvariable frame_every index {}\nvariable seed index {}\n\n",
      lammps_steps(scene, particles), row_steps(scene), lammps_frame_steps(scene, particles), scene.seed);
  text += fmt::format("units lj\ndimension {}\natom_style {}\nboundary {} {} {}\n", domain.dimension,
                      scene.integrator == LammpsIntegrator::Mvv ? "mdpd" : "atomic", boundary_of(domain, 0),
                      boundary_of(domain, 1), boundary_of(domain, 2));
  text += fmt::format("newton on\ncomm_modify vel yes\nread_data {}\n", data);
  if (particles.step > 0 || particles.time > 0)
    text += fmt::format("reset_timestep {} time {}\n", particles.step, particles.time);
  text += "\n" + pair_coefficients(scene);
  text += fmt::format("neighbor {:g} bin\nneigh_modify every 1 delay 0 check yes\ntimestep {}\n\n",
                      0.3 * double{setup.dpd.cutoff}, scene.step);
  text += fixes(scene) + "\n" + measures(setup);
  text += fmt::format(
      "dump frames all custom ${{frame_every}} {}.lammpstrj id type x y z vx vy vz\n"
      "dump_modify frames first yes sort id units yes time yes format float %.9g\n\nrun ${{steps}}\nwrite_data "
      "{}.end.data\n",
      scene.stem, scene.stem);
  return text;
}

}  // namespace riffle
