#pragma once
/// Scenes at another size.

#include "app/command/scene_options.h"

namespace riffle::bench {

/// The scene changed so that it has about as many fluid particles: by its spacing, or, where the solver has that from a number
/// density, by the lengths of a scene that consists of boxes.
/// @throws InputError for a scene in reduced units with anything else than boxes of fluid
SceneOptions sized(const SceneOptions& scene, double particles);

}  // namespace riffle::bench
