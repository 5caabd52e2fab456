#include "app/desktop/recording/exports.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/playback.h"
#include "app/desktop/recording/file_names.h"
#include "app/desktop/recording/recording_text.h"
#include "app/desktop/timings/timing_tables.h"
#include "app/report/parameter_changes.h"
#include "app/run/particle_series.h"
#include "app/run/scene_view.h"
#include "app/run/surface_export.h"
#include "app/state/state_file.h"
#include "core/text/output_files.h"
#include "render/media/png.h"
#include "render/media/video.h"
#include "scenes/scene.h"
#include "sim/fluid_surface/surface_limits.h"
#include "sim/start/origin.h"

namespace riffle::desktop {

namespace fs = std::filesystem;

namespace {

/// Even, as encoders need it.
PictureSize size_of(ExportSize size, const WorkerStatus& status, const ViewState& view) {
  if (size == ExportSize::Scene && status.loaded) return {status.scene->picture.width, status.scene->picture.height};
  for (const FixedSize& fixed : kFixedSizes)
    if (fixed.size == size) return {fixed.width, fixed.height};
  return {std::max(16, view.picture_width & ~1), std::max(16, view.picture_height & ~1)};
}

PictureSize seen_by(const ViewState& view) { return {view.picture_width, view.picture_height}; }

constexpr std::size_t kMostWaiting = 4;  // tables of particles
using AfterEnd = BackgroundWriter::AfterEnd;

/// The simulation waits for a slow disk: tables take much memory.
Playback::WriteFile patient(std::shared_ptr<BackgroundWriter> writer) {
  return [writer = std::move(writer)](const fs::path& file, std::function<void(const fs::path&)> write, bool is_list) {
    while (writer->waiting() > kMostWaiting) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    writer->write(file, std::move(write), is_list ? AfterEnd::Written : AfterEnd::Dropped);
  };
}

/// "12 files of particles, out/dam.pvd"
std::string line_of(const WorkerStatus::Files& files, const char* what) {
  return fmt::format("{} of {}, {}", files_text(files.files, files.one_file), what,
                     files.list.empty() ? files.pattern : files.list);
}

}  // namespace

std::string default_export_folder() {
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  if (home && *home && fs::is_directory(fs::path(home) / "Videos", ignored))
    return (fs::path(home) / "Videos").string();
  const fs::path here = fs::current_path(ignored);
  return ignored ? "." : here.string();
}

PictureLook look_of(const ViewState& view, const ExportSettings& settings, bool png) {
  PictureLook look = look_of(view);
  look.caption = view.caption;
  if (png && view.transparent) look.options.theme = render::Theme::clear(ground_of(view.background, view.studio));
  if (settings.size != ExportSize::Window) look.options.pixel_density = 1;  // the same on every screen
  look.options.legend_keeps_clear = true;                                   // as in the pictures of riffle run
  return look;
}

PictureLook still_of(PictureLook look, PictureSize size, bool software_gl) {
  render::RenderOptions& options = look.options;
  if (has_time_for_samples(options.quality, size.width, size.height, software_gl))
    options.quality = render::Quality::Full;
  return look;
}

PictureLook framed(PictureLook look, const ViewState& view, const scenes::Scene& scene, PictureSize seen,
                   PictureSize picture) {
  const auto aspect_of = [](PictureSize size) {
    return static_cast<float>(std::max(1, size.width)) / static_cast<float>(std::max(1, size.height));
  };
  const float aspect = aspect_of(seen);
  const Camera shown = view.camera.moved() ? view.camera.camera_at(aspect)
                                           : camera_of(scene, std::max(1, seen.width), std::max(1, seen.height),
                                                       view.render.pixel_density);
  look.camera = camera_at({shown, aspect}, aspect_of(picture));
  return look;
}

double frames_per_second(const ExportSettings& settings, const WorkerStatus& status) {
  if (settings.frames_per_second > 0) return settings.frames_per_second;
  return status.loaded ? status.scene->run.frames_per_second : scenes::Scene{}.run.frames_per_second;
}

double usual_interval(const ExportSettings& settings, const WorkerStatus& status) {
  return status.loaded ? status.scene->run.time_scale / frames_per_second(settings, status) : 0;
}

Exports::Exports(Worker& worker)
    : recording(worker),
      worker_(worker),
      particles_{"The particles are not saved", "particles", &Playback::finish_particles},
      surfaces_{"The surface is not saved", "the surface", &Playback::finish_surfaces} {
  settings.folder = default_export_folder();
}

const std::string& Exports::why_no_movies() {
  if (!why_no_movies_) {
    std::string version;
    why_no_movies_ = render::VideoWriter::available(&version) ? "" : version;
  }
  return *why_no_movies_;
}

fs::path Exports::next_file(const WorkerStatus& status, const std::string& what, const std::string& ending) const {
  std::string name = settings.name;
  if (name.empty())
    name = fmt::format("riffle-{}-{:%Y%m%d-%H%M%S}", status.loaded ? status.scene->name : "scene",
                       fmt::localtime(std::time(nullptr)));
  if (!what.empty()) name += "-" + what;
  return free_name(settings.folder, name, ending);
}

/// Whether a file can be written now. @param refusal  title of a notice @param again  what saves once there is a folder
bool Exports::may_write(const std::string& refusal, Save again) {
  if (const std::string forbidden = forbidden_in_name(settings.name); !forbidden.empty()) {
    notices_.push_back({refusal, "The name \u201c" + settings.name + "\u201d has " + forbidden +
                                     ", which no name of a file can have; all other characters are allowed."});
    return false;
  }
  std::error_code ignored;
  if (settings.folder.empty() || fs::exists(settings.folder, ignored)) return true;
  missing_folder_ = settings.folder;
  waiting_ = std::move(again);
  return false;
}

void Exports::answer_missing_folder(bool make, const WorkerStatus& status, const ViewState& view) {
  const std::string folder = std::exchange(missing_folder_, {});
  const Save save = std::exchange(waiting_, {});
  if (!make || !save) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    notices_.push_back({"The folder is not made", folder + ": " + failed.message()});
  else
    save(status, view);
}

bool Exports::Pacemaker::is_as_fast_as(const Pacemaker& other) const {
  const auto alike = [](int a, int b) { return 2 * std::int64_t{std::min(a, b)} >= std::max(a, b); };
  return scene_version == other.scene_version && dimension == other.dimension && solver == other.solver &&
         gpu == other.gpu && alike(particles, other.particles) && alike(wall_particles, other.wall_particles);
}

Exports::Pacemaker Exports::pacemaker_of(const WorkerStatus& status) {
  if (!status.loaded) return {};
  const SimulationSetup& setup = status.scene->simulation;
  return {status.scene_version,   status.particles, status.wall_particles,
          setup.domain.dimension, setup.solver,     status.device.is_cuda()};
}

RecordingPlan Exports::next_recording(const WorkerStatus& status, const ViewState& view) {
  RecordingPlan plan;
  plan.pictures = settings.pictures || !why_no_movies().empty();
  plan.panels = settings.panels;
  plan.frames_per_second = frames_per_second(settings, status);
  plan.interval = settings.interval > 0 ? settings.interval : usual_interval(settings, status);
  plan.automatic = settings.time == MovieTime::Automatic;
  plan.speed = speed_of_.is_as_fast_as(pacemaker_of(status)) ? speed_ : 0;
  plan.as_seen = plan.automatic ? slower_than_movie(plan.speed, plan.interval, plan.frames_per_second)
                                : settings.time == MovieTime::AsSeen;
  const PictureSize size =
      settings.panels ? PictureSize{std::max(16, view.window_width & ~1), std::max(16, view.window_height & ~1)}
                      : size_of(settings.size, status, view);
  plan.width = size.width;
  plan.height = size.height;
  plan.file = next_file(status, "", plan.pictures ? "" : ".mp4");
  return plan;
}

void Exports::start_recording(const WorkerStatus& status, const ViewState& view) {
  if (!status.loaded || recording.running()) return;
  const auto again = [this](const WorkerStatus& now, const ViewState& seen) { start_recording(now, seen); };
  if (!may_write("Nothing is recorded", again)) return;
  try {
    recording.start(next_recording(status, view), status.scene, status.scene_version);
    recorded_from_ = seen_by(view);
  } catch (const std::exception& failure) {
    notices_.push_back({"Nothing is recorded", failure.what()});
  }
}

void Exports::toggle_recording(const WorkerStatus& status, const ViewState& view) {
  if (recording.running())
    recording.stop();
  else
    start_recording(status, view);
}

void Exports::save_picture(const WorkerStatus& status, const ViewState& view) {
  const ParticleFrame* frame = worker_.frames().read();
  if (!status.loaded || !frame || frame->scene != status.scene_version) return;
  const auto again = [this](const WorkerStatus& now, const ViewState& seen) { save_picture(now, seen); };
  if (!may_write("The picture is not saved", again)) return;
  try {
    const PictureSize size = size_of(settings.size, status, view);
    const PictureLook look = still_of(framed(look_of(view, settings, true), view, *status.scene, seen_by(view), size),
                                      size, view.software_gl);
    FramePainter painter;
    painter.prepare(*frame, size.width, size.height, look.options);
    painter.draw(*frame, *status.scene, look);
    painter.wait();
    auto image = std::make_shared<render::Image>(painter.renderer().read_image());
    writer_->write(next_file(status, "", ".png"), [image](const fs::path& file) {
      prepare_file(file);
      render::write_png(file.string(), *image);
    });
  } catch (const std::exception& failure) {
    notices_.push_back({"The picture is not saved", failure.what()});
  }
}

void Exports::save_particles(const WorkerStatus& status, const std::string& ending) {
  if (!status.loaded) return;
  const auto again = [this, ending](const WorkerStatus& now, const ViewState&) { save_particles(now, ending); };
  if (!may_write("The particles are not saved", again)) return;
  worker_.post("The particles are not saved",
               [asked = asked_, writer = writer_, file = next_file(status, "", ending)](Playback& playback) {
                 auto table = std::make_shared<ParticleTable>(playback.particle_table());
                 writer->write(file, [table](const fs::path& path) {
                   prepare_file(path);
                   write_particles(path, *table);
                 });
               });
}

void Exports::save_surface(const WorkerStatus& status) {
  if (!status.loaded) return;
  const auto again = [this](const WorkerStatus& now, const ViewState&) { save_surface(now); };
  if (!may_write("The surface is not saved", again)) return;
  worker_.post(
      "The surface is not saved", [asked = asked_, writer = writer_,
                                   file = next_file(status, "surface", settings.surface_ending)](Playback& playback) {
        playback.simulation().finish();  // the time in the file is that of the particles
        SimulationSurface surface(playback.simulation());
        auto table =
            std::make_shared<const SurfaceTable>(read_surface(playback.simulation(), surface, playback.scene().name));
        writer->write(file, [table](const fs::path& path) {
          prepare_file(path);
          write_surface(path, *table);
        });
      });
}

void Exports::toggle_particles(const WorkerStatus& status) {
  if (status.particle_series)
    worker_.post(particles_.refusal, [](Playback& playback) { playback.finish_particles(); });
  else
    start_particles(status);
}

void Exports::start_particles(const WorkerStatus& status) {
  if (!status.loaded) return;
  const auto again = [this](const WorkerStatus& now, const ViewState&) { start_particles(now); };
  if (!may_write(particles_.refusal, again)) return;
  const fs::path folder = next_file(status, "particles", "");
  const double every =
      settings.particle_interval > 0 ? double{settings.particle_interval} : status.scene->run.frame_interval();
  const fs::path name = folder / (folder.filename().string() + settings.particle_ending);
  particles_.failed = false;
  worker_.post(particles_.refusal, [asked = asked_, writer = particles_.writer, name, every](Playback& playback) {
    prepare_file(name);
    playback.start_particles(ParticleSeries(name, every, playback.simulation().finish().time,
                                            time_of_files(playback.simulation().setup()).value_or(0)),
                             patient(writer));
  });
}

void Exports::toggle_surfaces(const WorkerStatus& status) {
  if (status.surface_series)
    worker_.post(surfaces_.refusal, [](Playback& playback) { playback.finish_surfaces(); });
  else
    start_surfaces(status);
}

void Exports::start_surfaces(const WorkerStatus& status) {
  if (!status.loaded) return;
  const auto again = [this](const WorkerStatus& now, const ViewState&) { start_surfaces(now); };
  if (!may_write(surfaces_.refusal, again)) return;
  const fs::path folder = next_file(status, "surfaces", "");
  const double every =
      settings.surface_interval > 0 ? double{settings.surface_interval} : status.scene->run.frame_interval();
  const fs::path name = folder / (folder.filename().string() + settings.surface_ending);
  surfaces_.failed = false;
  worker_.post(surfaces_.refusal, [asked = asked_, writer = surfaces_.writer, name, every](Playback& playback) {
    const Simulation& simulation = playback.simulation();
    fluid_surface::require_three_dimensions(simulation.setup().domain);
    prepare_file(name);
    playback.start_surfaces(NumberedFiles(name, every, playback.simulation().finish().time,
                                          time_of_files(simulation.setup()).value_or(0), surface_list(name), "every"),
                            patient(writer));
  });
}

/// @param now  it is being saved @param ended  the last one that ended, with all of its files
void Exports::follow(Series& series, const std::optional<SavedFiles>& now, const std::optional<SavedFiles>& ended) {
  for (const BackgroundWriter::Done& done : series.writer->take_done()) {
    if (done.failure.empty() || std::exchange(series.failed, true)) continue;
    notices_.push_back({series.refusal, done.failure});
    worker_.post("", [finish = series.finish](Playback& playback) { (playback.*finish)(); });
  }
  // The simulation has saved more of them since the status before.
  if (!now && !series.saved.empty() && !series.failed)
    last_saved_ = ended ? line_of(*ended, series.what) : series.saved;
  series.saved = now ? line_of(*now, series.what) : "";
}

void Exports::save_timings(const WorkerStatus& status) {
  if (!status.loaded) return;
  const auto again = [this](const WorkerStatus& now, const ViewState&) { save_timings(now); };
  if (!may_write("The timings are not saved", again)) return;
  const auto write = [&](const std::string& what, std::string text) {
    writer_->write(next_file(status, what, ".csv"), [text = std::move(text)](const fs::path& file) {
      prepare_file(file);
      write_text(file, text);
    });
  };
  write("timings", stage_statistics_csv(rows_of(status.timings)));
  write("timings-history", stage_history_csv(status.stage_names, status.history));
}

void Exports::save_state(const fs::path& file, SavedScene scene, std::uint64_t state) {
  ++states_asked_;
  StateWish::Work work = state_.begin();
  worker_.post_in(state, "The state is not saved",
                  [asked = asked_, work = std::move(work), wish = state_, writer = writer_, file,
                   scene = std::make_shared<const SavedScene>(std::move(scene))](Playback& playback) mutable {
                    // The request itself lives as long as those that came with it.
                    const StateWish::Work mine = std::exchange(work, {});
                    auto run = std::make_shared<const SavedRun>(playback.saved_run(*scene));
                    // A state of an earlier moment saves nothing of what was computed after it.
                    const bool is_last = !playback.has_later_moments();
                    writer->write(
                        file,
                        [run, mine, wish, is_last, saved = playback.work().when_saved()](const fs::path& path) {
                          write_state(path, *run);
                          if (is_last) saved();
                          wish.complete();
                        },
                        AfterEnd::Written);
                  });
}

void Exports::save_diagnostics(const WorkerStatus& status) {
  if (!status.loaded) return;
  const auto again = [this](const WorkerStatus& now, const ViewState&) { save_diagnostics(now); };
  if (!may_write("The diagnostics are not saved", again)) return;
  worker_.post("The diagnostics are not saved",
               [asked = asked_, writer = writer_, file = next_file(status, "diagnostics", ".csv")](Playback& playback) {
                 writer->write(file, [series = playback.series_with_present(), changes = playback.table_changes(),
                                      setup = playback.simulation().setup()](const fs::path& path) {
                   prepare_file(path);
                   write_text(path, series.csv());
                   write_changes(path, changes, setup, {});
                 });
               });
}

void Exports::finish(const WorkerStatus& status) {
  early_ = false;
  worker_.play(false);  // the processor is for the encoder
  recording.stop();
  if (status.particle_series || status.surface_series || asked_.use_count() > 1)
    worker_.post("", [asked = asked_](Playback& playback) {
      playback.finish_particles();
      playback.finish_surfaces();
    });
  if (asked_.use_count() > 1) worker_.give_up_start();  // it comes first, and may take hours
}

void Exports::end_early() {
  early_ = true;
  recording.end_early();
  writer_->end_early();
  particles_.writer->end_early();
  surfaces_.writer->end_early();
}

void Exports::go_on() {
  early_ = false;
  writer_->go_on();
  particles_.writer->go_on();
  surfaces_.writer->go_on();
}

std::string Exports::unfinished() const {
  std::string text;
  const auto add = [&](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
  if (recording.finishing())
    add(finishing_text(recording.plan(), recording.written(), recording.frames(), recording.ends_early()));
  std::size_t waiting = 0;
  for (const Series* series : {&particles_, &surfaces_}) {
    const std::size_t files = series->writer->waiting();
    if (files > 0)
      add(fmt::format("Writing {}{}: {} to go.", series == &particles_ ? "the " : "", series->what, files_text(files)));
    waiting += files;
  }
  if (waiting == 0 && asked_.use_count() > 1 && (!early_ || state_.pending()))
    add("Waiting for the end of the present step.");
  if (const std::size_t others = writer_->waiting(); others > 0)
    add(fmt::format("Writing pictures and tables: {} to go.", files_text(others)));
  return text;
}

PictureLook Exports::recorded_look(const WorkerStatus& status, const ViewState& view) {
  const RecordingPlan& plan = recording.plan();
  PictureLook look = look_of(view, settings, plan.pictures);
  const bool drawn = recording.running() && status.loaded && !plan.panels;
  if (!drawn) {
    recorded_camera_.reset();
    recorded_moves_ = false;
    return look;
  }
  look = framed(std::move(look), view, *status.scene, recorded_from_, {plan.width, plan.height});
  if (!recorded_camera_) recorded_camera_ = look.camera;
  const Camera &now = look.camera, &first = *recorded_camera_;
  recorded_moves_ |= !(now.position == first.position && now.target == first.target && now.up == first.up &&
                       now.fov_degrees == first.fov_degrees && now.ortho_height == first.ortho_height);
  look.options.legend_keeps_clear = !recorded_moves_;
  return look;
}

void Exports::advance(const WorkerStatus& status, const ViewState& view) {
  if (status.playing && status.achieved_speed > 0) {
    speed_ = status.achieved_speed;
    speed_of_ = pacemaker_of(status);
  }
  // A note about another scene's files would look like one about this scene's.
  const bool another = std::exchange(note_of_, status.scene_version) != status.scene_version;
  if (another) last_saved_.clear();
  if (status.loaded) {  // likewise a name that was typed for the other scene
    const std::string before = std::exchange(named_in_, status.scene->path);
    if (another && !before.empty() && before != named_in_) settings.name.clear();
  }
  follow(particles_, status.particle_series, status.last_particle_series);
  follow(surfaces_, status.surface_series, status.last_surface_series);
  recording.advance(recorded_look(status, view));
  recording.follow(status);
  if (recording.last_saved() != last_recording_) last_saved_ = last_recording_ = recording.last_saved();
  for (Notice& notice : recording.take_notices()) notices_.push_back(std::move(notice));
  for (const BackgroundWriter::Done& done : writer_->take_done()) {
    if (done.failure.empty()) {
      std::error_code ignored;
      last_saved_ = done.file.string();
      if (done.file.extension() == ".csv" && fs::exists(changes_file(done.file), ignored))
        last_saved_ += " and " + changes_file(done.file).filename().string();
    } else
      notices_.push_back({"A file could not be saved", done.failure});
  }
}

std::deque<Notice> Exports::take_notices() { return std::exchange(notices_, {}); }

}  // namespace riffle::desktop
