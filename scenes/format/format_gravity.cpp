/// The keys of gravity over time.

#include "scenes/format/format_keys.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

GravityChange& change(SceneDraft& d) { return sim(d).gravity_change; }
Oscillation& oscillation(SceneDraft& d) { return change(d).oscillation; }

Record change_record() {
  Key amplitude = field("amplitude", spatial(bounded("m/s^2")), change, &GravityChange::amplitude, "Along each axis.");
  Key period{"period", "Time of one oscillation.", {number_above(0, "s", 1e6)}};
  period.default_note = "none: there is no oscillation";
  period.store = stored_in(oscillation, &Oscillation::period);
  period.fetch = fetched_from(oscillation, &Oscillation::period);
  period.present = [](SceneDraft& d) { return oscillation(d).period > 0; };
  return {{
      amplitude,
      period,
      table_key("A comma-separated file from the scene's folder, which is added: columns t [s] and x, y, z [m/s^2]. t "
                "counts from `from` on. Between the rows: a cubic spline; before the first one and after the last one "
                "their values. `ramp` leaves it as it is.",
                [](SceneDraft& d) -> std::string& { return change(d).file; }),
      field("phase", bounded("degrees"), oscillation, &Oscillation::phase,
            "Where in its period it begins; with 90 it begins at its largest."),
      field("from", number_from(0, 1e6, "s"), change, &GravityChange::from, "When it begins."),
      field_or("never", "until", number_above(0, "s"), change, &GravityChange::until,
               "When it ends at once. `never`: it goes on."),
      field("ramp", number_from(0, 1e6, "s"), change, &GravityChange::ramp,
            "Time from `from` on over which the amplitude grows smoothly from 0: by 3 s^2 - 2 s^3, s from 0 to 1."),
  }};
}

}  // namespace

Key gravity_change_key() {
  Key key{"gravity_change",
          "Added to `gravity` over time: amplitude sin(2 pi t / period + phase), t from `from` on, or a table. `none`: "
          "gravity is constant.",
          {words({"none"}), map_of(change_record())}};
  key.default_value = "none";
  key.example = "{amplitude: [1, 0, 0], period: 1}";
  key.store = [](SceneDraft&, const Value&) {};
  key.present = [](SceneDraft& d) { return change(d).given; };
  key.enter = [](SceneDraft& d) { change(d).given = true; };
  return with_effect(Effect::Live, std::move(key));
}

}  // namespace riffle::scenes
