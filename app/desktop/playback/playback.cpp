#include "app/desktop/playback/playback.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include "app/run/event_player.h"
#include "app/run/memory_check.h"
#include "app/run/particle_export.h"
#include "app/run/scene_view.h"
#include "app/run/state_start.h"
#include "app/run/surface_export.h"
#include "core/device/memory.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "core/timing/seconds_since.h"
#include "render/particles/gather_vertices.h"
#include "scenes/document/key_path.h"
#include "sim/start/stirring.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

/// [bytes] for saved moments: an eighth of the free memory, at most 2 GiB.
std::size_t history_budget() { return std::min<std::size_t>(free_memory(Device{}) / 8, std::size_t{2} << 30); }

constexpr std::size_t kSeriesRows = 100000;               // about 16 MB
constexpr const char* kRowsChange = "rows of the table";  // among the changed keys

/// How far rows are apart: "every 0.0333333 s".
std::string every_text(double seconds, const char* unit) { return fmt::format("every {:.6g} {}", seconds, unit); }

/// [s] of such a text; 0: it is none
double seconds_of(const std::string& text) {
  double seconds = 0;
  return std::sscanf(text.c_str(), "every %lf", &seconds) == 1 && seconds > 0 ? seconds : 0;
}

/// How far the rows were apart along the run that wrote them.
std::vector<RowStride::Change> row_changes_of(const SavedRows& rows) {
  std::vector<RowStride::Change> changes;
  for (const SavedRows::Change& change : rows.changes)
    if (const double from = seconds_of(change.from), to = seconds_of(change.to);
        change.key == kRowsChange && from > 0 && to > 0)
      changes.push_back({change.time, from, to});
  return changes;
}

/// Times [s] at which events of those steps acted, by the marks of their keys; NaN where no mark tells it.
/// @param count  of the scene's events, the first ones
std::vector<double> event_times_of(const SavedRows& rows, const scenes::Scene& scene, std::size_t count) {
  std::vector<double> times;
  auto from = rows.changes.begin();
  for (std::size_t k = 0; k < count; ++k) {
    const auto sets = [&](const SavedRows::Change& change) {
      return std::ranges::any_of(scene.events[k].set, [&](const auto& value) {
        return scenes::is_inside(change.key, value.first) || scenes::is_inside(value.first, change.key);
      });
    };
    const auto mark = std::find_if(from, rows.changes.end(), sets);
    if (mark != rows.changes.end()) {
      times.push_back(mark->time);
      // A slider's movement is one mark of several events.
      from = mark->until > mark->time
                 ? mark
                 : std::find_if(mark, rows.changes.end(), [&](const auto& other) { return other.time > mark->time; });
    } else {
      times.push_back(std::numeric_limits<double>::quiet_NaN());
    }
  }
  return times;
}

/// Changes of one moment are one mark.
std::vector<ParameterMark> marks_of(const SavedRows& rows) {
  std::vector<ParameterMark> marks;
  for (const SavedRows::Change& change : rows.changes) {
    if (change.key == kRowsChange) continue;
    if (marks.empty() || marks.back().time != change.time || marks.back().until != change.until)
      marks.push_back({change.time, change.until, {}});
    marks.back().changes.push_back({change.key, change.from, change.to});
  }
  return marks;
}

}  // namespace

Playback::Playback(const SceneOptions& options, bool software_gl, StartProgress progress,
                   const std::function<void(const scenes::Scene&)>& before_start)
    : options_(options), software_gl_(software_gl), progress_(std::move(progress)), history_(history_budget()) {
  std::optional<StateStart> state;
  if (is_state_file(options.scene)) {
    state = start_from_state(options);
    state_file_ = options.scene;
    if (state->changes.empty()) keeping_ = state->saved.keeping;  // with other values it is another run
    const double time = state->saved.state.clock.time;
    for (const KeyChange& change : state->changes)  // the rows before are of the values before
      state->saved.rows.changes.push_back({time, time, change.key, change.from, change.to});
  }
  source_ = std::make_shared<const scenes::SceneSource>(state ? state->source : source_with_options(options));
  const scenes::Scene scene = scenes::build_scene(*source_);
  const ClockState began = state ? state->saved.state.clock : ClockState{};
  for (const auto& warning : scenes::warnings_ahead(scene, {began.step, began.time}))
    log::warn("{}", warning.message());
  const Device device = select_device_for(scene.simulation, options_.device, &device_warning_);
  if (before_start && !state) before_start(scene);
  if (state)
    begin(scene, source_, device, &state->saved.state, &state->saved.rows, state->saved.acts);
  else
    begin(scene, source_, device);
}

Playback::~Playback() { finish_files(); }

/// Until the start is made, nothing changes: it may be given up.
void Playback::begin(const scenes::Scene& scene, std::shared_ptr<const scenes::SceneSource> document,
                     const Device& device, const SimulationState* from, const SavedRows* rows, const SavedActs& acts) {
  look_at_progress(progress_, {}, "the memory was estimated");
  const std::size_t played = from ? scenes::events_before(scene, from->clock.step) : 0;
  const SimulationSetup& setup = scenes::setup_after(scene, played);
  require_memory(setup, device);
  const auto began = std::chrono::steady_clock::now();
  auto simulation = from ? std::make_unique<Simulation>(setup, device, *from)
                         : std::make_unique<Simulation>(setup, device, progress_);
  const double took = seconds_since(began);
  constexpr StartPoint kLast{StartStage::Simulation};
  look_at_progress(progress_, kLast, "the first row was measured");
  RunSeries series(scene, 0, kSeriesRows);
  if (rows && !rows->empty()) series.go_on_from(*rows);
  // The first row costs a step of a copy, and stands alone. Where memory is short the run before is freed first.
  const bool has_room = free_memory(device) > 2 * simulation->memory_bytes();
  if (has_room) series.sample(*simulation);
  look_at_progress(progress_, kLast, "the start was complete");
  simulation_ = std::move(simulation);
  if (!has_room) series.sample(*simulation_);
  series_ = std::move(series);
  whole_ = std::make_shared<const scenes::Scene>(scene);
  document_ = std::move(document);
  played_ = played;
  begin_track(from ? from->clock.step : 0, acts, rows);
  work_ = RunWork(from ? 0 : took);  // an equilibration may take long
  if (!from) keeping_.reset();       // its states are of another run, which this one may not replace
  finish_files();
  follow_unwrapped(from);
  show(*whole_);
  history_.clear();
  history_.add(save_state(), 0, 0);
  const bool all_rows = stride_.measures_all();
  stride_ = RowStride();
  stride_.measure_all(all_rows);
  if (rows) stride_.go_on_with(row_changes_of(*rows), series_->interval());
  last_row_ = std::chrono::steady_clock::now();
  restart_timings(true);
  instruments_.restart();
  if (rows) instruments_.diagnostics().go_on_with(marks_of(*rows));
  instruments_.diagnostics().follow(*series_, *simulation_);
  unpick();
  edited_from_.reset();
  row_is_old_ = false;
  density_error_ = kNotMeasured;
}

void Playback::show(const scenes::Scene& scene) {
  auto settled = std::make_shared<scenes::Scene>(scene);
  settled->simulation = scenes::setup_after(*whole_, played_);
  settle_picture(*settled, software_gl_);
  scene_ = std::move(settled);
  if (!series_ || !series_->set_probes(scene_->probes, *simulation_)) return;
  // Where the run went back to its start, the step that forgets the later rows measures the first one again.
  row_is_old_ |= simulation_->latest().step == 0 && series_->rows() > 1;
  // The number of a probe that was moved is another one, in a column that stays.
  instruments_.diagnostics().begin_again();
  instruments_.diagnostics().follow(*series_, *simulation_);
}

bool Playback::starts_over(const SceneEdit& edit) const {
  return simulation_->latest().step == 0 && edit.scene.simulation.solver != scene_->simulation.solver;
}

void Playback::edit(const SceneEdit& edit) {
  switch (edit.effect) {
    case scenes::Effect::Restart: {
      const Device device = simulation_->device();
      make_room_for([&] { begin(edit.scene, edit.document, device); });
      return;
    }
    case scenes::Effect::Live:
      continue_with(scenes::setup_after(edit.scene, scenes::events_before(edit.scene, simulation_->finish().step)),
                    simulation_->device());
      take_scene(edit, true);
      keeping_.reset();
      row_is_old_ = true;
      instruments_.diagnostics().mark(simulation_->latest().time, edit.changes, edit.goes_on);
      instruments_.distribution().begin_again();
      instruments_.diagnostics().follow(*series_, *simulation_);
      break;
    case scenes::Effect::Search:
      change_search(
          scenes::setup_after(edit.scene, scenes::events_before(edit.scene, simulation_->finish().step)).neighbors);
      take_scene(edit, true);
      keeping_.reset();
      instruments_.diagnostics().mark(simulation_->latest().time, edit.changes, edit.goes_on);
      instruments_.diagnostics().follow(*series_, *simulation_);
      break;
    case scenes::Effect::Picture: take_scene(edit, false); break;
  }
  show(*whole_);
  mark_probes(edit);
}

/// @param acts the simulation takes notice
void Playback::take_scene(const SceneEdit& edit, bool acts) {
  // An edit may have taken the place of events, or undo brings them back.
  acts = acts || !std::ranges::equal(whole_->events, edit.scene.events,
                                     [](const auto& a, const auto& b) { return a.step == b.step && a.set == b.set; });
  if (acts) track_is_old_ = true;
  if (edit.document && track_ && track_->document == document_ && !acts)
    change_track([&](RunTrack& track) { track.document = edit.document; });
  if (edit.document || acts) document_ = edit.document;
  whole_ = std::make_shared<const scenes::Scene>(edit.scene);
  played_ = scenes::events_before(*whole_, simulation_->finish().step);
}

void Playback::change_track(const std::function<void(RunTrack&)>& change) {
  auto next = std::make_shared<RunTrack>(*track_);
  change(*next);
  track_ = std::move(next);
}

/// @param step at which the run begins
/// @param acts, rows  of the run before that; nullptr: none
void Playback::begin_track(std::uint64_t step, const SavedActs& acts, const SavedRows* rows) {
  track_.reset();
  tracked_.reset();
  track_is_old_ = search_is_new_ = acting_ = starts_again_ = false;
  if (!document_) return;
  auto track = std::make_shared<RunTrack>();
  track->start = track->document = document_;
  track->played = played_;
  for (const scenes::SceneEvent& event : whole_->events)
    if (event.step < step) track->changes.push_back({{event.step, event.set}});
  if (rows) {
    const std::vector<double> times = event_times_of(*rows, *whole_, track->changes.size());
    for (std::size_t k = 0; k < times.size(); ++k) track->changes[k].time = times[k];
  }
  if (acts.hands > 0) track->outside.push_back({0, OutsideAct::Kind::Hand, acts.hands});
  if (acts.eased) track->outside.push_back({0, OutsideAct::Kind::Pace});
  if (acts.devices) track->outside.push_back({0, OutsideAct::Kind::Device});
  if (acts.shortened_step) track->shortened.push_back(*acts.shortened_step);
  track_ = std::move(track);
}

/// Of a run that has made that many steps.
SavedActs Playback::acts_until(std::uint64_t step) const {
  SavedActs acts;
  if (!track_) return acts;
  for (const OutsideAct& act : track_->outside) {
    if (act.step >= step) continue;
    if (act.kind == OutsideAct::Kind::Hand) acts.hands += act.times;
    acts.eased |= act.kind == OutsideAct::Kind::Pace;
    acts.devices |= act.kind == OutsideAct::Kind::Device;
  }
  for (const std::uint64_t ended : track_->shortened)
    if (ended <= step && !acts.shortened_step) acts.shortened_step = ended;
  return acts;
}

RunPlace Playback::place() const {
  RunPlace place{track_, document_, played_};
  place.starts_again = starts_again_;
  const StepReport& known = simulation_->latest();
  place.made = std::max(known.step, history_.moments().back()->clock.step);
  place.time = known.time;
  if (track_ && (track_is_old_ || has_later_moments())) place.step = simulation_->latest().step;
  return place;
}

/// Notes with which values the next step is made, if they may be others than with the step before it.
void Playback::follow_track() {
  starts_again_ = false;
  if (!track_is_old_) return;
  track_is_old_ = false;
  const bool search_is_new = std::exchange(search_is_new_, false);
  if (!document_ || !track_) {
    track_.reset();
    return;
  }
  const StepReport known = simulation_->finish();
  const std::uint64_t now = known.step;
  const auto is_later = [&](const auto& what) { return what.step >= now; };
  const bool goes_back = std::ranges::any_of(track_->changes, is_later) ||
                         std::ranges::any_of(track_->outside, is_later) ||
                         std::ranges::any_of(track_->shortened, [&](std::uint64_t ended) { return ended > now; });
  if (now == 0) return begin_track(0);
  if (goes_back) change_track([&](RunTrack& track) { track.cut(now); });
  if (goes_back || !tracked_) tracked_ = track_->in_force(now);
  scenes::SceneSource in_force = scenes::document_after(*document_, played_);
  scenes::KeyValues set = scenes::changed_values(*tracked_, in_force);
  const auto sets_search = [](const auto& value) { return is_of_search(value.first); };
  if (search_is_new && std::ranges::none_of(set, sets_search))
    set.emplace_back("neighbors.method", std::string(timed_setup().search));
  change_track([&](RunTrack& track) {
    if (!set.empty()) track.changes.push_back({{now, std::move(set)}, true, known.time});
    track.document = document_;
    track.played = played_;
  });
  tracked_ = std::move(in_force);
}

/// Those that act before the next step. Waits if there are some.
void Playback::play_events() {
  const auto& events = whole_->events;
  if (played_ >= events.size()) return;
  const StepReport known = simulation_->latest();
  if (events[played_].step > known.step + static_cast<std::uint64_t>(simulation_->steps_in_flight())) return;
  const StepReport now = simulation_->finish();
  const std::size_t due = scenes::events_before(*whole_, now.step + 1);
  if (due <= played_) return;
  const auto acting = std::span(events).subspan(played_, due - played_);
  const SimulationSetup& setup = scenes::setup_after(*whole_, due);
  const bool live = std::ranges::any_of(acting, &scenes::SceneEvent::live);
  if (std::ranges::any_of(acting, &scenes::SceneEvent::search)) change_search(setup.neighbors);
  if (live) continue_with(setup, simulation_->device());
  played_ = due;
  show(*whole_);
  log::info("step {}: {}", now.step, text_of_events(acting));
  if (track_)
    change_track([&](RunTrack& track) {
      for (const scenes::SceneEvent& event : acting) track.changes.push_back({{now.step, event.set}, false, now.time});
      track.document = document_;
      track.played = played_;
    });
  tracked_.reset();
  search_is_new_ = false;
  std::vector<KeyChange> changes;
  for (const scenes::SceneEvent& event : acting) changes = joined(std::move(changes), event.changes);
  instruments_.diagnostics().mark(now.time, changes, false);
  row_is_old_ |= live;
  if (live) instruments_.distribution().begin_again();
  instruments_.diagnostics().follow(*series_, *simulation_);
}

/// What acts on the next step and is no key.
void Playback::note_acts() {
  const bool acts = hand_at_ || grip_;
  if (acts && !acting_) note_outside(OutsideAct::Kind::Hand);
  acting_ = acts;
  const bool is_known =
      !track_ || std::ranges::find(track_->outside, OutsideAct::Kind::Pace, &OutsideAct::kind) != track_->outside.end();
  if (simulation_->eased() > 0 && !is_known) note_outside(OutsideAct::Kind::Pace);
}

void Playback::note_outside(OutsideAct::Kind kind) {
  if (!track_) return;
  const std::uint64_t now = simulation_->finish().step;
  change_track([&](RunTrack& track) { track.outside.push_back({now, kind}); });
}

/// @param end  [s] of the last step, as step() had it
void Playback::note_shortened_step(double end) {
  const StepReport& known = simulation_->latest();
  if (!track_ || known.time != end || !is_shortened(known.last_dt, simulation_->setup())) return;
  if (std::ranges::find(track_->shortened, known.step) != track_->shortened.end()) return;
  change_track([&](RunTrack& track) { track.shortened.push_back(known.step); });
}

/// A row at the moment of a change has the parameters with which the run goes on, as if it had begun with them.
/// @return whether there was one
bool Playback::measure_changed_row() {
  if (!std::exchange(row_is_old_, false) || !series_->measure_last_again(*simulation_)) return false;
  instruments_.diagnostics().begin_again();
  instruments_.diagnostics().follow(*series_, *simulation_);
  return true;
}

/// A probe that measures elsewhere keeps its column, and the plot says where the other place begins.
void Playback::mark_probes(const SceneEdit& edit) {
  DiagnosticsRecord& plotted = instruments_.diagnostics();
  if (simulation_->latest().step == 0 && series_->rows() == 1) plotted.forget_probes();
  if (plotted.mark_probes(simulation_->latest().time, scene_->probes, edit.changes, edit.goes_on))
    plotted.follow(*series_, *simulation_);
}

KeptRun Playback::keep(bool with_states) {
  KeptRun run;
  run.options = options_;
  run.state_file = state_file_;
  run.keeping = keeping_;
  run.source = source_;
  run.scene = scene_;
  run.whole = whole_;
  run.document = document_;
  run.track = track_;
  run.track_is_old = track_is_old_;
  run.played = played_;
  run.device = simulation_->device();
  if (!with_states) return run;
  run.diagnostics = instruments_.diagnostics();
  run.series = std::make_shared<const RunSeries>(*series_);
  run.now = std::make_shared<const SimulationState>(save_state());
  if (edited_moment_ == simulation_->moment()) run.edited_from = edited_from_;
  run.history = history_;
  run.stride = stride_;
  run.work = work_;
  return run;
}

std::size_t Playback::keep_bytes() const {
  const auto& moments = history_.moments();
  const std::size_t first = moments.front()->bytes(), last = moments.back()->bytes();
  return first + std::max(first, last) + (has_later_moments() ? last : 0);  // the present one may be the largest
}

void Playback::resume(const KeptRun& run) {
  const bool same_scene = run.source == source_;
  make_room_for([&] {
    if (!run.now) {
      begin(*run.whole, run.document, run.device);
      return;
    }
    require_memory(run.now->setup, run.device);
    simulation_ = std::make_unique<Simulation>(run.now->setup, run.device, *run.now, simulation_.get());
    history_ = run.history;
    work_ = run.work;
    follow_unwrapped(run.now.get());
  });
  finish_files();
  options_ = run.options;
  state_file_ = run.state_file;
  keeping_ = run.now ? run.keeping : std::nullopt;
  source_ = run.source;
  if (run.now) {
    scene_ = run.scene;
    whole_ = run.whole;
    document_ = run.document;
    track_ = run.track;
    track_is_old_ = run.track_is_old;
    played_ = run.played;
    tracked_.reset();
    search_is_new_ = acting_ = starts_again_ = false;
  }
  unpick();
  density_error_ = kNotMeasured;
  edited_from_ = run.edited_from;
  edited_moment_ = simulation_->moment();
  hand_at_.reset();
  grip_.reset();
  instruments_.restart();
  row_is_old_ = edited_from_ != nullptr;
  if (run.now) {
    instruments_.diagnostics() = run.diagnostics;
    *series_ = *run.series;
    const bool all_rows = stride_.measures_all();
    stride_ = run.stride;
    stride_.measure_all(all_rows);
    last_row_ = std::chrono::steady_clock::now();
  }
  instruments_.diagnostics().follow(*series_, *simulation_);
  if (!same_scene) {
    stages_ = StageHistory();
    steps_ = StepWindow();
    timed_ = TimedSetup{};
  }
  restart_timings(true);
}

void Playback::change_search(const NeighborSetup& neighbors) {
  simulation_->set_neighbors(neighbors);
  search_is_new_ = true;
  // Who goes on from the state before the edits has none of what the search before kept, either.
  if (edited_from_ && edited_moment_ == simulation_->moment() && !edited_from_->search.empty()) {
    auto without = std::make_shared<SimulationState>(*edited_from_);
    without->search = {};
    edited_from_ = std::move(without);
  }
  restart_timings();
}

void Playback::set_device(DeviceRequest request) {
  const Device device = select_device(request);
  if (device == simulation_->device()) return;
  continue_with(simulation_->setup(), device);
  note_outside(OutsideAct::Kind::Device);
  device_warning_.reset();
}

bool Playback::has_later_moments() const { return history_.last_time() > simulation_->latest().time; }

void Playback::leave_later_work() {
  const auto& moments = history_.moments();
  const auto first = static_cast<double>(moments.front()->clock.step),
             last = static_cast<double>(moments.back()->clock.step);
  const auto now = static_cast<double>(simulation_->latest().step);
  if (last > first) work_ = work_.up_to(std::clamp((now - first) / (last - first), 0.0, 1.0));
}

void Playback::step(double end) {
  history_.cut_after(simulation_->latest().time);
  DiagnosticsRecord& plotted = instruments_.diagnostics();
  row_is_old_ |= plotted.go_on_from(simulation_->latest().time);
  stride_.go_on_from(simulation_->latest().time);
  if (series_->cut_after(simulation_->latest().time) || plotted.shows_present()) plotted.follow(*series_, *simulation_);
  follow_track();
  play_events();
  note_acts();
  measure_changed_row();
  const NeighborMethod search = simulation_->setup().neighbors.method;
  const auto begin = std::chrono::steady_clock::now();
  simulation_->set_time_limit(end);
  simulation_->step();
  note_shortened_step(end);
  edited_from_.reset();
  if (unwrapped_) unwrapped_->follow(*simulation_);
  stepped_ms_ += 1e3 * seconds_since(begin);
  if (simulation_->setup().neighbors.method != search) steps_.restart();  // `auto` has chosen another
  if (add_to_series()) plotted.follow(*series_, *simulation_);
  if (particles_ && particles_->due(simulation_->latest().time)) save_particles();
  if (surfaces_ && surfaces_->due(simulation_->latest().time)) save_next_surface();
}

void Playback::start_particles(ParticleSeries series, WriteFile write) {
  finish_particles();
  particles_ = std::move(series);
  write_particles_ = std::move(write);
  save_particles();
}

void Playback::save_particles() {
  auto table = std::make_shared<ParticleTable>(particle_table());
  const auto file = particles_->next(simulation_->latest().time);
  write_particles_(
      file, [table, write = particles_->writer()](const std::filesystem::path& path) { write(path, *table); }, false);
  if (particles_->list_is_due()) save_particle_list();
}

ParticleTable Playback::particle_table() {
  return read_particles(*simulation_, scene_->name, unwrapped_ ? &*unwrapped_ : nullptr);
}

/// From a state that the simulation is in; nullptr: from now on.
void Playback::follow_unwrapped(const SimulationState* from) {
  unwrapped_.reset();
  if (!UnwrappedPositions::are_needed(simulation_->setup())) return;
  try {
    from ? unwrapped_.emplace(*simulation_, *from) : unwrapped_.emplace(*simulation_);
  } catch (const Unavailable& lack) {
    log::warn("files of particles will have no unwrapped positions: {}", lack.what());
  }
}

SimulationState Playback::save_state() {
  SimulationState state = simulation_->save_state();
  if (unwrapped_) unwrapped_->add_to(state, *simulation_);
  return state;
}

void Playback::save_particle_list() {
  write_particles_(
      particles_->list(),
      [series = *particles_](const std::filesystem::path& path) { write_text(path, series.list_text()); }, true);
}

void Playback::start_surfaces(NumberedFiles files, WriteFile write) {
  finish_surfaces();
  surfaces_ = std::move(files);
  write_surface_ = std::move(write);
  try {
    save_surface();
  } catch (...) {  // there is no first file, and will be no other
    surfaces_.reset();
    throw;
  }
}

/// A run must not end because there is no memory for a surface.
void Playback::save_next_surface() {
  try {
    save_surface();
  } catch (const Unavailable& shortage) {
    give_surfaces_up(shortage.what());
  } catch (const std::bad_alloc&) {
    give_surfaces_up("out of memory");
  }
}

void Playback::give_surfaces_up(const std::string& why) {
  const std::size_t files = surfaces_->files();
  surface_failure_ =
      fmt::format("{}\n{} {} saved: {}", why, files, files == 1 ? "file is" : "files are", surfaces_->pattern());
  finish_surfaces();
}

void Playback::save_surface() {
  const double time = simulation_->finish().time;  // of the particles
  SimulationSurface surface(*simulation_);
  auto table = std::make_shared<const SurfaceTable>(read_surface(*simulation_, surface, scene_->name));
  NumberedFiles files = *surfaces_;  // a file that fails does not count
  write_surface_(
      files.next(time), [table](const std::filesystem::path& path) { write_surface(path, *table); }, false);
  surfaces_ = std::move(files);
  if (surfaces_->list_is_due()) save_surface_list();
}

void Playback::save_surface_list() {
  write_surface_(
      surfaces_->list(),
      [files = *surfaces_](const std::filesystem::path& path) { write_text(path, files.list_text()); }, true);
}

std::optional<SavedFiles> Playback::surface_files() const {
  if (!surfaces_) return std::nullopt;
  return SavedFiles{surfaces_->pattern(), surfaces_->list().string(), surfaces_->files(), surfaces_->every(), false};
}

std::optional<SavedFiles> Playback::particle_files() const {
  if (!particles_) return std::nullopt;
  return SavedFiles{particles_->pattern(), particles_->list().string(), particles_->files(), particles_->every(),
                    particles_->one_file()};
}

void Playback::finish_surfaces() {
  if (!surfaces_) return;
  last_surfaces_ = surface_files();
  if (!surfaces_->list().empty()) save_surface_list();
  log::info("saved {} file{} of the surface, {}", surfaces_->files(), surfaces_->files() == 1 ? "" : "s",
            surfaces_->pattern());
  surfaces_.reset();
}

void Playback::finish_files() {
  finish_particles();
  finish_surfaces();
}

void Playback::finish_particles() {
  if (!particles_) return;
  last_particles_ = particle_files();
  if (!particles_->list().empty()) save_particle_list();
  log::info("saved {} {}{} of particles, {}", particles_->files(), particles_->one_file() ? "moment" : "file",
            particles_->files() == 1 ? "" : "s", particles_->pattern());
  particles_.reset();
}

bool Playback::add_to_series() {
  const double rest = seconds_since(last_row_);
  if (!series_->sample(*simulation_, stride_.intervals())) return false;
  last_row_ = std::chrono::steady_clock::now();
  const std::size_t rows = series_->rows();
  const double time = series_->row_values(rows - 1)[0], before = rows > 1 ? series_->row_values(rows - 2)[0] : 0;
  const double intervals = std::max(1.0, (time - before) / series_->interval());
  stride_.note(time, series_->interval(), series_->last_cost(), rest / intervals);
  return true;
}

std::size_t Playback::rows_left_out() const {
  const std::size_t rows = series_->rows();
  return intervals_without_row(series_->row_values(0)[0], series_->row_values(rows - 1)[0], rows,
                               scene_->run.frame_interval());
}

bool Playback::show_present() {
  if (row_is_old_ && series_->row_values(series_->rows() - 1)[0] == simulation_->finish().time)
    return measure_changed_row();
  if (simulation_->finish().time <= instruments_.diagnostics().view()->history.end()) return false;
  instruments_.diagnostics().show_present(*series_, series_->measure(*simulation_), *simulation_);
  return true;
}

std::vector<ParameterChange> Playback::parameter_changes() const {
  std::vector<ParameterChange> changes;
  if (const auto view = instruments_.diagnostics().view())
    for (const ParameterMark& mark : view->marks)
      for (const KeyChange& change : mark.changes) changes.push_back({mark.time, mark.until, change});
  return changes;
}

std::vector<ParameterChange> Playback::table_changes() const {
  std::vector<ParameterChange> changes = parameter_changes();
  const char* const unit = units_of(simulation_->setup()).time;
  for (const RowStride::Change& change : stride_.changes())
    changes.push_back(
        {change.time, change.time, {kRowsChange, every_text(change.from, unit), every_text(change.to, unit)}});
  std::ranges::stable_sort(changes, {}, &ParameterChange::time);
  return changes;
}

RunSeries Playback::series_with_present() {
  RunSeries series = *series_;
  series.add_present(*simulation_);
  return series;
}

void Playback::remember(double wall) {
  if (history_.due(wall)) save_moment(wall);
}

void Playback::keep_newest(double wall) {
  if (simulation_->finish().time > history_.last_time()) save_moment(wall);
}

void Playback::save_moment(double wall) {
  const auto begin = std::chrono::steady_clock::now();
  SimulationState state = save_state();
  history_.add(std::move(state), wall, seconds_since(begin));
}

void Playback::seek(double time) {
  const auto moment = history_.at(time);
  if (!moment) return;
  finish_files();
  // What the steps from there on lead to may be later than all states of the average, and is of another run.
  if (moment->clock.time < simulation_->finish().time) instruments_.distribution().begin_again();
  if (instruments_.diagnostics().shows_present()) instruments_.diagnostics().follow(*series_, *simulation_);
  const std::size_t played = scenes::events_before(*whole_, moment->clock.step);
  const bool as_it_was = !track_is_old_ && played == played_ && (!track_ || track_->changes.empty());
  if (as_it_was && moment->setup.solver == simulation_->setup().solver) {
    simulation_->restore_state(*moment);
  } else {
    // As an edit at that moment does, so that a scene with that edit as an event leads to the same particles.
    simulation_ = std::make_unique<Simulation>(scenes::setup_after(*whole_, played), simulation_->device(), *moment,
                                               simulation_.get());
    edited_from_ = moment;
    edited_moment_ = simulation_->moment();
  }
  if (std::exchange(played_, played) != played) show(*whole_);
  track_is_old_ = track_ != nullptr;
  search_is_new_ = acting_ = starts_again_ = false;
  follow_unwrapped(moment.get());
  restart_timings();
}

void Playback::continue_with(const SimulationSetup& setup, const Device& device) {
  if (!edited_from_ || edited_moment_ != simulation_->moment())
    edited_from_ = std::make_shared<const SimulationState>(save_state());
  make_room_for([&] {
    simulation_ = std::make_unique<Simulation>(setup, device, *edited_from_, simulation_.get());
    follow_unwrapped(edited_from_.get());
  });
  edited_moment_ = simulation_->moment();
  restart_timings();
}

void Playback::reset() {
  if (history_.moments().front()->clock.step > 0) {
    const scenes::Scene scene = *whole_;
    const Device device = simulation_->device();
    make_room_for([&] { begin(scene, document_, device); });
    return;
  }
  seek(0);
  starts_again_ = true;
  work_ = work_.up_to(0);
  restart_timings(true);
}

SavedRun Playback::saved_run(const SavedScene& scene) {
  const StepReport known = simulation_->finish();
  if (const std::string wrong = what_blew_up(simulation_->diagnostics(), known, *simulation_); !wrong.empty())
    throw RuntimeFailure("the run cannot go on from here: " + wrong);
  SavedRun run;
  run.scene = scene;
  // An edit of this moment is an event of the scene: it acts once more when the run goes on.
  const bool just_edited = known.step > 0 && track_ && edited_from_ && edited_moment_ == simulation_->moment();
  run.state = just_edited ? *edited_from_ : save_state();
  run.version = RIFFLE_VERSION;
  run.keeping = keeping_;
  run.acts = acts_until(known.step);
  run.rows = series_with_present().saved(known.time);
  DiagnosticsRecord until_now = instruments_.diagnostics();
  until_now.go_on_from(known.time);
  for (const ParameterMark& mark : until_now.marks())
    for (const KeyChange& change : mark.changes)
      run.rows.changes.push_back({mark.time, mark.until, change.key, change.from, change.to});
  RowStride rows_until_now = stride_;
  rows_until_now.go_on_from(known.time);
  const char* const unit = units_of(simulation_->setup()).time;
  for (const RowStride::Change& change : rows_until_now.changes())
    run.rows.changes.push_back(
        {change.time, change.time, kRowsChange, every_text(change.from, unit), every_text(change.to, unit)});
  std::ranges::stable_sort(run.rows.changes, {}, &SavedRows::Change::time);
  return run;
}

void Playback::restart_timings(bool another_run) {
  simulation_->reset_timings();
  stages_.restart();
  stepped_ms_ = 0;
  const TimedSetup now = timed_setup();
  another_run ? steps_.begin_run(now) : steps_.begin(now);
  if (now == timed_ && !another_run) return;
  const bool first = timed_ == TimedSetup{};
  const std::string changed = first ? "" : difference(timed_, now);
  if (another_run || now.solver != timed_.solver) stages_.begin_run();
  // The plot always names the search, beside whatever else has changed.
  const std::string in_use = changed.empty()               ? now.search
                             : timed_.search == now.search ? changed + ", " + now.search
                                                           : changed;
  const std::string event = another_run ? "new run" : changed;
  stages_.mark(first ? "" : event, first || !another_run ? in_use : event + ": " + in_use);
  timed_ = now;
}

TimedSetup Playback::timed_setup() const {
  const SimulationSetup& setup = simulation_->setup();
  return {std::string(to_string(setup.solver)),
          setup.neighbors.automatic ? "auto" : std::string(to_string(setup.neighbors.method)),
          std::string(to_string(simulation_->device().kind))};
}

StepStatistics Playback::sample_timings(double wall) {
  const StageTimer& timer = simulation_->timings();
  const StepReport known = simulation_->latest();
  if (stages_.sample(timer.stats(), known.step, stepped_ms_, wall, load_.others(wall), known.time))
    steps_.add(stages_.columns().back(), stages_.stages());
  return steps_.statistics();
}

void Playback::follow(std::uint32_t id) { picked_ = has_particle(*simulation_, id) ? std::optional(id) : std::nullopt; }

void Playback::stir(const Ray& ray, std::optional<StirringKind> kind, const HandSetup& hand, std::optional<Vec3> at) {
  if (!kind) {
    hand_at_.reset();
    simulation_->set_stirring(std::nullopt);
    return;
  }
  const Domain& domain = scene_->simulation.domain;
  if (!hand_at_) {
    hand_normal_ = domain.dimension == 2 ? Vec3{0, 0, 1} : ray.direction;
    hand_at_ = at.value_or(0.5f * (domain.min + domain.max));
  }
  const float along = dot(hand_normal_, ray.direction);
  if (std::fabs(along) > 1e-3f)
    hand_at_ = ray.origin + (dot(hand_normal_, *hand_at_ - ray.origin) / along) * ray.direction;
  const Vec3 extent = domain.extent();
  Stirring stirring;
  stirring.kind = *kind;
  stirring.center = *hand_at_;
  stirring.radius = hand.size * std::max({extent.x, extent.y, domain.dimension == 2 ? 0.0f : extent.z});
  const SimulationSetup& setup = simulation_->setup();
  stirring.strength =
      std::min(hand.strength * usual_stirring(setup, stirring.radius), strongest_stirring(setup, stirring.radius));
  simulation_->set_stirring(stirring);
}

void Playback::grip(const Ray& ray, const std::optional<HeldPoint>& point) {
  const SimulationSetup& setup = simulation_->setup();
  if (point) grip_ = Grip{*point, setup.domain.dimension == 2 ? Vec3{0, 0, 1} : ray.direction};
  if (!grip_) return;
  const std::size_t solid = grip_->point.solid;
  if (solid >= setup.solid_regions.size() || !setup.solid_regions[solid].free.given) {  // another scene meanwhile
    grip_.reset();
    return;
  }
  const float along = dot(grip_->normal, ray.direction);
  if (std::fabs(along) < 1e-3f) return;
  const Vec3 hand = ray.origin + (dot(grip_->normal, grip_->point.place - ray.origin) / along) * ray.direction;
  simulation_->set_grip(usual_grip(setup, static_cast<int>(solid), grip_->point.at, hand));
}

void Playback::let_go() {
  grip_.reset();
  simulation_->set_grip(std::nullopt);
}

void Playback::unpick() {
  picked_.reset();
  values_ = {};  // colours that need its memory ask for it again
}

std::optional<ParticleReport> Playback::picked() {
  if (!picked_) return std::nullopt;
  ParticleReport report = inspect(*simulation_, *picked_);
  try {  // once a step has been made, this frees the copy that was made before
    if (const Simulation* const first = values_.first_step(*simulation_)) {
      const ParticleReport after = inspect(*first, *picked_);
      report.density = after.density;
      report.pressure = after.pressure;
    }
  } catch (const Unavailable&) {  // the colours say it
  }
  return report;
}

std::optional<BlowUp> Playback::what_is_wrong(RunWatch& watch, std::optional<scenes::Warning>& warning) {
  const StepReport known = simulation_->finish();
  const Diagnostics now = simulation_->diagnostics();
  density_error_ = now.thermal || known.step == 0 ? kNotMeasured : now.density_error_mean;
  warning = watch.after_diagnostics(now, known, *simulation_);
  return find_blow_up(now, known, *simulation_);
}

ContactHistory Playback::contact() {
  ContactHistory contact{{}, contact_now(*simulation_, simulation_->diagnostics())};
  const SimulationState& first = *history_.moments().front();
  if (first.clock.step > 0)
    contact.when = fmt::format("in the state at {:.6g} {}", first.clock.time, units_of(first.setup).time);
  try {
    contact.start = measure_contact(first, simulation_->device());
  } catch (const Unavailable&) {  // it is only for people
  }
  return contact;
}

/// With the values that colours show, and what they cost.
render::ParticleView Playback::colored_view(ParticleFrame& frame) {
  frame.color_cost = {};
  const Quantity quantity = *scene_->picture.color_by;
  const Device& device = simulation_->device();
  if (!color_cost_ || color_cost_->quantity != quantity || !(color_cost_->device == device))
    color_cost_.emplace(ColorCost{quantity, device, StageTimer(device)});
  try {
    render::ParticleView view;
    {
      const StageTimer::Scope scope = color_cost_->timer.scope("colour values");
      view = view_of(*scene_, *simulation_, values_);
    }
    colors_fail_ = false;
    if (!view.scalar) return view;
    color_cost_->timer.collect(false);
    frame.color_cost = color_cost_->timer.stats().front();
    return view;
  } catch (const Unavailable& lack) {  // the run must not end for its colours
    if (!std::exchange(colors_fail_, true)) color_failure_ = lack.what();
    scenes::Scene plain = *scene_;
    plain.picture.color_by = Quantity::Speed;
    render::ParticleView view = view_of(plain, *simulation_, values_);
    view.velocity = nullptr;
    return view;
  }
}

void Playback::fill(ParticleFrame& frame, bool cells, double earlier) {
  render::ParticleView view = colored_view(frame);
  view.earlier = static_cast<float>(earlier);
  const StepReport clock = simulation_->latest();
  if (!(frame.vertices.device() == view.device)) {
    frame.vertices = Buffer<Vec4>(view.device);
    frame.speed = Buffer<float>(view.device);
    frame.id = Buffer<std::uint32_t>(view.device);
  }
  frame.device = view.device;
  frame.vertices.resize(static_cast<std::size_t>(view.count));
  // Only foam needs the speed as well as the colour value.
  frame.speed.resize(render_options_of(*scene_).fluid.foam_speed > 0 ? static_cast<std::size_t>(view.count) : 0);
  render::gather_vertices(view, frame.vertices.data(), frame.speed.size() > 0 ? frame.speed.data() : nullptr);
  frame.id.resize(static_cast<std::size_t>(view.count));
  copy_on_device(view.device, frame.id.data(), simulation_->particles().get<std::uint32_t>("id").data(),
                 frame.id.size() * sizeof(std::uint32_t));
  frame.count = view.count;
  frame.radius = view.radius;
  frame.spacing = view.spacing;
  frame.time = clock.time - earlier;
  frame.bodies = simulation_->body_places(earlier);
  frame.step = clock.step;
  frame.picked = picked();
  if (frame.picked) {
    Vec4 vertex;
    copy_to_host(view.device, &vertex, frame.vertices.data() + frame.picked->index, sizeof vertex);
    frame.picked_value = vertex.w;
    frame.picked->position = xyz(vertex);
  }
  frame.neighbors = picked_ ? neighbors_of(*simulation_, *picked_) : std::vector<Vec4>{};
  frame.culprits.clear();
  if (const std::optional<Fault> fault = simulation_->fault())
    for (const FaultyParticle& particle : fault->particles)
      if (is_finite(particle.position)) frame.culprits.push_back(particle.position);
  frame.cells = cells ? cells_of(*simulation_) : SearchCells{};
  synchronize(view.device);
}

}  // namespace riffle::desktop
