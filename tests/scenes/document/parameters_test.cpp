#include "scenes/document/parameters.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <regex>
#include <set>

#include "scenes/document/key_path.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::vector<scenes::Parameter> parameters_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return scenes::parameters(scenes::parse_source(text, "pool.yaml", overrides));
}

const scenes::Parameter* look_up(const std::vector<scenes::Parameter>& all, const std::string& path) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const scenes::Parameter& p) { return p.path == path; });
  return found == all.end() ? nullptr : &*found;
}

std::string in_format(const std::string& path) {  // fluids[0].name -> fluids[].name
  std::string text;
  bool inside = false;
  for (const char c : path) {
    if (c == ']') inside = false;
    if (!inside) text += c;
    if (c == '[') inside = true;
  }
  return text;
}

}  // namespace

// A key that the panel does not show cannot be edited there.
TEST(Parameters, ShippedScenesTogetherShowEveryKeyOfTheFormat) {
  std::set<std::string> shown;
  for (const std::string& scene : shipped_scenes())
    for (const scenes::Parameter& p : scenes::parameters(scenes::load_source(scene))) shown.insert(in_format(p.path));
  for (const scenes::Parameter& p : parameters_of(
           "dimension: 3\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
           "bodies: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.3}}]\npicture: {cut: {axis: x, at: 0.5}}\n"))
    shown.insert(in_format(p.path));
  const auto listed = [](const std::string& shape) {
    return shape.starts_with("fill") || shape.starts_with("particles") ? "box: {}" : shape;
  };
  for (const std::string shape :
       {"sphere: {center: [0.5, 0.5, 0.5], radius: 0.3}", "fill: {level: 0.5}", "particles: {file: none.csv}",
        "cylinder: {from: [0.5, 0, 0.5], to: [0.5, 1, 0.5], radius: 0.3}",
        "capsule: {from: [0.5, 0.3, 0.5], to: [0.5, 0.7, 0.5], radius: 0.2}",
        "plane: {point: [0, 0.5, 0], normal: [0, 1, 0]}", "polygon: {corners: [[0, 0], [1, 0], [0, 1]]}",
        "box: {min: [0, 0, 0], max: [1, 1, 1]}"})
    for (const std::string flow :
         {"shear: {rate: 1}", "rotation: {rate: 1}", "strain: {rate: 1}", "taylor_green: {speed: 1, wavelength: 1}",
          "standing_wave: {speed: 1, wavelength: 1, depth: 1}"})
      for (const scenes::Parameter& p :
           parameters_of("domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\nbodies:\n  - " + shape +
                         "\n    flow: {" + flow + "}\n    with: [{" + listed(shape) + "}]\n    without: [{" +
                         listed(shape) + "}]\n"))
        shown.insert(in_format(p.path));
  for (const std::string shape :
       {"sphere: {center: [0.5, 0.5, 0.5], radius: 0.3}", "box: {min: [0, 0, 0], max: [1, 1, 1]}",
        "cylinder: {from: [0.5, 0, 0.5], to: [0.5, 1, 0.5], radius: 0.3}",
        "capsule: {from: [0.5, 0.3, 0.5], to: [0.5, 0.7, 0.5], radius: 0.2}",
        "plane: {point: [0, 0.5, 0], normal: [0, 1, 0]}", "polygon: {corners: [[0, 0], [1, 0], [0, 1]]}"})
    for (const scenes::Parameter& p : parameters_of(
             good_scene_with("solids: [{" + shape + ", with: [{" + shape + "}], without: [{" + shape + "}]}]\n")))
      shown.insert(in_format(p.path));
  for (const std::string rotation : {"rate: 1", "turns: 1", "swing: {angle: 1, period: 1}"})
    for (const std::string& scene :
         {good_scene_with("solids: [{box: {}, motion: {sway: {period: 1}, rotation: {" + rotation + "}}}]\n"),
          "domain: {min: [0, 0, 0], max: [1, 1, 1], motion: {sway: {period: 1}, rotation: {" + rotation +
              "}}}\nparticles: {spacing: 0.1}\nbodies: [{box: {}}]\ngravity_change: {period: 1}\nbody_force: {waves: "
              "1}\n"})
      for (const scenes::Parameter& p : parameters_of(scene)) shown.insert(in_format(p.path));
  for (const scenes::Parameter& p :
       parameters_of(good_scene_with("solids: [{box: {}, motion: {wave: {height: 1}}}]\n")))
    shown.insert(in_format(p.path));
  for (const std::string shape :
       {"sphere: {center: [0.5, 0.5, 0.5], radius: 0.3}", "box: {min: [0, 0, 0], max: [1, 1, 1]}",
        "cylinder: {from: [0.5, 0, 0.5], to: [0.5, 1, 0.5], radius: 0.3}",
        "capsule: {from: [0.5, 0.3, 0.5], to: [0.5, 0.7, 0.5], radius: 0.2}",
        "plane: {point: [0, 0.5, 0], normal: [0, 1, 0]}", "polygon: {corners: [[0, 0], [1, 0], [0, 1]]}"})
    for (const scenes::Parameter& p : parameters_of(
             good_scene_with("outlets: [{" + shape + ", with: [{" + shape + "}], without: [{" + shape + "}]}]\n")))
      shown.insert(in_format(p.path));
  for (const std::string mouth :
       {"disc: {radius: 1}", "rectangle: {width: 1}", "polygon: {corners: [[0, 0], [1, 0], [0, 1]]}"})
    for (const std::string flow : {"speed: 1", "rate: 1", "table: none.csv"})
      for (const scenes::Parameter& p : parameters_of(good_scene_with("inlets: [{" + mouth + ", " + flow + "}]\n")))
        shown.insert(in_format(p.path));
  for (const scenes::Parameter& p : parameters_of(good_scene_with("damping: [{strength: 1}]\n")))
    shown.insert(in_format(p.path));
  for (const std::string probe :
       {"point: [0.1, 0.1, 0.1]", "line: {from: [0, 0, 0], to: [1, 0, 0]}", "level: {from: [0, 0, 0], to: [0, 1, 0]}",
        "plane: {corner: [0, 0, 0], side: [1, 0, 0], other_side: [0, 1, 0]}",
        "flow: {corner: [0, 0, 0], side: [1, 0, 0], other_side: [0, 1, 0]}"})
    for (const scenes::Parameter& p : parameters_of(good_scene_with("probes: [{" + probe + "}]\n")))
      shown.insert(in_format(p.path));
  for (const std::string& path : scenes::all_key_paths()) {
    if (path.starts_with("events")) continue;  // they are no parameters but change some
    const bool section = std::any_of(shown.begin(), shown.end(), [&](const std::string& inner) {
      return inner != path && (inner.starts_with(path + ".") || inner.starts_with(path + "[]."));
    });
    EXPECT_TRUE(section || shown.count(path)) << path;
  }
}

TEST(Parameters, HolesOfABodyAreShownWithTheBodyAndOnlyWhereThereAreSome) {
  const auto all =
      parameters_of(spoiled("max: [0.5, 0.5, 0.5]}", "max: [0.5, 0.5, 0.5]}\n    without: [{sphere: {radius: 1}}]"));
  const scenes::Parameter* radius = look_up(all, "bodies[0].without[0].sphere.radius");
  ASSERT_TRUE(radius);
  EXPECT_EQ(radius->section, "bodies[0]");
  EXPECT_EQ(radius->label, "without[0].sphere.radius");
  for (const scenes::Parameter& p : parameters_of(kGoodScene)) EXPECT_EQ(p.path.find("without"), std::string::npos);
}

TEST(Parameters, CarryWhatTheFormatSaysOfThem) {
  const auto all = parameters_of(good_scene_with("fluids: [{name: oil, viscosity: 1.0e-4}]\n"));
  const scenes::Parameter* p = look_up(all, "fluids[0].viscosity");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->section, "fluids[0]");
  EXPECT_EQ(p->label, "viscosity");
  EXPECT_EQ(p->section_doc, "The fluids that bodies are made of.");
  EXPECT_EQ(p->doc,
            "Kinematic viscosity; water has 1e-6. Where fluids of very different dynamic viscosity meet, the viscous "
            "force lacks a part: a wave between fluids of 0.27 and 15 grew 36 % too fast.");
  EXPECT_EQ(p->kind, scenes::Parameter::Kind::Number);
  EXPECT_EQ(p->unit, "m^2/s");
  EXPECT_EQ(p->min, 0);
  EXPECT_FALSE(p->above_min);
  EXPECT_TRUE(std::isinf(p->max));
  EXPECT_EQ(p->value, "1.0e-4");
  EXPECT_EQ(p->default_value, "1.0e-6");
  EXPECT_EQ(p->numbers(), std::vector<double>{1e-4});
  EXPECT_TRUE(p->written);
  EXPECT_EQ(p->effect, scenes::Effect::Live);

  p = look_up(all, "particles.spacing");
  ASSERT_TRUE(p);
  EXPECT_TRUE(p->above_min);
  EXPECT_TRUE(p->required);
  EXPECT_EQ(p->default_value, "");
  EXPECT_EQ(p->effect, scenes::Effect::Restart);

  p = look_up(all, "gravity");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->section, "scene");
  EXPECT_EQ(p->kind, scenes::Parameter::Kind::Vector);
  EXPECT_EQ(p->component, scenes::Parameter::Kind::Number);
  EXPECT_EQ(p->components, 3);
  EXPECT_EQ(p->value, "[0, -9.81, 0]");
  EXPECT_FALSE(p->written);

  p = look_up(all, "bodies[0].box.max");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->section, "bodies[0]");
  EXPECT_EQ(p->label, "box.max");

  p = look_up(all, "fluids[0].color");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->kind, scenes::Parameter::Kind::Color);
  EXPECT_EQ(p->value, "\"#2973d9\"");
  EXPECT_EQ(p->numbers(), (std::vector<double>{41 / 255.0, 115 / 255.0, 217 / 255.0}));
  EXPECT_EQ(p->effect, scenes::Effect::Picture);
}

TEST(Parameters, KeysOfOtherSolversAreLeftOut) {
  const auto wcsph = parameters_of(kGoodScene), pbf = parameters_of(kGoodScene, {"solver.type=pbf"}),
             dpd = parameters_of(kGoodScene, {"solver.type=dpd"});
  EXPECT_TRUE(look_up(wcsph, "solver.tait_exponent"));
  EXPECT_FALSE(look_up(wcsph, "solver.iterations"));
  EXPECT_FALSE(look_up(pbf, "solver.tait_exponent"));
  EXPECT_TRUE(look_up(pbf, "solver.iterations"));
  EXPECT_TRUE(look_up(pbf, "solver.kernel")) << "of wcsph and pbf";
  EXPECT_TRUE(look_up(dpd, "solver.temperature"));
  EXPECT_TRUE(look_up(dpd, "fluids[0].mass"));
  EXPECT_FALSE(look_up(dpd, "fluids[0].viscosity"));
  EXPECT_TRUE(look_up(dpd, "solver.wall_velocity.x_min"));
  EXPECT_FALSE(look_up(pbf, "solver.wall_velocity.x_min"));
}

TEST(Parameters, OfAlternativesOnlyTheOneThatIsGivenIsShown) {
  const auto all = parameters_of(kGoodScene);
  EXPECT_TRUE(look_up(all, "particles.spacing"));
  EXPECT_FALSE(look_up(all, "particles.number_density"));
  EXPECT_TRUE(look_up(all, "bodies[0].box.min"));
  EXPECT_FALSE(look_up(all, "bodies[0].sphere.radius"));
}

TEST(Parameters, A2DSceneHasTwoComponentsAndNoThirdAxis) {
  const auto all = parameters_of(kGoodScene, {"dimension=2"});
  EXPECT_EQ(look_up(all, "gravity")->components, 2);
  EXPECT_EQ(look_up(all, "gravity")->value, "[0, -9.81]");
  EXPECT_TRUE(look_up(all, "solver.wall_velocity.y_max"));
  EXPECT_FALSE(look_up(all, "solver.wall_velocity.z_max"));
}

TEST(Parameters, KindFollowsTheWayInWhichItIsWritten) {
  const auto kind = [](const std::string& assignment) {
    const auto all = parameters_of(kGoodScene, {assignment});
    return look_up(all, assignment.substr(0, assignment.find('=')))->kind;
  };
  EXPECT_EQ(kind("neighbors.cell=auto"), scenes::Parameter::Kind::Number);
  EXPECT_EQ(kind("neighbors.cell=0.5"), scenes::Parameter::Kind::Number);
  EXPECT_EQ(kind("neighbors.cell=[4, 4, 4]"), scenes::Parameter::Kind::Vector);
  EXPECT_EQ(kind("domain.axes=open"), scenes::Parameter::Kind::Vector);
  EXPECT_EQ(kind("solver.interface_tension=0"), scenes::Parameter::Kind::Number);
  EXPECT_EQ(kind("solver.interface_tension=[[0]]"), scenes::Parameter::Kind::Matrix);
  EXPECT_EQ(kind("time.step=auto"), scenes::Parameter::Kind::Number);
  EXPECT_EQ(kind("deterministic=true"), scenes::Parameter::Kind::Flag);
  EXPECT_EQ(kind("seed=3"), scenes::Parameter::Kind::Whole);
  EXPECT_EQ(kind("name=x"), scenes::Parameter::Kind::Text);
  EXPECT_EQ(kind("solver.type=pbf"), scenes::Parameter::Kind::Choice);
  EXPECT_EQ(kind("picture.camera=auto"), scenes::Parameter::Kind::Section);

  const auto all = parameters_of(kGoodScene);
  const scenes::Parameter* step = look_up(all, "time.step");
  EXPECT_TRUE(step->is_word());
  EXPECT_EQ(step->choices, std::vector<std::string>{"auto"});
  EXPECT_EQ(step->unit, "s");
  EXPECT_TRUE(step->above_min);
  EXPECT_TRUE(step->numbers().empty());
  const scenes::Parameter* axes = look_up(all, "domain.axes");
  EXPECT_EQ(axes->component, scenes::Parameter::Kind::Choice);
  EXPECT_EQ(axes->choices, (std::vector<std::string>{"open", "walled", "periodic"}));
}

TEST(Parameters, KeysOfASectionThatMayBeAWordAreThereWhenItIsOne) {
  EXPECT_FALSE(look_up(parameters_of(kGoodScene), "picture.camera.fov"));
  const auto all = parameters_of(kGoodScene, {"picture.camera={position: [0, 0, 5], target: [0, 0, 0]}"});
  ASSERT_TRUE(look_up(all, "picture.camera.fov"));
  EXPECT_EQ(look_up(all, "picture.camera.fov")->section, "picture");
  EXPECT_EQ(look_up(all, "picture.camera.fov")->label, "camera.fov");
}

TEST(Parameters, DefaultsThatDependOnTheSceneAreFilledIn) {
  const auto all = parameters_of(kGoodScene);
  EXPECT_EQ(look_up(all, "name")->value, "pool");
  EXPECT_EQ(look_up(all, "fluids[0].name")->value, "water");
  EXPECT_EQ(look_up(all, "bodies[0].fluid")->value, "water");
}

TEST(Parameters, EffectsAreInheritedFromTheSectionUnlessTheKeyHasItsOwn) {
  const auto all = parameters_of(kGoodScene, {"start.mixed=true"});
  const std::pair<const char*, scenes::Effect> expected[] = {{"domain.axes", scenes::Effect::Restart},
                                                             {"particles.support_ratio", scenes::Effect::Live},
                                                             {"bodies[0].jitter", scenes::Effect::Restart},
                                                             {"start.mixed", scenes::Effect::Restart},
                                                             {"seed", scenes::Effect::Restart},
                                                             {"deterministic", scenes::Effect::Restart},
                                                             {"dimension", scenes::Effect::Restart},
                                                             {"solver.type", scenes::Effect::Live},
                                                             {"solver.walls", scenes::Effect::Live},
                                                             {"solver.wall_velocity.x_min", scenes::Effect::Live},
                                                             {"neighbors.method", scenes::Effect::Search},
                                                             {"time.step", scenes::Effect::Live},
                                                             {"time.end", scenes::Effect::Picture},
                                                             {"gravity", scenes::Effect::Live},
                                                             {"fluids[0].name", scenes::Effect::Restart},
                                                             {"fluids[0].rest_density", scenes::Effect::Live},
                                                             {"picture.color_by", scenes::Effect::Picture},
                                                             {"movie.time_scale", scenes::Effect::Picture},
                                                             {"name", scenes::Effect::Picture},
                                                             {"description", scenes::Effect::Picture}};
  for (const auto& [path, effect] : expected) {
    const scenes::Parameter* p = look_up(all, path);
    ASSERT_TRUE(p) << path;
    EXPECT_EQ(p->effect, effect) << path;
  }
}

// The panel shows the value of every parameter: one that it could not give back would be lost at the first edit. A value that
// several entries of a list share is given back once.
TEST(Parameters, EveryValueShownIsTakenBackByTheLoader) {
  for (const std::string& path : shipped_scenes()) {
    const scenes::Scene kept = scenes::load_scene(path);  // what its mesh is made of is shared by those below
    std::set<std::string> given_back;
    static const std::regex index("\\[[0-9]+\\]");
    for (const scenes::Parameter& p : scenes::parameters(scenes::load_source(path))) {
      if (p.value.empty() || p.path.starts_with("fluids")) continue;
      if (!given_back.insert(std::regex_replace(p.path, index, "[]") + "=" + p.value).second) continue;
      EXPECT_NO_THROW(scenes::load_scene(path, {p.path + "=" + p.value})) << p.path << "=" << p.value;
    }
  }
}

TEST(Parameters, WhatIsPerMetreOfDepthHasSuchAUnitInTwoDimensions) {
  const auto unit_of = [](bool flat, const char* path) {
    const std::string z = flat ? "" : ", 0", top = flat ? "" : ", 1";
    const auto all = parameters_of(fmt::format(
        "dimension: {0}\ndomain: {{min: [0, 0{1}], max: [1, 1{2}], axes: walled}}\nparticles: {{spacing: 0.05}}\n"
        "bodies: [{{box: {{min: [0, 0{1}], max: [1, 0.2{2}]}}}}]\n"
        "solids: [{{box: {{min: [0.4, 0.3{1}], max: [0.6, 0.4{2}]}}, motion: free, mass: 15}}]\n"
        "inlets: [{{disc: {{center: [0.2, 1{3}], radius: 0.1}}, direction: [0, -1{1}], rate: 0.01}}]\n"
        "outlets: [{{box: {{min: [0.8, 0{1}], max: [1, 0.1{2}]}}, rate: 0.01}}]\n",
        flat ? 2 : 3, z, top, flat ? "" : ", 0.5"));
    const scenes::Parameter* p = look_up(all, path);
    return p ? p->unit : "no such key";
  };
  for (const auto& [path, in_2d, in_3d] : {std::tuple("solids[0].mass", "kg/m", "kg"),
                                           {"solids[0].force", "N/m", "N"},
                                           {"inlets[0].rate", "m^2/s", "m^3/s"},
                                           {"outlets[0].rate", "m^2/s", "m^3/s"},
                                           {"fluids[0].rest_density", "kg/m^3", "kg/m^3"},
                                           {"solids[0].density", "kg/m^3", "kg/m^3"}}) {
    EXPECT_EQ(unit_of(true, path), in_2d) << path;
    EXPECT_EQ(unit_of(false, path), in_3d) << path;
  }
}

/// The unit of a key of a DPD scene, by the key's path.
std::function<std::string(const std::string&)> units_of_dpd(const std::string& solver_keys) {
  const auto all = parameters_of(
      "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\nparticles: {number_density: 3}\n"
      "fluids: [{name: a, mass: 2}]\nbodies: [{box: {min: [0, 0, 0], max: [4, 4, 4]}}]\nsolver: {type: dpd" +
      solver_keys + "}\ntime: {step: 0.01}\n");
  return [all](const std::string& path) {
    const scenes::Parameter* p = look_up(all, path);
    return p ? p->unit : "no such key";
  };
}

TEST(Parameters, UnitsOfDpdAreReduced) {
  const auto unit = units_of_dpd("");
  EXPECT_EQ(unit("domain.min"), "r_c");
  EXPECT_EQ(unit("bodies[0].box.max"), "r_c");
  EXPECT_EQ(unit("gravity"), "r_c/\u03c4^2");
  EXPECT_EQ(unit("time.end"), "\u03c4");
  EXPECT_EQ(unit("fluids[0].mass"), "unit masses");
  EXPECT_EQ(unit("solver.cutoff"), "");
  EXPECT_EQ(unit("solver.temperature"), "kT");
  EXPECT_EQ(unit("solver.repulsion"), "kT/r_c");
  EXPECT_EQ(unit("solver.friction"), "sqrt(m kT)/r_c");
}

// A repulsion of 25 is then not 25 kT/r_c.
TEST(Parameters, UnitOfEnergyIsNotCalledKTWhereTheTemperatureIsAMultipleOfIt) {
  const auto hot = units_of_dpd(", temperature: 2");
  EXPECT_EQ(hot("domain.min"), "r_c");
  EXPECT_EQ(hot("time.end"), "\u03c4");
  EXPECT_EQ(hot("solver.temperature"), "\u03b5");
  EXPECT_EQ(hot("solver.repulsion"), "\u03b5/r_c");
  EXPECT_EQ(hot("solver.friction"), "sqrt(m \u03b5)/r_c");
  const auto wide = units_of_dpd(", cutoff: 1.5");
  EXPECT_EQ(wide("domain.min"), "");
  EXPECT_EQ(wide("solver.temperature"), "kT");
  EXPECT_EQ(wide("solver.repulsion"), "") << "the unit of length has no name then";
}

}  // namespace riffle
