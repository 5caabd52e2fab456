/// The key of changes while a scene runs.

#include "scenes/format/format_keys.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

constexpr int kMostEvents = 10000;

SceneEvent& event(SceneDraft& d) { return d.scene.events.back(); }

Key set_key() {
  Form pairs;
  pairs.kind = Form::Kind::Keys;
  Key key{"set",
          "Keys with their values from then on. Allowed are keys that act while a simulation runs: those that the "
          "window changes "
          "without a new start. `riffle check` names them where another is given. A path with brackets stands in "
          "quotes in a "
          "map of one line, or is written with points: `{fluids.0.viscosity: 0.01}`.",
          {pairs}};
  key.required = true;
  key.store = [](SceneDraft& d, const Value& value) {
    for (const Value& pair : value.items()) event(d).set.emplace_back(pair.items()[0].text(), pair.items()[1].text());
  };
  key.fetch = [](SceneDraft& d) -> Value {
    std::vector<Value> pairs;
    for (const auto& [path, value] : event(d).set) pairs.emplace_back(std::vector<Value>{path, value});
    return pairs;
  };
  return key;
}

}  // namespace

Key events_key() {
  Key key{
      "events",
      "Changes of keys while the scene runs, as one makes them in the window. They act in the order of their steps, "
      "and those "
      "of one step in the order of the list.",
      {list_of({{
                   required("step", whole(0, 9007199254740991.0), event, &SceneEvent::step,
                            "The event acts when the run has made that many steps since time 0, before the next one."),
                   set_key(),
               }},
               0, kMostEvents)}};
  key.default_note = "none";
  key.is_parameter = false;
  key.count = [](const SceneDraft& d) { return d.scene.events.size(); };
  key.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) { d.scene.events = {whole.scene.events[i]}; };
  key.enter = [](SceneDraft& d) { d.scene.events.emplace_back(); };
  return key;
}

}  // namespace riffle::scenes
