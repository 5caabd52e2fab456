#include "scenes/scene_events.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>

#include "scenes/document/changed_keys.h"
#include "scenes/document/flow_keys.h"
#include "scenes/document/key_path.h"
#include "scenes/document/parameters.h"
#include "scenes/document/put_value.h"
#include "scenes/document/reader.h"
#include "scenes/document/scene_number.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/review/review.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr const char* kEvents = "events";

/// What a change of the key at that path asks of a running simulation; nothing if the path leads to no key.
std::optional<Effect> effect_of_key(const std::string& path) {
  const Record* record = &scene_format();
  Effect effect = Effect::Restart;
  bool found = false;
  for (const PathStep& step : split_path(path)) {
    if (step.index && found) continue;
    const Key* const key = record ? record->find(step.name) : nullptr;
    if (!key) return std::nullopt;
    effect = key->effect.value_or(effect);
    record = key->forms.back().record.get();
    found = true;
  }
  return found ? std::optional(effect) : std::nullopt;
}

bool acts_while_it_runs(Effect effect) { return effect == Effect::Live || effect == Effect::Search; }

bool all_act(const Record& record, Effect effect) {
  return std::ranges::all_of(record.keys, [&](const Key& key) {
    const Effect own = key.effect.value_or(effect);
    const Record* const inner = key.forms.back().record.get();
    return acts_while_it_runs(own) && (!inner || all_act(*inner, own));
  });
}

/// Keys that an event may set: of a section in which all may be set, only the section.
void collect_allowed(const Record& record, const std::string& path, Effect effect, std::vector<std::string>& allowed) {
  for (const Key& key : record.keys) {
    if (!key.is_parameter) continue;
    const Effect own = key.effect.value_or(effect);
    const Form& last = key.forms.back();
    const std::string inner = child_path(path, key.name);
    if (acts_while_it_runs(own) && (!last.record || all_act(*last.record, own)))
      allowed.push_back(inner);
    else if (last.record)
      collect_allowed(*last.record, last.kind == Form::Kind::List ? inner + "[]" : inner, own, allowed);
  }
}

std::string allowed_keys() {
  std::vector<std::string> allowed;
  collect_allowed(scene_format(), "", Effect::Restart, allowed);
  return fmt::format("{}", fmt::join(allowed, ", "));
}

std::uint64_t step_of(const Node& event) {
  const Node* const step = event.find("step");
  std::string rest;
  return step ? static_cast<std::uint64_t>(parse_number(step->text, rest).value_or(0)) : 0;
}

/// The nodes of the document's events by their steps; those of one step in the order of the document.
std::vector<const Node*> sorted_events(const Node& root) {
  std::vector<const Node*> events;
  if (const Node* const list = root.find(kEvents))
    for (const Node& event : list->items) events.push_back(&event);
  std::ranges::stable_sort(events, {}, [](const Node* event) { return step_of(*event); });
  return events;
}

/// The document as the events so far leave it, with the keys of all solvers.
class Playing {
 public:
  explicit Playing(const SceneSource& source) : full_(source) { take_out(full_.root, kEvents); }

  void play(const Node& event, Problems& problems) {
    latest_.clear();
    for (const Node::Member& member : event.find("set")->members) {
      const std::string path = spelled_path(member.key);
      latest_.push_back(path);
      make_way(full_, path, member.key_location, problems);
      if (Node* const place = place_of(full_.root, path, member.key_location, problems)) *place = member.value;
    }
  }

  /// Keys of other solvers than the present one are left out, as in a scene that is edited; but those of the last event are
  /// refused.
  SceneSource document() const {
    SceneSource now = full_;
    for (const std::string& stranger : keys_of_other_solvers(now))
      if (std::ranges::none_of(
              latest_, [&](const std::string& path) { return is_inside(path, stranger) || is_inside(stranger, path); }))
        take_out(now.root, stranger);
    return now;
  }

 private:
  SceneSource full_;
  std::vector<std::string> latest_;
};

void refuse_keys_of_the_start(const Node& list, Problems& problems) {
  for (std::size_t i = 0; i < list.items.size(); ++i)
    for (const Node::Member& member : list.items[i].find("set")->members) {
      const std::optional<Effect> effect = effect_of_key(spelled_path(member.key));
      if (!effect || acts_while_it_runs(*effect)) continue;  // the reader refuses a key that is none
      const char* const why = is_inside(spelled_path(member.key), kEvents) ? "which no event sets"
                              : *effect == Effect::Picture                 ? "which no simulation takes notice of"
                                                                           : "which decides the start of a run";
      problems.add(member.key_location, fmt::format("events[{}].set", i),
                   fmt::format("found '{}', {}; allowed: {}", member.key, why, allowed_keys()));
    }
}

/// after: the scene as it is after so many events.
void add_new_warnings(const Scene& after, std::size_t events, const std::string& when, Scene& scene) {
  for (const Warning& warning : after.warnings) {
    const auto known = std::ranges::find_if(scene.warnings, [&](const Warning& other) {
      return other.kind == warning.kind && other.key == warning.key && other.text.starts_with(warning.text);
    });
    if (known != scene.warnings.end()) {
      known->last_event = events;
      continue;
    }
    scene.warnings.push_back(warning);
    scene.warnings.back().text += when;
    scene.warnings.back().last_event = events;
  }
}

/// [s] The step that the clock counts: the decimal number that the fixed one rounds; 0: it is not fixed.
double counted_step(const SimulationSetup& setup) {
  return std::strtod(fmt::format("{}", step_bounds(setup).fixed).c_str(), nullptr);
}

/// [s] The times of the events that are to come, as event_times() has them: the first one is of event number `played`.
std::vector<double> times_ahead(const Scene& scene, std::size_t played, std::uint64_t step, double time) {
  std::vector<double> times;
  for (std::size_t i = played; i < scene.events.size(); ++i) {
    const std::uint64_t steps = scene.events[i].step - step;
    const double each = steps > 0 ? counted_step(setup_after(scene, i)) : 0;
    if (!(each > 0) && steps > 0) break;
    times.push_back(time += each * static_cast<double>(steps));
    step = scene.events[i].step;
  }
  return times;
}

/// The first of the events from number `played` on, which act at these times, to which a run up to time.end does not come.
std::size_t first_beyond_end(const Scene& scene, std::size_t played, const std::vector<double>& times) {
  const auto is_beyond = [&](std::size_t k) {
    if (scene.events[played + k].step == 0) return false;
    // The last step of a run may be a thousandth longer (sim/step_control.cu).
    return times[k] >= scene.run.end_time - 1e-3 * counted_step(setup_after(scene, played + k));
  };
  std::size_t first = times.size();
  while (first > 0 && is_beyond(first - 1)) --first;
  return first;
}

/// Where fixed steps tell that a run to time.end does not come to them.
void warn_of_events_beyond_end(const Scene& scene, const RunAhead& run, std::vector<Warning>& warnings) {
  const std::size_t played = events_before(scene, run.step);
  const std::vector<double> times = times_ahead(scene, played, run.step, run.time);
  const std::size_t first = first_beyond_end(scene, played, times);
  if (first == times.size()) return;
  std::vector<std::uint64_t> steps;
  for (std::size_t i = played + first; i < scene.events.size(); ++i) steps.push_back(scene.events[i].step);
  const char* const unit = units_of(scene.simulation).time;
  const bool one = steps.size() == 1;
  warnings.push_back(
      {WarningKind::EventsBeyondEnd, scene.events[played + first].where, kEvents,
       fmt::format(
           "a run ends at {:g} {} (time.end), before {}, so {} not act: {} t = {:.6g}{}. A larger time.end reaches "
           "{}; so do --time and --steps of riffle run",
           scene.run.end_time, unit, steps_text(steps), one ? "it does" : "they do", one ? "it is of" : "they are of",
           times[first],
           one || played + times.size() < scene.events.size() ? "" : fmt::format(" to {:.6g}", times.back()),
           one ? "it" : "them")});
}

}  // namespace

void review_events(const SceneSource& source, Scene& scene, Problems& problems) {
  const Node* const list = source.root.find(kEvents);
  if (!list || scene.events.empty()) return;
  refuse_keys_of_the_start(*list, problems);
  if (!problems.empty()) return;
  std::ranges::stable_sort(scene.events, {}, &SceneEvent::step);
  const std::vector<const Node*> nodes = sorted_events(source.root);
  Playing playing(source);
  std::vector<Parameter> before = parameters(playing.document());
  const bool si = solver_info(scene.simulation).si();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    SceneEvent& event = scene.events[i];
    event.where = nodes[i]->location.text();
    const std::string when = fmt::format(" (after the event of step {})", event.step);
    problems.say_when(when);
    playing.play(*nodes[i], problems);
    const SceneSource now = playing.document();
    KeyLocations locations;
    SceneDraft draft = read_document(now.root, problems, locations);
    draft.scene.path = source.path;
    Scene after = review(std::move(draft), locations, problems);
    if (problems.empty() && solver_info(after.simulation).si() != si)
      problems.add(nodes[i]->location, "solver.type",
                   fmt::format("found '{}', which has other units: no number of the scene would keep its meaning; "
                               "allowed: a solver with the units of {}",
                               to_string(after.simulation.solver), to_string(scene.simulation.solver)));
    problems.say_when("");
    if (!problems.empty()) return;
    std::vector<Parameter> parameters_now = parameters(now);
    event.changes = changed_keys(before, parameters_now);
    before = std::move(parameters_now);
    for (const auto& [path, value] : event.set) {
      const Effect effect = effect_of_key(spelled_path(path)).value_or(Effect::Live);
      event.live |= effect == Effect::Live;
      event.search |= effect == Effect::Search;
    }
    add_new_warnings(after, i + 1, when, scene);
    event.after = std::make_shared<const SimulationSetup>(std::move(after.simulation));
  }
  warn_of_events_beyond_end(scene, {}, scene.warnings);
}

std::vector<Warning> warnings_ahead(const Scene& scene, const RunAhead& run) {
  std::vector<Warning> warnings = scene.warnings;
  const std::size_t played = events_before(scene, run.step);
  std::erase_if(warnings, [&](const Warning& warning) {
    return warning.kind == WarningKind::EventsBeyondEnd || warning.last_event < played;
  });
  // A run that has come to its end did so before them. One beyond it goes on.
  const bool is_to_end = run.ends_by_scene && run.time <= scene.run.end_time;
  if (is_to_end) warn_of_events_beyond_end(scene, run, warnings);
  return warnings;
}

std::vector<double> event_times(const Scene& scene) { return times_ahead(scene, 0, 0, 0); }

std::size_t first_beyond_end(const Scene& scene, const std::vector<double>& times) {
  return first_beyond_end(scene, 0, times);
}

std::string steps_text(const std::vector<std::uint64_t>& steps) {
  constexpr std::size_t kShown = 5;
  if (steps.size() == 1) return fmt::format("the event of step {}", steps[0]);
  const std::size_t shown = steps.size() > kShown + 1 ? kShown : steps.size();
  std::string text = fmt::format("the events of the steps {}", fmt::join(std::span(steps).first(shown), ", "));
  if (shown < steps.size()) text += fmt::format(" and {} more", steps.size() - shown);
  return text;
}

std::size_t events_before(const Scene& scene, std::uint64_t steps) {
  const auto first = std::ranges::find_if(scene.events, [&](const SceneEvent& event) { return event.step >= steps; });
  return static_cast<std::size_t>(first - scene.events.begin());
}

std::size_t events_before(const SceneSource& source, std::uint64_t steps) {
  return static_cast<std::size_t>(
      std::ranges::count_if(sorted_events(source.root), [&](const Node* event) { return step_of(*event) < steps; }));
}

const SimulationSetup& setup_after(const Scene& scene, std::size_t events) {
  return events == 0 ? scene.simulation : *scene.events[events - 1].after;
}

SceneSource document_after(const SceneSource& source, std::size_t events) {
  Playing playing(source);
  const std::vector<const Node*> nodes = sorted_events(source.root);
  Problems none;  // they were reviewed
  for (std::size_t i = 0; i < std::min(events, nodes.size()); ++i) playing.play(*nodes[i], none);
  return playing.document();
}

namespace {

/// Lists whose entries a running simulation can get and lose.
std::vector<std::string> live_lists() {
  std::vector<std::string> lists;
  for (const Key& key : scene_format().keys)
    if (key.is_parameter && key.forms.back().kind == Form::Kind::List &&
        key.effect.value_or(Effect::Restart) == Effect::Live)
      lists.push_back(key.name);
  return lists;
}

std::size_t entries(const SceneSource& source, const std::string& list) {
  const Node* const node = source.root.find(list);
  return node ? node->items.size() : 0;
}

bool set_already(const KeyValues& values, const std::string& path) {
  return std::ranges::any_of(values, [&](const auto& set) { return is_inside(path, set.first); });
}

}  // namespace

KeyValues changed_values(const SceneSource& from, const SceneSource& to) {
  KeyValues values;
  for (const std::string& list : live_lists())
    if (entries(from, list) != entries(to, list)) {
      const Node* const node = to.root.find(list);
      values.emplace_back(list, node ? flow_text(*node) : "[]");
    }
  const std::vector<Parameter> before = parameters(from);
  for (const Parameter& p : parameters(to)) {
    if (!acts_while_it_runs(p.effect) || set_already(values, p.path)) continue;
    const auto was = std::ranges::find(before, p.path, &Parameter::path);
    // A key that only the new solver has needs to be set where the scene gives it.
    const bool differs = was == before.end() ? p.written : was->value != p.value;
    if (p.value.empty() && !flow_rivals(p.path).empty()) continue;  // the one that is given takes it out
    if (differs) values.emplace_back(p.path, p.value);
  }
  return values;
}

Node event_node(const StepChange& change) {
  Problems none;  // the values are right
  Node event, set;
  event.kind = set.kind = Node::Kind::Map;
  for (const auto& [path, value] : change.set) set.members.push_back({path, {}, parse_value(value, {}, path, none)});
  event.members.push_back({"step", {}, parse_value(fmt::format("{}", change.step), {}, "", none)});
  event.members.push_back({"set", {}, std::move(set)});
  return event;
}

namespace {

/// Names, the picture and the like are those of `now`.
void take_pictures(const SceneSource& now, SceneSource& scene) {
  std::set<std::string> whole;
  const auto take = [&](const std::string& path) {
    Problems none;
    const Node* const node = find(now.root, path);
    if (!node) return take_out(scene.root, path);
    make_way(scene, path, {}, none);
    if (Node* const place = place_of(scene.root, path, {}, none)) *place = *node;
  };
  for (const Key& key : scene_format().keys)
    if (key.effect == Effect::Picture) take(key.name), whole.insert(key.name);
  std::vector<Parameter> all = parameters(now);
  const std::vector<Parameter> before = parameters(scene);
  all.insert(all.end(), before.begin(), before.end());  // a key that is taken out is in these alone
  for (const Parameter& p : all)
    if (p.effect == Effect::Picture && p.written && !whole.contains(p.path.substr(0, p.path.find_first_of(".["))))
      take(p.path);
}

}  // namespace

SceneSource with_changes(const SceneSource& start, const SceneSource& now, const std::vector<StepChange>& changes,
                         std::size_t played) {
  SceneSource scene = document_after(start, 0);
  take_pictures(now, scene);
  Node list;
  list.kind = Node::Kind::List;
  for (const StepChange& change : changes) list.items.push_back(event_node(change));
  const std::vector<const Node*> nodes = sorted_events(now.root);
  for (std::size_t i = played; i < nodes.size(); ++i) list.items.push_back(*nodes[i]);
  if (!list.items.empty()) scene.root.members.push_back({kEvents, {}, std::move(list)});
  return scene;
}

TakenOver take_over(const SceneSource& source, std::size_t played, const std::vector<std::string>& paths) {
  TakenOver taken;
  const SceneSource now = document_after(source, played);
  Node left;
  left.kind = Node::Kind::List;
  const std::vector<const Node*> nodes = sorted_events(source.root);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Node event = *nodes[i];
    if (i < played) {
      Node* const set = find(event, "set");
      std::erase_if(set->members, [&](const Node::Member& member) {
        const std::string own = spelled_path(member.key);
        const bool meets = std::ranges::any_of(paths, [&](const std::string& path) {
          const std::string spelled = spelled_path(path);
          return is_inside(own, spelled) || is_inside(spelled, own);
        });
        if (!meets) return false;
        const Node* const value = find(now.root, own);
        std::erase_if(taken.values, [&](const auto& before) { return before.first == own; });
        if (value) taken.values.emplace_back(own, flow_text(*value));
        return true;
      });
      if (set->members.empty()) continue;
    }
    left.items.push_back(std::move(event));
  }
  if (!left.items.empty()) taken.events = flow_text(left);
  return taken;
}

}  // namespace riffle::scenes
