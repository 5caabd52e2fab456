#pragma once
/// The units of a scene's keys, in the words that its solver has for them.

#include "scenes/document/document.h"
#include "scenes/format/format.h"
#include "sim/units.h"

namespace riffle::scenes {

/// Those of the solver that the document names. It may have mistakes: what cannot be read counts as the default.
const Units& units_of_document(const Node& root);

/// Replaces SI units by the reduced ones, and eps by the scene's unit of energy; by none where lengths have no name.
/// SI units stay, but for those of a whole solid or a flow in a 2-D scene, which are per metre of depth.
void use_units(Form& form, const Units& units, bool flat);

}  // namespace riffle::scenes
