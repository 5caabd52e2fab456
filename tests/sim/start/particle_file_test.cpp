#include "sim/start/particle_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include "core/error.h"
#include "sim/start/sampling.h"
#include "tests/sim/outcomes.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string text(values.size() * sizeof(T), '\0');
  std::memcpy(text.data(), values.data(), text.size());
  return text;
}

/// Two particles, at (0.5, 1.5, -2) and (1, 2, 3), with velocities and fluids.
std::string small_ply(const std::string& count = "2") {
  const std::vector<float> first = {0.5f, 1.5f, -2, 0.1f, 0.2f, 0.3f}, second = {1, 2, 3, -1, 0, 1e-3f};
  std::string text = "ply\nformat binary_little_endian 1.0\ncomment fluid 1 oil\nelement vertex " + count + "\n";
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz"}) text += std::string("property float ") + name + "\n";
  return text + "property uint id\nproperty uint fluid\nend_header\n" + bytes_of(first) +
         bytes_of<std::uint32_t>({0, 0}) + bytes_of(second) + bytes_of<std::uint32_t>({1, 1});
}

std::string block(const std::string& bytes) { return bytes_of<std::uint64_t>({bytes.size()}) + bytes; }

std::string small_vtp() {
  const std::string velocity = block(bytes_of<float>({0.1f, 0.2f, 0.3f, -1, 0, 1e-3f}));
  const std::string fluid = block(bytes_of<std::uint32_t>({0, 1}));
  const std::string points = block(bytes_of<float>({0.5f, 1.5f, -2, 1, 2, 3}));
  const std::string fluid_at = std::to_string(velocity.size()),
                    points_at = std::to_string(velocity.size() + fluid.size());
  return "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
         "<!-- <DataArray Name=\"velocity\"/> -->\n<PolyData>\n<Piece NumberOfPoints=\"2\" "
         "NumberOfVerts=\"2\">\n<PointData>\n"
         "<DataArray type=\"Float32\" Name=\"velocity\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>\n"
         "<DataArray type=\"UInt32\" Name=\"fluid\" NumberOfComponents=\"1\" format=\"appended\" offset=\"" +
         fluid_at +
         "\"/>\n</PointData>\n<Points>\n"
         "<DataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" offset=\"" +
         points_at + "\"/>\n</Points>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_" + velocity + fluid +
         points + "\n</AppendedData>\n</VTKFile>\n";
}

const char* const kSmallCsv =
    "# time 0\nx,y,z,vx,vy,vz,id,fluid\n0.5,1.5,-2,0.1,0.2,0.3,0,0\n\n1,2,3,-1,0,1.0e-3,1,1\n";

class ParticleFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("riffle-particle-files-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  /// The message of its refusal; "" if it was read.
  std::string refusal(const std::string& name, const std::string& bytes) const {
    try {
      read_particle_file(write(name, bytes));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  void expect_refused(const std::string& name, const std::string& bytes, const std::vector<std::string>& parts) const {
    const std::string said = refusal(name, bytes);
    EXPECT_NE(said, "") << "was read";
    EXPECT_NE(said.find((folder_ / name).string()), std::string::npos) << said;
    for (const std::string& part : parts)
      EXPECT_NE(said.find(part), std::string::npos) << part << "\nis not in\n" << said;
  }

  std::string replaced(std::string text, const std::string& from, const std::string& to) const {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }

  std::filesystem::path folder_;
};

TEST_F(ParticleFile, EveryFormatHasTheSameParticles) {
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>("p.ply", small_ply()), {"p.vtp", small_vtp()}, {"p.csv", kSmallCsv}}) {
    SCOPED_TRACE(name);
    const auto cloud = read_particle_file(write(name, bytes));
    ASSERT_EQ(cloud->size(), 2u);
    EXPECT_EQ(cloud->position[0], (Vec3{0.5f, 1.5f, -2}));
    EXPECT_EQ(cloud->position[1], (Vec3{1, 2, 3}));
    EXPECT_EQ(cloud->velocity[0], (Vec3{0.1f, 0.2f, 0.3f}));
    EXPECT_EQ(cloud->velocity[1], (Vec3{-1, 0, 1e-3f}));
    EXPECT_EQ(cloud->fluid, (std::vector<std::uint8_t>{0, 1}));
    EXPECT_NEAR(cloud->fastest, 1, 1e-5);
  }
}

TEST_F(ParticleFile, SaysTheTimeAndTheExpectedSpeedOfItsRun) {
  const std::string ply =
      replaced(small_ply(), "comment fluid", "comment time 0.25 step 12\ncomment expected_speed 3.5\ncomment fluid");
  const std::string csv = replaced(kSmallCsv, "# time 0\n", "# time 0.25 step 12\n# expected_speed 3.5\n");
  const std::string vtp =
      replaced(small_vtp(), "<PolyData>\n",
               "<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
               "NumberOfTuples=\"1\" format=\"ascii\">0.25</DataArray>\n<DataArray type=\"Float32\" "
               "Name=\"ExpectedSpeed\" NumberOfTuples=\"1\" format=\"ascii\">\n 3.5 \n</DataArray>\n"
               "</FieldData>\n");
  for (const auto& [name, bytes] : {std::pair("p.ply", ply), {"p.csv", csv}, {"p.vtp", vtp}}) {
    SCOPED_TRACE(name);
    const auto cloud = read_particle_file(write(name, bytes));
    EXPECT_EQ(cloud->size(), 2u);
    EXPECT_EQ(cloud->time, 0.25);
    EXPECT_EQ(cloud->expected_speed, 3.5f);
  }
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>("q.ply", small_ply()),
                                    {"q.vtp", small_vtp()},
                                    {"q.csv", replaced(csv, "3.5", "fast")},
                                    {"r.csv", replaced(csv, "3.5", "-1")}})
    EXPECT_EQ(read_particle_file(write(name, bytes))->expected_speed, std::nullopt) << name;
}

TEST_F(ParticleFile, VelocitiesFluidsAndTheThirdAxisMayBeMissing) {
  const auto flat = read_particle_file(write("p.csv", "y, x\n1, 2\n"));
  EXPECT_EQ(flat->position.at(0), (Vec3{2, 1, 0}));
  EXPECT_TRUE(flat->velocity.empty());
  EXPECT_TRUE(flat->fluid.empty());
  const auto text = read_particle_file(
      write("p.ply",
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nproperty double z\n"
            "element face 1\nproperty list uchar int vertex_indices\nend_header\n1 2 3\n1 0\n"));
  EXPECT_EQ(text->position.at(0), (Vec3{1, 2, 3}));
  EXPECT_EQ(read_particle_file(write("q.csv", "x,y,vx,vy\n1,2,3,4\n"))->velocity.at(0), (Vec3{3, 4, 0}));
}

TEST_F(ParticleFile, WrongFilesAreRefusedWithTheirPlace) {
  expect_refused("p.txt", "",
                 {"found the ending '.txt'; allowed for particles: .ply, .vtp, .csv, .data, .lammpstrj, .dump"});
  EXPECT_THROW(read_particle_file(folder_ / "none.csv"), InputError);
  expect_refused("e.csv", "", {"found no line of columns"});
  expect_refused("h.csv", "x,y,z\n", {"found no particle"});
  expect_refused("c.csv", "a,b\n1,2\n", {"c.csv:1: found the columns 'a', 'b'; allowed: x and y"});
  expect_refused("t.csv", "x,y,x\n1,2,3\n", {"t.csv:1: found the column x twice"});
  expect_refused("v.csv", "x,y,z,vx,vy\n1,2,3,4,5\n", {"found only a part of a velocity"});
  expect_refused("n.csv", "x,y,z\n1,2,3\n1,two,3\n", {"n.csv:3: found 'two' for y; allowed: a number"});
  expect_refused("m.csv", "x,y,z\n1,2\n", {"m.csv:2: found 2 columns; allowed: 3"});
  expect_refused("l.csv", "x,y,z\n1,2,3,4\n", {"l.csv:2: found 4 columns; allowed: 3"});
  expect_refused("a.csv", "x,y,z\n1,nan,3\n", {"a.csv:2: found nan for y; allowed: numbers from -1e+18 to 1e+18"});
  expect_refused("i.csv", "x,y,z\n1,2,1e999\n", {"i.csv:2: found inf for z"});
  expect_refused("s.csv", "x,y,vx,vy\n1,2,2e6,0\n", {"s.csv:2: found 2000000 for vx; allowed: numbers from -1e+06"});
  expect_refused("f.csv", "x,y,fluid\n1,2,8\n", {"f.csv:2: found 8 for fluid; allowed: a whole number from 0 to 7"});
  expect_refused("g.csv", "x,y,fluid\n1,2,0.5\n", {"found 0.5 for fluid"});
  expect_refused("b.csv", std::string("x,y\n1,2\n") + std::string(2u << 20, '7'), {"found a line of more than"});
  expect_refused("p.ply", "plx\n", {"a PLY file begins with the line"});
  expect_refused("q.ply", "ply\nformat ascii 1.0\nend_header\n", {"no element \"vertex\""});
  expect_refused("r.ply", replaced(small_ply(), "float y", "float w"), {"r.ply:4: found the columns"});
  expect_refused("n.ply", replaced(small_ply(), bytes_of<float>({1.5f}), bytes_of<float>({NAN})),
                 {"vertex 0 (byte ", "found nan for y"});
  std::filesystem::create_directories(folder_ / "folder.csv");
  EXPECT_THROW(read_particle_file(folder_ / "folder.csv"), InputError);
  ASSERT_EQ(mkfifo((folder_ / "pipe.csv").c_str(), 0600), 0);
  EXPECT_THROW(read_particle_file(folder_ / "pipe.csv"), InputError) << "waits for nobody";
}

TEST_F(ParticleFile, WrongVtpFilesAreRefusedWithWhatIsAllowed) {
  const std::string good = small_vtp();
  expect_refused("a.vtp", "<VTKFile>", {"no <AppendedData"});
  expect_refused("b.vtp", replaced(good, "PolyData\" v", "ImageData\" v"),
                 {"VTKFile type='ImageData'; allowed: PolyData"});
  expect_refused("c.vtp", replaced(good, "LittleEndian", "BigEndian"),
                 {"byte_order='BigEndian'; allowed: LittleEndian"});
  expect_refused("d.vtp", replaced(good, " header_type", " compressor=\"vtkZLibDataCompressor\" header_type"),
                 {"compressed"});
  expect_refused("e.vtp", replaced(good, "encoding=\"raw\"", "encoding=\"base64\""),
                 {"encoding='base64'; allowed: raw"});
  expect_refused("f.vtp", replaced(good, "NumberOfPoints=\"2\"", "NumberOfPoints=\"two\""), {"NumberOfPoints='two'"});
  expect_refused("g.vtp", replaced(good, "NumberOfPoints=\"2\"", "NumberOfPoints=\"3\""),
                 {"found a block of 24 bytes for 'velocity' at byte ", "allowed: 12 bytes for each of 3 points"});
  expect_refused("h.vtp", replaced(good, "NumberOfPoints=\"2\"", "NumberOfPoints=\"4611686018427387904\""),
                 {"allowed: 12 bytes for each"});
  expect_refused("i.vtp", replaced(good, "Float32\" Name=\"Points", "String\" Name=\"Points"),
                 {"type='String' of 'Points'"});
  expect_refused("j.vtp", replaced(good, "NumberOfComponents=\"1\"", "NumberOfComponents=\"2\""),
                 {"2 components of fluid; allowed: 1"});
  expect_refused("k.vtp", replaced(good, "offset=\"0\"", "offset=\"-1\""), {"offset='-1' of 'velocity'"});
  expect_refused("l.vtp", replaced(good, "offset=\"32\"", "offset=\"8\""),
                 {"offset 8 of 'fluid', inside another array"});
  expect_refused("m.vtp", replaced(good, "format=\"appended\"", "format=\"ascii\""),
                 {"format='ascii' of 'velocity'; allowed: appended"});
  expect_refused("n.vtp", replaced(good, "<Points>", "<Paints>"), {"0 arrays of points"});
  expect_refused("o.vtp", std::string(3u << 20, '\n'), {"no <AppendedData in the first"});
}

// Whatever the file claims, memory follows its bytes.
TEST_F(ParticleFile, HugeCountsAreRefusedWithoutTheMemoryTheyClaim) {
  for (const char* count : {"3", "2000000000", "9223372036854775807"})
    expect_refused("p.ply", small_ply(count),
                   {"the file ends at byte", "after 2 of " + std::string(count) + " vertices"});
  const std::string huge = bytes_of<std::uint64_t>({std::uint64_t{12} << 40});
  const std::string points = std::to_string(std::uint64_t{1} << 40);
  std::string vtp = replaced(small_vtp(), "NumberOfPoints=\"2\"", "NumberOfPoints=\"" + points + "\"");
  vtp.replace(vtp.find("\n_") + 2, 8, huge);
  expect_refused("p.vtp", vtp, {"the file ends at byte", "within the array 'velocity'"});
}

TEST_F(ParticleFile, TruncatedAnywhereAFileIsRefusedOrWhole) {
  for (const auto& [name, bytes, whole] :
       {std::tuple<std::string, std::string, std::size_t>("p.ply", small_ply(), small_ply().size()),
        {"p.vtp", small_vtp(), small_vtp().find("\n</AppendedData>")}}) {
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      const std::string said = refusal(name, bytes.substr(0, n));
      EXPECT_EQ(said.empty(), n >= whole) << name << " of " << n << " bytes: " << said;
    }
  }
}

// Nothing but InputError comes out, and what is read is finite.
TEST_F(ParticleFile, FilesWithAnyBytesWrongAreReadOrRefused) {
  std::mt19937 random(5);
  int refused = 0;
  for (int trial = 0; trial < 400; ++trial)
    for (auto [name, bytes] :
         {std::pair<std::string, std::string>("p.ply", small_ply()), {"p.vtp", small_vtp()}, {"p.csv", kSmallCsv}}) {
      for (int k = 0; k < 1 + trial % 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
      try {
        const auto cloud = read_particle_file(write(name, bytes));
        for (const Vec3& x : cloud->position) ASSERT_TRUE(is_finite(x));
        for (const Vec3& v : cloud->velocity) ASSERT_TRUE(is_finite(v));
        ASSERT_TRUE(cloud->velocity.empty() || cloud->velocity.size() == cloud->size());
        ASSERT_TRUE(cloud->fluid.empty() || cloud->fluid.size() == cloud->size());
      } catch (const InputError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 200);
}

TEST_F(ParticleFile, IsReadAgainWhenItHasChangedAndNotOtherwise) {
  const auto first = read_particle_file(write("p.csv", "x,y\n1,2\n"));
  EXPECT_EQ(read_particle_file(folder_ / "p.csv"), first);
  const auto second = read_particle_file(write("p.csv", "x,y\n1,2\n3,4\n"));
  EXPECT_EQ(second->size(), 2u);
  EXPECT_EQ(first->size(), 1u);
}

TEST_F(ParticleFile, ABodyTakesItsParticlesWithTheirVelocities) {
  SimulationSetup setup = column_setup(3, 10, 1.0f);
  BodySetup& body = setup.bodies[0];
  body.particles.from = read_particle_file(write("p.csv", kSmallCsv));
  body.velocity = {1, 0, 0};
  EXPECT_EQ(count_particles(setup), 2);
  FluidSamples samples = sample_bodies(setup);
  ASSERT_EQ(samples.position.size(), 2u);
  EXPECT_EQ(xyz(samples.position[1]), (Vec3{1, 2, 3}));
  EXPECT_EQ(xyz(samples.velocity[0]), (Vec3{1 + 0.1f, 0.2f, 0.3f}));
  EXPECT_NEAR(fastest_start(body), 2, 1e-5);
  body.particles.only = 1;
  EXPECT_EQ(count_particles(setup), 1);
  EXPECT_EQ(xyz(sample_bodies(setup).position.at(0)), (Vec3{1, 2, 3}));
  EXPECT_EQ(extent_of(body.particles).count, 1u);
  EXPECT_EQ(extent_of(body.particles).bounds.min, (Vec3{1, 2, 3}));
  body.particles.only.reset();
  PlainShape hole;
  hole.max = {1, 2, 3};
  body.without = {hole};
  EXPECT_EQ(count_particles(setup), 1) << "the second lies on the surface of what is left out";
  setup.domain.dimension = 2;
  body.without.clear();
  EXPECT_EQ(sample_bodies(setup).position.at(1).z, 0);
}

TEST_F(ParticleFile, CompressionsAreOfTheFilesThatHaveThem) {
  SimulationSetup setup = column_setup(3, 10, 1.0f);
  BodySetup box = setup.bodies[0], known = box, unknown = box;
  known.particles.from = read_particle_file(write("known.csv", "x,y,z,compression\n1,2,3,0.01\n4,5,6,-0.5\n"));
  unknown.particles.from = read_particle_file(write("unknown.csv", "x,y,z\n7,8,9\n"));
  setup.bodies = {unknown, known, box};
  const FluidSamples samples = sample_bodies(setup);
  ASSERT_EQ(samples.compression.size(), samples.position.size());
  EXPECT_TRUE(std::isnan(samples.compression[0]));
  EXPECT_EQ(samples.compression[1], 0.01f);
  EXPECT_EQ(samples.compression[2], -0.5f);
  EXPECT_TRUE(std::isnan(samples.compression[3]));
  EXPECT_TRUE(std::isnan(samples.compression.back()));
  setup.bodies = {unknown, box};
  EXPECT_TRUE(sample_bodies(setup).compression.empty());
  for (const char* wrong : {"-0.91", "10.1", "nan"}) {
    try {
      read_particle_file(write("wrong.csv", std::string("x,y,compression\n1,2,") + wrong + "\n"));
      FAIL() << wrong;
    } catch (const InputError& refused) {
      expect_contains(refused.what(), {"wrong.csv:2: found", "for compression; allowed: numbers from -0.9 to 10"});
    }
  }
}

}  // namespace
}  // namespace riffle::test
