#include "sim/guard/fault.h"

#include <algorithm>

#include "sim/solver.h"

namespace riffle {

FaultLimits fault_limits(const SimulationSetup& setup) {
  FaultLimits limits;
  const double speed = double{kImpossibleSignals} * double{signal_speed(setup)};
  limits.speed2 = static_cast<float>(std::min(speed * speed, double{FaultLimits::kMost}));
  float* const low[3] = {&limits.low.x, &limits.low.y, &limits.low.z};
  float* const high[3] = {&limits.high.x, &limits.high.y, &limits.high.z};
  for (int a = 0; a < 3; ++a)
    if (setup.domain.walled(a)) {
      *low[a] = component(setup.domain.min, a) - setup.spacing;
      *high[a] = component(setup.domain.max, a) + setup.spacing;
    }
  return limits;
}

std::optional<Fault> fault_of(const FaultRecord& record) {
  if (record.complete == 0) return std::nullopt;
  Fault fault;
  fault.step = record.step;
  fault.time = record.time;
  if (record.body != FaultRecord::kNobody) fault.body = static_cast<std::size_t>(record.body);
  for (std::uint32_t kind = 0; kind < kParticleFaults; ++kind) {
    if (record.count[kind] == 0) continue;
    fault.kind = static_cast<StateFault>(kind);
    fault.count = record.count[kind];
    for (int k = 0; k < FaultRecord::kNamed && record.named[kind][k] != FaultRecord::kNobody; ++k)
      fault.particles.push_back({static_cast<std::uint32_t>(record.named[kind][k] >> 32), record.fluid[k],
                                 xyz(record.position[k]), xyz(record.velocity[k])});
    return fault;
  }
  fault.kind = StateFault::Body;
  fault.count = record.bodies;
  return fault;
}

}  // namespace riffle
