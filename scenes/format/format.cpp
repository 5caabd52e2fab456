#include "scenes/format/format.h"

#include "scenes/format/format_keys.h"

namespace riffle {

using namespace format_keys;

namespace {

/// Keys that are neither, and stand in no section that is, restart the scene: that is never wrong, only slower. Among them
/// `deterministic` and `seed`, as a run of which half was another's could not be repeated, and the names of fluids, by
/// which bodies and the start find theirs.
Key live(Key key) { return with_effect(Effect::Live, std::move(key)); }
Key only_search(Key key) { return with_effect(Effect::Search, std::move(key)); }
Key picture_only(Key key) { return with_effect(Effect::Picture, std::move(key)); }

BodySetup& body(SceneDraft& draft) { return draft.scene.simulation.bodies.back(); }
FluidSetup& fluid(SceneDraft& draft) { return draft.scene.simulation.fluids.back(); }
Camera& camera(SceneDraft& draft) { return draft.scene.picture.camera; }

Axis axis_from(const std::string& word) {
  return word == "open" ? Axis::Open : word == "walled" ? Axis::Walled : Axis::Periodic;
}

Vec3 color_from(const Value& value) {
  if (!value.is_text()) return value.vector();
  const long rgb = std::stol(value.text().substr(1), nullptr, 16);
  return {static_cast<float>(rgb >> 16 & 255) / 255.0f, static_cast<float>(rgb >> 8 & 255) / 255.0f,
          static_cast<float>(rgb & 255) / 255.0f};
}

Record domain_record() {
  const auto axis_words = words({"open", "walled", "periodic"});
  return {{
      required("min", {spatial(number("m"))}, "Lower corner of the box.",
               [](SceneDraft& d, const Value& v) { sim(d).domain.min = v.vector(); }),
      required("max", {spatial(number("m"))}, "Upper corner of the box.",
               [](SceneDraft& d, const Value& v) { sim(d).domain.max = v.vector(); }),
      optional(
          "axes", {axis_words, spatial(axis_words)}, "walled",
          "What the two faces across each axis do, one word for all axes or one for each: `walled` faces are solid, "
          "through `open` ones particles may leave, `periodic` ones are one and the same.",
          [](SceneDraft& d, const Value& v) {
            for (std::size_t a = 0; a < 3; ++a) {
              if (v.is_text())
                sim(d).domain.axis[a] = axis_from(v.text());
              else if (a < v.items().size())
                sim(d).domain.axis[a] = axis_from(v.items()[a].text());
            }
          }),
  }};
}

Record particles_record() {
  return {{
              required("spacing", {number_above(0, "m")},
                       "Distance between neighbouring particles at the start; half of it makes four (2-D) or eight "
                       "(3-D) times as many particles.",
                       [](SceneDraft& d, const Value& v) { sim(d).spacing = v.number(); }),
              required("number_density", {number_above(0, "1/m^d")}, "Particles per volume (area in 2-D).",
                       [](SceneDraft& d, const Value& v) { d.number_density = v.number(); }),
              live(only_where(&SolverInfo::has_density,
                              optional("support_ratio", {number_from(1, 10, "particle spacings")}, 2.0,
                                       "Support radius h of the kernel: particles nearer than h are neighbours.",
                                       [](SceneDraft& d, const Value& v) { sim(d).support_ratio = v.number(); }))),
          },
          {"spacing", "number_density"}};
}

Record fluid_record() {
  return {{
      required("name", {text()}, "What bodies call it by.",
               [](SceneDraft& d, const Value& v) { fluid(d).name = v.text(); }),
      live(only_where(&SolverInfo::has_density,
                      optional("rest_density", {number_above(0, "kg/m^3")}, 1000.0, "Density of the fluid at rest.",
                               [](SceneDraft& d, const Value& v) { fluid(d).rest_density = v.number(); }))),
      live(only_where(
          &SolverInfo::has_density,
          optional("viscosity", {number_from(0, kNoLimit, "m^2/s")}, 1.0e-6, "Kinematic viscosity; water has 1e-6.",
                   [](SceneDraft& d, const Value& v) { fluid(d).viscosity = v.number(); }))),
      live(only_where(&SolverInfo::surface_tension,
                      optional("surface_tension", {number_from(0, 1e6, "N/m")}, 0.0,
                               "Against empty space; water has 0.072 against air.",
                               [](SceneDraft& d, const Value& v) { fluid(d).surface_tension = v.number(); }))),
      live(only_where([](const SolverInfo& s) { return !s.has_density; },
                      optional("mass", {number_above(0, "unit masses")}, 1.0, "Mass of a particle.",
                               [](SceneDraft& d, const Value& v) { fluid(d).mass = v.number(); }))),
      picture_only(optional("color", {hex_color(), tuple(number_from(0, 1, ""), 3, 3)}, "#2973d9",
                            "Colour in pictures with `color_by: fluid` (sRGB).",
                            [](SceneDraft& d, const Value& v) { fluid(d).color = color_from(v); })),
  }};
}

Record box_record() {
  return {{
      required("min", {spatial(number("m"))}, "Lower corner. The first particle sits half a spacing inside.",
               [](SceneDraft& d, const Value& v) { body(d).min = v.vector(); }),
      required("max", {spatial(number("m"))}, "Upper corner.",
               [](SceneDraft& d, const Value& v) { body(d).max = v.vector(); }),
  }};
}

Record sphere_record() {
  return {{
      required("center", {spatial(number("m"))}, "Centre; a disc in 2-D.",
               [](SceneDraft& d, const Value& v) { body(d).center = v.vector(); }),
      required("radius", {number_above(0, "m")}, "Radius.",
               [](SceneDraft& d, const Value& v) { body(d).radius = v.number(); }),
  }};
}

Record body_record() {
  Key fluid_name{"fluid", "Name of its fluid.", {text()}};
  fluid_name.default_note = "the only fluid of the scene";
  fluid_name.store = [](SceneDraft& d, const Value& v) { d.bodies.back().fluid = v.text(); };
  return {
      {
          fluid_name,
          section("box", "A box, filled with particles.", box_record(),
                  [](SceneDraft& d) { body(d).shape = Shape::Box, d.bodies.back().box = true; }),
          section("sphere", "A sphere, filled with particles.", sphere_record(),
                  [](SceneDraft& d) { body(d).shape = Shape::Sphere, d.bodies.back().sphere = true; }),
          optional("velocity", {spatial(bounded("m/s"))}, Vec3{}, "Velocity at the start.",
                   [](SceneDraft& d, const Value& v) { body(d).velocity = v.vector(); }),
          optional("filling", {words({"lattice", "random"})}, "lattice",
                   "Where its particles are at the start: on a lattice of the spacing, or evenly at random, as many "
                   "as the volume holds at the mean density.",
                   [](SceneDraft& d, const Value& v) {
                     body(d).filling = v.text() == "random" ? Filling::Random : Filling::Lattice;
                   }),
          optional("jitter", {number_from(0, 0.5, "particle spacings")}, 0.0,
                   "Largest random displacement of a particle from its place on the lattice.",
                   [](SceneDraft& d, const Value& v) { body(d).jitter = v.number(); }),
      },
      {"box", "sphere"}};
}

/// The words of solver.type, and what each means.
std::vector<std::string> solver_words() {
  std::vector<std::string> names;
  for (const SolverInfo* info : solvers()) names.emplace_back(info->name);
  return names;
}

std::string solver_summaries() {
  std::string text;
  for (const SolverInfo* info : solvers())
    text += (text.empty() ? "`" : " `") + std::string(info->name) + "`: " + info->summary + ".";
  return text;
}

Record solver_record() {
  Record record{{
      optional("type", {words(solver_words())}, to_string(SimulationSetup{}.solver), solver_summaries(),
               [](SceneDraft& d, const Value& v) { sim(d).solver = *solver_kind_from(v.text()); }),
  }};
  for (const auto& keys : {wcsph_keys(), pbf_keys(), dpd_keys()})
    record.keys.insert(record.keys.end(), keys.begin(), keys.end());
  return record;
}

Record interface_record() {
  return {{
      required("upper", {text()}, "Name of the fluid above.",
               [](SceneDraft& d, const Value& v) { d.upper = v.text(); }),
      required("lower", {text()}, "Name of the fluid below.",
               [](SceneDraft& d, const Value& v) { d.lower = v.text(); }),
      required("height", {number("m")}, "Mean height y of the interface.",
               [](SceneDraft& d, const Value& v) { sim(d).start.height = v.number(); }),
      optional("amplitude", {number("m")}, 0.0,
               "The interface lies at height + amplitude cos(2 pi (x - min.x) / wavelength).",
               [](SceneDraft& d, const Value& v) { sim(d).start.amplitude = v.number(); }),
      optional("wavelength", {words({"domain"}), number_above(0, "m")}, "domain",
               "Of the interface's wave, along x; `domain`: the domain's extent.",
               [](SceneDraft& d, const Value& v) { sim(d).start.wavelength = v.is_text() ? 0.0f : v.number(); }),
  }};
}

Record start_record() {
  Key interface {
    "interface", "Two fluids, one above the other, whatever the bodies are made of.", {
      words({"none"}), map_of(interface_record())
    }
  };
  interface.default_value = "none";
  interface.store = [](SceneDraft&, const Value&) {};
  interface.enter = [](SceneDraft& d) { sim(d).start.has_interface = true; };
  return {{
      only_where(
          &SolverInfo::thermal,
          optional("equilibration", {number_from(0, 1e6, "s")}, 0.0,
                   "So long the particles move before time 0, as one fluid (the first) and without gravity; then "
                   "fluids and velocities are given out.",
                   [](SceneDraft& d, const Value& v) { sim(d).start.equilibration = v.number(); })),
      interface,
      optional("mixed", {flag()}, false,
               "`true`: all fluids in equal shares at random, whatever the bodies are made of.",
               [](SceneDraft& d, const Value& v) { sim(d).start.mixed = v.flag(); }),
  }};
}

Record time_record() {
  return {{
      picture_only(optional("end", {number_above(0, "s")}, 2.0, "Simulated time at which a run ends.",
                            [](SceneDraft& d, const Value& v) { d.scene.run.end_time = v.precise(); })),
      optional("step", {words({"auto"}), number_above(0, "s")}, "auto",
               "Time step. `auto`: from `cfl`, anew at every step.",
               [](SceneDraft& d, const Value& v) { sim(d).step.fixed = v.is_text() ? 0.0f : v.number(); }),
      only_where(
          &SolverInfo::adaptive_step,
          optional(
              "cfl", {number_above(0, "", 1)}, 0.2,
              "The automatic step is at most cfl h / (speed of sound + largest speed); with `pbf`, which knows no "
              "sound, "
              "cfl h / largest speed (that of a fall from the highest fluid, or a larger one that occurs) and 1/60 s.",
              [](SceneDraft& d, const Value& v) { sim(d).step.cfl = v.number(); })),
      optional("max_step", {words({"none"}), number_above(0, "s")}, "none", "Upper bound of the automatic step.",
               [](SceneDraft& d, const Value& v) { sim(d).step.max = v.is_text() ? 0.0f : v.number(); }),
  }};
}

Record camera_record() {
  return {{
      required("position", {spatial(number("m"))}, "Where the camera is.",
               [](SceneDraft& d, const Value& v) { camera(d).position = v.vector(); }),
      required("target", {spatial(number("m"))}, "What it looks at.",
               [](SceneDraft& d, const Value& v) { camera(d).target = v.vector(); }),
      optional("up", {spatial(number(""))}, Vec3{0, 1, 0}, "Direction that is up in the picture.",
               [](SceneDraft& d, const Value& v) { camera(d).up = v.vector(); }),
      optional("fov", {number_from(1, 150, "degrees")}, 35.0, "Vertical angle of view.",
               [](SceneDraft& d, const Value& v) { camera(d).fov_degrees = v.number(); }),
  }};
}

Record picture_record() {
  Key camera_key{
      "camera", "Where pictures are taken from. `auto` frames the domain.", {words({"auto"}), map_of(camera_record())}};
  camera_key.default_value = "auto";
  camera_key.store = [](SceneDraft&, const Value&) {};
  camera_key.enter = [](SceneDraft& d) { d.scene.picture.camera_given = true; };
  return {{
      optional("size", {tuple(whole(16, 8192, 2), 2, 2)}, std::vector<Value>{1280, 720}, "Width and height in pixels.",
               [](SceneDraft& d, const Value& v) {
                 d.scene.picture.width = static_cast<int>(v.items()[0].whole());
                 d.scene.picture.height = static_cast<int>(v.items()[1].whole());
               }),
      camera_key,
      optional("look", {words({"auto", "spheres", "fluid"})}, "auto",
               "`spheres`: one for every particle. `fluid`: their common surface, as water with its colour; in 2-D an "
               "area with a smooth outline. `auto`: `fluid` for one fluid in 3-D that a GPU draws, unless it is of "
               "`dpd`; otherwise `spheres`.",
               [](SceneDraft& d, const Value& v) { d.scene.picture.look = v.text(); }),
      optional("color_by", {words({"auto", "speed", "density", "fluid"})}, "auto",
               "Quantity that the particles' colours show. `auto`: `fluid` in the fluid look, otherwise `speed`.",
               [](SceneDraft& d, const Value& v) { d.scene.picture.color_by = v.text(); }),
      optional("colormap", {words({"viridis", "inferno", "turbo", "water", "grey"})}, "viridis", "Colour map.",
               [](SceneDraft& d, const Value& v) { d.scene.picture.colormap = v.text(); }),
      optional("range", {words({"auto"}), tuple(number(""), 2, 2)}, "auto",
               "Values at the two ends of the colour map, in the unit of `color_by`.",
               [](SceneDraft& d, const Value& v) {
                 auto& picture = d.scene.picture;
                 picture.automatic_range = v.is_text();
                 if (v.is_text()) return;
                 picture.range_min = v.items()[0].number();
                 picture.range_max = v.items()[1].number();
               }),
      optional("particle_scale", {number_above(0, "particle spacings", 10)}, 1.0, "Drawn diameter of a particle.",
               [](SceneDraft& d, const Value& v) { d.scene.picture.particle_scale = v.number(); }),
      optional(
          "quality", {words({"auto", "quick", "full"})}, "auto",
          "`full`: 2 x 2 samples per pixel, ambient occlusion, floor and shadow. `quick`: smooth outlines, and floor "
          "and shadow in the fluid look alone. `auto`: what a GPU does not mind; where the processor draws, `full` "
          "for the pictures of `riffle run` of up to 1920 x 1080 pixels, and `quick` for movies and the window.",
          [](SceneDraft& d, const Value& v) { d.scene.picture.quality = v.text(); }),
      optional("foam", {words({"auto"}), number_from(0, 1e6, "m/s")}, "auto",
               "Speed from which the fluid look turns white, and spray at half of it; 0: never. `auto`: a little less "
               "than the largest speed that the scene's heights lead to, and never with several fluids or `dpd`.",
               [](SceneDraft& d, const Value& v) { d.scene.picture.foam = v.is_text() ? -1.0f : v.number(); }),
  }};
}

Record movie_record() {
  return {{
      optional("frames_per_second", {number_from(0.1, 240, "1/s")}, 30.0, "Frames per second of movie.",
               [](SceneDraft& d, const Value& v) { d.scene.run.frames_per_second = v.precise(); }),
      optional("time_scale", {number_above(0, "s/s")}, 1.0,
               "Simulated seconds per second of movie; 0.5 is slow motion.",
               [](SceneDraft& d, const Value& v) { d.scene.run.time_scale = v.precise(); }),
  }};
}

Record make_scene_format() {
  Key name{"name", "Name of the scene.", {text()}};
  name.default_note = "the file's name";
  name.store = [](SceneDraft& d, const Value& v) { d.scene.name = v.text(); };
  name.effect = Effect::Picture;

  Key fluids{"fluids", "The fluids that bodies are made of.", {list_of(fluid_record(), 1, kMaxFluids)}};
  fluids.default_note = "one fluid, `water`, with the defaults below";
  fluids.enter = [](SceneDraft& d) { sim(d).fluids.emplace_back(); };

  Key bodies{"bodies", "The regions that are filled with particles at the start.", {list_of(body_record(), 1, 10000)}};
  bodies.required = true;
  bodies.enter = [](SceneDraft& d) { sim(d).bodies.emplace_back(), d.bodies.emplace_back(); };

  Key domain = section("domain", "The box that the simulation lives in.", domain_record());
  domain.required = true;
  Key particles = section("particles", "Resolution.", particles_record());
  particles.required = true;

  return {{
      name,
      picture_only(optional("description", {text()}, "", "One line for `riffle list`.",
                            [](SceneDraft& d, const Value& v) { d.scene.description = v.text(); })),
      optional("dimension", {whole(2, 3)}, 3, "2 ignores every third component; y is up in both.",
               [](SceneDraft& d, const Value& v) { sim(d).domain.dimension = static_cast<int>(v.whole()); }),
      domain,
      live(optional("gravity", {spatial(bounded("m/s^2"))}, Vec3{0, -9.81f, 0}, "Acceleration of gravity.",
                    [](SceneDraft& d, const Value& v) { sim(d).gravity = v.vector(); })),
      particles,
      fluids,
      bodies,
      section("start", "What is done to the particles before time 0.", start_record()),
      live(section("solver", "The method that moves the fluid.", solver_record())),
      only_search(section("neighbors", "The neighbour search.", neighbors_record())),
      live(section("time", "Duration and time step.", time_record())),
      optional("deterministic", {flag()}, false, "`true`: bit-identical from run to run on one device.",
               [](SceneDraft& d, const Value& v) { sim(d).deterministic = v.flag(); }),
      optional("seed", {whole(0, 9007199254740991.0)}, 1, "Seed of everything random.",
               [](SceneDraft& d, const Value& v) { sim(d).seed = static_cast<std::uint64_t>(v.whole()); }),
      picture_only(section("picture", "How the scene is drawn.", picture_record())),
      picture_only(section("movie", "The movie's pace.", movie_record())),
  }};
}

void collect_paths(const Record& record, const std::string& prefix, std::vector<std::string>& paths) {
  for (const auto& key : record.keys) {
    const std::string path = prefix.empty() ? key.name : prefix + "." + key.name;
    paths.push_back(path);
    for (const auto& form : key.forms)
      if (form.record) collect_paths(*form.record, form.kind == Form::Kind::List ? path + "[]" : path, paths);
  }
}

}  // namespace

const Record& scene_format() {
  static const Record format = make_scene_format();
  return format;
}

const Key* Record::find(const std::string& name) const {
  for (const Key& key : keys)
    if (key.name == name) return &key;
  return nullptr;
}

std::vector<std::string> all_key_paths() {
  std::vector<std::string> paths;
  collect_paths(scene_format(), "", paths);
  return paths;
}

}  // namespace riffle
