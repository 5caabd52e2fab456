#pragma once
/// From a scene and its simulation to what the renderer draws.

#include <optional>
#include <string>

#include "render/renderer.h"
#include "render/view.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

namespace riffle {

/// Decides what the scene leaves to `auto` in its picture: the look, what the colours show, and the foam.
/// @param software_gl the processor draws: many small spheres are cheaper for it than filters over the whole picture
void settle_picture(Scene& scene, bool software_gl);

/// Look, foam and what else of the scene's picture concerns the renderer. The picture must be settled.
RenderOptions render_options_of(const Scene& scene);

/// The same for a picture that is taken now and then: what the scene leaves to `auto` is better than for many in a row.
/// Everything else stays as it is in `options`, those of the many.
RenderOptions still_options_of(RenderOptions options, const PictureSetup& picture, bool software_gl);

/// The particles as they are now; the pointers are good until the next step.
ParticleView view_of(const Scene& scene, const Simulation& simulation);

BoxView box_of(const Domain& domain);

/// One scale for the whole run: a scale that moves from picture to picture cannot be compared.
ColorScale color_scale(const Scene& scene);

/// The scene's camera, or one that frames the domain with gravity pointing down.
/// @param width,height [pixel] of the picture; one that is narrower than the scene's own shows as much from left to right
Camera camera_of(const Scene& scene, int width, int height, float pixel_density = 1);
Camera camera_of(const Scene& scene);  ///< for pictures of the scene's size

/// "t = 0.250 s   72,600 particles": of every movie and saved picture. @param time [s], in DPD its own unit
std::string picture_caption(const Scene& scene, double time, int particles);

/// Which GPU the drawing should be on; none for a simulation on the CPU.
std::optional<int> cuda_ordinal(const Device& device);

}  // namespace riffle
