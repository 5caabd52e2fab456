/// Particles as PLY and VTP, and what is in them.

#include "app/run/particle_export.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>

#include "bench/clouds/point_file.h"
#include "core/error.h"
#include "particle_files.h"
#include "scene_folder.h"
#include "scenes/load.h"
#include "sim/by_id.h"
#include "sim/measure/inspect.h"
#include "sim/measure/quantity.h"
#include "sim/start/file_particles.h"

namespace riffle::test {
namespace {

/// Values that a conversion through text or double would change.
ParticleTable awkward_table() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  float payload = 0;
  const std::uint32_t signalling = 0x7fa12345;
  std::memcpy(&payload, &signalling, 4);
  ParticleTable table;
  table.scene = "two -- <lines>\nand & an end --> of a comment";
  table.time = 0.1;
  table.step = 12;
  table.fluids = {"water", "oil \"heavy\"\n"};
  table.fluid = {0, 1, 0};
  table.id = {0, 1, 2};
  table.fields = {{"position", "m", 3, {nan, 1, 2, -0.0f, 1e-45f, 3e38f, payload, -infinity, 0.1f}},
                  {"velocity", "m/s", 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
                  {"speed", "m/s", 1, {0.1f, nan, 0.3f}}};
  return table;
}

TEST(ParticleExport, PlyKeepsEveryBitEvenOfWhatIsNoNumber) {
  const ParticleTable table = awkward_table();
  std::ostringstream out;
  write_ply(out, table);
  const Ply ply = read_ply(out.str());
  EXPECT_EQ(ply.names, (std::vector<std::string>{"x", "y", "z", "vx", "vy", "vz", "speed", "id", "fluid"}));
  EXPECT_EQ(ply.count, 3u);
  EXPECT_EQ(ply.bytes_left, 0u);
  const Bits position = bits_of(table.fields[0].values), velocity = bits_of(table.fields[1].values);
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(ply.columns.at(axes[c]), component(position, c, 3));
    EXPECT_EQ(ply.columns.at(std::string("v") + axes[c]), component(velocity, c, 3));
  }
  EXPECT_EQ(ply.columns.at("speed"), bits_of(table.fields[2].values));
  EXPECT_EQ(ply.columns.at("id"), (Bits{0, 1, 2}));
  EXPECT_EQ(ply.columns.at("fluid"), (Bits{0, 1, 0}));
  EXPECT_EQ(ply.comments.at(1), "time 0.1 step 12");
  EXPECT_EQ(ply.comments.at(3), "fluid 1 oil \"heavy\" ") << "a comment is one line";
}

TEST(ParticleExport, PlyIsReadBackAsThePointCloudThatItIs) {
  ParticleTable table = awkward_table();
  table.fields[0].values = {0.1f, 1, 2, -0.0f, 1e-45f, 3e3f, -7, 0x1.fffffep3f, 0.3f};
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("riffle-round-trip-" + std::to_string(getpid()) + ".ply");
  write_particles(file, table);
  const bench::PointFile cloud = bench::read_points(file);
  std::filesystem::remove(file);
  ASSERT_EQ(cloud.points.size(), 3u);
  std::vector<float> values;
  for (const Vec4& p : cloud.points) values.insert(values.end(), {p.x, p.y, p.z});
  EXPECT_EQ(bits_of(values), bits_of(table.fields[0].values));
}

TEST(ParticleExport, VtpKeepsEveryBitAndHasACellForEachPoint) {
  const ParticleTable table = awkward_table();
  std::ostringstream out;
  write_vtp(out, table);
  const Vtp vtp = read_vtp(out.str());
  EXPECT_EQ(vtp.points, 3u);
  EXPECT_EQ(vtp.vertices, 3u);
  EXPECT_EQ(vtp.time, 0.1);
  EXPECT_EQ(vtp.arrays.at("Points").bits(), bits_of(table.fields[0].values));
  EXPECT_EQ(vtp.arrays.at("velocity").bits(), bits_of(table.fields[1].values));
  EXPECT_EQ(vtp.arrays.at("velocity").components, 3u);
  EXPECT_EQ(vtp.arrays.at("speed").bits(), bits_of(table.fields[2].values));
  EXPECT_EQ(vtp.arrays.at("speed").type, "Float32");
  EXPECT_EQ(vtp.arrays.at("id").type, "UInt32");
  EXPECT_EQ(vtp.arrays.at("fluid").bits(), (Bits{0, 1, 0}));
  EXPECT_EQ(vtp.arrays.at("connectivity").integers(), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(vtp.arrays.at("offsets").integers(), (std::vector<std::int64_t>{1, 2, 3}));
  // A comment must not end early, whatever the scene is called.
  const std::size_t comment = vtp.head.find("<!--"), close = vtp.head.find("-->");
  EXPECT_EQ(vtp.head.find("--", comment + 4), close);
}

TEST(ParticleExport, OfNoParticleIsAWholeFile) {
  ParticleTable none;
  none.fields = {{"position", "m", 3, {}}};
  std::ostringstream ply, vtp;
  write_ply(ply, none);
  write_vtp(vtp, none);
  EXPECT_EQ(read_ply(ply.str()).count, 0u);
  EXPECT_EQ(read_vtp(vtp.str()).points, 0u);
}

TEST(ParticleExport, AnotherEndingIsRefusedWithThoseThereAre) {
  for (const char* name : {"p.vtk", "p", "", "p.ply.gz", "p.PLY"}) {
    try {
      particle_format(name);
      FAIL() << name;
    } catch (const InputError& refused) {
      EXPECT_TRUE(contains(refused.what(), ".vtp, .ply, .csv, .h5, .lammpstrj, .dump, .gsd"));
    }
  }
}

using ParticleTables = SceneFolder;

Simulation simulated(const std::string& scene, int steps) {
  Simulation simulation(scenes::load_scene(scene, {}).simulation, Device{});
  for (int i = 0; i < steps; ++i) simulation.step();
  return simulation;
}

// Two fluids, so that a body per fluid takes them back. A density that follows from the places is not read.
TEST_F(ParticleTables, AreReadBackByASceneAsTheSameState) {
  for (const std::string density : {"summation", "continuity"}) {
    SCOPED_TRACE(density);
    const std::string frame =
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: walled}\nparticles: {spacing: 0.05}\n"
        "fluids: [{name: water}, {name: oil, rest_density: 800}]\n"
        "time: {step: 1.0e-4}\nsolver: {speed_of_sound: 20, density: " +
        density + "}\nbodies:\n";
    const std::string scene =
        write("two.yaml", frame +
                              "  - {fluid: water, box: {min: [0, 0], max: [0.5, 0.5]}, jitter: 0.2}\n"
                              "  - {fluid: oil, box: {min: [0.5, 0], max: [1, 0.5]}}\n");
    Simulation simulation = simulated(scene, 20);
    const ParticleTable table = read_particles(simulation, "two");
    for (const std::string name : {"p.ply", "p.vtp", "p.csv"}) {
      SCOPED_TRACE(name);
      write_particles(std::filesystem::path(scene).parent_path() / name, table);
      const std::string again =
          write("again.yaml", frame + "  - {fluid: water, particles: {file: " + name + ", only: 0}}\n" +
                                  "  - {fluid: oil, particles: {file: " + name + ", only: 1}}\n");
      EXPECT_EQ(scenes::load_scene(again, {}).warnings.size(), 0u);
      Simulation read = simulated(again, 0);
      const ParticleTable now = read_particles(read, "again");
      EXPECT_EQ(now.fluid, table.fluid);
      EXPECT_EQ(bits_of(now.field("position").values), bits_of(table.field("position").values));
      EXPECT_EQ(bits_of(now.field("velocity").values), bits_of(table.field("velocity").values));
      EXPECT_EQ(read.diagnostics().state_hash, simulation.diagnostics().state_hash);
      if (density == "continuity") {
        const auto& compression = now.field("compression").values;
        EXPECT_EQ(bits_of(compression), bits_of(table.field("compression").values));
        EXPECT_GT(*std::max_element(compression.begin(), compression.end()), 1e-3) << "nothing is compressed";
      }
    }
  }
}

TEST(ParticleExport, CsvKeepsEveryNumber) {
  const ParticleTable table = awkward_table();
  std::ostringstream out;
  write_csv(out, table);
  std::istringstream lines(out.str());
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with('#')) rows.push_back(line);
  ASSERT_EQ(rows.size(), 4u) << out.str();
  EXPECT_EQ(rows[0], "x,y,z,vx,vy,vz,speed,id,fluid");
  EXPECT_EQ(rows[1], "nan,1,2,1,2,3,0.1,0,0");
  EXPECT_EQ(rows[2].substr(0, rows[2].find(",4,5,6")), "-0,1.0e-45,3.0e+38");
  EXPECT_TRUE(contains(out.str(), "# fluid 1 oil \"heavy\" \n"));
}

TEST_F(ParticleTables, AreInTheOrderOfIdsWhateverTheSearchHasDoneWithThem) {
  Simulation simulation = simulated(scene_, 30);
  const ParticleTable table = read_particles(simulation, "small");
  const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
  const auto position = simulation.particles().get<Vec4>("position").to_host();
  ASSERT_EQ(table.count(), 125u);
  EXPECT_EQ(table.step, 30u);
  EXPECT_EQ(table.time, simulation.finish().time);
  bool moved = false;
  for (std::size_t i = 0; i < id.size(); ++i) {
    EXPECT_EQ(table.field("position").values[3 * id[i] + 1], position[i].y);
    moved |= id[i] != i;
  }
  EXPECT_TRUE(moved) << "the particles were in the order of their ids: this test says nothing";
}

TEST_F(ParticleTables, HaveTheDensityAndThePressureThatFollowsFromIt) {
  Simulation simulation = simulated(scene_, 30);
  const ParticleTable table = read_particles(simulation, "small");
  const double c0 = 10 * std::sqrt(2 * 9.81 * 0.5);  // ten times the speed of a fall through the body's height
  double highest = 0;
  for (std::size_t i = 0; i < table.count(); ++i) {
    const double rho = table.field("density").values[i];
    const double stiffness = 1000 * double{simulation.signal_speed()} * double{simulation.signal_speed()} / 7;
    const double p = std::max(0.0, stiffness * (std::pow(rho / 1000, 7) - 1));
    EXPECT_NEAR(table.field("pressure").values[i], p, 1e-5 * stiffness) << i;
    highest = std::max(highest, p);
  }
  EXPECT_GT(highest, 1e-4 * 1000 * c0 * c0) << "no particle is under pressure: this test says nothing";
}

TEST_F(ParticleTables, HaveTheColumnsOfTheTableOfQuantities) {
  Simulation simulation = simulated(scene_, 10);
  const ParticleTable table = read_particles(simulation, "small");
  std::vector<std::string> expected = {"position", "velocity"}, found;
  for (const QuantityInfo& quantity : quantities())
    if (quantity.column && quantity.lacking(simulation.setup()).empty()) expected.push_back(quantity.word);
  expected.push_back("compression");
  for (const ParticleField& field : table.fields) found.push_back(field.name);
  EXPECT_EQ(found, expected);
  for (std::uint32_t id = 0; id < table.count(); id += 7)
    EXPECT_EQ(table.field("neighbors").values[id], static_cast<float>(inspect(simulation, id).neighbors));
  EXPECT_EQ(table.field("vorticity").unit, "1/s");
  EXPECT_EQ(table.field("acceleration").unit, "m/s^2");
  EXPECT_EQ(table.field("neighbors").unit, "");
}

TEST_F(ParticleTables, HaveADensityBeforeTheFirstStepTooAndNeverOneOfDpd) {
  Simulation still = simulated(scene_, 0);
  const ParticleTable at_first = read_particles(still, "small");
  for (const float density : at_first.field("density").values) EXPECT_GT(density, 100);
  EXPECT_EQ(still.finish().step, 0u);
  const std::string dpd = write(
      "dpd.yaml",
      "solver: {type: dpd}\nparticles: {number_density: 3}\ndomain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\n"
      "bodies: [{box: {min: [0, 0, 0], max: [4, 4, 4]}}]\n");
  Simulation simulation = simulated(dpd, 1);
  const ParticleTable table = read_particles(simulation, "dpd");
  EXPECT_THROW(table.field("density"), std::logic_error);
  EXPECT_EQ(table.field("velocity").unit, "r_c/tau");
  EXPECT_EQ(table.field("temperature").unit, "eps") << "as in the series";
}

TEST_F(ParticleTables, HaveTheTimeOfTheFileThatTheyBeganFrom) {
  write("begin.csv", "# time 0.6 step 3\nx,y,z\n0.5,0.5,0.5\n0.6,0.5,0.5\n");
  Simulation simulation = simulated(write("on.yaml",
                                          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
                                          "time: {step: 0.002}\nbodies: [{particles: {file: begin.csv}}]\n"),
                                    3);
  EXPECT_NEAR(read_particles(simulation, "on").time, 0.6 + 0.006, 1e-6);
}

// Particles of WCSPH by continuity carry a compression that is near 0 at a free surface, where a sum is far below it: their
// surface would collapse.
TEST_F(ParticleTables, OfPbfHaveTheSummedCompressionWhichNoStartTakes) {
  const std::string frame =
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\ntime: {step: 1.0e-3}\nbodies:\n";
  const std::string scene =
      write("pbf.yaml", "solver: {type: pbf}\n" + frame + "  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  Simulation simulation = simulated(scene, 20);
  ParticleTable table = read_particles(simulation, "pbf");
  EXPECT_EQ(table.note, kSummedCompression);
  const auto &compression = table.field("compression").values, &density = table.field("density").values;
  for (std::size_t i = 0; i < table.count(); ++i) EXPECT_NEAR(compression[i], density[i] / 1000 - 1, 1e-5) << i;
  EXPECT_LT(*std::min_element(compression.begin(), compression.end()), -0.1) << "no particle is at a free surface";
  ParticleTable plain = table;
  plain.note.clear();
  std::erase_if(plain.fields, [](const ParticleField& field) { return field.name == "compression"; });
  const std::filesystem::path folder = std::filesystem::path(scene).parent_path();
  const auto start_from = [&](const std::string& name, const ParticleTable& particles) {
    write_particles(folder / name, particles);
    const std::string again =
        write("again.yaml", "solver: {density: continuity}\n" + frame + "  - particles: {file: " + name + "}\n");
    Simulation started = simulated(again, 0);
    return by_id<float>(started, "compression");
  };
  const std::vector<float> expected = start_from("plain.csv", plain);
  for (const std::string name : {"p.ply", "p.vtp", "p.csv"}) EXPECT_EQ(start_from(name, table), expected) << name;
  // What particles carry is taken.
  table.note.clear();
  for (const std::string name : {"q.ply", "q.vtp", "q.csv"})
    EXPECT_EQ(start_from(name, table), table.field("compression").values) << name;
}

}  // namespace
}  // namespace riffle::test
