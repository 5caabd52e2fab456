/// What `riffle export lammps` writes, read by readers of this file, and what it refuses.

#include "app/lammps/lammps_files.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "app/lammps/lammps_scene.h"
#include "core/error.h"
#include "scenes/load.h"
#include "sim/start/particle_file.h"
#include "tests/app/run/scene_folder.h"

namespace riffle::test {
namespace {

/// A periodic box of two fluids; tests append keys to it, or change them with --set.
const char* const kBox =
    "domain: {min: [-1, 0, 0], max: [2, 3, 3.7], axes: periodic}\nparticles: {number_density: 3}\ngravity: [0, 0, 0]\n"
    "fluids: [{name: light}, {name: heavy, mass: 2.3}]\n"
    "solver: {type: dpd, repulsion: [[25, 40.1], [40.1, 31]], friction: [[4.5, 4], [4, 6]], lambda: 0.5}\n"
    "time: {step: 0.02, end: 1}\nmovie: {time_scale: 3}\n"
    "bodies:\n  - {fluid: light, filling: random, box: {min: [-1, 0, 0], max: [0.5, 3, 3.7]}}\n"
    "  - {fluid: heavy, filling: random, box: {min: [0.5, 0, 0], max: [2, 3, 3.7]}}\n";

scenes::Scene scene_of(const std::vector<std::string>& overrides = {}, const std::string& more = "") {
  return scenes::parse_scene(kBox + more, "folder/two fluids.yaml", overrides);
}

/// The words of an input's lines by their first word: commands and what follows them.
std::multimap<std::string, std::string> commands_of(const std::string& input) {
  std::multimap<std::string, std::string> commands;
  std::istringstream lines(input);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t space = line.find(' '); !line.empty() && line[0] != '#')
      commands.emplace(line.substr(0, space), line.substr(space + 1));
  return commands;
}
std::vector<std::string> all_of(const std::multimap<std::string, std::string>& commands, const std::string& name) {
  std::vector<std::string> found;
  for (auto [at, end] = commands.equal_range(name); at != end; ++at) found.push_back(at->second);
  return found;
}
std::multimap<std::string, std::string> exported_commands(const scenes::Scene& scene,
                                                          const LammpsParticleTable& particles = {}) {
  return commands_of(lammps_input(lammps_scene(scene), particles, "p.data"));
}
bool has_line(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

class LammpsExport : public SceneFolder {};

TEST_F(LammpsExport, DataReadsBackToTheLastBit) {
  for (const char* lambda : {"0.5", "0.65"}) {  // columns of atomic and of mdpd
    const scenes::Scene scene = scene_of({std::string("solver.lambda=") + lambda});
    Simulation simulation(scene.simulation, Device{});
    const LammpsParticleTable particles = particles_for_lammps(simulation);
    ASSERT_EQ(particles.id.size(), 100u);
    std::ostringstream out;
    write_lammps_data(out, lammps_scene(scene), particles);
    const auto read_back = read_particle_file(write("p.data", out.str()));
    EXPECT_EQ(read_back->position, particles.position);
    EXPECT_EQ(read_back->velocity, particles.velocity);
    EXPECT_EQ(std::vector<std::uint32_t>(read_back->fluid.begin(), read_back->fluid.end()), particles.fluid);
    EXPECT_EQ(read_back->time, 0.0);
    EXPECT_TRUE(contains(out.str(), "100 atoms\n2 atom types\n\n-1 2 xlo xhi\n0 3 ylo yhi\n0 3.7 zlo zhi\n"));
    EXPECT_TRUE(contains(out.str(), "Masses\n\n1 1 # light\n2 2.3 # heavy\n"));
    // The ids of the lines, in their order.
    std::istringstream lines(out.str().substr(out.str().find("Velocities") + 11));
    std::size_t i = 0;
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) {
        EXPECT_EQ(std::stoul(line), particles.id[i++] + 1);
      }
    EXPECT_EQ(i, particles.id.size());
  }
}

// Against the measured temperatures of both integrators, which are at most 0.8 % wrong together.
TEST_F(LammpsExport, SaysByHowMuchALeapFrogIsColder) {
  const struct {
    const char* step;
    double leap_frog, verlet;
  } measured[] = {{"0.02", 0.9770, 1.0135}, {"0.03", 0.9652, 1.0175}, {"0.04", 0.9441, 1.0285}};
  const std::string fluid =
      "domain: {min: [0, 0, 0], max: [3, 3, 3], axes: periodic}\nparticles: {number_density: 3}\n"
      "gravity: [0, 0, 0]\nbodies: [{box: {min: [0, 0, 0], max: [3, 3, 3]}}]\n"
      "solver: {type: dpd, integrator: leap_frog}\n";
  for (const auto& row : measured) {
    const LammpsScene made = lammps_scene(scenes::parse_scene(fluid, "s.yaml", {std::string("time.step=") + row.step}));
    const std::string& text = made.differences.at(0);
    const std::string before = "the temperature is about ";
    ASSERT_TRUE(contains(text, before)) << text;
    EXPECT_NEAR(std::stod(text.substr(text.find(before) + before.size())), 100 * (row.verlet - row.leap_frog), 0.9)
        << text;
  }
}

TEST_F(LammpsExport, AStateHasThePresentParticlesAtOneTime) {
  const scenes::Scene scene = scene_of({"solver.integrator=leap_frog"});
  Simulation simulation(scene.simulation, Device{});
  for (int step = 0; step < 5; ++step) simulation.step();
  SimulationState state = simulation.save_state();
  for (int i = 0; i < state.count; ++i) state.turns.push_back({{i, -1, 0}});
  const LammpsParticleTable particles = particles_for_lammps(state);
  EXPECT_EQ(particles.step, 5u);
  EXPECT_NEAR(particles.time, 0.1, 1e-6);
  const auto& ids = state.require<std::uint32_t>("id");
  const auto& ahead = state.require<Vec4>("velocity");
  const auto& before = state.require<Vec4>("previous velocity");
  bool sorted = true;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::size_t row = ids[i];  // none is missing
    sorted &= row == i;
    ASSERT_EQ(particles.id.at(row), ids[i]);
    EXPECT_EQ(particles.position[row], xyz(state.require<Vec4>("position")[i]));
    EXPECT_EQ(particles.velocity[row], 0.5f * (xyz(ahead[i]) + xyz(before[i]))) << "of half a step earlier and later";
    EXPECT_EQ(particles.turns[row].along[0], static_cast<int>(i));
  }
  EXPECT_FALSE(sorted) << "the state's order is that of the ids; the test needs another one";
  std::ostringstream out;
  write_lammps_data(out, lammps_scene(scene), particles);
  EXPECT_TRUE(contains(out.str(), "# time " + fmt::format("{}", particles.time) + " step 5\n"));
  const Vec3 x = particles.position[0];
  EXPECT_TRUE(contains(out.str(), fmt::format("\n1 {} {} {} {} {} -1 0\n", particles.fluid[0] + 1, x.x, x.y, x.z,
                                              particles.turns[0].along[0])));
  EXPECT_EQ(all_of(exported_commands(scene, particles), "reset_timestep").at(0),
            fmt::format("5 time {}", particles.time));
  EXPECT_TRUE(has_line(all_of(exported_commands(scene, particles), "variable"), "steps index 45"));
}

TEST_F(LammpsExport, TheInputHasTheScenesNumbers) {
  const auto commands = exported_commands(scene_of({"gravity=[0, -0.3, 0.4]", "seed=77"}));
  EXPECT_EQ(all_of(commands, "pair_style"), std::vector<std::string>{"dpd 1 1 ${seed}"});
  EXPECT_EQ(all_of(commands, "pair_coeff"), (std::vector<std::string>{"1 1 25 4.5", "1 2 40.1 4", "2 2 31 6"}));
  EXPECT_EQ(all_of(commands, "fix"),
            (std::vector<std::string>{"motion all nve", "gravity all gravity 0.500000011920929 vector 0 -0.3 0.4"}));
  EXPECT_EQ(all_of(commands, "boundary"), std::vector<std::string>{"p p p"});
  EXPECT_EQ(all_of(commands, "atom_style"), std::vector<std::string>{"atomic"});
  EXPECT_EQ(all_of(commands, "comm_modify"), std::vector<std::string>{"vel yes"});
  EXPECT_NEAR(std::stod(all_of(commands, "timestep").at(0)), 0.02, 1e-9);
  const auto variables = all_of(commands, "variable");
  EXPECT_TRUE(has_line(variables, "steps index 50"));
  EXPECT_TRUE(has_line(variables, "every index 5")) << "a frame is 0.1 long";
  EXPECT_TRUE(has_line(variables, "seed index 77"));
  EXPECT_TRUE(has_line(variables,
                       "kT equal \"2 * (c_kinetic - 0.5 * mass(all) * (vcm(all,x)^2 + vcm(all,y)^2 + "
                       "vcm(all,z)^2)) / (3 * atoms - 3)\""));
  EXPECT_EQ(all_of(commands, "run"), std::vector<std::string>{"${steps}"});
  EXPECT_EQ(all_of(commands, "write_data"), std::vector<std::string>{"two_fluids.end.data"});
}

// Normalised weights are in the coefficients, which LAMMPS gets.
TEST_F(LammpsExport, NormalizedWeightsAreInTheCoefficients) {
  const scenes::Scene scene = scene_of({"solver.weights=normalized"});
  const auto coefficients = all_of(exported_commands(scene), "pair_coeff");
  const double c = 1 / M_PI;  // at number density 3
  double a = 0, gamma = 0;
  ASSERT_EQ(std::sscanf(coefficients.at(1).c_str(), "1 2 %lf %lf", &a, &gamma), 2);
  EXPECT_NEAR(a, 40.1 * c, 1e-4);
  EXPECT_NEAR(gamma, 4 * c * c * 2 * 2.3 / 3.3, 1e-4);
}

TEST_F(LammpsExport, WallsPlanesAndForcesHaveTheirFixes) {
  const auto flat = exported_commands(scenes::parse_scene(
      "dimension: 2\ndomain: {min: [0, 1], max: [6, 7], axes: [open, walled]}\nparticles: {number_density: 3}\n"
      "gravity: [0, -0.5]\nsolver: {type: dpd, walls: free_slip, cutoff: 2}\ntime: {step: 0.02, end: 1}\n"
      "bodies: [{box: {min: [0, 1], max: [6, 4]}}]\n",
      "flat.yaml"));
  EXPECT_EQ(all_of(flat, "dimension"), std::vector<std::string>{"2"});
  EXPECT_EQ(all_of(flat, "boundary"), std::vector<std::string>{"s f p"});
  EXPECT_EQ(all_of(flat, "neighbor"), std::vector<std::string>{"0.6 bin"});
  EXPECT_EQ(all_of(flat, "fix"),
            (std::vector<std::string>{"motion all nve", "mirrors all wall/reflect ylo EDGE yhi EDGE",
                                      "gravity all gravity 0.5 vector 0 -0.5 0", "plane all enforce2d"}));
  EXPECT_TRUE(has_line(all_of(flat, "variable"),
                       "kT equal \"2 * (c_kinetic - 0.5 * mass(all) * (vcm(all,x)^2)) / (2 * atoms - 1)\""));
  EXPECT_EQ(all_of(flat, "compute"), std::vector<std::string>{"kinetic all ke"}) << "an open box has no pressure";

  const auto driven = exported_commands(scene_of(
      {"solver.lambda=0.65"}, "body_force: {acceleration: [0.2, 0, -0.1], across: y, profile: sine, waves: 2}\n"));
  EXPECT_EQ(all_of(driven, "fix"),
            (std::vector<std::string>{"motion all mvv/dpd 0.65", "body_force all addforce v_force_x 0.0 v_force_z"}));
  EXPECT_EQ(all_of(driven, "atom_style"), std::vector<std::string>{"mdpd"});
  const auto variables = all_of(driven, "variable");
  EXPECT_TRUE(has_line(variables, "wave atom \"(y - 0) * 2 / 3\""));
  EXPECT_TRUE(has_line(variables, "profile atom \"mass * sin(2*PI*v_wave)\""));
  EXPECT_TRUE(has_line(variables, "force_z atom \"-0.1 * v_profile\""));
}

TEST_F(LammpsExport, TemperatureFollowsFromTheNoise) {
  const auto style = [](const std::vector<std::string>& overrides) {
    return all_of(exported_commands(scene_of(overrides)), "pair_style").at(0);
  };
  EXPECT_EQ(style({"solver.temperature=1.7"}), "dpd 1.7 1 ${seed}");
  EXPECT_EQ(style({"solver.friction=2", "solver.noise=4"}), "dpd 4 1 ${seed}") << "sigma^2 = 2 gamma kT";
  EXPECT_EQ(style({"solver.friction=2", "solver.noise=0"}), "dpd 0 1 ${seed}");
  EXPECT_EQ(style({"solver.friction=0", "solver.noise=0"}), "dpd 1 1 ${seed}");
}

/// The message; "" if it is not refused.
std::string refusal(const std::vector<std::string>& overrides, const std::string& more = "") {
  try {
    lammps_scene(scene_of(overrides, more));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST_F(LammpsExport, WhatLammpsLacksIsRefusedByItsKey) {
  const std::vector<std::string> walled = {"domain.axes=[periodic, walled, periodic]", "gravity=[0, -0.1, 0]"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), walled.begin(), walled.end());
    return more;
  };
  EXPECT_TRUE(contains(refusal(walled), "solver.walls: found no_slip; allowed for LAMMPS: free_slip"));
  EXPECT_EQ(refusal(with({"solver.walls=free_slip"})), "");
  EXPECT_EQ(refusal(with({"solver.walls=free_slip", "solver.lambda=0.65"})), "");
  EXPECT_TRUE(contains(refusal(with({"solver.walls=free_slip", "solver.lambda=0.65", "time.step=0.05"})),
                       "time.step: found 0.05 with velocity_verlet with lambda 0.65; allowed for LAMMPS: up to 0.0402. "
                       "Between mirrors"));
  EXPECT_EQ(refusal({"solver.lambda=0.65", "time.step=0.05"}), "") << "fix mvv/dpd has lambda";
  EXPECT_TRUE(
      contains(refusal({"solver.integrator=leap_frog", "time.step=0.05"}), "time.step: found 0.05 with leap_frog"));
  EXPECT_TRUE(contains(refusal({"solver.friction=[[4.5, 4.5], [4.5, 4.5]]", "solver.noise=[[3, 3], [3, 2]]"}),
                       "solver.noise: found 2 between 'heavy' and 'heavy'"));
  EXPECT_TRUE(contains(refusal({"solver.friction=[[0, 4.5], [4.5, 4.5]]", "solver.noise=3"}),
                       "solver.noise: found 3 between 'light' and 'light', where `friction` is 0"));
  for (const auto& [more, key] :
       {std::pair("solids: [{name: post, sphere: {center: [0, 1, 1], radius: 0.4}}]\n",
                  "solids: found post; allowed for LAMMPS: none"),
        {"gravity_change: {amplitude: [1, 0, 0], period: 2}\n", "gravity_change: found a change"},
        {"damping: [{box: {min: [0, 0, 0], max: [1, 1, 1]}, strength: 1}]\n", "damping: found one"}})
    EXPECT_TRUE(contains(refusal({}, more), key));
  EXPECT_TRUE(contains(refusal({"domain.motion={sway: {amplitude: [0.05, 0, 0], period: 1}}"}),
                       "domain.motion: found a motion"));
  EXPECT_TRUE(contains(refusal(with({"solver.walls=free_slip", "domain.face_forces=true"})),
                       "domain.face_forces: found true; allowed for LAMMPS: false"));
  EXPECT_TRUE(contains(refusal({}, "outlets: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n"), "outlets: found one"));
  // All at once, a line each.
  const std::string both = refusal(with({"solver.integrator=leap_frog", "time.step=0.05"}));
  EXPECT_TRUE(contains(both, "solver.walls: found no_slip"));
  EXPECT_TRUE(contains(both, "\ntime.step: found 0.05"));
}

TEST_F(LammpsExport, OtherSolversAreRefusedWithTheReason) {
  for (const auto& [solver, reason] :
       {std::pair("wcsph", "The SPH of LAMMPS has other kernels and other equations of state"),
        {"dfsph", "solves for no pressures"},
        {"pbf", "has no constraints of density"}}) {
    try {
      lammps_scene(scenes::load_scene(scene_, {std::string("solver.type=") + solver}));
      ADD_FAILURE() << solver;
    } catch (const InputError& error) {
      EXPECT_TRUE(contains(error.what(), std::string("solver.type: found ") + solver + "; allowed for LAMMPS: dpd"));
      EXPECT_TRUE(contains(error.what(), reason));
    }
  }
}

}  // namespace
}  // namespace riffle::test
