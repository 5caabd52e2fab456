#include "app/run/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "app/run/movie_clock.h"
#include "app/run/movie_frames.h"
#include "app/run/scene_view.h"
#include "app/run/solid_meshes.h"
#include "core/error.h"
#include "core/timing/seconds_since.h"
#include "render/camera.h"
#include "render/color_map.h"
#include "render/gl/offscreen_context.h"
#include "render/media/png.h"
#include "render/particles/pick.h"
#include "render/renderer.h"
#include "sim/units.h"

namespace riffle {

namespace {

constexpr double kFarBetween = 100;  // frames of one step: no motion within it is seen

class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total), begin_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { total_ += seconds_since(begin_); }

 private:
  double& total_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace

struct Recorder::Impl {
  scenes::Scene scene;                                // with its picture settled
  std::unique_ptr<render::OffscreenContext> context;  // declared first: everything below needs it to be destroyed
  std::unique_ptr<render::Renderer> renderer;
  std::optional<MovieFrames> movie;
  Camera camera;
  render::ColorScale scale;
  QuantityValues values;
  SolidMeshes solids;
  MovieClock clock;
  std::string_view spheres;
  double seconds = 0;
  std::vector<std::string> warnings;
  bool warned_of_long_steps = false;
  bool looked = false;  ///< at whether a picture shows a particle

  Impl(const scenes::Scene& s, std::optional<double> goes_on)
      : scene(s), clock(s.run.frame_interval(), first_frame(goes_on, s.run.frame_interval())) {}

  static double first_frame(std::optional<double> goes_on, double interval) {
    return goes_on ? multiple_before(*goes_on, interval) + interval : 0;
  }

  /// @param earlier [s] before the simulation's present time
  void draw(const Simulation& simulation, double time, double earlier = 0) {
    if (!std::exchange(looked, true)) warn_of_empty_picture(simulation, time);
    render::Extras extras;
    extras.cut = cut_plane(scene.picture.cut, scene.simulation.domain);
    if (scene.picture.solids) extras.solids = solids.of(scene.simulation, time, simulation.body_places(earlier));
    render::ParticleView view = view_of(scene, simulation, values);
    view.earlier = static_cast<float>(earlier);
    renderer->draw(view, camera_in_domain(camera, scene, time), scale, box_of(scene.simulation.domain),
                   scene.picture.caption ? picture_caption(scene, time, simulation.particle_count()) : "", extras);
    spheres = to_string(renderer->sphere_method());
  }

  /// Of the first picture: later ones may be of a fluid that has left on purpose.
  void warn_of_empty_picture(const Simulation& simulation, double time) {
    const render::ParticleView view = view_of(scene, simulation, values);
    const auto cut = cut_plane(scene.picture.cut, scene.simulation.domain);
    const float aspect = static_cast<float>(scene.picture.width) / static_cast<float>(scene.picture.height);
    const Camera seen = camera_in_domain(camera, scene, time);
    if (view.count == 0 || render::any_in_view(view, seen, aspect, cut)) return;
    const bool by_cut = cut && render::any_in_view(view, seen, aspect, {});
    warnings.push_back(fmt::format("the picture at {} shows no particle: {}", time_text(simulation.setup(), time),
                                   by_cut ? "picture.cut leaves out all of them"
                                          : "none is in view of picture.camera; without camera and target the picture "
                                            "shows the whole domain"));
  }

  void pass_on_pictures(bool wait) {
    movie->collect([&](bool wait_for_it) { return renderer->next_image(wait_for_it); }, wait);
    movie->pass_on(true);
  }
};

Recorder::Recorder(const scenes::Scene& scene, const Simulation& simulation, const std::filesystem::path& movie,
                   bool draws, std::optional<double> goes_on)
    : impl_(std::make_unique<Impl>(scene, goes_on)) {
  if (!draws && movie.empty()) return;
  std::string why_not;
  impl_->context = render::OffscreenContext::create(cuda_ordinal(simulation.device()), &why_not);
  if (!impl_->context) {
    impl_->warnings.push_back(fmt::format("no pictures{}: {}", movie.empty() ? "" : " and no movie", why_not));
    return;
  }
  settle_picture(impl_->scene, impl_->context->info().software);
  const scenes::PictureSetup& picture = impl_->scene.picture;
  render::RenderOptions options = render_options_of(impl_->scene);
  options.legend_keeps_clear = true;
  impl_->renderer = std::make_unique<render::Renderer>(picture.width, picture.height, simulation.device(), options);
  impl_->scale = color_scale(impl_->scene);
  impl_->camera = camera_of(impl_->scene);
  if (!movie.empty())
    impl_->movie.emplace(make_movie_sink(movie, picture.width, picture.height, scene.run.frames_per_second));
}

Recorder::~Recorder() = default;

bool Recorder::can_draw() const { return impl_->renderer != nullptr; }
bool Recorder::has_movie() const { return impl_->movie.has_value(); }
int Recorder::movie_frames() const { return impl_->movie ? impl_->movie->frames() : 0; }
std::string_view Recorder::spheres() const { return impl_->spheres; }
const std::vector<std::string>& Recorder::warnings() const { return impl_->warnings; }
double Recorder::seconds() const { return impl_->seconds; }
void Recorder::drop_movie() { impl_->movie.reset(); }

void Recorder::record_until(double time, Simulation& simulation) {
  if (!impl_->movie) return;
  const double frames = impl_->clock.due(time);
  if (frames < 1) return;
  if (frames > kFarBetween && !impl_->warned_of_long_steps) {
    impl_->warned_of_long_steps = true;
    impl_->warnings.push_back(fmt::format(
        "one step before t = {:.4g} {} spans {:.0f} frames of the movie: they show particles that move in straight "
        "lines{}; a larger movie.time_scale or a lower movie.frames_per_second suits the step",
        time, units_of(simulation.setup()).time, frames,
        frames > MovieClock::kMostAtOnce ? fmt::format(" (at most {:g} of them are written)", MovieClock::kMostAtOnce)
                                         : ""));
  }
  const Stopwatch watch(impl_->seconds);
  const StepReport now = simulation.finish();  // of the particles as they are
  // Of very many frames some are repeated: nobody waits for a thousand pictures of one step.
  const int repeats = static_cast<int>(std::ceil(std::min(frames, MovieClock::kMostAtOnce) / kFarBetween));
  while (const auto earlier = impl_->clock.take_one(now.time, MovieClock::kMostSteps * now.last_dt)) {
    int shown = 1;
    while (shown < repeats && impl_->clock.take_one(now.time, 0)) ++shown;
    impl_->draw(simulation, now.time - *earlier, *earlier);
    impl_->renderer->start_read();
    impl_->movie->add(shown);
    impl_->pass_on_pictures(false);
  }
}

void Recorder::save_picture(const std::filesystem::path& file, const Simulation& simulation, double time) {
  if (!impl_->renderer) return;
  const Stopwatch watch(impl_->seconds);
  const render::RenderOptions of_movie = impl_->renderer->options();
  render::RenderOptions options = still_options_of(of_movie, impl_->scene.picture, impl_->context->info().software);
  const scenes::PictureSetup& picture = impl_->scene.picture;
  if (picture.transparent) options.theme = render::Theme::clear(ground_of(picture.background, picture.studio));
  impl_->renderer->set_options(options);
  impl_->draw(simulation, time);
  const render::Image image = impl_->renderer->read_image();
  impl_->renderer->set_options(of_movie);
  render::write_png(file.string(), image);
}

void Recorder::finish_movie() {
  if (!impl_->movie) return;
  if (impl_->clock.frames() == 0) {
    impl_->movie.reset();
    impl_->warnings.push_back("no movie: the run ended before the next frame was due");
    return;
  }
  const Stopwatch watch(impl_->seconds);
  impl_->pass_on_pictures(true);
  impl_->movie->sink().finish();
}

}  // namespace riffle
