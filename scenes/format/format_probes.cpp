/// The keys of probes.

#include "scenes/format/format_keys.h"
#include "sim/probes/probe.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

ProbeSetup& probe(SceneDraft& d) { return d.scene.probes.back(); }

constexpr int kMostPoints = 1000;  // along a line, and along a side of a plane

Key points_of_line() {
  return optional(
      "points", {whole(2, kMostPoints)}, ProbeSetup{}.points[0],
      "Places evenly from one end to the other, both among them. Number k of n lies at from + (k - 1) / (n - 1) (to - "
      "from). "
      "The report of a run has all of them in `probe_places`.",
      [](SceneDraft& d, const Value& v) { probe(d).points[0] = static_cast<int>(v.whole()); },
      [](SceneDraft& d) -> Value { return probe(d).points[0]; });
}

Key points_of_plane() {
  const ProbeSetup usual;
  return optional(
      "points", {tuple(whole(2, kMostPoints), 1, 2)}, std::vector<Value>{usual.points[0], usual.points[1]},
      "Places evenly along `side` and along `other_side`, the corners among them. Their numbers go along `side` first. "
      "The "
      "report of a run has all of them in `probe_places`.",
      [](SceneDraft& d, const Value& v) {
        for (std::size_t k = 0; k < v.items().size(); ++k) probe(d).points[k] = static_cast<int>(v.items()[k].whole());
      },
      [](SceneDraft& d) -> Value {
        return std::vector<Value>{probe(d).points[0], probe(d).points[1]};
      });
}

std::vector<Key> ends(const std::string& from_note) {
  return {
      required("from", spatial(number("m")), probe, &ProbeSetup::at, "One end." + from_note),
      required("to", spatial(number("m")), probe, &ProbeSetup::to, "The other end."),
  };
}

/// The corner and the sides of a parallelogram.
std::vector<Key> sides() {
  Key other = field("other_side", tuple(bounded("m"), 3, 3), probe, &ProbeSetup::other_side,
                    "From the corner along its other side, which a 3-D scene needs.");
  other.needs_third_axis = true;
  return {
      required("corner", spatial(number("m")), probe, &ProbeSetup::at, "A corner; in 2-D one end of a line."),
      required("side", spatial(bounded("m")), probe, &ProbeSetup::side,
               "From the corner along one side; in 2-D to the line's other end."),
      other,
  };
}

Key kind_section(const char* name, std::string doc, ProbeKind kind, std::vector<Key> keys) {
  Key key = section(name, std::move(doc), {std::move(keys)}, [kind](SceneDraft& d) { probe(d).kind = kind; });
  key.present = [kind](SceneDraft& d) { return probe(d).kind == kind; };
  return key;
}

Key point_key() {
  Key key{"point", "Measures `quantities` at this place.", {spatial(number("m"))}};
  key.store = [](SceneDraft& d, const Value& v) {
    probe(d).kind = ProbeKind::Point;
    probe(d).at = v.vector();
  };
  key.fetch = fetched_from(probe, &ProbeSetup::at);
  key.present = [](SceneDraft& d) { return probe(d).kind == ProbeKind::Point; };
  return key;
}

Key quantities_key() {
  std::vector<std::string> allowed;
  std::string doc;
  for (const Quantity quantity : probed_quantities()) {
    const QuantityInfo& info = quantity_info(quantity);
    allowed.emplace_back(info.word);
    doc += std::string(" `") + info.word + "`: " + info.doc + ".";
  }
  return optional(
      "quantities", {words({"auto"}), tuple(words(std::move(allowed)), 1, kMostProbeQuantities)}, "auto",
      "What a point, a line and a plane measure. `auto`: pressure and velocity. A quantity that particles of the "
      "solver "
      "do not have is left out, with a warning." +
          doc,
      [](SceneDraft& d, const Value& v) {
        probe(d).quantities.clear();
        if (v.is_text()) return;
        for (const Value& word : v.items()) probe(d).quantities.push_back(*value_of_word<Quantity>(word.text()));
      },
      [](SceneDraft& d) -> Value {
        if (probe(d).quantities.empty()) return "auto";
        std::vector<Value> list;
        for (const Quantity quantity : probe(d).quantities) list.emplace_back(std::string(word_of(quantity)));
        return list;
      });
}

Record probe_record() {
  Key name{"name", "Its name in tables and plots.", {text()}};
  name.default_note = "`probe_1` and so on";
  name.store = stored_in(probe, &ProbeSetup::name);
  name.fetch = fetched_from(probe, &ProbeSetup::name);
  std::vector<Key> line = ends(""), plane = sides();
  line.push_back(points_of_line());
  plane.push_back(points_of_plane());
  return {{
              name,
              point_key(),
              kind_section("line", "Measures `quantities` at places along a line.", ProbeKind::Line, std::move(line)),
              kind_section("plane", "Measures `quantities` at places over a parallelogram.", ProbeKind::Plane,
                           std::move(plane)),
              kind_section("level",
                           "Finds the fluid's surface along a line: the distance from its first end to the farthest "
                           "place where fluid ends, and the length of the line that lies in fluid. A line upwards from "
                           "the floor gives the depth of the water.",
                           ProbeKind::Level, ends(" The level is measured from here.")),
              kind_section(
                  "flow",
                  "Measures the volume of fluid per time through a parallelogram, positive along side x "
                  "other_side; in 2-D through a line, positive along side x z, which is to the right for one "
                  "upwards. With `dpd` it is the mean over parallel planes up to 0.85 cut-off radii to both sides.",
                  ProbeKind::Flow, sides()),
              quantities_key(),
              choice("interpolation", probe, &ProbeSetup::fit, "How a value at a place follows from the particles."),
          },
          {"point", "line", "plane", "level", "flow"}};
}

}  // namespace

Key probes_key() {
  Key key{"probes",
          "Places where a run measures the fluid, for the columns of `--series`, the plots of the window and the table "
          "of `--probes`. They do not affect the run.",
          {list_of(probe_record(), 0, 1000)}};
  key.default_note = "none";
  key.count = [](const SceneDraft& d) { return d.scene.probes.size(); };
  key.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) { d.scene.probes = {whole.scene.probes[i]}; };
  key.enter = [](SceneDraft& d) { d.scene.probes.emplace_back(); };
  return with_effect(Effect::Picture, std::move(key));
}

}  // namespace riffle::scenes
