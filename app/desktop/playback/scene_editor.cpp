#include "app/desktop/playback/scene_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <exception>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/command/scene_options.h"
#include "app/desktop/playback/scene_edit.h"
#include "app/desktop/playback/worker.h"
#include "app/run/scene_view.h"
#include "app/state/saved_scene.h"
#include "core/error.h"
#include "core/text/color_text.h"
#include "core/text/log.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/key_path.h"
#include "scenes/document/key_places.h"
#include "scenes/document/parameters.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/review/particle_estimate.h"
#include "scenes/scene.h"
#include "scenes/scene_events.h"

namespace riffle::desktop {

namespace {

constexpr const char *kColorKey = "picture.color_by", *kRangeKey = "picture.range", *kSolverKey = "solver.type";

const std::string kNoFile;  ///< in place of a path, of new scenes: no save replaces them

/// One text for all paths of a file.
std::string named_once(const std::string& file) {
  std::error_code none;
  const std::filesystem::path there = std::filesystem::weakly_canonical(std::filesystem::absolute(file, none), none);
  return none ? file : there.string();
}

}  // namespace

SceneEditor::SceneEditor(Worker& worker, double asked_after, double lost_after)
    : worker_(worker), asked_after_(asked_after), lost_after_(lost_after) {}
SceneEditor::~SceneEditor() = default;

void SceneEditor::follow(const WorkerStatus& status) {
  if (status.long_opening) ask_about(*status.long_opening);
  if (!status.loaded) return;
  would_be_lost_ = !status.can_keep && status.age > asked_after_;
  kept_ = status.kept;
  present_particles_ = static_cast<double>(status.particles);
  nothing_run_ = status.clock.step == 0 && status.moments <= 1;
  // The newest request may lead elsewhere.
  if (status.handled != worker_.asked()) return;
  if (status.state != state_) settle(status);
  if (!edited_ || status.state != state_) return;
  place_ = status.place;
  step_ = status.clock.step;
  time_ = status.clock.time;
  if (played() != shown_played_) show();
}

/// A scene that was to be opened has so many particles that its start takes long.
void SceneEditor::ask_about(const LongOpening& opening) {
  if (opening.number <= openings_asked_ || waiting_.go) return;
  openings_asked_ = opening.number;
  const auto go = [this, options = opening.options, play = opening.play] { worker_.load(options, play); };
  const std::string name = std::filesystem::path(opening.options.scene).stem().string();
  waiting_ = {go, {}, {}, opening.why, name};
}

/// The worker stands in another state than the requests lead to: it has opened a scene, or refused a request.
void SceneEditor::settle(const WorkerStatus& status) {
  error_.clear();
  ++changes_;
  if (go_to(status.state)) return;
  go_to(status.state_before);
  if (status.branched && edited_ && state_ == status.state_before) {
    note({Act::Start, state_, nullptr, "playing on from an earlier moment"});
    state_ = status.state;
    return;
  }
  if (edited_) note({Act::Open, state_, std::move(edited_), "the opening of " + status.scene->name});
  state_ = status.state;
  edited_ = std::make_shared<scenes::EditedScene>(*status.source);
  step_ = status.clock.step, time_ = status.clock.time;
  const scenes::SceneSource& source = edited_->source();
  in_files_[source.is_new ? kNoFile : named_once(source.path)].push_back({edited_, std::nullopt, false});
  show();
}

/// @return false if no step leads there
bool SceneEditor::go_to(std::uint64_t state) {
  const auto leads_there = [&](const Step& step) { return step.state == state; };
  while (state_ != state) {
    if (std::any_of(done_.begin(), done_.end(), leads_there))
      take(done_, undone_);
    else if (std::any_of(undone_.begin(), undone_.end(), leads_there))
      take(undone_, done_);
    else
      return false;
  }
  return true;
}

const scenes::Scene* SceneEditor::scene() const { return edited_ ? &edited_->scene() : nullptr; }
const std::vector<scenes::Parameter>& SceneEditor::parameters() const { return parameters_; }
bool SceneEditor::is_edited(const std::string& path) const { return edited_ && edited_->is_edited(path); }
std::string SceneEditor::third_axis_note() const { return edited_ ? edited_->third_axis_note() : ""; }
std::string SceneEditor::note_of_change(const std::string& key) const {
  return edited_ ? edited_->note_of_change(key) : "";
}
bool SceneEditor::can_reset(const std::string& path, bool required) const {
  return edited_ && edited_->can_reset(path, required);
}
bool SceneEditor::anything_edited() const { return edited_ && edited_->anything_edited(); }

const scenes::Parameter* SceneEditor::find(const std::string& path) const {
  const auto at =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const scenes::Parameter& p) { return p.path == path; });
  return at == parameters_.end() ? nullptr : &*at;
}

namespace {

/// Colours have their six digits, as in their fields.
std::string as_shown(const std::vector<scenes::Parameter>& parameters, const std::string& key,
                     const std::string& value) {
  const auto found = std::ranges::find(parameters, key, &scenes::Parameter::path);
  if (found == parameters.end() || found->kind != scenes::Parameter::Kind::Color) return value;
  const std::vector<double> rgb = found->numbers();
  if (rgb.size() != 3) return value;
  return hex_text({static_cast<float>(rgb[0]), static_cast<float>(rgb[1]), static_cast<float>(rgb[2])});
}

}  // namespace

std::string what_differs(const std::vector<scenes::Parameter>& before, const std::vector<scenes::Parameter>& after) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> changes;
  const std::vector<KeyChange> keys = scenes::changed_keys(before, after);
  // A map that was edited has the change in its own value, and its keys have it again.
  const auto is_told = [&](const KeyChange& change) {
    return std::ranges::any_of(keys, [&](const KeyChange& inner) {
      return inner.key != change.key && scenes::is_inside(inner.key, change.key);
    });
  };
  for (const KeyChange& change : keys)
    if (!is_told(change))
      changes.push_back(change_text(
          KeyChange{change.key, as_shown(before, change.key, change.from), as_shown(after, change.key, change.to)}));
  if (changes.empty()) return "the scene";
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + changes[i];
  return changes.size() > kNamed ? text + " and " + std::to_string(changes.size() - kNamed) + " more" : text;
}

void SceneEditor::change(const std::string& path, std::function<void()> change, bool goes_on) {
  if (!edited_) return;
  const Trial trial = much_is_forth(runs_forth()) ? tried(change) : Trial::Step;
  if (trial != Trial::Step && !waiting_.forth.empty()) waiting_ = {};  // a slider has moved back under the question
  if (trial == Trial::Refused) return change_now(path, change, goes_on);
  if (trial == Trial::Same) {
    error_.clear();
    ++changes_;
    return;
  }
  // A slider that moves on while the question stands replaces what waits.
  unless_forth_is_lost([this, path, change = std::move(change), goes_on] { change_now(path, change, goes_on); });
}

/// What a change would do, found with a copy of the scene: only a step takes away what redo leads to.
SceneEditor::Trial SceneEditor::tried(const std::function<void()>& change) {
  const auto present = edited_;
  edited_ = std::make_shared<scenes::EditedScene>(*present);
  given_up_[edited_] = given_up_[present];
  Trial trial = Trial::Refused;
  try {
    change();
    trial = scenes::effect_of_change(present->document(), edited_->document()) ? Trial::Step : Trial::Same;
  } catch (const std::exception&) {  // change_now() says why
  }
  given_up_.erase(edited_);
  edited_ = present;
  return trial;
}

void SceneEditor::change_now(const std::string& path, const std::function<void()>& change, bool goes_on) {
  error_.clear();
  scaling_note_.clear();
  ++changes_;
  const scenes::SceneSource before = edited_->document();
  const std::size_t changes = edited_->undo_count();
  const scenes::Parameter* range = path == kColorKey ? find(kRangeKey) : nullptr;
  try {
    const Quantity shown = range ? quantity() : Quantity::Speed;
    change();
    if (range) take_range_along(shown, range->value);
  } catch (const std::exception& refusal) {
    refuse(path, named_as_saved(refusal.what()));
    return;
  }
  std::vector<scenes::Parameter> old = parameters_;
  show();
  if (!goes_on) before_ = std::move(old);
  const bool is_new = edited_->undo_count() > changes;
  if (is_new) note({Act::Edit, state_});
  if (is_new || (goes_on && !done_.empty())) done_.back().what = what_differs(before_, parameters_);
  send(
      before, worker_.new_state(),
      [this] {
        take(done_, undone_);
        undone_.clear();
      },
      goes_on);
}

void SceneEditor::refuse(const std::string& path, const std::string& why) {
  error_ = why;
  error_path_ = path;
  ++refusals_;
}

std::string SceneEditor::changes_since_opened() const {
  return anything_edited() ? what_differs(scenes::parameters(edited_->source()), edited_->parameters()) : "";
}

/// What colours show.
Quantity SceneEditor::quantity() const {
  scenes::Scene scene = edited_->scene();
  settle_picture(scene, worker_.software_gl());
  return scene.picture.color_by.value_or(Quantity::Speed);
}

/// A range belongs to its quantity: the one that is shown from now on gets its own, in the same step.
void SceneEditor::take_range_along(Quantity before, const std::string& range) {
  const Quantity after = quantity();
  if (before == after) return;
  const std::string wanted = color_ranges_[edited_].change(before, range, after);
  if (wanted == range) return;
  edited_->set(kRangeKey, wanted);
  edited_->join_last_two();
}

/// Events of the scene that have acted.
std::size_t SceneEditor::played() const { return edited_ ? scenes::events_before(edited_->scene(), step_) : 0; }

/// The document with the values of the events that have acted.
scenes::SceneSource SceneEditor::in_force(const scenes::SceneSource& document) const {
  const std::size_t count = scenes::events_before(document, step_);
  return count == 0 ? document : scenes::document_after(document, count);
}

/// The same change. Keys at these paths that events have set become the scene's own before it, and these events lose them: the edit
/// takes their place. Undo takes both back.
std::function<void()> SceneEditor::taking_over(std::vector<std::string> paths, std::function<void()> change) {
  return [this, paths = std::move(paths), change = std::move(change)] {
    const scenes::TakenOver taken =
        played() > 0 ? scenes::take_over(edited_->document(), played(), paths) : scenes::TakenOver{};
    if (taken.values.empty()) return change();
    std::vector<scenes::Edit> edits;
    for (const auto& [path, value] : taken.values) edits.push_back({path, value});
    edits.push_back({"events", taken.events.empty() ? std::nullopt : std::optional(taken.events)});
    const scenes::EditedScene before = *edited_;
    try {
      edited_->set_together(edits);
      const std::size_t count = edited_->undo_count();
      change();
      if (edited_->undo_count() > count) edited_->join_last_two();
    } catch (...) {
      *edited_ = before;
      throw;
    }
  };
}

/// Sends the present document. @param refused takes it back
void SceneEditor::send(const scenes::SceneSource& before, std::uint64_t to, const std::function<void()>& refused,
                       bool goes_on, bool takes_back) {
  auto effect = scenes::effect_of_change(in_force(before), in_force(edited_->document()));
  const auto events = [](const scenes::SceneSource& source) {
    const scenes::Node* const list = source.root.find("events");
    return list ? scenes::flow_text(*list) : "";
  };
  if (!effect && events(before) != events(edited_->document())) effect = scenes::Effect::Picture;
  if (!effect) return;
  const auto go = [this, to, effect = *effect, from = state_, goes_on, takes_back] {
    state_ = to;
    worker_.edit({scene_to_run(), effect, what_differs(before_, parameters_), from, to,
                  scenes::changed_keys(before_, parameters_), goes_on, takes_back,
                  std::make_shared<const scenes::SceneSource>(edited_->document())});
  };
  if (*effect != scenes::Effect::Restart) return go();
  const auto leave = [this, go, refused] { unless_lost(go, refused); };
  const double then = present_particles_, now = scenes::particle_estimate(edited_->scene().simulation);
  if (const std::string why = long_start(then, now); why.empty())
    leave();
  else
    waiting_ = {leave, refused, {}, why};
}

/// A step that undo takes back. After another start of the same scene what was undone can still be redone; after others it
/// cannot, and its runs are forgotten.
void SceneEditor::note(Step step) {
  const bool same_scene = step.act == Act::Start;
  done_.push_back(std::move(step));
  if (!same_scene) forget_undone();
}

void SceneEditor::forget_undone() {
  std::vector<std::uint64_t> unreachable;
  for (const Step& undone : undone_) unreachable.push_back(undone.state);
  undone_.clear();
  if (!unreachable.empty()) worker_.forget(std::move(unreachable));
}

/// Moves the last step from one list to the other, with the scene that it changes; tells nobody.
void SceneEditor::take(std::vector<Step>& from, std::vector<Step>& to) {
  Step step = std::move(from.back());
  from.pop_back();
  if (step.act == Act::Edit) &from == &done_ ? edited_->undo() : edited_->redo();
  if (step.act == Act::Open) std::swap(edited_, step.other);
  std::swap(state_, step.state);
  to.push_back(std::move(step));
  if (edited_) show();
}

void SceneEditor::go(std::vector<Step>& from, std::vector<Step>& to) {
  if (from.empty()) return;
  error_.clear();
  ++changes_;
  if (from.back().act != Act::Edit) {
    unless_lost([this, &from, &to] {
      take(from, to);
      worker_.bring_back(state_);
      rename_run();
    });
    return;
  }
  const scenes::SceneSource document = edited_->document();
  const std::uint64_t here = state_;
  before_ = parameters_;
  take(from, to);
  // Without a difference nothing is sent, and the worker stays where it is.
  const std::uint64_t there = std::exchange(state_, here);
  const bool takes_back = &from == &done_;
  const auto refused = [this, &from, &to, here, there] {
    take(to, from);
    from.back().state = there;
    state_ = here;
  };
  send(document, there, refused, false, takes_back);
}

void SceneEditor::undo() {
  scaling_note_.clear();
  if (error_.empty()) return go(done_, undone_);
  error_.clear();  // a refused edit was the last one
}
void SceneEditor::redo() { go(undone_, done_); }

void SceneEditor::open(const SceneOptions& options, bool play) {
  error_.clear();
  scaling_note_.clear();
  unless_forth_is_lost(
      [this, options, play] { unless_lost([this, options, play] { worker_.load(options, play, true); }); });
}

void SceneEditor::start_again() {
  if (!edited_ || nothing_run_) return;
  unless_lost([this] {
    note({Act::Start, state_, nullptr, "the new start"});
    state_ = worker_.reset();
  });
}

void SceneEditor::unless_lost(std::function<void()> go, std::function<void()> stay) {
  if (would_be_lost_)
    waiting_ = {std::move(go), std::move(stay)};
  else
    go();
}

/// Of the runs that redo leads to, those that have something to lose.
std::vector<KeptStatus> SceneEditor::runs_forth() const {
  std::vector<KeptStatus> runs;
  for (const KeptStatus& kept : kept_)
    if (kept.has_states && kept.work.unsaved() > 0 &&
        std::ranges::any_of(undone_, [&](const Step& step) { return step.state == kept.state; }))
      runs.push_back(kept);
  return runs;
}

bool SceneEditor::much_is_forth(const std::vector<KeptStatus>& runs) const {
  double computed = 0;
  for (const KeptStatus& run : runs) computed += run.work.unsaved();
  return computed > lost_after_;
}

/// Before a step after which nothing can be redone.
void SceneEditor::unless_forth_is_lost(std::function<void()> go) {
  std::vector<KeptStatus> runs = runs_forth();
  if (much_is_forth(runs))
    waiting_ = {std::move(go), {}, std::move(runs)};
  else
    go();
}

std::string SceneEditor::what_undo_takes() const { return done_.empty() ? "" : done_.back().what; }
std::string SceneEditor::what_redo_brings() const { return undone_.empty() ? "" : undone_.back().what; }

std::string SceneEditor::step_at(std::uint64_t state) const {
  const auto leads_there = [&](const Step& step) { return step.state == state && !step.what.empty(); };
  if (const auto step = std::ranges::find_if(done_, leads_there); step != done_.end()) return "before " + step->what;
  if (const auto step = std::ranges::find_if(undone_, leads_there); step != undone_.end()) return "after " + step->what;
  return "";
}

void SceneEditor::answer(bool go_on) {
  const Waiting waiting = std::exchange(waiting_, {});
  if (go_on && waiting.go) waiting.go();
  if (!go_on && waiting.stay) waiting.stay();
}

void SceneEditor::set(const std::string& path, const std::string& value, bool goes_on) {
  change(
      path,
      taking_over({path}, [=, this] { path == kSolverKey ? set_solver(value) : edited_->set(path, value, goes_on); }),
      goes_on);
}

void SceneEditor::set_together(const std::vector<scenes::Edit>& edits) {
  if (edits.empty()) return;
  std::vector<std::string> paths;
  for (const scenes::Edit& edit : edits) paths.push_back(edit.path);
  change(edits.front().path, taking_over(std::move(paths), [this, edits] { edited_->set_together(edits); }));
}

std::string SceneEditor::why_refused(const std::vector<scenes::Edit>& edits) const {
  if (!edited_ || edits.empty()) return "";
  scenes::EditedScene trial = *edited_;
  try {
    trial.set_together(edits);
  } catch (const std::exception& refusal) {
    return named_as_saved(refusal.what());
  }
  return "";
}

/// A quantity that particles of the new solver do not have gives way to the automatic one, in the same step.
void SceneEditor::set_solver(const std::string& value) {
  const scenes::Parameter *color = find(kColorKey), *range = find(kRangeKey);
  const std::size_t before = edited_->undo_count();
  const auto set = [&](const char* key, const std::string& text) {
    const std::size_t changes = edited_->undo_count();
    edited_->set(key, text);
    if (changes > before && edited_->undo_count() > changes) edited_->join_last_two();
  };
  GivenUpColor& given_up = given_up_[edited_];
  const bool automatic = !color || color->text() == "auto";
  try {
    set(kSolverKey, value);
    if (given_up.color.empty() || !automatic) return;
    set(kColorKey, given_up.color);
    set(kRangeKey, given_up.range);
    given_up = {};
    return;
  } catch (const InputError&) {
    if (edited_->undo_count() > before && automatic) return;  // this solver lacks it, too
    if (automatic) throw;
  }
  const GivenUpColor shown{color->value, range ? range->value : "auto"};
  try {
    set(kRangeKey, "auto");
    set(kColorKey, "auto");
    set(kSolverKey, value);
  } catch (...) {
    if (edited_->undo_count() > before) edited_->undo();
    throw;
  }
  given_up = shown;
}

std::string SceneEditor::color_note() const {
  const auto at = given_up_.find(edited_);
  const scenes::Parameter* color = find(kColorKey);
  if (at == given_up_.end() || at->second.color.empty() || !color || color->text() != "auto") return "";
  return "picture.color_by is auto: particles of this solver have no " + at->second.color +
         ". It comes back with a solver whose particles have it.";
}
void SceneEditor::reset(const std::string& path) {
  change(path, taking_over({path}, [this, path] { edited_->reset(path); }));
}
void SceneEditor::reset_all() {
  change("", [this] { edited_->reset_all(); });
}
void SceneEditor::add_mesh(const std::string& file, std::optional<float> scale) {
  change("solids", [this, file, scale] {
    const scenes::MeshFit fit = scale ? scenes::MeshFit{} : scenes::mesh_fit(file, edited_->scene());
    edited_->add_mesh(file, scale);
    if (!fit.why.empty())
      scaling_note_ = fmt::format("{} has the scale {:g} here: {}. The solid's key mesh.scale changes it.",
                                  std::filesystem::path(file).filename().string(), fit.scale, fit.why);
  });
}

void SceneEditor::add_entry(const std::string& list, const std::string& shape) {
  change(list, [this, list, shape] { edited_->add_entry(list, shape); });
}
void SceneEditor::add_probe(Vec3 place) {
  change("probes", [this, place] { edited_->add_probe(place); });
}
void SceneEditor::copy_entry(const std::string& path) {
  change(path, [this, path] { edited_->copy_entry(path); });
}
void SceneEditor::remove_entry(const std::string& path) {
  change(path, [this, path] { edited_->remove_entry(path); });
}

std::size_t SceneEditor::comments_left_out(const std::string& file) const {
  return edited_ ? edited_->comments_left_out(file, &present_scene().source) : 0;
}

void SceneEditor::save(const std::string& file) {
  place_ = settled_place();
  edited_->save(file, &present_scene().source);
  if (!present_scene().lost.empty())
    log::warn("{}: has the present values, and not what was changed while it ran: {}", file, present_scene().lost);
  if (!followed_->beyond.empty()) log::warn("{}: {}", file, followed_->beyond);
  if (const std::string outside = outside_text(place_); !outside.empty()) log::warn("{}: {}", file, outside);
  saved_[edited_] = file;
  saved_text_[edited_] = std::make_shared<const scenes::SceneSource>(scenes::load_source(file));
  in_files_[named_once(file)] = {
      {edited_, edited_->yaml_if_edited(), present_scene().edits > 0}};  // what it had before is in no file now
  show();
  rename_run();
}

/// When the simulation has taken all requests. @throws RuntimeFailure if it does not do so soon
RunPlace SceneEditor::settled_place() const {
  using namespace std::chrono_literals;
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const auto status = worker_.status();
    if (status->handled == worker_.asked() && status->state == state_) return status->place;
    if (!status->busy.empty()) return {};  // another run begins, with the scene as it is
    if (std::chrono::steady_clock::now() - begin > 5s)
      throw RuntimeFailure("the simulation has not taken the last change yet; try it again");
    std::this_thread::sleep_for(1ms);
  }
}

/// What save() writes.
const RunScene& SceneEditor::present_scene() const {
  const bool known = followed_ && followed_->edited == edited_ && followed_->changes == changes_ &&
                     followed_->place.track == place_.track && followed_->place.document == place_.document &&
                     followed_->place.step == place_.step && followed_->place.starts_again == place_.starts_again &&
                     passed_shortened_step(followed_->place) == passed_shortened_step(place_);
  if (known) return followed_->scene;
  RunPlace place = place_;
  if (!place.document || edited_->to_yaml() != edited_->yaml_of(*place.document)) {
    place = {};  // it is on its way, or another run begins with it
    place.document = std::make_shared<const scenes::SceneSource>(edited_->document());
  }
  Followed next{place_, edited_, changes_, scene_of_run(place, false), "", ""};
  if (!next.scene.lost.empty())
    next.text = "What was changed while it ran cannot be saved as events: " + next.scene.lost +
                ". The saved scene has the present values from the start.\n";
  if (const std::size_t edits = next.scene.edits; edits > 0)
    next.text = fmt::format(
        "The scene is saved as the run began, and what was changed meanwhile as {}. To have the present values from "
        "the start, "
        "start again before you save.\n",
        edits == 1 ? "an event with its step" : fmt::format("{} events with their steps", edits));
  next.beyond = next.scene.edits > 0 ? next.scene.beyond : beyond_end_text(edited_->scene(), place.track.get());
  if (!next.beyond.empty()) next.text += next.beyond + "\n";
  next.text += outside_text(place);
  if (next.text.ends_with('\n')) next.text.pop_back();
  followed_ = std::move(next);
  return followed_->scene;
}

const std::string& SceneEditor::save_text() const {
  static const std::string none;
  if (!edited_) return none;
  (void)present_scene();
  return followed_->text;
}

SavedScene SceneEditor::saved_scene(const std::string& camera) const {
  RunPlace place = settled_place();
  if (!place.document) place.document = std::make_shared<const scenes::SceneSource>(edited_->document());
  scenes::SceneSource document = scene_of_run(place, true).source;
  scenes::Problems none;  // the values are right
  if (const std::string name = name_of(edited_); name != edited_->scene().name)
    scenes::put(document.root, "name", scenes::string_text(name), {}, none);
  if (!camera.empty()) scenes::put(document.root, "picture.camera", camera, {}, none);
  SavedScene saved = riffle::saved_scene(document);
  if (const auto at = saved_.find(edited_); at != saved_.end())
    saved.name = std::filesystem::path(at->second).filename().string();
  return saved;
}

/// With the name that the scene has now: that of its file, after it was saved as another one.
std::vector<scenes::Parameter> SceneEditor::shown_parameters() const {
  std::vector<scenes::Parameter> all = scenes::parameters(in_force(edited_->document()));
  for (scenes::Parameter& p : all)
    if (p.path == "name") p.value = scenes::string_text(name_of(edited_));
  return all;
}

/// A scene that was saved has the name and the path of its file.
scenes::Scene SceneEditor::scene_to_run() const {
  scenes::Scene scene = edited_->scene();
  if (const auto at = saved_.find(edited_); at != saved_.end()) {
    scene.path = at->second;
    scene.is_new = false;
    scene.name = name_of(edited_);
  }
  return scene;
}

void SceneEditor::rename_run() {
  if (saved_.contains(edited_)) worker_.edit({scene_to_run(), scenes::Effect::Picture, "", state_, state_});
}

std::string SceneEditor::name_of(const std::shared_ptr<scenes::EditedScene>& scene) const {
  const auto at = saved_.find(scene);
  const bool after_file = at != saved_.end() && !scene->is_edited("name") &&
                          scenes::name_of_file(at->second) != scenes::name_of_file(scene->source().path);
  return after_file ? scenes::name_of_file(at->second) : scene->scene().name;
}

bool SceneEditor::is_unsaved(const std::shared_ptr<scenes::EditedScene>& scene, std::size_t redone) const {
  if (redone > scene->redo_count()) return false;  // there is no such scene
  const std::optional<std::string> yaml = scene->yaml_if_edited(redone);
  // A file that has the edits of a run as events does not have them as values of the start.
  const bool begins_so = scene == edited_ && redone == 0 && present_scene().edits == 0;
  return std::ranges::none_of(in_files_, [&](const auto& file) {
    return std::ranges::any_of(file.second, [&](const InFile& in) {
      return in.scene == scene && in.yaml == yaml && !(in.has_run && begins_so);
    });
  });
}

/// How many changes of the scene that this step brings back redo brings back with it, before the next scene.
std::size_t SceneEditor::changes_after(std::size_t undone) const {
  std::size_t changes = 0;
  for (std::size_t k = undone; k-- > 0 && undone_[k].act != Act::Open;)
    if (undone_[k].act == Act::Edit) ++changes;
  return changes;
}

std::vector<std::string> SceneEditor::unsaved() const {
  struct Unsaved {
    std::string name;
    std::filesystem::path file;
    int copies = 1;
  };
  std::vector<Unsaved> all;
  const auto look_at = [&](const std::shared_ptr<scenes::EditedScene>& scene, std::size_t redone) {
    if (!scene || !(is_unsaved(scene) || is_unsaved(scene, redone))) return;
    // On the way back from a scene that was saved lies the one that was opened: nobody has left that one.
    const bool on_the_way = redone > 0 && !scene->anything_edited() && !is_unsaved(scene, redone);
    if (on_the_way) return;
    const auto at = saved_.find(scene);
    const std::string name = name_of(scene), file = at == saved_.end() ? scene->source().path : at->second;
    const auto same = std::ranges::find_if(all, [&](const Unsaved& u) { return u.name == name && u.file == file; });
    if (same == all.end())
      all.push_back({name, file});
    else
      ++same->copies;
  };
  look_at(edited_, 0);
  for (const Step& step : done_) look_at(step.other, 0);
  for (std::size_t k = undone_.size(); k-- > 0;) look_at(undone_[k].other, changes_after(k));
  std::vector<std::string> names;
  for (const Unsaved& scene : all) {
    std::string text = scene.name;
    const auto others = [&](const auto& alike) {
      return std::ranges::any_of(all,
                                 [&](const Unsaved& u) { return &u != &scene && u.name == scene.name && alike(u); });
    };
    const bool same_file_name = others([&](const Unsaved& u) { return u.file.filename() == scene.file.filename(); });
    if (others([](const Unsaved&) { return true; }))
      text += " (" + (same_file_name ? scene.file : scene.file.filename()).string() + ")";
    if (scene.copies > 1) text += " (opened " + std::to_string(scene.copies) + " times)";
    names.push_back(std::move(text));
  }
  return names;
}
const std::vector<scenes::Warning>& SceneEditor::warnings() const {
  static const std::vector<scenes::Warning> none;
  return edited_ ? warnings_ : none;
}

void SceneEditor::show() {
  shown_played_ = played();
  parameters_ = shown_parameters();
  warnings_ = scenes::warnings_ahead(edited_->scene(), {step_, time_});
  for (scenes::Warning& warning : warnings_) warning.where = place_of(warning);
}

/// Of a scene that was saved: the place in that file, if it has what the warning is about.
std::string SceneEditor::place_of(const scenes::Warning& warning) const {
  if (const auto at = saved_text_.find(edited_); at != saved_text_.end())
    if (std::string place = scenes::place_in_file(*at->second, edited_->document(), warning.key); !place.empty())
      return place;
  return named_as_saved(warning.where);
}

/// A text about the scene: "tank.yaml:15:5: ..." names the file to which the scene was saved. Its lines are not those of
/// the text that was read, even under the same name, so the numbers go. A new scene has no file.
std::string SceneEditor::named_as_saved(std::string text) const {
  const auto at = saved_.find(edited_);
  const std::string& read = edited_->source().path;
  std::error_code none;
  const bool has_file = !edited_->source().is_new && std::filesystem::exists(read, none);
  const bool is_new = at == saved_.end() && !read.empty() && !has_file;
  if (!is_new && (at == saved_.end() || read.empty())) return text;
  for (std::size_t found = 0; (found = text.find(read, found)) != std::string::npos;) {
    std::size_t end = found + read.size();
    while (end + 1 < text.size() && text[end] == ':' && std::isdigit(static_cast<unsigned char>(text[end + 1])))
      end = std::min(text.size(), text.find_first_not_of("0123456789", end + 1));
    if (is_new && text.compare(end, 2, ": ") == 0) end += 2;
    const std::string name = is_new ? "" : at->second;
    text.replace(found, end - found, name);
    found += name.size();
  }
  return text;
}

const scenes::IdleKey* SceneEditor::idle(const std::string& path) const {
  if (!edited_) return nullptr;
  for (const scenes::IdleKey& idle : edited_->scene().idle_keys)
    if (scenes::is_inside(path, idle.key)) return &idle;
  return nullptr;
}

}  // namespace riffle::desktop
