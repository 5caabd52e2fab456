#include "app/run/local_temperature.h"

#include <limits>
#include <vector>

#include "core/device/memory.h"
#include "core/error.h"

namespace riffle {

double mean_local_temperature(const Simulation& simulation, QuantityValues& quantities) {
  std::vector<float> values(static_cast<std::size_t>(simulation.particle_count()));
  try {
    const float* const from = quantities.compute(simulation, Quantity::Temperature);
    copy_to_host(simulation.device(), values.data(), from, values.size() * sizeof(float));
  } catch (const Unavailable&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double sum = 0, count = 0;
  for (const float value : values)
    if (value != 0) sum += value, ++count;  // 0: without neighbours
  return sum / count;
}

}  // namespace riffle
