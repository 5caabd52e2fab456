#pragma once
/// Volume, mass, centre of mass and inertia of regions.

#include <vector>

#include "sim/bodies/free_body.h"

namespace riffle {

struct Region;
struct SimulationSetup;

/// Of a region filled with that density.
/// - Plain shapes: closed formulas. A polygon whose edges cross counts by the even-odd rule.
/// - A mesh: from its triangles. Where they leave gaps or enclose a place more than once: from cells, a 128th of the longest
///   side wide.
/// - `with`: the sum of the shapes, less what one has in common with those before it, which comes from cells as below.
/// - `without`: what it takes away comes from cells, a 128th of the longest side of that part wide; in 2-D a 1024th. The
///   volume that is taken away is then within 0.1 % of its value (in 2-D 0.01 %), its moments too.
/// @param region  nothing of it is infinite, and no plane
BodyMass body_mass(const Region& region, int dimension, double density);

/// (regions) The masses of the setup's free solids; the others have a mass of 0.
/// @throws InputError naming the solid, for one that is infinite or a plane, or has no volume, or neither density nor mass
std::vector<BodyMass> body_masses(const SimulationSetup& setup);

}  // namespace riffle
