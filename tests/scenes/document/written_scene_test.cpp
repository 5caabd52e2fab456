#include "scenes/document/written_scene.h"

#include "same_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

/// The scene that its own document makes.
scenes::Scene written_and_read(const scenes::Scene& scene) {
  return scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), scene.path);
}

void expect_kept(const scenes::Scene& scene) {
  SCOPED_TRACE(scene.path + "\n" + scenes::to_yaml(scenes::document_of(scene), "a test"));
  expect_same_scene(written_and_read(scene), scene);
}

}  // namespace

TEST(WrittenScene, OfEveryShippedSceneIsTheSameScene) {
  for (const std::string& path : shipped_scenes()) expect_kept(scenes::load_scene(path));
}

TEST(WrittenScene, HasEveryKindOfKey) {
  const std::string frame = "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: [periodic, walled, open]}\n";
  expect_kept(scenes::parse_scene(
      frame +
          "name: 'all: of it'\ndescription: '# no comment'\nseed: 12345678901\ndeterministic: true\n"
          "particles: {number_density: 3000, support_ratio: 2.3}\n"
          "fluids:\n  - {name: a, color: '#102030'}\n  - {name: b, color: [0.1, 0.25, 0.3], viscosity: 1.0e-3}\n"
          "bodies:\n"
          "  - fluid: a\n    fill: {level: 0.3}\n    without: [{polygon: {corners: [[0, 0], [1, 0], [0, 1]], axis: "
          "y}}, "
          "{cylinder: {from: [0, 0, 0], to: [1, 0, 0.5], radius: 0.1}}]\n"
          "  - fluid: b\n    sphere: {center: [1, 0.7, 0.5], radius: 0.2}\n    flow: {rotation: {rate: 2, along: z}}\n"
          "    filling: random\n    jitter: 0.1\n    velocity: [0.1, 0.2, 0.3]\n"
          "solids:\n"
          "  - box: {min: [0.1, 0, 0.1], max: [0.4, 0.5, 0.5]}\n"
          "  - name: 'post: the 2nd'\n    color: '#203040'\n"
          "    cylinder: {from: [1.5, 0, 0.5], to: [1.5, 1, 0.5], radius: 0.3}\n"
          "    without: [{sphere: {center: [1.5, 0.5, 0.5], radius: 0.12}}, {box: {min: [1.4, 0, 0.4], max: [1.6, 0.2, "
          "0.6]}}]\n"
          "  - color: [0.11, 0.22, 0.33]\n    polygon: {corners: [[0.5, 0], [1, 0], [1, 0.4]], axis: y, from: 0.2}\n"
          "solver: {kernel: cubic_spline, speed_of_sound: 31, wall_velocity: {y_min: [1, 0, 0]}, "
          "interface_tension: [[0, 0.1], [0.1, 0]]}\n"
          "neighbors: {method: green, cell: [4, 5, 6], skin: 0.1}\ntime: {max_step: 1.0e-3, end: 1.25}\n"
          "picture: {size: [640, 480], camera: {position: [1, 2, 3], target: [0, 0, 0]}, range: [0, 3], foam: 0,\n"
          "  cut: {axis: y, at: 0.5, other_side: true}, background: [0.1, 0.2, 1], transparent: true, caption: false}\n"
          "movie: {time_scale: 0.5}\n",
      "s.yaml"));
  for (const std::string flow :
       {"shear: {rate: -1}", "strain: {rate: 0.5, center: [1, 0, 0]}", "taylor_green: {speed: 1, wavelength: 2}",
        "standing_wave: {speed: 0.1, wavelength: 2, depth: 1, center: [0, 1, 0]}"})
    expect_kept(scenes::parse_scene(
        frame + "particles: {spacing: 0.1}\nbodies: [{box: {min: [0, 0, 0], max: [1, 1, 1]}, flow: {" + flow + "}}]\n",
        "s.yaml"));
  const std::string block = "particles: {spacing: 0.1}\nbodies: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n";
  const scenes::Scene paced = scenes::parse_scene(frame + block + "time: {pace: real}\n", "s.yaml");
  EXPECT_EQ(paced.run.pace, scenes::PaceChoice::Real);
  expect_kept(paced);
  expect_kept(scenes::parse_scene(frame +
                                      "particles: {spacing: 0.1}\nbodies: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n"
                                      "solver: {type: pbf, kernel: cubic_spline, negative_pressure: true, xsph: 0.02}\n"
                                      "neighbors: {method: auto, cell: 0.5}\n",
                                  "s.yaml"));
}

TEST(WrittenScene, EveryValueOfTheFormatCanBeWritten) {
  const std::function<void(const scenes::Record&, const std::string&)> look = [&](const scenes::Record& record,
                                                                                  const std::string& prefix) {
    for (const scenes::Key& key : record.keys) {
      const std::string path = prefix + key.name;
      if (path == "bodies.fill" || path == "bodies.particles" || path == "particles.number_density") continue;
      const scenes::Form::Kind kind = key.forms.back().kind;
      const bool list = kind == scenes::Form::Kind::List, map = kind == scenes::Form::Kind::Map;
      EXPECT_TRUE(!list || (key.count && key.pick)) << path;
      EXPECT_TRUE(list || map || key.fetch) << path;
      EXPECT_TRUE(!map || key.forms.size() == 1 || key.present) << path;
      if (key.forms.back().record) look(*key.forms.back().record, path + ".");
    }
  };
  look(scenes::scene_format(), "");
}

TEST(WrittenScene, WhatADocumentCannotHoldIsRefused) {
  scenes::Scene scene = scenes::parse_scene(kGoodScene, "s.yaml");
  scene.simulation.bodies[0].particles.from = std::make_shared<const FileParticles>();
  EXPECT_THROW(scenes::document_of(scene), InputError);
  scene.simulation.bodies[0].particles = {};
  scene.simulation.solids.emplace_back();
  EXPECT_THROW(scenes::document_of(scene), InputError);
  scene.simulation.solid_regions.emplace_back();
  EXPECT_NO_THROW(scenes::document_of(scene)) << "samples of a region";
}

}  // namespace riffle
