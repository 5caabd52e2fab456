/// The keys of a motion: of a solid, and of the tank.

#include <fmt/format.h>

#include <vector>

#include "scenes/format/format_keys.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

SolidDrive& drive_of_solid(SceneDraft& d) { return solid(d).drive; }
SolidDrive& drive_of_tank(SceneDraft& d) { return sim(d).tank; }

Key none_or(const char* name, std::string doc, Record record) {
  Key key{name, std::move(doc), {words({"none"}), map_of(std::move(record))}};
  key.default_value = "none";
  key.store = [](SceneDraft&, const Value&) {};
  return key;
}

/// The keys of what the drive moves.
template <Section<SolidDrive> drive>
struct MotionKeys {
  const char* mover;  ///< "solid" or "tank"

  static Oscillation& sway(SceneDraft& d) { return drive(d).sway; }
  static Oscillation& swing(SceneDraft& d) { return drive(d).swing; }
  static WavemakerSetup& wave(SceneDraft& d) { return drive(d).wave; }

  Key phase_key(Section<Oscillation> oscillation) {
    return field("phase", bounded("degrees"), oscillation, &Oscillation::phase,
                 "Where in its period it begins; 90 is one of its ends.");
  }

  Record sway_record() {
    return {{
        required("amplitude", spatial(bounded("m")), drive, &SolidDrive::sway_amplitude,
                 "Largest way from the middle, along each axis."),
        required("period", number_above(0, "s"), sway, &Oscillation::period, "Time of one way there and back."),
        phase_key(sway),
    }};
  }

  Record swing_record() {
    return {{
        required("angle", bounded("degrees"), drive, &SolidDrive::swing_angle, "Largest angle from the middle."),
        required("period", number_above(0, "s"), swing, &Oscillation::period, "Time of one way there and back."),
        phase_key(swing),
    }};
  }

  /// A key of which one is to be given, present where its value is not 0.
  Key rate_key(const char* name, const char* unit, float SolidDrive::*member, std::string doc) {
    Key key = required(name, bounded(unit), drive, member, std::move(doc));
    key.required = false;
    key.present = [member](SceneDraft& d) { return drive(d).*member != 0; };
    return key;
  }

  Record rotation_record() {
    Key axis =
        field("axis", tuple(bounded(""), 3, 3), drive, &SolidDrive::axis,
              "Its axis, of any length. For an observer whom it points at, positive angles are counterclockwise. In "
              "2-D always z.");
    axis.needs_third_axis = true;
    Key swings = section(
        "swing", "Back and forth: angle sin(2 pi t / period + phase), t from `motion.from` on, less that at t = 0.",
        swing_record());
    swings.present = [](SceneDraft& d) { return swing(d).period > 0; };
    // A rate of 0 is a rotation too, and has to be written as something.
    Key rate = rate_key("rate", "rad/s", &SolidDrive::rate, "Angular velocity.");
    rate.present = [](SceneDraft& d) { return drive(d).turns == 0 && !(swing(d).period > 0); };
    return {{
                required("about", spatial(number("m")), drive, &SolidDrive::about,
                         fmt::format("A point of the axis where the {0} is at first; it moves with the {0}.", mover)),
                axis,
                rate,
                rate_key("turns", "1/s", &SolidDrive::turns, "Turns per time."),
                swings,
            },
            {"rate", "turns", "swing"}};
  }

  Record wave_record() {
    Key hinge{"hinge",
              "Of a flap: a point on the axis it swings about, where the wall meets the floor.",
              {spatial(number("m"))}};
    hinge.default_note = "none: a piston has no hinge, a flap needs one";
    hinge.store = [](SceneDraft& d, const Value& v) {
      wave(d).hinged = true;
      wave(d).hinge = v.vector();
    };
    hinge.fetch = fetched_from(wave, &WavemakerSetup::hinge);
    hinge.present = [](SceneDraft& d) { return wave(d).hinged; };
    return {{
        choice("kind", wave, &WavemakerSetup::kind, ""),
        required("height", number_above(0, "m", 1e6), wave, &WavemakerSetup::height,
                 "H, from trough to crest, far from the solid."),
        required("period", number_above(0, "s", 1e6), wave, &WavemakerSetup::period,
                 "T. The wave number k follows from (2 pi / T)^2 = g k tanh(k depth)."),
        required("depth", number_above(0, "m", 1e6), wave, &WavemakerSetup::depth,
                 "Of the still water; of a flap from its hinge up."),
        field("direction", spatial(bounded("")), wave, &WavemakerSetup::direction,
              "In which the waves go, level and of any length."),
        hinge,
    }};
  }

  Record motion_record() {
    Key sways = none_or(
        "sway",
        fmt::format("Back and forth along a line: amplitude sin(2 pi t / period + phase), t from `from` on, less "
                    "that at t = 0, so that the {} begins at its place.",
                    mover),
        sway_record());
    sways.present = [](SceneDraft& d) { return sway(d).period > 0 && !wave(d).given; };
    Key rotation = none_or("rotation", "About an axis, steadily or back and forth.", rotation_record());
    rotation.present = [](SceneDraft& d) { return drive(d).rotates && !wave(d).given; };
    rotation.enter = [](SceneDraft& d) { drive(d).rotates = true; };
    Key waves = none_or("wave",
                        "Makes regular waves, by the linear theory of wavemakers (Dean and Dalrymple 1991): back and "
                        "forth like `sway`, "
                        "or "
                        "about `hinge` like `rotation.swing`, by the stroke that `height` needs. It starts in the "
                        "middle of the stroke. "
                        "Gravity must act along -y. Not beside `sway` and `rotation`.",
                        wave_record());
    waves.present = [](SceneDraft& d) { return wave(d).given; };
    waves.enter = [](SceneDraft& d) { wave(d).given = true; };
    Record record{{
        field("velocity", spatial(bounded("m/s")), drive, &SolidDrive::velocity, "Constant velocity."),
        sways,
        rotation,
        table_key("A comma-separated file of the way, from the scene's folder: columns t [s] and x, y, z [m] or "
                  "vx, vy, vz [m/s], and of a rotation angle [degrees] or rate [rad/s]. t counts from `from` on. "
                  "Between the rows: a cubic spline. The values of the first row are subtracted. `ramp` "
                  "leaves it as it is.",
                  [](SceneDraft& d) -> std::string& { return drive(d).file; }),
        waves,
        field("from", number_from(0, 1e6, "s"), drive, &SolidDrive::from, "When the motion begins."),
        field_or(
            "never", "until", number_above(0, "s"), drive, &SolidDrive::until,
            fmt::format("When it ends at once; the {} then stands still where it is. `never`: it goes on.", mover)),
        field("ramp", number_from(0, 1e6, "s"), drive, &SolidDrive::ramp,
              fmt::format("Time from `from` on over which the motion grows smoothly from rest: velocities, rates and "
                          "amplitudes times 3 s^2 - 2 s^3, s from 0 to 1. 0: the {} starts at full speed.",
                          mover)),
    }};
    if (drive != drive_of_solid) std::erase_if(record.keys, [](const Key& key) { return key.name == "wave"; });
    return record;
  }

  Key motion_key(std::string doc) {
    Key key = none_or("motion", std::move(doc), motion_record());
    key.present = [](SceneDraft& d) { return drive(d).given; };
    key.enter = [](SceneDraft& d) { drive(d).given = true; };
    key.example = "{sway: {amplitude: [0.05, 0, 0], period: 1}}";
    return key;
  }
};

}  // namespace

Key motion_key() {
  Key key = MotionKeys<drive_of_solid>{"solid"}.motion_key(
      "How the solid moves. `none`: it stands still. `free`: the fluid, gravity and contact with other solids and with "
      "the domain's faces move it; it needs a `density` or a `mass`. A map: as its keys say, whatever the fluid does; "
      "they add up, and neither faces of the domain nor other solids stop it. With `wcsph` and `dfsph` a solid that "
      "moves drags the fluid as `solver.walls` says.");
  key.forms[0] = words({"none", "free"});
  key.present = [](SceneDraft& d) { return solid(d).moves(); };
  key.store = [](SceneDraft& d, const Value& v) { solid(d).free.given = v.text() == "free"; };
  key.fetch = [](SceneDraft& d) { return Value(std::string(solid(d).free.given ? "free" : "none")); };
  return key;
}

Key tank_motion_key() {
  return MotionKeys<drive_of_tank>{"tank"}.motion_key(
      "How the domain's box moves with all that is in it; what is given adds up. Places, velocities and energies stay "
      "those in the box, and so do the axes; `gravity` acts along the axes that the box has at first. At time 0 the "
      "fluid moves with the box. `none`: it stands still.");
}

}  // namespace riffle::scenes
