#pragma once
/// Validation cases as scenes.

#include "scenes/scene.h"
#include "validation/validation_case.h"

namespace riffle {

/// The first set-up that the case simulates, before its first step; fluids have names of their own.
/// @throws InputError when it simulates nothing, and what the case throws before
scenes::Scene case_scene(const ValidationCase& which, const CaseContext& context);

}  // namespace riffle
