/// Particles of LAMMPS's data files and dumps.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <random>

#include "core/error.h"
#include "sim/start/particle_file.h"

namespace riffle::test {
namespace {

/// Two particles, at (0.5, 1.5, -2) and (1, 2, 3), as LAMMPS's write_data has them: in any order, with what Riffle ignores.
const char* const kData =
    "LAMMPS data file via write_data, version 22 Jul 2025, timestep = 100, units = lj\n\n"
    "2 atoms\n2 atom types\n0 bonds\n\n0 4 xlo xhi\n0 4 ylo yhi\n-4 4 zlo zhi\n0 0 0 xy xz yz\n\n"
    "Masses\n\n1 1 # light\n2 3\n\nPairIJ Coeffs # dpd\n\n1 1 25 4.5\n\n"
    "Atoms # atomic\n\n2 2 1 2 3 0 -1 0\n1 1 5e-1 1.5 -2 0 0 0 # the first\n\n"
    "Velocities\n\n2 -1 0 1e-3\n1 0.1 0.2 0.3\n";

/// The same as the last of two frames.
const char* const kDump =
    "ITEM: UNITS\nlj\nITEM: TIME\n0.25\nITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp ff pp\n0 4\n0 "
    "4\n"
    "-4 4\nITEM: ATOMS id type x y z vx vy vz\n7 1 1 1 1 0 0 0\n"
    "ITEM: TIME\n0.5\nITEM: TIMESTEP\n2\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp ff pp\n0 4\n0 4\n-4 4\n"
    "ITEM: ATOMS id mass type x y z vx vy vz\n2 3 2 1 2 3 -1 0 1e-3\n1 1 1 0.5 1.5 -2 0.1 0.2 0.3\n";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.rfind(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class LammpsFiles : public ::testing::Test {
 protected:
  LammpsFiles()
      : folder_(std::filesystem::temp_directory_path() / ("riffle-lammps-files-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~LammpsFiles() override { std::filesystem::remove_all(folder_); }

  std::shared_ptr<const FileParticles> particles(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return read_particle_file(folder_ / name);
  }
  /// "" if it was read
  std::string refusal(const std::string& name, const std::string& text) const {
    try {
      particles(name, text);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  std::filesystem::path folder_;
};

void expect_the_two(const FileParticles& cloud) {
  EXPECT_EQ(cloud.position, (std::vector<Vec3>{{0.5f, 1.5f, -2}, {1, 2, 3}}));
  EXPECT_EQ(cloud.velocity, (std::vector<Vec3>{{0.1f, 0.2f, 0.3f}, {-1, 0, 1e-3f}}));
  EXPECT_EQ(cloud.fluid, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_TRUE(cloud.compression.empty());
}

TEST_F(LammpsFiles, HaveTheParticlesInTheOrderOfTheirIds) {
  expect_the_two(*particles("p.data", kData));
  EXPECT_EQ(particles("q.data", kData)->time, std::nullopt);
  for (const char* name : {"p.dump", "p.lammpstrj"}) {
    const auto last = particles(name, kDump);
    expect_the_two(*last);
    EXPECT_EQ(last->time, 0.5);
  }
}

TEST_F(LammpsFiles, DataHasTheColumnsOfItsStyle) {
  const std::string rows = "2 2 1 2 3 0 -1 0\n1 1 5e-1 1.5 -2 0 0 0 # the first\n";
  for (const auto& [style, lines] : {std::pair("# mdpd", "2 2 9 1 2 3\n1 1 9 .5 1.5 -2\n"),
                                     {"# full", "2 8 2 9 1 2 3 0 0 0\n1 8 1 9 .5 1.5 -2 0 0 0\n"},
                                     {"# molecular", "2 8 2 1 2 3\n1 8 1 .5 1.5 -2\n"},
                                     {"", "2 2 1 2 3\n1 1 .5 1.5 -2\n"}}) {
    SCOPED_TRACE(style);
    expect_the_two(*particles("s.data", changed(changed(kData, rows, lines), "# atomic", style)));
  }
  const auto still = particles("t.data", std::string(kData).substr(0, std::string(kData).find("Velocities")));
  EXPECT_EQ(still->size(), 2u);
  EXPECT_TRUE(still->velocity.empty());
  const auto own = particles("u.data", "LAMMPS data file, units = lj\n# time 3.5 step 7\n# expected_speed 2\n" +
                                           std::string(kData).substr(std::string(kData).find('\n')));
  EXPECT_EQ(own->time, 3.5);
  EXPECT_EQ(own->expected_speed, 2.0f);
}

// x, xu, xs and xsu name the same places; LAMMPS lets particles leave a periodic box until it builds its lists.
TEST_F(LammpsFiles, DumpsHavePlacesInTheirBox) {
  const std::string rows = "2 3 2 1 2 3 -1 0 1e-3\n1 1 1 0.5 1.5 -2 0.1 0.2 0.3\n";
  for (const auto& [columns, lines] :
       {std::pair("xu yu zu", "2 3 2 -7 2 11 -1 0 1e-3\n1 1 1 12.5 1.5 -2 0.1 0.2 0.3\n"),
        {"xs ys zs", "2 3 2 .25 .5 .875 -1 0 1e-3\n1 1 1 .125 .375 .25 0.1 0.2 0.3\n"},
        {"xsu ysu zsu", "2 3 2 1.25 .5 -.125 -1 0 1e-3\n1 1 1 -2.875 .375 3.25 0.1 0.2 0.3\n"}}) {
    SCOPED_TRACE(columns);
    expect_the_two(*particles("c.dump", changed(changed(kDump, rows, lines), "x y z v", std::string(columns) + " v")));
  }
  const auto beyond = particles("w.dump", changed(kDump, "2 3 2 1 2 3 ", "2 3 2 -0.25 4.5 3 "));
  EXPECT_EQ(beyond->position.at(1), (Vec3{3.75f, 4.5f, 3})) << "y is not periodic";
  EXPECT_TRUE(particles("v.dump", changed(changed(kDump, " vx vy vz", ""), rows, "2 3 2 1 2 3\n1 1 1 2 2 2\n"))
                  ->velocity.empty());
}

TEST_F(LammpsFiles, OfACutOffDumpTheLastWholeFrameIsRead) {
  const std::string whole = kDump, first = whole.substr(0, whole.find("ITEM: TIME\n0.5"));
  for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
    SCOPED_TRACE(bytes);
    std::optional<std::size_t> found;
    std::string said;
    try {
      found = particles("p.dump", whole.substr(0, bytes))->size();
    } catch (const InputError& error) {
      said = error.what();
    }
    if (bytes < first.size())
      EXPECT_NE(said.find("found no whole frame"), std::string::npos) << said;
    else
      EXPECT_EQ(found, bytes < whole.size() ? 1u : 2u) << said;
  }
}

TEST_F(LammpsFiles, WrongOnesAreRefusedWithTheirPlace) {
  struct Wrong {
    const char *name, *from, *to, *said;
  };
  for (const Wrong& wrong : {
           Wrong{"a.data", "units = lj", "units = real",
                 "a.data:1: found the units 'real'; allowed: lj, which are those of dpd, and si"},
           {"b.data", "0 bonds", "1 bonds", "b.data:5: found 1 bonds; allowed: none"},
           {"c.data", "0 0 0 xy", "0 .5 0 xy", "c.data:10: found a tilted box"},
           {"d.data", "# atomic", "# line", "d.data:23: found the atom style 'line'; allowed: atomic, mdpd"},
           {"e.data", "# atomic", "# full", "e.data:23: found 8 columns; allowed: 7 or 10, those of full"},
           {"f.data", "2 2 1 2 3 0 -1 0", "2 9 1 2 3 0 -1 0",
            "f.data:23: found '9' for type; allowed: a whole number from 1 to 8"},
           {"g.data", "2 2 1 2 3 0 -1 0", "1 2 1 2 3 0 -1 0", "found the id 1 a second time"},
           {"h.data", "2 -1 0 1e-3\n", "", "found the velocities of 1 particles; allowed: those of all 2"},
           {"i.data", "2 -1 0 1e-3", "1 -1 0 1e-3", "i.data:29: found a velocity of 1; allowed: one for each particle"},
           {"j.data", "2 -1 0 1e-3", "2 -1 0", "j.data:28: found 3 columns; allowed: id, vx, vy, vz"},
           {"k.data", "2 atoms", "3 atoms", "found 2 particles in the section Atoms; allowed: 3"},
           {"l.data", "2 2 1 2 3 0", "2 2 1 two 3 0", "l.data:23: found 'two' for y; allowed: a number"},
           {"m.data", "2 2 1 2 3 0", "2 2 1 nan 3 0", "m.data:23: found nan for y"},
           {"n.data", "2 2 1 2 3 0", "0 2 1 2 3 0", "n.data:23: found '0' for id; allowed: a whole number from 1"},
           {"a.dump", "ITEM: UNITS\nlj", "ITEM: UNITS\nmetal", "a.dump:2: found the units 'metal'"},
           {"b.dump", "pp ff pp", "xy xz yz pp pp pp", "found ' xy xz yz pp pp pp'; allowed: boxes along the axes"},
           {"c.dump", "0 4\n-4 4", "0 4 0\n-4 4", "found '0 4 0'; allowed: the lower and the upper bound"},
           {"d.dump", " vx vy vz", " vx vy", "found 9 columns; allowed: 8, as the frame says"},
           {"e.dump", "id mass type", "id mass kind", "found the columns 'id', 'mass', 'kind', 'x'"},
           {"f.dump", "x y z v", "x y h v", "allowed: id, type, and x, y, z or xu, yu, zu or xs, ys, zs"},
           {"g.dump", "TIMESTEP", "TIME STEP", "found 'ITEM: TIME STEP'; allowed: UNITS, TIME, TIMESTEP"},
           {"h.dump", "2 3 2 1 2 3 ", "1 3 2 1 2 3 ", "found the id 1 a second time"},
           {"i.dump", "2 3 2 1 2 3 ", "2 3 2 1 2 x ", "i.dump:26: found 'x' for z; allowed: a number"},
           {"j.dump", "0.1 0.2 0.3\n", "0.1 0.2 0.3\n1 2\n3 4\n",
            "j.dump:28: found '1 2'; allowed: a line that begins with 'ITEM: '"},
           {"k.dump", "BOX BOUNDS pp ff pp\n0 4", "BOX BOUNDS pp ff pp\n5 4",
            "allowed: finite bounds, the lower one first"},
       }) {
    const std::string text = std::string(wrong.name).ends_with("data") ? kData : kDump;
    const std::string said = refusal(wrong.name, changed(text, wrong.from, wrong.to));
    EXPECT_NE(said.find(wrong.said), std::string::npos) << wrong.said << "\nis not in\n" << said;
    EXPECT_NE(said.find((folder_ / wrong.name).string()), std::string::npos) << said;
  }
  EXPECT_NE(refusal("z.data", "").find("found an empty file"), std::string::npos);
}

// Nothing but InputError comes out, and what is read is finite.
TEST_F(LammpsFiles, WithAnyBytesWrongAreReadOrRefused) {
  std::mt19937 random(7);
  int refused = 0;
  for (int trial = 0; trial < 200; ++trial)
    for (auto [name, bytes] : {std::pair<std::string, std::string>("p.data", kData), {"p.dump", kDump}}) {
      for (int k = 0; k < 1 + trial % 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
      try {
        const auto cloud = particles(name, bytes);
        for (const Vec3& x : cloud->position) ASSERT_TRUE(is_finite(x));
        ASSERT_TRUE(cloud->velocity.empty() || cloud->velocity.size() == cloud->size());
        ASSERT_EQ(cloud->fluid.size(), cloud->size());
      } catch (const InputError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace riffle::test
