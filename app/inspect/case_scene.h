#pragma once
/// Validation cases as scenes.

#include <string>
#include <vector>

#include "scenes/scene.h"
#include "validation/validation_case.h"

namespace riffle {

/// A set-up of the case, before its first step; fluids have names of their own.
scenes::Scene scene_of(const ValidationCase& which, const SimulationSetup& setup);

/// The first set-up that the case simulates.
/// @throws InputError when it simulates nothing, and what the case throws before
scenes::Scene case_scene(const ValidationCase& which, const CaseContext& context);

/// The case's set-up with other settings, so that one sees what they do to its figures.
/// overrides: "key.path=value" as for a scene. Allowed are keys below `solver` (but not `solver.type`) and `neighbors`, the
/// step (`time.step`, `time.cfl`, `time.max_step`), `particles.support_ratio` and `seed`. What a case measures and compares
/// with does not follow from a change of its geometry, its fluids or its duration.
/// warnings: out, those that the overrides cause.
/// @throws InputError for another key, and what scenes::parse_scene() throws
SimulationSetup with_overrides(const ValidationCase& which, const SimulationSetup& setup,
                               const std::vector<std::string>& overrides, std::vector<std::string>& warnings);

/// What the overrides change of the fluid and the forces that the case's references are of, "solver.temperature from 1 to 2"; "":
/// nothing.
std::string changed_physics(const ValidationCase& which, const SimulationSetup& setup,
                            const std::vector<std::string>& overrides);

}  // namespace riffle
