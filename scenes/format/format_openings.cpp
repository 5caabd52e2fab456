/// The keys of inlets and outlets.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "scenes/format/format_keys.h"
#include "sim/openings/face_mouth.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

InletSetup& inlet(SceneDraft& d) { return sim(d).inlets.back(); }
OutletSetup& outlet(SceneDraft& d) { return sim(d).outlets.back(); }
PlainShape& outlet_shape(SceneDraft& d) { return outlet(d); }
PlainShape& outlet_joined_shape(SceneDraft& d) { return outlet(d).with.back(); }
PlainShape& outlet_cut_shape(SceneDraft& d) { return outlet(d).without.back(); }
std::string& fluid_of_inlet(SceneDraft& d) { return d.inlet_fluids.back(); }

Key live(Key key) { return with_effect(Effect::Live, std::move(key)); }

Key center_key() {
  return required("center", spatial(number("m")), inlet, &InletSetup::center,
                  "Middle of the mouth at the back end of the nozzle, where particles appear.");
}

Key corners_key() {
  Key corners{
      "corners",
      "In order, either way round: pairs of lengths from `center`, along the level direction in the mouth and at "
      "right angles to it. Edges must not meet elsewhere.",
      {tuple(tuple(number("m"), 2, 2), 3, 256)}};
  corners.required = true;
  corners.store = [](SceneDraft& d, const Value& v) {
    inlet(d).corners.clear();
    for (const Value& corner : v.items())
      inlet(d).corners.push_back({corner.items()[0].number(), corner.items()[1].number()});
  };
  corners.fetch = [](SceneDraft& d) -> Value {
    std::vector<Value> list;
    for (const auto& [first, second] : inlet(d).corners) list.emplace_back(std::vector<Value>{first, second});
    return list;
  };
  return corners;
}

Key mouth_key(const char* word, std::string doc, Mouth mouth, std::vector<Key> keys) {
  Key key = section(word, std::move(doc), {std::move(keys)}, [mouth](SceneDraft& d) { inlet(d).mouth = mouth; });
  key.present = [mouth](SceneDraft& d) { return inlet(d).mouth == mouth; };
  return key;
}

Key face_key(std::string doc, int& (*face)(SceneDraft&), std::function<bool(SceneDraft&)> present) {
  std::vector<std::string> faces;
  for (int k = 0; k < 6; ++k) faces.push_back(face_word(k));
  Key key{"face", std::move(doc), {words(faces)}};
  key.store = [face, faces](SceneDraft& d, const Value& v) {
    face(d) = static_cast<int>(std::find(faces.begin(), faces.end(), v.text()) - faces.begin());
  };
  key.fetch = [face](SceneDraft& d) -> Value { return face_word(std::max(face(d), 0)); };
  key.present = std::move(present);
  return key;
}

Key place_key(const char* name, Form form, std::optional<Vec3> MeshMouth::*member, std::string doc) {
  Key key{name, std::move(doc), {spatial(std::move(form))}};
  key.default_note = "none; of `normal` and `near` a mesh needs one";
  key.store = [member](SceneDraft& d, const Value& v) { inlet(d).mesh.*member = v.vector(); };
  key.fetch = [member](SceneDraft& d) -> Value { return (inlet(d).mesh.*member).value_or(Vec3{}); };
  key.present = [member](SceneDraft& d) { return (inlet(d).mesh.*member).has_value(); };
  return key;
}

Record mesh_mouth_record() {
  Record record{mesh_keys([](SceneDraft& d) -> std::string& { return inlet(d).mesh.file; },
                          [](SceneDraft& d) -> MeshPlacement& { return inlet(d).mesh.placement; },
                          "Only its mouth is of effect: a solid of the same mesh makes the rest of it. An open end is "
                          "closed first, and is then a mouth.")};
  record.keys.push_back(place_key(
      "normal", bounded(""), &MeshMouth::normal,
      "Of the mouth in the scene, within 2 degrees, of any length: where the fluid goes, away from the mesh."));
  record.keys.push_back(place_key("near", number("m"), &MeshMouth::near,
                                  "A place in the scene: the mouth is the planar region that is nearest to it."));
  return record;
}

Key name_key(Key key, const char* usual) {
  key.default_note = usual;
  return key;
}

/// A key of which one is to be given, present where its value is not 0.
Key flow_key(const char* name, const char* unit, float InletSetup::*member, std::string doc) {
  Key key = required(name, number_above(0, unit, 1e6), inlet, member, std::move(doc));
  key.required = false;
  key.default_note = "none; of `speed`, `rate` and `table` an inlet needs one";
  key.present = [member](SceneDraft& d) { return inlet(d).*member != 0; };
  return with_effect(Effect::Live, std::move(key));
}

std::vector<Key> times(Section<InletSetup> part) {
  return {live(field("from", number_from(0, 1e6, "s"), part, &InletSetup::from, "When the fluid begins to flow.")),
          live(field_or("never", "until", number_above(0, "s"), part, &InletSetup::until,
                        "When it stops at once. The nozzle stays full. `never`: it goes on."))};
}

Record inlet_record() {
  Key name{"name", "Its name in messages and tables.", {text()}};
  name.store = stored_in(inlet, &InletSetup::name);
  name.fetch = fetched_from(inlet, &InletSetup::name);
  Key fluid{"fluid", "Name of its fluid.", {text()}};
  fluid.default_note = "the only fluid of the scene";
  fluid.store = [](SceneDraft& d, const Value& v) { fluid_of_inlet(d) = v.text(); };
  fluid.fetch = [](SceneDraft& d) -> Value { return fluid_of_inlet(d); };
  Key height = field_or("width", "height", number_above(0, "m", 1e6), inlet, &InletSetup::height,
                        "At right angles to `width`; in 2-D without effect. `width`: as large.");
  Key turn =
      field("turn", number_from(-360, 360, "degrees"), inlet, &InletSetup::turn, "Of the mouth about the direction.");
  turn.needs_third_axis = true;
  Key face = face_key(
      "A face of the domain, across an open axis: fluid enters through all of it, or up to `level`, straight into the "
      "domain. The nozzle begins at the face. `direction` and `turn` are not given with it.",
      [](SceneDraft& d) -> int& { return inlet(d).face; }, [](SceneDraft& d) { return inlet(d).mouth == Mouth::Face; });
  face.store = [store = std::move(face.store)](SceneDraft& d, const Value& v) {
    inlet(d).mouth = Mouth::Face;
    store(d, v);
  };
  Record record{
      {
          name_key(std::move(name), "`inlet_1` and so on"),
          std::move(fluid),
          mouth_key("disc", "A round mouth; in 2-D a slit.", Mouth::Disc,
                    {center_key(), required("radius", number_above(0, "m"), inlet, &InletSetup::radius,
                                            "Radius; in 2-D half the width of the slit.")}),
          mouth_key("rectangle", "A rectangular mouth; in 2-D a slit.", Mouth::Rectangle,
                    {center_key(),
                     required("width", number_above(0, "m"), inlet, &InletSetup::width,
                              "Along the level direction in the mouth, or x where all are level; in 2-D of the slit."),
                     std::move(height)}),
          mouth_key("polygon", "A mouth with corners; in 3-D alone.", Mouth::Polygon, {center_key(), corners_key()}),
          std::move(face),
          mouth_key(
              "mesh",
              "A flat part of a mesh's surface: triangles in one plane that share edges, with holes where they have "
              "some. Fluid goes along its normal, away from the mesh; in 3-D alone. `direction` and `turn` are not "
              "given with it.",
              Mouth::Mesh, mesh_mouth_record().keys),
          field_or(
              "domain", "level", number("m"), inlet, &InletSetup::level,
              "With `face`: y up to which fluid enters, to the nearest particle spacing. `domain`: over all of the "
              "face."),
          field("direction", spatial(bounded("")), inlet, &InletSetup::direction,
                "In which the fluid goes, of any length."),
          std::move(turn),
          flow_key("speed", "m/s", &InletSetup::speed, "Speed of the fluid in the nozzle."),
          flow_key(
              "rate", "m^3/s", &InletSetup::rate,
              "Volume per time; in 2-D area per time. The speed follows from the area that the particles of a layer "
              "take up, so that the volume is right whatever the spacing."),
          live(table_key(
              "A comma-separated file, from the scene's folder: columns t [s] and speed [m/s] or rate [m^3/s] "
              "(in 2-D m^2/s), from 0 on. t counts from `from` on. Between the rows: a cubic spline. `ramp` "
              "leaves it as it is.",
              [](SceneDraft& d) -> std::string& { return inlet(d).file; })),
      },
      {"disc", "rectangle", "polygon", "face", "mesh"}};
  for (Key& key : times(inlet)) record.keys.push_back(std::move(key));
  record.keys.push_back(live(field("ramp", number_from(0, 1e6, "s"), inlet, &InletSetup::ramp,
                                   "Time from `from` on over which speed and rate grow smoothly from 0.")));
  return record;
}

Record outlet_record() {
  Key name{"name", "Its name in messages and tables.", {text()}};
  name.store = stored_in(outlet, &OutletSetup::name);
  name.fetch = fetched_from(outlet, &OutletSetup::name);
  Record record{{name_key(std::move(name), "`outlet_1` and so on")}, shape_words()};
  for (Key& key : shape_keys(outlet_shape, ", in which particles are taken out", "")) {
    key.present = [shape = std::move(key.present)](SceneDraft& d) { return outlet(d).face < 0 && shape(d); };
    record.keys.push_back(std::move(key));
  }
  record.exactly_one_of.emplace_back("face");
  record.keys.push_back(face_key(
      "A face of the domain, across an open axis: all particles beyond it are taken out. Without `speed` they come to "
      "it "
      "as they do: fast water runs off, and slow water falls over the edge as at a free overfall. `with`, `without` "
      "and "
      "`rate` are not given with it.",
      [](SceneDraft& d) -> int& { return outlet(d).face; }, [](SceneDraft& d) { return outlet(d).face >= 0; }));
  record.keys.push_back(field_or(
      "free", "speed", number_above(0, "m/s", 1e6), outlet, &OutletSetup::speed,
      "With `face`: all particles of a stretch before it, twice the support radius long, go to it at this speed "
      "and keep their height. Water that comes in at a steady rate then takes the level at which as much goes out: "
      "with the speed of an inlet on the opposite face, that of the inlet. `free`: particles come to the face "
      "as they do."));
  record.keys.push_back(joined_key(&SimulationSetup::outlets, outlet_joined_shape,
                                   ", in which particles are taken out too",
                                   "Further shapes of the outlet: it is all of them together, with one rate."));
  record.keys.push_back(without_key(&SimulationSetup::outlets, outlet_cut_shape, ", in which particles stay",
                                    "Shapes in which particles stay."));
  record.keys.push_back(
      field_or("all", "rate", number_from(0, 1e6, "m^3/s"), outlet, &OutletSetup::rate,
               "Volume per time that it takes at most; in 2-D area per time. Particles in it have the "
               "same chance to be taken. `all`: every particle that comes into it."));
  record.keys.push_back(field("from", number_from(0, 1e6, "s"), outlet, &OutletSetup::from, "When it opens."));
  record.keys.push_back(field_or("never", "until", number_above(0, "s"), outlet, &OutletSetup::until,
                                 "When it closes. `never`: it stays open."));
  return record;
}

}  // namespace

Key inlets_key() {
  Key key{
      "inlets",
      "Nozzles through which fluid enters. A nozzle is a straight stretch, a little longer than the support radius, in "
      "which layers of particles move as given, whatever the fluid before it does; behind its end they are free. It is "
      "full from the start on. Fluid of bodies that would lie in a nozzle is left out. Ids of particles are never used "
      "twice.",
      {list_of(inlet_record(), 0, static_cast<int>(kMostInlets))}};
  key.default_note = "none";
  key.count = [](const SceneDraft& d) { return d.scene.simulation.inlets.size(); };
  key.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) {
    sim(d).inlets = {whole.scene.simulation.inlets[i]};
    d.inlet_fluids = {whole.inlet_fluids[i]};
  };
  key.enter = [](SceneDraft& d) { sim(d).inlets.emplace_back(), d.inlet_fluids.emplace_back(); };
  return key;
}

Key outlets_key() {
  Key key{
      "outlets",
      "Regions in which particles are taken out of the simulation, a few steps after they came in. Where two overlap, "
      "the first takes them. They may lie beyond open faces. The last particle of a simulation stays.",
      {list_of(outlet_record(), 0, static_cast<int>(kMostOutlets))}};
  key.default_note = "none";
  key.count = [](const SceneDraft& d) { return d.scene.simulation.outlets.size(); };
  key.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) {
    sim(d).outlets = {whole.scene.simulation.outlets[i]};
  };
  key.enter = [](SceneDraft& d) { sim(d).outlets.emplace_back(); };
  return with_effect(Effect::Live, std::move(key));
}

Key particle_limit_key() {
  Key key = field_or("memory", "limit", whole(1, 2147483647), sim, &SimulationSetup::most_particles,
                     "Particles beyond which inlets pause until outlets have made room. `memory`: as many as fit.");
  return with_effect(Effect::Live, std::move(key));
}

}  // namespace riffle::scenes
