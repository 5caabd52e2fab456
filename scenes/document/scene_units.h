#pragma once
/// The units of a scene's keys, in the words that its solver has for them.

#include "scenes/document/document.h"
#include "scenes/format/format.h"
#include "sim/units.h"

namespace riffle::scenes {

/// Those of the solver that the document names. It may have mistakes: what cannot be read counts as the default.
const Units& units_of_document(const Node& root);

/// Replaces SI units by the reduced ones, and eps by the scene's unit of energy; by none where lengths have no name.
/// Nothing changes where the units are SI.
void use_units(Form& form, const Units& units);

}  // namespace riffle::scenes
