#include "app/desktop/scene/new_scenes.h"

namespace riffle::desktop {

namespace {

constexpr NewScene kNewScenes[] = {
    {"tank", "Water at rest in a tank of 1 m x 0.6 m x 0.4 m; 15,000 particles.",
     R"(description: Water at rest in a tank.
dimension: 3
domain:
  min: [0, 0, 0]
  max: [1, 0.6, 0.4]
  axes: walled
gravity: [0, -9.81, 0]
particles:
  spacing: 0.02
fluids:
  - name: water
    rest_density: 1000
    viscosity: 1.0e-6
bodies:
  - fluid: water
    box: {min: [0, 0, 0], max: [1, 0.3, 0.4]}
solver:
  type: wcsph
)"},
    {"channel", "A viscous flow between two plates, driven along x, in two dimensions; 1,200 particles.",
     R"(description: A viscous flow between two plates, driven along x. What leaves at one end enters at the other.
dimension: 2
domain:
  min: [0, 0]
  max: [0.3, 0.1]
  axes: [periodic, walled]
gravity: [0.1, 0]
particles:
  spacing: 0.005
fluids:
  - name: liquid
    rest_density: 1000
    viscosity: 1.0e-3
bodies:
  - fluid: liquid
    box: {min: [0, 0], max: [0.3, 0.1]}
solver:
  type: wcsph
  speed_of_sound: 2
  walls: no_slip
  artificial_viscosity: 0
  shifting: 5
time:
  end: 10
)"},
    {"box", "A block of water in the corner of a closed box with edges of 1 m; 8,000 particles.",
     R"(description: A block of water in the corner of a closed box.
dimension: 3
domain:
  min: [0, 0, 0]
  max: [1, 1, 1]
  axes: walled
gravity: [0, -9.81, 0]
particles:
  spacing: 0.025
fluids:
  - name: water
    rest_density: 1000
    viscosity: 1.0e-6
bodies:
  - fluid: water
    box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}
solver:
  type: wcsph
)"},
    {"empty", "A walled domain with one drop of water, since a scene needs a body; 552 particles.",
     R"(description: A walled domain with one drop of water. Add bodies, then remove it.
dimension: 3
domain:
  min: [0, 0, 0]
  max: [1, 1, 1]
  axes: walled
gravity: [0, -9.81, 0]
particles:
  spacing: 0.02
fluids:
  - name: water
    rest_density: 1000
    viscosity: 1.0e-6
bodies:
  - fluid: water
    sphere: {center: [0.5, 0.5, 0.5], radius: 0.1}
solver:
  type: wcsph
)"},
};

}  // namespace

std::span<const NewScene> new_scenes() { return kNewScenes; }

}  // namespace riffle::desktop
