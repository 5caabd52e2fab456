#pragma once
/// How light a free solid may be.

namespace riffle {
struct SimulationSetup;
}

namespace riffle::scenes {

/// [kg/m^3] A lighter body is too fast for the step: a fiftieth of the densest fluid.
double least_density_of_free(const SimulationSetup& setup);

}  // namespace riffle::scenes
