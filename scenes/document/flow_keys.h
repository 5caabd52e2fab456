#pragma once
/// The keys that say how much an inlet lets in: `speed`, `rate` and `table`, of which it has one. What one of them is in terms of
/// another, and what an edit of one changes beside it.

#include <optional>
#include <string>
#include <vector>

#include "scenes/document/free_solid_keys.h"
#include "sim/setup.h"

namespace riffle::scenes {

inline constexpr const char* kFlowKeys[] = {"speed", "rate", "table"};

/// The other ones beside "inlets[0].rate"; none of another key.
std::vector<std::string> flow_rivals(const std::string& path);

/// The key that the inlet has.
std::string flow_key_of(const InletSetup& inlet);

/// `speed` [m/s] or `rate` [m^3/s], in 2-D [m^2/s], as the inlet's own key has it with the area of its mouth; of a table the mean
/// over its rows. Nothing for `table`, for a mouth without room for a particle, and where nothing flows.
std::optional<double> flow_by(const std::string& key, const SimulationSetup& setup, const InletSetup& inlet);

/// A value for `key` that lets in as much as the inlet does: six digits where they have it exactly, else as many as it needs.
std::string flow_number(double value);

/// An edit of one of the keys takes out the others. Taken back to a base without the key, the others are as in the base.
/// @param edit  its path has indices as [0]; without a value the key is taken out
/// @param base  the document without edits
/// @param now   the scene before the edit
FreeSolidEdits edits_beside_flow(const Edit& edit, const SceneSource& base, const Scene& now);

}  // namespace riffle::scenes
