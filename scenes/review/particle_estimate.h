#pragma once
/// How many particles a scene has, without placing them.

namespace riffle {
struct SimulationSetup;
}

namespace riffle::scenes {

/// At least as many as its bodies have at time 0; more where shapes overlap, or `without` takes a part away.
double particle_estimate(const SimulationSetup& setup);

}  // namespace riffle::scenes
