#pragma once
/// Keys of which a thing has one: what the others would be, and how another one is chosen.

#include <optional>
#include <string>

namespace riffle::scenes {
struct Parameter;
}

namespace riffle::desktop {

struct PanelContext;
class SceneEditor;

/// What the field of a key shows that the scene does not have.
struct FollowingNumber {
  std::string shown;            ///< "= 12.5"; "none"; "" of a key that has a value of its own
  std::optional<double> value;  ///< that follows from the other key
};

/// Of `mass` and `density` of a free solid, and of `speed` and `rate` of an inlet, the one that is not given.
FollowingNumber follows_from_other(const SceneEditor& editor, const scenes::Parameter& p);

/// A row of the panel's table: by which of its keys the inlet "inlets[0]" flows. Another choice lets in as much.
void draw_flow_choice(PanelContext& context, const std::string& inlet);

}  // namespace riffle::desktop
