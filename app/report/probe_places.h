#pragma once
/// Where the points of probes are, by the names that their columns have.

#include <nlohmann/json.hpp>
#include <span>

#include "sim/probes/probe.h"
#include "sim/setup.h"

namespace riffle {

/// {"gauge": [x, y, z], "profile_1": [...], ...} [m]; two numbers in 2-D. Of points, lines and planes: levels and flows have no
/// point that a number belongs to.
nlohmann::ordered_json probe_places_json(std::span<const ProbeSetup> probes, const SimulationSetup& setup);

}  // namespace riffle
