#include "app/run/audit_state.h"

#include <fmt/format.h>

#include <cmath>

namespace riffle {

ParticleCloud live_cloud(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  return {simulation.particles().get<Vec4>("position").data(), simulation.particle_count(), setup.domain,
          setup.support_radius()};
}

std::vector<std::uint32_t> compared_particles(const Simulation& simulation, std::uint64_t step) {
  const int count = simulation.particle_count();
  return random_particles(count, count <= kMostCompared ? count : kSampled, simulation.setup().seed * 1000003 + step);
}

AuditedState audited_state(const Simulation& simulation, const StepReport& clock) {
  const ParticleSet& particles = simulation.particles();
  return {clock.step, clock.time, particles.get<Vec4>("position").to_host(),
          particles.get<std::uint32_t>("id").to_host()};
}

std::string pair_text(const PairFault& fault, const AuditedState& state, const ParticleCloud& cloud) {
  const Vec4 a = state.positions.at(fault.i), b = state.positions.at(fault.j);
  const double r = std::sqrt(double{squared_length(separation(xyz(a), xyz(b), periodic_wrap(cloud.domain)))});
  return fmt::format(
      "step {}: particle {} at ({:.9g}, {:.9g}, {:.9g}) and particle {} at ({:.9g}, {:.9g}, {:.9g}), {:.9g} apart, "
      "h = {:.9g}: {}",
      state.step, state.ids.at(fault.i), a.x, a.y, a.z, state.ids.at(fault.j), b.x, b.y, b.z, r, cloud.h,
      to_string(fault.kind));
}

std::vector<std::string> fault_lines(const SearchAudit& audit, const AuditedState& state, const ParticleCloud& cloud) {
  std::vector<std::string> lines;
  if (audit.right()) return lines;
  for (const PairFault& fault : audit.faults) lines.push_back(pair_text(fault, state, cloud));
  if (lines.empty())
    lines.push_back(fmt::format("step {}: {} particles without exactly one visit; pairs that only one of two has: {}",
                                state.step, audit.unvisited, audit.asymmetric_somewhere ? "some" : "none"));
  return lines;
}

}  // namespace riffle
