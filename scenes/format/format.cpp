#include "scenes/format/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/format/format_keys.h"
#include "scenes/solver_scene.h"
#include "sim/walls/solid_cells.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

/// Keys that are neither of these, and stand in no section that is, restart the scene: that is never wrong, only slower.
/// `deterministic` and `seed` are among them, because a run whose two halves had different ones could not be repeated, and
/// the names of fluids, because bodies and the start refer to fluids by name.
Key live(Key key) { return with_effect(Effect::Live, std::move(key)); }
Key only_search(Key key) { return with_effect(Effect::Search, std::move(key)); }
Key picture_only(Key key) { return with_effect(Effect::Picture, std::move(key)); }

SceneDraft::Body& body_draft(SceneDraft& d) { return d.bodies.back(); }

Vec3 color_from(const Value& value) {
  if (!value.is_text()) return value.vector();
  const long rgb = std::stol(value.text().substr(1), nullptr, 16);
  return {static_cast<float>(rgb >> 16 & 255) / 255.0f, static_cast<float>(rgb >> 8 & 255) / 255.0f,
          static_cast<float>(rgb & 255) / 255.0f};
}

/// "#rrggbb", the nearest one.
std::string hex_text(Vec3 color) {
  const auto byte = [](float share) { return static_cast<int>(std::lround(255 * share)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.x), byte(color.y), byte(color.z));
}

/// As it is written: "#rrggbb" if that is exact.
Value color_value(Vec3 color) {
  const std::string hex = hex_text(color);
  return color_from(Value(hex)) == color ? Value(hex) : Value(color);
}

Record domain_record() {
  const Form axis = words<Axis>();
  return {{
      required("min", spatial(number("m")), domain, &Domain::min, "Lower corner of the box."),
      required("max", spatial(number("m")), domain, &Domain::max, "Upper corner of the box."),
      optional(
          "axes", {axis, spatial(axis)}, std::string(word_of(Axis::Walled)),
          with_words<Axis>(
              "What the two faces across each axis are, one word for all axes or one for each. With `dpd` a "
              "walled face acts like fluid in it or, with `solver.walls: free_slip`, is a mirror: it drags nothing "
              "along and has no force on particles that are near it. Particles gather at a mirror, and with long steps "
              "they are too hot: by 2 % in a box 10 r_c wide at a step of 0.04, by 4 % at 0.06."),
          [](SceneDraft& d, const Value& v) {
            for (std::size_t a = 0; a < 3; ++a) {
              if (v.is_text())
                domain(d).axis[a] = field_value<Axis>(v);
              else if (a < v.items().size())
                domain(d).axis[a] = field_value<Axis>(v.items()[a]);
            }
          },
          [](SceneDraft& d) -> Value {
            std::vector<Value> each;
            bool same = true;
            for (int a = 0; a < domain(d).dimension; ++a) {
              each.emplace_back(std::string(word_of(domain(d).axis[a])));
              same = same && domain(d).axis[a] == domain(d).axis[0];
            }
            return same ? each[0] : Value(each);
          }),
      tank_motion_key(),
      live(field(
          "face_forces", flag(), sim, &SimulationSetup::face_forces,
          "`true`: the force and the torque of the fluid on each walled face are measured, like those on solids, about "
          "the domain's middle. `face_y_min` is the floor. Beyond an edge each face gets the part along its normal.")),
  }};
}

/// Of several keys of which one must be given, the one that a scene is written with.
Key always_written(Key key) {
  key.present = [](SceneDraft&) { return true; };
  return key;
}

Record particles_record() {
  return {{
              always_written(required(
                  "spacing", number_above(0, "m"), sim, &SimulationSetup::spacing,
                  "Distance between neighbouring particles at the start; half of it makes four (2-D) or eight (3-D) "
                  "times as many particles.")),
              required("number_density", number_above(0, "1/m^d"), draft, &SceneDraft::number_density,
                       "Particles per volume (area in 2-D)."),
              live(only_where(
                  &SolverInfo::has_density,
                  field_or("auto", "support_ratio", number_from(1, 10, "particle spacings"), sim,
                           &SimulationSetup::support_ratio,
                           "Support radius h of the kernel: particles nearer than h are neighbours. `auto`: 3 with "
                           "`wcsph`, 2 with `pbf`."))),
              particle_limit_key(),
          },
          {"spacing", "number_density"}};
}

template <class Part>
Key shown_color_key(Section<Part> part, Vec3 Part::*color, std::string doc) {
  return optional(
      "color", {hex_color(), tuple(number_from(0, 1, ""), 3, 3)}, hex_text(Part{}.*color), std::move(doc),
      [part, color](SceneDraft& d, const Value& v) { part(d).*color = color_from(v); },
      [part, color](SceneDraft& d) { return color_value(part(d).*color); });
}

Record fluid_record() {
  return {{
      required("name", text(), fluid, &FluidSetup::name, "The name by which bodies refer to it."),
      live(only_where(&SolverInfo::has_density, field("rest_density", number_above(0, "kg/m^3"), fluid,
                                                      &FluidSetup::rest_density, "Density of the fluid at rest."))),
      live(only_where(
          &SolverInfo::has_density,
          field(
              "viscosity", number_from(0, kNoLimit, "m^2/s"), fluid, &FluidSetup::viscosity,
              "Kinematic viscosity; water has 1e-6. Where fluids of very different dynamic viscosity meet, the viscous "
              "force lacks a part: a wave between fluids of 0.27 and 15 grew 36 % too fast."))),
      live(only_where(&SolverInfo::surface_tension,
                      field("surface_tension", number_from(0, 1e6, "N/m"), fluid, &FluidSetup::surface_tension,
                            "Against empty space; water has 0.072 against air."))),
      live(only_where([](const SolverInfo& s) { return !s.has_density; },
                      field("mass", number_above(0, "unit masses"), fluid, &FluidSetup::mass, "Mass of a particle."))),
      field_or("auto", "share", number_from(0, 1, ""), fluid, &FluidSetup::share,
               "With `start.mixed`: the part of all particles that are of this fluid. `auto`: an equal part of what "
               "the other fluids leave."),
      picture_only(
          shown_color_key(fluid, &FluidSetup::color,
                          "Colour in pictures with `color_by: fluid` (sRGB). A fluid with the colour of one before "
                          "it gets another in pictures.")),
  }};
}

PlainShape& body_shape(SceneDraft& d) { return body(d); }
PlainShape& joined_shape(SceneDraft& d) { return body(d).with.back(); }
PlainShape& cut_shape(SceneDraft& d) { return body(d).without.back(); }
PlainShape& solid_shape(SceneDraft& d) { return solid(d); }
PlainShape& solid_joined_shape(SceneDraft& d) { return solid(d).with.back(); }
PlainShape& solid_cut_shape(SceneDraft& d) { return solid(d).without.back(); }

Record fill_record() {
  Key level{
      "level",
      "Where the surface is: its coordinate along gravity, which must act along one axis; without gravity along y.",
      {number("m")}};
  level.required = true;
  level.store = [](SceneDraft& d, const Value& v) { body_draft(d).level = v.number(); };
  return {{level}};
}

Record particle_file_record() {
  Key file{"file",
           "A .ply, .vtp or .csv file, as `riffle run --particles` writes them; its path from the scene's folder. "
           "Columns x, "
           "y, z, and if they are there vx, vy, vz, fluid, a number, and compression. Compression is taken by `wcsph` "
           "with `density: continuity`, from files of such runs: that of others is summed over neighbours, as the "
           "file says in a comment, and is too low at a free surface. LAMMPS's files are read too: of a dump "
           "(.lammpstrj, .dump) the last whole frame, and a data file (.data), both in the order of ids and without "
           "compression; the fluid's number is the type less 1.",
           {text()}};
  file.required = true;
  file.store = stored_in(body_draft, &SceneDraft::Body::file);
  return {{file, optional(
                     "only", {words({"all"}), whole(0, kMaxFluids - 1)}, "all",
                     "Takes the particles whose fluid has this number in the file; a body per fluid takes them all.",
                     [](SceneDraft& d, const Value& v) {
                       if (v.is_whole()) body_draft(d).only = static_cast<int>(v.whole());
                     },
                     nullptr)}};
}

Record body_record() {
  Key fluid_name{"fluid", "Name of its fluid.", {text()}};
  fluid_name.default_note = "the only fluid of the scene";
  fluid_name.store = stored_in(body_draft, &SceneDraft::Body::fluid);
  fluid_name.fetch = fetched_from(body_draft, &SceneDraft::Body::fluid);
  Record record{{fluid_name}, shape_words()};
  for (Key& key : shape_keys(body_shape, ", filled with particles", " The first particle sits half a spacing inside."))
    record.keys.push_back(std::move(key));
  record.keys.push_back(section("fill", "The whole domain up to a level, filled with particles.", fill_record()));
  record.keys.push_back(section("particles",
                                "Particles from a file, with their places and velocities; `velocity` and `flow` are "
                                "added. With `dpd`, velocities from a file have no thermal part added. A file has no "
                                "forces: those of the first step are computed with other random numbers than those "
                                "that the velocities come from, so that the temperature is a few per cent too low at "
                                "first (3.5 % with `time.step` 0.04) and comes back within a few units of time.",
                                particle_file_record()));
  record.exactly_one_of.insert(record.exactly_one_of.end(), {"fill", "particles"});
  for (Key& key : std::vector<Key>{
           joined_key(&SimulationSetup::bodies, joined_shape, ", filled with particles too",
                      "Further shapes of the body: it is all of them together, on the lattice of the first. A place in "
                      "several has one particle."),
           without_key(&SimulationSetup::bodies, cut_shape, ", left empty",
                       "Shapes that are left empty: a place in one of them, or on its surface, gets no particle."),
           field("velocity", spatial(bounded("m/s")), body, &BodySetup::velocity, "Velocity at the start."),
           flow_key(),
           choice("filling", body, &BodySetup::filling, "Where its particles are at the start."),
           field("jitter", number_from(0, 0.5, "particle spacings"), body, &BodySetup::jitter,
                 "Largest random displacement of a particle from its place on the lattice."),
       })
    record.keys.push_back(std::move(key));
  return record;
}

Record solid_record() {
  Key name{"name", "Its name in messages and tables.", {text()}};
  name.default_note = "`solid_1` and so on";
  name.store = stored_in(solid, &SolidRegion::name);
  name.fetch = fetched_from(solid, &SolidRegion::name);
  Record record{{name, picture_only(shown_color_key(solid, &SolidRegion::color, "Colour in pictures (sRGB)."))},
                shape_words(true)};
  for (Key& key : shape_keys(solid_shape, ", solid", "", true)) record.keys.push_back(std::move(key));
  record.keys.push_back(
      joined_key(&SimulationSetup::solid_regions, solid_joined_shape, ", solid too",
                 "Further shapes of the solid: it is all of them together, one solid with one name, "
                 "one motion, one mass and one force. A place in several counts once. Let shapes "
                 "overlap: where they only touch, the distance to the surface is 0 inside the solid, "
                 "too. For contact of solids a union is a surface on a grid of at most 128 cells along "
                 "its longest side; a part that is thinner than a cell may be lost, and is better a "
                 "solid of its own. Where one of the shapes goes on through both faces of a periodic "
                 "axis, the others have no images beyond those faces for contact."));
  record.keys.push_back(without_key(&SimulationSetup::solid_regions, solid_cut_shape, ", not solid",
                                    "Shapes that are not solid: holes in it, which the fluid can enter."));
  record.keys.push_back(motion_key());
  for (Key& key : free_body_keys()) record.keys.push_back(std::move(key));
  return record;
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
      optional(
          "type", {words(solver_words())}, to_string(SimulationSetup{}.solver), solver_summaries(),
          [](SceneDraft& d, const Value& v) { sim(d).solver = *solver_kind_from(v.text()); },
          [](SceneDraft& d) -> Value { return to_string(sim(d).solver); }),
  }};
  for (const auto row : kSolverScenes)
    for (Key& key : row().keys())
      record.keys.push_back(key.solvers.empty() ? only_with(row().kind, std::move(key)) : std::move(key));
  return record;
}

Record interface_record() {
  return {{
      required("upper", text(), draft, &SceneDraft::upper, "Name of the fluid above."),
      required("lower", text(), draft, &SceneDraft::lower, "Name of the fluid below."),
      required("height", number("m"), start, &StartSetup::height, "Mean height y of the interface."),
      field("amplitude", number("m"), start, &StartSetup::amplitude,
            "The interface lies at height + amplitude cos(2 pi (x - min.x) / wavelength)."),
      optional(
          "wavelength", {words({"domain"}), number_above(0, "m")}, "domain",
          "Of the interface's wave, along x; `domain`: the domain's extent.",
          [](SceneDraft& d, const Value& v) { start(d).wavelength = v.is_text() ? 0.0f : v.number(); },
          [](SceneDraft& d) -> Value { return start(d).wavelength; }),
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
  interface.present = [](SceneDraft& d) { return start(d).has_interface; };
  interface.enter = [](SceneDraft& d) { start(d).has_interface = true; };
  return {{
      only_where(
          &SolverInfo::thermal,
          field("equilibration", number_from(0, 1e6, "s"), start, &StartSetup::equilibration,
                "Before time 0 the particles move for this long as one fluid (the first), without gravity; then each "
                "gets the fluid and the velocity of the body in which it lies by then.")),
      interface,
      field("mixed", flag(), start, &StartSetup::mixed,
            "`true`: all fluids at random, whatever the bodies are made of, in equal shares or in those of "
            "`fluids[].share`."),
  }};
}

Record time_record() {
  return {{
      picture_only(field("end", number_above(0, "s"), run, &RunSetup::end_time, "Simulated time at which a run ends.")),
      field_or("auto", "step", number_above(0, "s"), step, &StepSetup::fixed,
               "Time step. `auto`: computed from `cfl` at every step."),
      only_where(
          &SolverInfo::adaptive_step,
          field("cfl", number_above(0, "", 1), step, &StepSetup::cfl,
                "The automatic step is at most cfl h / (speed of sound + largest speed). With `pbf`, which has no "
                "speed of sound, it is at most cfl h / largest speed and 1/60 s; that speed is that of a fall from "
                "the highest fluid, or a larger one that occurs.")),
      field_or("none", "max_step", number_above(0, "s"), step, &StepSetup::max, "Upper bound of the automatic step."),
      picture_only(field_or("auto", "probe_interval", number_above(0, "s"), run, &RunSetup::probe_interval,
                            "Simulated time between two rows of `--probes`. `auto`: as between two frames of the "
                            "movie.")),
      picture_only(only_where(
          &SolverInfo::si,
          choice(
              "pace", run, &RunSetup::pace,
              "Whether the simulation is to keep up with real time. The limits: with `dfsph` a `cfl` of 0.4, mean "
              "errors of 0.5 % and a largest error of 20 %; with `pbf` a `cfl` of 0.3 and 2 iterations. What a scene "
              "gives beyond them stays. With `wcsph` sound makes the steps, and nothing can be eased. Runs with "
              "`real` do not repeat, because they follow the speed of the machine."))),
  }};
}

Record camera_record() {
  return {{
      required("position", spatial(number("m")), camera, &Camera::position, "Where the camera is."),
      required("target", spatial(number("m")), camera, &Camera::target, "The point in the middle of the picture."),
      field("up", spatial(number("")), camera, &Camera::up, "Direction that is up in the picture."),
      field("fov", number_from(1, 150, "degrees"), camera, &Camera::fov_degrees, "Vertical angle of view."),
      field_or("auto", "aspect", number_from(0.1, 10, ""), picture, &PictureSetup::camera_aspect,
               "Width over height of what is visible in every picture: a wider one shows more at the sides, a narrower "
               "one more above and below. `auto`: that of `size`."),
  }};
}

Record cut_record() {
  Key axis = axis_key("axis", "x", "The axis that the plane is perpendicular to.",
                      [](SceneDraft& d) -> int& { return cut(d).axis; });
  axis.required = true;
  axis.default_value = {};
  return {{
      axis,
      required("at", number("m"), cut, &CutSetup::at, "Where the plane is along the axis."),
      field("other_side", flag(), cut, &CutSetup::other_side,
            "`false`: the particles below the plane are drawn. `true`: those above it."),
  }};
}

Key cut_key() {
  Key key{"cut",
          "A plane that leaves out the particles on one side of it, so that one sees inside; not in 2-D. Solids stay "
          "whole.",
          {words({"none"}), map_of(cut_record())}};
  key.default_value = "none";
  key.store = [](SceneDraft& d, const Value&) { cut(d) = {}; };
  key.present = [](SceneDraft& d) { return cut(d).axis >= 0; };
  key.enter = [](SceneDraft& d) { cut(d) = {.axis = 0}; };
  key.needs_third_axis = true;
  return key;
}

Key background_key() {
  return optional(
      "background", {words({"auto", "dark", "light", "transparent"}), hex_color(), tuple(number_from(0, 1, ""), 3, 3)},
      "auto",
      "Colour behind everything (sRGB). Text and lines are dark on a light colour and light on a dark one. `dark`, "
      "`light`: a grey gradient of that kind, in the window too. `auto`: a light one in the pictures of `riffle run`, "
      "and that of its own appearance in the window. `transparent`: as `auto` with `transparent: true`.",
      [](SceneDraft& d, const Value& v) {
        const std::string word = v.is_text() ? v.text() : "";
        if (word == "transparent") picture(d).transparent = true;
        picture(d).studio = word == "dark"    ? StudioChoice::Dark
                            : word == "light" ? StudioChoice::Light
                                              : StudioChoice::Auto;
        const bool is_word = word == "auto" || word == "dark" || word == "light" || word == "transparent";
        picture(d).background = is_word ? std::nullopt : std::optional(color_from(v));
      },
      [](SceneDraft& d) -> Value {
        if (picture(d).background) return color_value(*picture(d).background);
        switch (picture(d).studio) {
          case StudioChoice::Dark: return Value("dark");
          case StudioChoice::Light: return Value("light");
          case StudioChoice::Auto: break;
        }
        return Value("auto");
      });
}

Key transparent_key() {
  return optional(
      "transparent", {flag()}, false,
      "`true`: PNG files have alpha in place of the background. Their text and lines are those for the colour of "
      "`background`, and without one dark, for a light page. Movies and the window keep the background; a movie that "
      "the "
      "window saves as PNG files has alpha.",
      [](SceneDraft& d, const Value& v) { picture(d).transparent = picture(d).transparent || v.flag(); },
      [](SceneDraft& d) -> Value { return picture(d).transparent; });
}

Key floor_key() {
  return optional(
      "floor", {words({"auto"}), flag()}, "auto",
      "A floor under a 3-D domain, with the particles' shadow. `auto`: in the fluid look, and where `quality` is "
      "`full`.",
      [](SceneDraft& d, const Value& v) { picture(d).floor = v.is_text() ? std::nullopt : std::optional(v.flag()); },
      [](SceneDraft& d) -> Value { return picture(d).floor ? Value(*picture(d).floor) : Value("auto"); });
}

/// The words are those of the table of quantities.
Key color_key() {
  Form form = words<Quantity>();
  form.words.insert(form.words.begin(), "auto");
  return optional(
      "color_by", {std::move(form)}, "auto",
      with_words<Quantity>("Quantity that the particles' colours show. `auto`: `fluid` in the fluid look and with "
                           "several fluids, otherwise `speed`."),
      [](SceneDraft& d, const Value& v) { picture(d).color_by = value_of_word<Quantity>(v.text()); },
      [](SceneDraft& d) -> Value {
        return picture(d).color_by ? std::string(word_of(*picture(d).color_by)) : std::string("auto");
      });
}

Record picture_record() {
  const PictureSetup usual;
  Key camera_key{
      "camera", "Where pictures are taken from. `auto` frames the domain.", {words({"auto"}), map_of(camera_record())}};
  camera_key.default_value = "auto";
  camera_key.store = [](SceneDraft&, const Value&) {};
  camera_key.present = [](SceneDraft& d) { return picture(d).camera_given; };
  camera_key.enter = [](SceneDraft& d) { picture(d).camera_given = true; };
  return {{
      optional(
          "size", {tuple(whole(16, 8192, 2), 2, 2)}, std::vector<Value>{usual.width, usual.height},
          "Width and height in pixels.",
          [](SceneDraft& d, const Value& v) {
            picture(d).width = static_cast<int>(v.items()[0].whole());
            picture(d).height = static_cast<int>(v.items()[1].whole());
          },
          [](SceneDraft& d) -> Value {
            return std::vector<Value>{picture(d).width, picture(d).height};
          }),
      camera_key,
      choice("look", picture, &PictureSetup::look, "How particles are drawn."),
      color_key(),
      field("colormap", words({"viridis", "inferno", "turbo", "water", "grey"}), picture, &PictureSetup::colormap,
            "Colour map."),
      optional(
          "range", {words({"auto"}), tuple(number(""), 2, 2)}, "auto",
          "Values at the two ends of the colour map, in the unit of `color_by`.",
          [](SceneDraft& d, const Value& v) {
            picture(d).automatic_range = v.is_text();
            if (v.is_text()) return;
            picture(d).range_min = v.items()[0].number();
            picture(d).range_max = v.items()[1].number();
          },
          [](SceneDraft& d) -> Value {
            if (picture(d).automatic_range) return "auto";
            return std::vector<Value>{picture(d).range_min, picture(d).range_max};
          }),
      field("particle_scale", number_above(0, "particle spacings", 10), picture, &PictureSetup::particle_scale,
            "Drawn diameter of a particle."),
      choice("seen_from", picture, &PictureSetup::seen_from,
             "What stands still where `domain.motion` moves the domain."),
      choice("quality", picture, &PictureSetup::quality, "How much work goes into a picture."),
      field_or("auto", "foam", number_from(0, 1e6, "m/s"), picture, &PictureSetup::foam,
               "Speed from which the fluid look turns white, and spray at half of it; 0: never. `auto`: a little less "
               "than the largest speed that the scene's heights lead to, and never with several fluids or `dpd`. "
               "Particles from files of Riffle have it as in the run that wrote them."),
      cut_key(),
      background_key(),
      transparent_key(),
      floor_key(),
      field("legend", flag(), picture, &PictureSetup::legend, "The colours and what they mean."),
      field("caption", flag(), picture, &PictureSetup::caption,
            "Time and number of particles, in movies and saved pictures."),
      field("box", flag(), picture, &PictureSetup::box, "The edges of the domain."),
      field("solids", flag(), picture, &PictureSetup::solids,
            "The solids of the scene, opaque and as far as the domain goes. In 2-D they lie under the particles."),
  }};
}

Record movie_record() {
  return {{
      field("frames_per_second", number_from(0.1, 240, "1/s"), run, &RunSetup::frames_per_second,
            "Frames per second of movie."),
      field("time_scale", number_above(0, "s/s"), run, &RunSetup::time_scale,
            "Simulated seconds per second of movie; 0.5 is slow motion."),
  }};
}

Record make_scene_format() {
  Key name{"name", "Name of the scene.", {text()}};
  name.default_note = "the file's name";
  name.store = stored_in(scene, &Scene::name);
  name.fetch = fetched_from(scene, &Scene::name);
  name.effect = Effect::Picture;

  Key fluids{"fluids", "The fluids that bodies are made of.", {list_of(fluid_record(), 1, kMaxFluids)}};
  fluids.default_note = "one fluid, `water`, with the defaults below";
  fluids.enter = [](SceneDraft& d) { sim(d).fluids.emplace_back(); };
  fluids.count = [](const SceneDraft& d) { return d.scene.simulation.fluids.size(); };
  fluids.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) {
    sim(d).fluids = {whole.scene.simulation.fluids[i]};
  };

  Key bodies{"bodies", "The regions that are filled with particles at the start.", {list_of(body_record(), 0, 10000)}};
  bodies.default_note = "none, which needs an inlet";
  bodies.count = [](const SceneDraft& d) { return d.scene.simulation.bodies.size(); };
  bodies.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) {
    sim(d).bodies = {whole.scene.simulation.bodies[i]};
    d.bodies = {whole.bodies[i]};
  };
  bodies.enter = [](SceneDraft& d) { sim(d).bodies.emplace_back(), d.bodies.emplace_back(); };

  Key solids{
      "solids",
      "Solids in the domain, which no fluid enters; its walled faces need none. They stand still unless `motion` "
      "drives "
      "them. Fluid of bodies that would lie in a solid is left out, and particles of a lattice beside it are moved, by "
      "less than a "
      "spacing, so that the fluid is as dense there as elsewhere (not with `dpd`). A place inside two solids belongs "
      "to the first.",
      {list_of(solid_record(), 0, kMostSolids)}};
  solids.default_note = "none";
  solids.count = [](const SceneDraft& d) { return d.scene.simulation.solid_regions.size(); };
  solids.pick = [](SceneDraft& d, const SceneDraft& whole, std::size_t i) {
    sim(d).solid_regions = {whole.scene.simulation.solid_regions[i]};
  };
  solids.enter = [](SceneDraft& d) { sim(d).solid_regions.emplace_back(); };

  Key domain_key = section("domain", "The box that the simulation lives in.", domain_record());
  domain_key.required = true;
  Key particles = section("particles", "Resolution.", particles_record());
  particles.required = true;

  return {{
      name,
      picture_only(field("description", text(), scene, &Scene::description, "One line for `riffle list`.")),
      field("dimension", whole(2, 3), domain, &Domain::dimension, "2 ignores every third component; y is up in both."),
      domain_key,
      live(field("gravity", spatial(bounded("m/s^2")), sim, &SimulationSetup::gravity, "Acceleration of gravity.")),
      gravity_change_key(),
      body_force_key(),
      particles,
      fluids,
      bodies,
      solids,
      joints_key(),
      inlets_key(),
      outlets_key(),
      damping_key(),
      probes_key(),
      section("start", "What is done to the particles before time 0.", start_record()),
      live(section("solver", "The method that moves the fluid.", solver_record())),
      only_search(section("neighbors", "The neighbour search.", neighbors_record())),
      live(section("time", "Duration and time step.", time_record())),
      field("deterministic", flag(), sim, &SimulationSetup::deterministic,
            "`true`: bit-identical from run to run on one device. A step on a GPU then waits for the lengths of its "
            "neighbour lists."),
      field("seed", whole(0, 9007199254740991.0), sim, &SimulationSetup::seed, "Seed of everything random."),
      picture_only(section("picture", "How the scene is drawn.", picture_record())),
      picture_only(section("movie", "The movie's pace.", movie_record())),
      events_key(),  // behind the others: `step` alone is meant for `time.step`
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

bool Key::suits(SolverKind solver) const {
  return solvers.empty() || std::find(solvers.begin(), solvers.end(), solver) != solvers.end();
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

Value SceneDraft::Matrix::value() const {
  bool same = true;
  for (const auto& row : rows)
    for (const float entry : row) same = same && entry == rows[0][0];
  if (same) return rows.empty() ? all : rows[0][0];
  std::vector<Value> list;
  for (const auto& row : rows) list.emplace_back(std::vector<Value>(row.begin(), row.end()));
  return list;
}

void SceneDraft::Matrix::set(const Value& value) {
  given = true;
  rows.clear();
  if (!value.is_list()) {
    all = value.number();
    return;
  }
  for (const Value& row : value.items()) {
    rows.emplace_back();
    for (const Value& entry : row.items()) rows.back().push_back(entry.number());
  }
}

}  // namespace riffle::scenes
