#pragma once
/// The renderer's input, made from a scene and its simulation.

#include <optional>
#include <string>
#include <vector>

#include "app/run/framed_camera.h"
#include "render/renderer.h"
#include "render/view.h"
#include "scenes/scene.h"
#include "sim/measure/quantity_values.h"
#include "sim/simulation.h"

namespace riffle {

/// Settles what the scene's picture leaves to `auto`: look, colours and foam.
/// @param software_gl the CPU draws; many small spheres then cost less than filters over the whole picture
void settle_picture(scenes::Scene& scene, bool software_gl);

/// The renderer's options from the scene's picture, which must be settled.
render::RenderOptions render_options_of(const scenes::Scene& scene);

/// What text and lines of a picture without a background are meant for: the scene's colour, or its dark studio. nullopt: a light
/// page.
std::optional<Vec3> ground_of(const std::optional<Vec3>& background, scenes::StudioChoice studio);

/// Whether a single picture has several samples per pixel although movies have one: where `auto` leaves it open and the
/// processor draws, and the picture is no larger than 1920 x 1080.
bool has_time_for_samples(render::Quality quality, int width, int height, bool software_gl);

/// The options of a single picture: what the scene leaves to `auto` gets a higher quality than in a movie.
/// Everything else is taken from `options`, those of the movie.
render::RenderOptions still_options_of(render::RenderOptions options, const scenes::PictureSetup& picture,
                                       bool software_gl);

/// The particles as they are now. The pointers are valid until the next step, and the next call with these values.
/// @throws Unavailable as QuantityValues::compute()
render::ParticleView view_of(const scenes::Scene& scene, const Simulation& simulation, QuantityValues& values);

render::BoxView box_of(const Domain& domain);

/// Nothing without a cut, and in 2-D.
std::optional<render::CutPlane> cut_plane(const scenes::CutSetup& cut, const Domain& domain);

/// The scene's colours of the fluids. One that has the colour of a fluid before it, as all have whose colour is not
/// given, gets another.
std::vector<Vec3> fluid_colors(const std::vector<FluidSetup>& fluids);

/// One scale for the whole run, so that pictures can be compared.
render::ColorScale color_scale(const scenes::Scene& scene);

/// The camera along the domain's axes at that time [s], where the scene sees the domain move; otherwise the camera itself.
Camera camera_in_domain(const Camera& camera, const scenes::Scene& scene, double time);

/// A place in the domain as such a picture has it, along the axes that the domain has at first.
Vec3 place_in_picture(Vec3 place, const scenes::Scene& scene, double time);

/// The scene's camera and what it must show at least, or a camera that frames the domain, with gravity pointing down, in a
/// picture of that size.
/// @param width,height [pixel]
FramedCamera framing_of(const scenes::Scene& scene, int width, int height, float pixel_density = 1);
/// The same in a picture of that size.
Camera camera_of(const scenes::Scene& scene, int width, int height, float pixel_density = 1);
/// The camera for the key picture.camera, so that camera_of() in a picture of this size is `shown`, and in every other one
/// shows all of it.
FramedCamera camera_to_keep(const Camera& shown, const scenes::Scene& scene, int width, int height);
/// The same camera as the value of that key. It has `up` and `fov` only if they are not the defaults or the scene has
/// them, and `aspect` if it is not that of the scene's pictures; in 2-D the distance from the target gives the height that
/// is seen.
/// @param up_written,fov_written  the scene has these keys of the camera
std::string camera_text(const FramedCamera& framed, const scenes::Scene& scene, bool up_written, bool fov_written);
Camera camera_of(const scenes::Scene& scene);  ///< for pictures of the scene's size

/// "t = 0.250 s". Particles from a file have the file's time, and then "t = 0.600 s + 0.250 s".
/// @param time [s] since the scene began, in DPD its own unit
std::string time_text(const SimulationSetup& setup, double time);

/// "t = 0.250 s   72,600 particles": of every movie and saved picture. @param time  as for time_text()
std::string picture_caption(const scenes::Scene& scene, double time, int particles);

/// Which GPU the drawing should be on; none for a simulation on the CPU.
std::optional<int> cuda_ordinal(const Device& device);

}  // namespace riffle
