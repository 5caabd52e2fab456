/// `riffle run --particles`.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "particle_files.h"
#include "support/program.h"

namespace riffle {

using namespace test;

using RunParticles = ProgramTest;

TEST_F(RunParticles, AreThoseOfTheLastStep) {
  const Outcome outcome = riffle({"run", scene_, "--steps", "5", "--particles", "o/p.vtp", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  EXPECT_EQ(report["particle_file"], "o/p.vtp");
  EXPECT_TRUE(contains(outcome.out, "o/p.vtp"));
  const Vtp vtp = read_vtp(read("o/p.vtp"));
  EXPECT_EQ(vtp.points, 125u);
  EXPECT_EQ(vtp.time, report["simulated_time"]);
  for (const char* name : {"velocity", "speed", "density", "pressure", "id", "fluid"})
    EXPECT_EQ(vtp.arrays.count(name), 1u) << name;
  ASSERT_EQ(riffle({"run", scene_, "--steps", "5", "--particles", "p.ply"}).exit_code, 0);
  const Ply ply = read_ply(read("p.ply"));
  EXPECT_EQ(ply.columns.at("y"), component(vtp.arrays.at("Points").bits(), 1, 3));
  EXPECT_EQ(ply.columns.at("density"), vtp.arrays.at("density").bits());
}

TEST_F(RunParticles, OverTimeAreNumberedFilesAndAListOfTheirTimes) {
  const Outcome outcome = riffle(
      {"run", scene_, "--time", "0.02", "--particles", "o/p.vtp", "--particles-every", "0.006", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json("r.json")["particle_file"], "o/p.pvd");
  EXPECT_GT(json("r.json")["particle_file_seconds"], 0.0);
  const std::string list = read("o/p.pvd");
  std::vector<double> times;
  for (int k = 0; k < 5; ++k) {
    const std::string name = "p_00000" + std::to_string(k) + ".vtp";
    const Vtp vtp = read_vtp(read("o/" + name));
    EXPECT_EQ(vtp.points, 125u);
    times.push_back(vtp.time);
    EXPECT_TRUE(contains(list, "timestep=\"" + fmt::format("{}", vtp.time) + "\" part=\"0\" file=\"" + name + "\""))
        << list;
  }
  EXPECT_EQ(times[0], 0);
  const Vtp first = read_vtp(read("o/p_000000.vtp")), last = read_vtp(read("o/p_000004.vtp"));
  for (const auto& [name, array] : last.arrays) EXPECT_EQ(first.arrays.count(name), 1u) << name;
  EXPECT_EQ(first.arrays.size(), last.arrays.size()) << "all files have the same columns";
  for (int k = 1; k < 4; ++k) {
    EXPECT_GE(times[k], 0.006 * k - 1e-6);
    EXPECT_LT(times[k], 0.006 * (k + 1));
  }
  EXPECT_EQ(times[4], json("r.json")["simulated_time"]) << "the end";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/p_000005.vtp"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/p.vtp"));
  EXPECT_TRUE(list.ends_with("</Collection>\n</VTKFile>\n"));

  ASSERT_EQ(
      riffle({"run", scene_, "--steps", "1", "--particles", "q.csv", "--particles-every", "1", "--json", "s.json"})
          .exit_code,
      0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "q_000001.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "q.pvd")) << "only for ParaView's own files";
  EXPECT_EQ(json("s.json")["particle_file"], "q_*.csv");
  EXPECT_EQ(riffle({"run", scene_, "--steps", "1", "--particles-every", "1"}).exit_code, 2) << "of which name?";
}

// Files of two runs in one folder look like one series.
TEST_F(RunParticles, WhatALongerRunLeftBesideThemIsSaid) {
  const auto run = [&](const std::string& name, const std::string& time) {
    const Outcome outcome = riffle({"run", scene_, "--no-picture", "--time", time, "--particles", name,
                                    "--particles-every", "0.004", "--json", "r.json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::string warnings;
    const nlohmann::json report = json("r.json");
    for (const auto& warning : report["warnings"]) {
      warnings += warning.get<std::string>() + "\n";
      EXPECT_TRUE(contains(outcome.err, warning));
    }
    return warnings;
  };
  for (const std::string ending : {".csv", ".vtp"}) {
    for (const char* other : {"p_12", "p_notes", "q_000009", "p_000009x"}) write(other + ending, "of another");
    EXPECT_EQ(run("p" + ending, "0.024"), "");
    EXPECT_EQ(run("p" + ending, "0.008"), "4 files of an earlier run stay beside those of this one: p_000003" + ending +
                                              " to p_000006" + ending + "\n");
    EXPECT_EQ(run("p" + ending, "0.02"),
              "1 file of an earlier run stays beside those of this one: p_000006" + ending + "\n");
  }
  EXPECT_EQ(run("p.gsd", "0.02"), "");
  EXPECT_EQ(run("p.gsd", "0.008"), "") << "one file is of one run";
}

/// How often a text has a part.
std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++times;
  return times;
}

// particle_files_test.py reads what is in them; here the sanitizers see them written.
TEST_F(RunParticles, OverTimeAreOneFileWhereTheFormatHasAllMoments) {
  for (const std::string name : {"p.lammpstrj", "p.dump", "p.gsd", "p.h5"}) {
    const Outcome outcome = riffle(
        {"run", scene_, "--time", "0.02", "--particles", name, "--particles-every", "0.006", "--json", "r.json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(json("r.json")["particle_file"], name == "p.h5" ? "p.xmf" : name);
    const std::string text = read(name);
    EXPECT_FALSE(std::filesystem::exists(folder_ / ("p_000000" + std::filesystem::path(name).extension().string())));
    if (name == "p.gsd") {
      EXPECT_EQ(text.substr(0, 8), "\xdf\x65\xdf\x65\xdf\x65\xdf\x65");
    } else if (name == "p.h5") {
      EXPECT_EQ(text.substr(0, 4), "\x89HDF");
      EXPECT_EQ(times_in(read("p.xmf"), "<Time Value="), 5u);
    } else {
      EXPECT_EQ(times_in(text, "ITEM: NUMBER OF ATOMS\n125\n"), 5u);
      EXPECT_EQ(times_in(text, "ITEM: UNITS\nsi\n"), 1u);
    }
  }
}

// What a step leaves behind is not there at time 0: it is that of the first step.
TEST_F(RunParticles, OfTimeZeroHaveTheQuantitiesOfTheFirstStep) {
  for (const std::string solver : {"wcsph", "pbf"}) {
    const std::string set = "solver.type=" + solver;
    const std::vector<std::string> run{"run", scene_, "--steps", "1", "--set", set, "--json", solver + ".json"};
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), run.begin(), run.end());
      return more;
    };
    ASSERT_EQ(riffle(with({"--particles", "one.ply", "--particles-every", "1"})).exit_code, 0);
    const Ply start = read_ply(read("one_000000.ply")), end = read_ply(read("one_000001.ply"));
    EXPECT_EQ(start.columns.size(), end.columns.size());
    for (const char* column : {"density", "pressure", "acceleration"}) {
      ASSERT_EQ(start.columns.count(column), end.columns.count(column)) << solver << " " << column;
      if (start.columns.count(column) > 0) {
        EXPECT_EQ(start.columns.at(column), end.columns.at(column)) << solver << " " << column;
      }
    }
    EXPECT_NE(start.columns.at("y"), end.columns.at("y")) << "but it is where it began";
    const auto hash = json(solver + ".json")["diagnostics"]["state_hash"];
    ASSERT_EQ(riffle(run).exit_code, 0);
    EXPECT_EQ(json(solver + ".json")["diagnostics"]["state_hash"], hash) << "the run itself is the same";
  }
}

TEST_F(RunParticles, AreRefusedBeforeTheFirstStepWhereTheyCannotBe) {
  for (const auto& [words, exit_code, part] : std::vector<std::tuple<std::vector<std::string>, int, std::string>>{
           {{"--particles", "p.xyz"}, 2, ".vtp, .ply"},
           {{"--particles", ""}, 2, "empty"},
           {{"--particles", "/proc/riffle/p.ply"}, 1, "/proc/riffle"},
           {{"--particles", scene_ + "/p.ply"}, 1, scene_},
           {{"--particles", "p.ply", "--json", "./p.ply"}, 2, "same file"}}) {
    std::vector<std::string> all = {"run", scene_, "--steps", "1000000000"};  // would not end
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = riffle(all);
    EXPECT_EQ(outcome.exit_code, exit_code) << words[1];
    EXPECT_TRUE(contains(outcome.err, part)) << words[1];
  }
}

TEST_F(RunParticles, DoNotReplaceTheFileThatTheSceneStartsFrom) {
  ASSERT_EQ(riffle({"run", scene_, "--steps", "1", "--particles", "start.ply"}).exit_code, 0);
  write("again.yaml",
        "dimension: 3\ndomain: {min: [0, 0, 0], max: [1, 1, 1], axes: walled}\nparticles: {spacing: 0.1}\n"
        "bodies: [{particles: {file: start.ply}}]\nsolver: {type: wcsph}\ntime: {end: 0.01}\n");
  const std::string before = read("start.ply");
  for (const char* option : {"--particles", "--json", "--series"}) {
    const Outcome outcome = riffle({"run", "again.yaml", "--steps", "1", option, "./o/../start.ply"});
    EXPECT_EQ(outcome.exit_code, 2) << option;
    EXPECT_TRUE(contains(outcome.err, "is a file that the scene is made from")) << outcome.err;
  }
  EXPECT_EQ(read("start.ply"), before);
  EXPECT_EQ(riffle({"run", "again.yaml", "--steps", "1", "--particles", "end.ply"}).exit_code, 0);
}

// Their velocities are those of a warm fluid already: a second thermal part would double its temperature.
TEST_F(RunParticles, OfADpdFluidStartWithItsTemperature) {
  const std::string box =
      "dimension: 3\ndomain: {min: [0, 0, 0], max: [5, 5, 5], axes: periodic}\nparticles: {number_density: 3}\n"
      "gravity: [0, 0, 0]\nsolver: {type: dpd, temperature: 2}\ntime: {end: 1, step: 0.02}\n";
  write("box.yaml", box + "bodies: [{box: {min: [0, 0, 0], max: [5, 5, 5]}}]\n");
  ASSERT_EQ(riffle({"run", "box.yaml", "--steps", "40", "--particles", "p.vtp", "--json", "a.json"}).exit_code, 0);
  write("again.yaml", box + "bodies: [{particles: {file: p.vtp}}]\n");
  ASSERT_EQ(riffle({"run", "again.yaml", "--steps", "1", "--json", "b.json"}).exit_code, 0);
  const double before = json("a.json")["diagnostics"]["temperature"],
               after = json("b.json")["diagnostics"]["temperature"];
  EXPECT_GT(before, 1.5);
  EXPECT_NEAR(after, before, 0.3) << "a step later";
}

/// A column of a CSV file of particles, row by row.
std::vector<double> csv_column(const std::string& text, const std::string& name) {
  std::vector<double> values;
  std::size_t column = std::string::npos;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    if (column != std::string::npos) {
      values.push_back(std::stod(fields.at(column)));
      continue;
    }
    const auto at = std::find(fields.begin(), fields.end(), name);
    if (at == fields.end()) return {};
    column = static_cast<std::size_t>(at - fields.begin());
  }
  return values;
}

// Between the two files every particle goes round the box six times, one half of them backwards.
TEST_F(RunParticles, OfAPeriodicBoxHavePlacesThatDoNotJumpAtItsFaces) {
  write("round.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: [periodic, walled]}\nparticles: {spacing: 0.05}\n"
        "gravity: [0, 0]\nsolver: {type: wcsph, speed_of_sound: 40, artificial_viscosity: 0, walls: free_slip}\n"
        "bodies:\n  - {box: {min: [0, 0.1], max: [1, 0.3]}, velocity: [3, 0]}\n"
        "  - {box: {min: [0, 0.6], max: [1, 0.8]}, velocity: [-3, 0]}\ntime: {end: 2}\n");
  const Outcome outcome =
      riffle({"run", "round.yaml", "--no-picture", "--particles", "p.csv", "--particles-every", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string first = read("p_000000.csv"), last = read("p_000001.csv");
  EXPECT_TRUE(contains(last, "# unit unwrapped m\n")) << last.substr(0, 300);
  const auto x0 = csv_column(first, "x"), start = csv_column(first, "unwrapped_x"), y0 = csv_column(first, "y");
  const auto x1 = csv_column(last, "x"), end = csv_column(last, "unwrapped_x"), y1 = csv_column(last, "unwrapped_y");
  ASSERT_EQ(start.size(), x0.size());
  ASSERT_EQ(end.size(), x0.size());
  ASSERT_EQ(x0.size(), 160u);
  EXPECT_EQ(start, x0);
  EXPECT_EQ(y1, csv_column(last, "y")) << "walls do not wrap";
  for (std::size_t i = 0; i < x0.size(); ++i) {
    EXPECT_NEAR(end[i] - start[i], y0[i] < 0.5 ? 6 : -6, 0.2) << i;
    EXPECT_NEAR(end[i] - x1[i], std::round(end[i] - x1[i]), 1e-5) << "whole boxes";
    EXPECT_TRUE(x1[i] >= 0 && x1[i] <= 1);
  }
  ASSERT_EQ(riffle({"run", scene_, "--steps", "2", "--particles", "walled.csv"}).exit_code, 0);
  EXPECT_FALSE(contains(read("walled.csv"), "unwrapped"));
}

TEST_F(RunParticles, OnAFullDiskAreAFailureThatCostsNothingElse) {
  std::filesystem::create_symlink("/dev/full", folder_ / "full.ply");
  const Outcome outcome = riffle({"run", scene_, "--steps", "2", "--particles", "full.ply", "--json", "r.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "No space left on device"));
  EXPECT_EQ(json("r.json")["steps"], 2);
  EXPECT_TRUE(json("r.json")["particle_file"].is_null());
}

TEST_F(RunParticles, ThatDoNotFitLeaveNoHalfFile) {
  write("go.sh", "export ASAN_OPTIONS=detect_leaks=0\nulimit -f 1\n" RIFFLE_PROGRAM
                 " run small.yaml --steps 2 --set picture.size=[16,16] --particles p.vtp >out 2>err\necho $? >code\n");
  ASSERT_EQ(std::system(("cd " + folder_.string() + " && bash go.sh").c_str()), 0);
  EXPECT_EQ(read("code"), "1\n");
  EXPECT_TRUE(contains(read("err"), "p.vtp: cannot be written: File too large"));
  for (const std::string& file : files()) EXPECT_EQ(file.find("vtp"), std::string::npos) << file;
}

}  // namespace riffle
