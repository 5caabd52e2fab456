#pragma once
/// Which entry of the scene a place of the picture shows.

#include <imgui.h>

#include <string>

#include "core/math/vec.h"

namespace riffle::scenes {
struct Scene;
}  // namespace riffle::scenes

namespace riffle::desktop {

struct PanelContext;

/// The probe, inlet or outlet whose mark is drawn under the mouse: "probes[1]"; "": none
std::string marked_entry_at(const PanelContext& context, ImVec2 mouse);

/// The body that a particle at this place [m] belongs to at time 0: "bodies[0]"; "": none
std::string body_at(const scenes::Scene& scene, Vec3 place);

}  // namespace riffle::desktop
