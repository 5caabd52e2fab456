#include "scenes/format.h"

#include <cmath>

#include "sim/wcsph.h"

namespace riffle {

namespace {

Form text() { return {}; }

Form flag() {
  Form form;
  form.kind = Form::Kind::Flag;
  return form;
}

Form whole(double min, double max, int multiple_of = 1) {
  Form form;
  form.kind = Form::Kind::Whole;
  form.min = min;
  form.max = max;
  form.multiple_of = multiple_of;
  return form;
}

Form number(std::string unit) {
  Form form;
  form.kind = Form::Kind::Number;
  form.unit = std::move(unit);
  return form;
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

Form number_above(double min, std::string unit, double max = kNoLimit) {
  Form form = number(std::move(unit));
  form.min = min;
  form.max = max;
  form.above_min = true;
  return form;
}

Form number_from(double min, double max, std::string unit) {
  Form form = number(std::move(unit));
  form.min = min;
  form.max = max;
  return form;
}

/// Either sign, small enough that its square and what follows from it stay numbers in single precision.
Form bounded(std::string unit) { return number_from(-1e6, 1e6, std::move(unit)); }

Form words(std::vector<std::string> allowed) {
  Form form;
  form.kind = Form::Kind::Word;
  form.words = std::move(allowed);
  return form;
}

Form hex_color() {
  Form form;
  form.kind = Form::Kind::HexColor;
  return form;
}

Form tuple(Form element, int min_count, int max_count) {
  Form form;
  form.kind = Form::Kind::Tuple;
  form.element = {std::move(element)};
  form.min_count = min_count;
  form.max_count = max_count;
  return form;
}

Form spatial(Form element) {
  Form form = tuple(std::move(element), 2, 3);
  form.spatial = true;
  return form;
}

Form map_of(Record record) {
  Form form;
  form.kind = Form::Kind::Map;
  form.record = std::make_shared<const Record>(std::move(record));
  return form;
}

Form list_of(Record record, int min_count, int max_count) {
  Form form;
  form.kind = Form::Kind::List;
  form.record = std::make_shared<const Record>(std::move(record));
  form.min_count = min_count;
  form.max_count = max_count;
  return form;
}

using Store = std::function<void(SceneDraft&, const Value&)>;

Key required(std::string name, std::vector<Form> forms, std::string doc, Store store) {
  Key key{std::move(name), std::move(doc), std::move(forms)};
  key.required = true;
  key.store = std::move(store);
  return key;
}

Key optional(std::string name, std::vector<Form> forms, nlohmann::ordered_json default_value, std::string doc,
             Store store) {
  Key key{std::move(name), std::move(doc), std::move(forms)};
  key.default_value = std::move(default_value);
  key.store = std::move(store);
  return key;
}

Key section(std::string name, std::string doc, Record record, std::function<void(SceneDraft&)> enter = nullptr) {
  Key key{std::move(name), std::move(doc), {map_of(std::move(record))}};
  key.enter = std::move(enter);
  return key;
}

SimulationSetup& sim(SceneDraft& draft) { return draft.scene.simulation; }
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

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& info : neighbor_methods()) names.emplace_back(info.name);
  return names;
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
               "Distance between neighbouring particles at the start; half of it makes four (2-D) or eight (3-D) times "
               "as many particles.",
               [](SceneDraft& d, const Value& v) { sim(d).spacing = v.number(); }),
      optional("support_ratio", {number_from(1, 10, "particle spacings")}, 2.0,
               "Support radius h of the kernel: particles nearer than h are neighbours.",
               [](SceneDraft& d, const Value& v) { sim(d).support_ratio = v.number(); }),
  }};
}

Record fluid_record() {
  return {{
      required("name", {text()}, "What bodies call it by.",
               [](SceneDraft& d, const Value& v) { fluid(d).name = v.text(); }),
      optional("rest_density", {number_above(0, "kg/m^3")}, 1000.0, "Density of the fluid at rest.",
               [](SceneDraft& d, const Value& v) { fluid(d).rest_density = v.number(); }),
      optional("viscosity", {number_from(0, kNoLimit, "m^2/s")}, 1.0e-6, "Kinematic viscosity; water has 1e-6.",
               [](SceneDraft& d, const Value& v) { fluid(d).viscosity = v.number(); }),
      optional("color", {hex_color(), tuple(number_from(0, 1, ""), 3, 3)}, "#2973d9",
               "Colour in pictures with `color_by: fluid` (sRGB).",
               [](SceneDraft& d, const Value& v) { fluid(d).color = color_from(v); }),
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
  return {{
              fluid_name,
              section("box", "A box, filled with particles.", box_record(),
                      [](SceneDraft& d) { body(d).shape = Shape::Box, d.bodies.back().box = true; }),
              section("sphere", "A sphere, filled with particles.", sphere_record(),
                      [](SceneDraft& d) { body(d).shape = Shape::Sphere, d.bodies.back().sphere = true; }),
              optional("velocity", {spatial(bounded("m/s"))}, {0.0, 0.0, 0.0}, "Velocity at the start.",
                       [](SceneDraft& d, const Value& v) { body(d).velocity = v.vector(); }),
              optional("jitter", {number_from(0, 0.5, "particle spacings")}, 0.0,
                       "Largest random displacement of a particle from its place on the lattice.",
                       [](SceneDraft& d, const Value& v) { body(d).jitter = v.number(); }),
          },
          {"box", "sphere"}};
}

Record solver_record() {
  return {{
      optional("type", {words({"wcsph"})}, "wcsph", "Weakly compressible SPH.", [](SceneDraft&, const Value&) {}),
      optional("kernel", {words({"wendland_c2", "cubic_spline"})}, "wendland_c2", "Smoothing kernel.",
               [](SceneDraft& d, const Value& v) {
                 sim(d).wcsph.kernel = v.text() == "cubic_spline" ? KernelKind::CubicSpline : KernelKind::WendlandC2;
               }),
      optional("speed_of_sound", {words({"auto"}), number_above(0, "m/s")}, "auto",
               "Numerical speed of sound. `auto`: ten times the largest speed that gravity and the bodies' velocities "
               "allow.",
               [](SceneDraft& d, const Value& v) { sim(d).wcsph.speed_of_sound = v.is_text() ? 0.0f : v.number(); }),
      optional("tait_exponent", {number_from(1, 20, "")}, 7.0, "Exponent of the Tait equation of state.",
               [](SceneDraft& d, const Value& v) { sim(d).wcsph.tait_exponent = v.number(); }),
      optional("artificial_viscosity", {number_from(0, 10, "")}, 0.05, "Monaghan's alpha.",
               [](SceneDraft& d, const Value& v) { sim(d).wcsph.artificial_viscosity = v.number(); }),
      optional("negative_pressure", {flag()}, false,
               "Whether pressure may pull. `false` clamps it at 0, as a free surface needs; `true` suits full periodic "
               "boxes.",
               [](SceneDraft& d, const Value& v) { sim(d).wcsph.negative_pressure = v.flag(); }),
      optional("damping_rate", {number_from(0, 1e4, "1/s")}, 0.0,
               "Velocities decay at this rate until `damping_time`, so that a start from a lattice settles.",
               [](SceneDraft& d, const Value& v) { sim(d).wcsph.damping_rate = v.number(); }),
      optional("damping_time", {number_from(0, kNoLimit, "s")}, 0.0, "Simulated time at which the damping ends.",
               [](SceneDraft& d, const Value& v) { sim(d).wcsph.damping_time = v.number(); }),
  }};
}

Record neighbors_record() {
  return {{
      optional("method", {words(method_names())}, "hoetzlein", "Neighbour search; `riffle list` says what each one is.",
               [](SceneDraft& d, const Value& v) { sim(d).neighbors.method = *neighbor_method_from(v.text()); }),
  }};
}

Record time_record() {
  return {{
      optional("end", {number_above(0, "s")}, 2.0, "Simulated time at which a run ends.",
               [](SceneDraft& d, const Value& v) { d.scene.run.end_time = v.precise(); }),
      optional("step", {words({"auto"}), number_above(0, "s")}, "auto",
               "Time step. `auto`: from `cfl`, anew at every step.",
               [](SceneDraft& d, const Value& v) { sim(d).step.fixed = v.is_text() ? 0.0f : v.number(); }),
      optional("cfl", {number_above(0, "", 1)}, 0.2,
               "The automatic step is at most cfl h / (speed of sound + largest speed).",
               [](SceneDraft& d, const Value& v) { sim(d).step.cfl = v.number(); }),
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
      optional("up", {spatial(number(""))}, {0.0, 1.0, 0.0}, "Direction that is up in the picture.",
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
      optional("size", {tuple(whole(16, 8192, 2), 2, 2)}, {1280, 720}, "Width and height in pixels.",
               [](SceneDraft& d, const Value& v) {
                 d.scene.picture.width = static_cast<int>(v.items()[0].whole());
                 d.scene.picture.height = static_cast<int>(v.items()[1].whole());
               }),
      camera_key,
      optional("color_by", {words({"speed", "density", "fluid"})}, "speed",
               "Quantity that the particles' colours show.",
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
      optional("description", {text()}, "", "One line for `riffle list`.",
               [](SceneDraft& d, const Value& v) { d.scene.description = v.text(); }),
      optional("dimension", {whole(2, 3)}, 3, "2 ignores every third component; y is up in both.",
               [](SceneDraft& d, const Value& v) { sim(d).domain.dimension = static_cast<int>(v.whole()); }),
      domain,
      optional("gravity", {spatial(bounded("m/s^2"))}, {0.0, -9.81, 0.0}, "Acceleration of gravity.",
               [](SceneDraft& d, const Value& v) { sim(d).gravity = v.vector(); }),
      particles,
      fluids,
      bodies,
      section("solver", "The method that moves the fluid.", solver_record()),
      section("neighbors", "The neighbour search.", neighbors_record()),
      section("time", "Duration and time step.", time_record()),
      optional("deterministic", {flag()}, false, "`true`: bit-identical from run to run on one device.",
               [](SceneDraft& d, const Value& v) { sim(d).deterministic = v.flag(); }),
      optional("seed", {whole(0, 9007199254740991.0)}, 1, "Seed of everything random.",
               [](SceneDraft& d, const Value& v) { sim(d).seed = static_cast<std::uint64_t>(v.whole()); }),
      section("picture", "How the scene is drawn.", picture_record()),
      section("movie", "The movie's pace.", movie_record()),
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

std::vector<std::string> all_key_paths() {
  std::vector<std::string> paths;
  collect_paths(scene_format(), "", paths);
  return paths;
}

Vec3 Value::vector() const {
  const auto& v = items();
  return {v[0].number(), v[1].number(), v.size() > 2 ? v[2].number() : 0.0f};
}

}  // namespace riffle
