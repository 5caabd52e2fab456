#pragma once
/// What no single key can be blamed for: bodies outside the domain, empty, overlapping; names that refer to nothing.

#include "scenes/document/reader.h"

namespace riffle::scenes {

/// Resolves names, zeroes what 2-D ignores; adds what is wrong to `problems` and what is
/// suspicious to the scene's warnings. Parts that `problems` already touch are left alone.
Scene review(SceneDraft draft, const KeyLocations& locations, Problems& problems);

}  // namespace riffle::scenes
