#pragma once
/// A scene written down as a document, from its values alone: the other way round from load.h.

#include "scenes/document/document.h"
#include "scenes/scene.h"

namespace riffle::scenes {

/// A document that the loader makes the same scene of: every key whose value is not its default, and those that must be
/// given. A level to fill to is written as the box that it is, a number density as the spacing.
/// @throws InputError for a body whose particles are from a file, and for solids, which a document cannot hold
Node document_of(const Scene& scene);

}  // namespace riffle::scenes
