/// `riffle bench rtnn` from the command line: generated clouds and files, every row checked, every output.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

#include "support/program.h"

namespace riffle {

class BenchRtnn : public ProgramTest {
 protected:
  /// Runs on the CPU, two runs of each row, 2,000 points.
  Outcome bench(std::vector<std::string> words) {
    words.insert(words.begin(), {"bench", "rtnn", "--device", "cpu", "--runs", "2"});
    if (std::find(words.begin(), words.end(), "--count") == words.end()) words.insert(words.end(), {"--count", "2000"});
    return riffle(words);
  }
  static double median(const nlohmann::json& row, const std::string& stage) {
    const auto& spread = row[stage + "_ms"];
    return spread.is_null() ? 0 : spread["median"].get<double>();
  }
};

TEST_F(BenchRtnn, EveryOptimisationHasItsRowItsStagesAndItsCheck) {
  const Outcome outcome = bench({"--cloud", "galaxies", "--cloud", "lidar", "--json", "r.json", "--csv", "r.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  EXPECT_EQ(report["bench"], "rtnn");
  EXPECT_TRUE(contains(report["command"], "riffle bench rtnn --device cpu"));
  EXPECT_EQ(report["device"]["kind"], "cpu");
  EXPECT_EQ(report["wrong"], false);
  ASSERT_EQ(report["clouds"].size(), 2u);
  EXPECT_EQ(report["clouds"][1]["name"], "lidar");
  EXPECT_EQ(report["clouds"][1]["points"], 2000);

  std::map<std::string, std::set<std::string>> variants;  // by what is searched, in which order
  int fastest = 0, approximate = 0;
  for (const auto& row : report["rows"]) {
    SCOPED_TRACE(row.dump());
    const std::string name = row["variant"], search = row["search"];
    variants[row["cloud"].get<std::string>() + "/" + row["input"].get<std::string>() + "/" + search].insert(name);
    fastest += row["fastest"].get<bool>();
    EXPECT_EQ(row["points"], 2000);
    EXPECT_EQ(row["runs"], 2);
    EXPECT_EQ(row["check"]["compared"], 1024);
    EXPECT_EQ(row["check"]["wrong"], 0);
    EXPECT_NEAR(row["points_per_ball"].get<double>(), 64, 20);
    EXPECT_GT(row["structure_bytes"], 2000 * 4);
    double sum = 0;
    for (const char* stage : {"data", "opt", "bvh", "first_search", "search"}) sum += median(row, stage);
    EXPECT_GT(median(row, "search"), 0);
    EXPECT_GT(median(row, "bvh"), 0);
    // The quickest run: in the other one another program may have had the processor.
    EXPECT_GT(sum, 0.3 * row["total_ms"]["min"].get<double>());
    if (search == "count") {
      EXPECT_EQ(row["state"], "ok");
      EXPECT_TRUE(row["recall"].is_null());
      EXPECT_NEAR(row["found_mean"].get<double>() + 1, row["points_per_ball"].get<double>(), 1e-6);
      continue;
    }
    if (name == "grid") {
      const std::string note = row["note"];
      char cells[64];
      std::snprintf(cells, sizeof cells, "cells of %.3g", row["radius"].get<double>());
      EXPECT_TRUE(contains(note, search == "range" ? cells : "cells of ")) << note;
      EXPECT_EQ(contains(note, " of 2000 queries walked beyond their rings"), search == "knn") << note;
    }
    EXPECT_EQ(row["K"], search == "knn" ? 8 : 32);
    EXPECT_EQ(row["result_bytes"], 2000 * 8 * row["K"].get<int>());
    EXPECT_GT(row["speed_up"], 0);
    const bool scheduled = name != "NoOpt" && name != "Morton" && name != "grid";
    EXPECT_EQ(row["first_search_ms"].is_null(), !scheduled);
    EXPECT_EQ(row["opt_ms"].is_null(), name == "NoOpt");
    EXPECT_GE(row["parts"], 1);
    EXPECT_LE(row["recall"], 1);
    EXPECT_LE(row["precision"], 1);
    EXPECT_EQ(row["state"], row["approximate"] ? "approximate" : "ok");
    EXPECT_EQ(row["approximate"].get<bool>(), row["approximation"] != "");
    approximate += row["approximate"].get<bool>();
    if (!row["approximate"]) {
      EXPECT_EQ(row["recall"], 1);
      EXPECT_EQ(row["precision"], 1);
    } else {
      EXPECT_GT(row["recall"], 0.4);
      EXPECT_FALSE(row["fastest"]);
    }
  }
  ASSERT_EQ(variants.size(), 2u * 2u * 3u);
  const std::set<std::string> ablation{"NoOpt", "Sched", "Sched+Partition", "Sched+Partition+Bundle", "Morton", "grid"};
  for (const auto& [which, names] : variants)
    if (which.ends_with("count"))
      EXPECT_EQ(names, (std::set<std::string>{"rtnn", "green"})) << which;
    else
      EXPECT_TRUE(std::includes(names.begin(), names.end(), ablation.begin(), ablation.end())) << which;
  EXPECT_EQ(fastest, 12);
  EXPECT_EQ(approximate, 2 * 2 * 3);

  EXPECT_TRUE(contains(outcome.out, "galaxies, 2,000 points, shuffled: range search"));
  EXPECT_TRUE(contains(outcome.out, "lidar, 2,000 points, in order: the K nearest"));
  EXPECT_TRUE(contains(outcome.out, "Sched+Partition+Bundle"));
  std::istringstream lines(read("r.csv"));
  std::string header, line;
  ASSERT_TRUE(std::getline(lines, header));
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows) {
    if (line.find('"') != std::string::npos) continue;
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(header.begin(), header.end(), ',')) << line;
  }
  EXPECT_EQ(rows, report["rows"].size());
}

TEST_F(BenchRtnn, SweepsHaveATableForEachValue) {
  const struct {
    const char *sweep, *key;
    std::size_t values;
  } sweeps[] = {{"neighbors", "K", 8}, {"leaf", "points_per_leaf", 6}};
  for (const auto& [sweep, key, values] : sweeps) {
    const Outcome outcome =
        bench({"--cloud", "surface", "--search", "knn", "--sweep", sweep, "--count", "1000", "--json", "-"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::set<int> seen;
    const auto report = nlohmann::json::parse(outcome.out);
    for (const auto& row : report["rows"]) {
      EXPECT_EQ(row["input"], "shuffled");
      EXPECT_EQ(row["sweep"], sweep);
      EXPECT_EQ(row["approximate"], false);
      seen.insert(row[key].get<int>());
    }
    EXPECT_EQ(seen.size(), values);
  }
  const Outcome radii = bench({"--cloud", "uniform", "--search", "range", "--sweep", "radius", "--json", "-"});
  ASSERT_EQ(radii.exit_code, 0) << radii.err;
  const auto report = nlohmann::json::parse(radii.out);
  std::map<double, double> count;
  for (const auto& row : report["rows"]) count[row["radius"]] = row["points_per_ball"];
  ASSERT_EQ(count.size(), 8u);
  double expected = 4;
  for (const auto& [radius, mean] : count) {
    EXPECT_NEAR(mean / expected, 1, 0.25) << radius;
    expected *= 2;
  }
}

TEST_F(BenchRtnn, FilesAreSearchedAsTheyAre) {
  std::string text, raw;
  for (int k = 0; k < 400; ++k) {
    const float x[3] = {float(k % 20), float(k / 20), 0};
    text += std::to_string(k % 20) + " " + std::to_string(k / 20) + " 0\n";
    raw.append(reinterpret_cast<const char*>(x), sizeof x);
  }
  write("plane.xyz", text);
  write("plane.xyzb", raw);
  write("plane.ply",
        "ply\nformat ascii 1.0\nelement vertex 400\nproperty float x\nproperty float y\nproperty float z\n"
        "end_header\n" +
            text);
  for (const char* file : {"plane.xyz", "plane.xyzb", "plane.ply"}) {
    const Outcome outcome = bench({"--cloud", file, "--radius", "1.1", "--order", "file", "--json", "-"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(report["clouds"][0]["points"], 400);
    for (const auto& row : report["rows"]) {
      EXPECT_EQ(row["cloud"], file);
      EXPECT_EQ(row["input"], "in order");
      EXPECT_EQ(row["check"]["compared"], 400);
      // Each point itself, and both ends of each of the 2 * 20 * 19 edges of the lattice.
      EXPECT_NEAR(row["points_per_ball"].get<double>(), 1 + 2 * 2 * 20 * 19 / 400.0, 1e-9);
    }
  }
}

TEST_F(BenchRtnn, CallsInBoxesAreCounted) {
  // In a plane of 20 by 20 points with boxes of half-width 1.1 each query is in those of itself and of up to 8 round it.
  std::string text;
  for (int k = 0; k < 400; ++k) text += std::to_string(k % 20) + " " + std::to_string(k / 20) + " 0\n";
  write("plane.xyz", text);
  const Outcome outcome =
      bench({"--cloud", "plane.xyz", "--radius", "1.1", "--neighbors", "4", "--search", "knn", "--structure", "points",
             "--structure", "boxes", "--json", "r.json", "--csv", "r.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::map<std::string, int> rows;
  const auto report = json("r.json");
  for (const auto& row : report["rows"]) {
    SCOPED_TRACE(row.dump());
    const std::string structure = row["structure"], name = row["variant"];
    ++rows[structure];
    EXPECT_EQ(row["queries"], 400);
    if (name == "grid") {
      EXPECT_TRUE(row["is_calls"].is_null());
      continue;
    }
    EXPECT_EQ(row["is_calls"].get<double>(), 400 * row["is_calls_mean"].get<double>());
    EXPECT_GE(row["is_calls"], 400 * 4);
    EXPECT_GE(row["nodes_mean"], 1);
    ASSERT_EQ(row["part_list"].size(), row["parts"].get<std::size_t>());
    if (structure == "points") {
      EXPECT_TRUE(row["part_list"][0]["box_width"].is_null());
    } else if (name == "NoOpt" || name == "Sched" || name == "Morton") {
      EXPECT_EQ(row["is_calls"], 58 * 58) << "20 + 2 * 19 along each axis";
      EXPECT_NEAR(row["part_list"][0]["box_width"].get<double>(), 2.2, 1e-6);
    }
    if (name == "Oracle") {
      EXPECT_TRUE(contains(row["note"], "measured"));
    }
  }
  EXPECT_EQ(rows["points"], 2 * 7);
  EXPECT_EQ(rows["boxes"], 2 * 7);
  ASSERT_EQ(report["costs"].size(), 1u);
  EXPECT_EQ(report["costs"][0]["structure"], "boxes");
  for (const char* cost : {"k2_ms", "k3_ms", "k3_sphere_test_ms"}) EXPECT_GT(report["costs"][0][cost], 0);
  EXPECT_TRUE(contains(outcome.out, "K = 4, in boxes"));
  EXPECT_TRUE(contains(outcome.out, "Bundles in boxes are chosen by these costs"));
  EXPECT_TRUE(contains(read("r.csv"), ",2.2:400,3364,8.41,"));
}

TEST_F(BenchRtnn, FiguresOfThePaperAreSweeps) {
  const auto swept = [&](const char* sweep, std::vector<std::string> more) {
    more.insert(more.begin(), {"--cloud", "galaxies", "--structure", "boxes", "--sweep", sweep, "--json", "r.json"});
    const Outcome outcome = bench(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return std::pair{json("r.json"), outcome.out};
  };
  const auto [widths, widths_text] = swept("width", {"--search", "knn"});
  std::map<double, double> calls;
  for (const auto& row : widths["rows"])
    if (row["variant"] == "NoOpt") calls[row["part_list"][0]["box_width"]] = row["is_calls_mean"];
  ASSERT_EQ(calls.size(), 8u);
  EXPECT_NEAR(calls.rbegin()->first / calls.begin()->first, 8, 0.1);
  double least = 0;
  for (const auto& [width, mean] : calls) {
    EXPECT_GT(mean, least) << width;
    least = mean;
  }

  const auto [numbers, numbers_text] = swept("queries", {"--search", "range"});
  std::map<std::string, std::vector<std::int64_t>> queries;
  for (const auto& row : numbers["rows"]) {
    queries[row["input"]].push_back(row["queries"]);
    EXPECT_EQ(row["points"], 2000);
    EXPECT_EQ(row["state"], "ok");
  }
  EXPECT_EQ(queries["raster"], (std::vector<std::int64_t>{27, 64, 216, 512, 2197}));
  EXPECT_EQ(queries["random"], queries["raster"]);

  const auto [trees, trees_text] = swept("boxes", {});
  std::vector<std::int64_t> boxes;
  for (const auto& row : trees["rows"]) boxes.push_back(row["points"]);
  EXPECT_EQ(boxes, (std::vector<std::int64_t>{333, 666, 1000, 1333, 1666, 2000}));
  ASSERT_EQ(trees["build_fits"].size(), 1u);
  EXPECT_GE(trees["build_fits"][0]["r2"], 0);
  EXPECT_LE(trees["build_fits"][0]["r2"], 1);
  EXPECT_TRUE(contains(trees_text, "ms per million boxes, R^2 = "));

  const auto [parts, parts_text] = swept("parts", {"--search", "knn", "--radius", "200"});
  bool several = false;
  for (const auto& row : parts["rows"]) {
    std::int64_t sum = 0;
    double last = 0;
    for (const auto& part : row["part_list"]) {
      sum += part["queries"].get<std::int64_t>();
      EXPECT_GT(part["box_width"], last) << "the narrowest first";
      last = part["box_width"];
    }
    EXPECT_EQ(sum, 2000);
    several |= row["parts"] > 2;
  }
  EXPECT_TRUE(several);
  EXPECT_TRUE(contains(parts_text, "width of its boxes"));
}

TEST_F(BenchRtnn, AStructureThatTheDeviceHasNotIsRefused) {
  const Outcome named = bench({"--cloud", "uniform", "--structure", "optix", "--search", "knn"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_TRUE(contains(named.err, "structure: optix runs only on an NVIDIA GPU")) << named.err;
  EXPECT_TRUE(contains(named.err, "allowed there: points, boxes")) << named.err;
  const Outcome all = bench({"--cloud", "uniform", "--structure", "all", "--search", "knn", "--json", "r.json"});
  ASSERT_EQ(all.exit_code, 0) << all.err;
  int refused = 0, exact = 0;
  const auto report = json("r.json");
  for (const auto& row : report["rows"]) {
    if (row["structure"] == "optix") {
      ++refused;
      EXPECT_EQ(row["state"], "refused");
      EXPECT_TRUE(contains(row["note"], "on the CPU")) << row["note"];
    }
    exact += row["state"] == "ok";
  }
  EXPECT_GT(refused, 3);
  EXPECT_GT(exact, 3);
}

TEST_F(BenchRtnn, WiderBoxesThatWouldTakeTooLongAreLeftOutAloud) {
  const Outcome outcome = bench({"--cloud", "uniform", "--search", "knn", "--sweep", "width", "--structure", "boxes",
                                 "--row-seconds", "1e-6", "--csv", "r.csv", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  int measured = 0, left_out = 0;
  const auto report = json("r.json");
  for (const auto& row : report["rows"]) {
    const bool narrowest = row["radius"] == report["rows"][0]["radius"];
    EXPECT_EQ(row["state"], narrowest ? "ok" : "left out") << row.dump();
    (narrowest ? measured : left_out) += 1;
    EXPECT_EQ(contains(row["note"], "left out: would take about "), !narrowest) << row["note"];
    EXPECT_EQ(row["total_ms"].is_null(), !narrowest);
    EXPECT_FALSE(row["fastest"].get<bool>() && !narrowest);
  }
  EXPECT_EQ(measured, 2);
  EXPECT_EQ(left_out, 2 * 7);
  EXPECT_TRUE(contains(outcome.out, "more than --row-seconds 1e-06"));
  EXPECT_TRUE(contains(read("r.csv"), "left out"));
}

TEST_F(BenchRtnn, ARunThatIsKilledLeavesTheRowsItHad) {
  // Each row takes its time, 0.03 s, however fast the machine: the whole run takes ten seconds at least.
  Program program({"bench",   "rtnn",        "--device", "cpu",     "--cloud", "uniform",       "--cloud",
                   "lidar",   "--cloud",     "galaxies", "--count", "2000",    "--runs",        "1000000",
                   "--sweep", "leaf",        "--search", "both",    "--csv",   "r.csv",         "--structure",
                   "points",  "--structure", "boxes",    "--json",  "r.json",  "--row-seconds", "0.03"},
                  folder_);
  ASSERT_TRUE(program.says("uniform, 2,000 points, shuffled: range search, any K of each ball")) << "the first table";
  ASSERT_TRUE(program.says("in boxes, 1 points per leaf")) << "the second: the file has the rows of the first";
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
  std::istringstream lines(read("r.csv"));
  std::string header, line;
  ASSERT_TRUE(std::getline(lines, header));
  // The first rows are those of the first table; how many follow depends on when the signal came.
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows) {
    const bool known = line.starts_with("uniform,") || line.starts_with("lidar,") || line.starts_with("galaxies,");
    EXPECT_TRUE(rows < 6 ? line.starts_with("uniform,shuffled,") : known) << line;
    if (line.find('"') != std::string::npos) continue;
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(header.begin(), header.end(), ',')) << line;
  }
  EXPECT_GE(rows, 6u);
  EXPECT_EQ(read("r.json"), "") << "it is written at the end";
}

TEST_F(BenchRtnn, BadPointsOfAFileAreRefusedOrCountedAloud) {
  write("bad.xyz", "0 0 0\n1 nan 0\n1 1 1\n0 1 inf\n2 2 2\n");
  const Outcome refused = bench({"--cloud", "bad.xyz"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_TRUE(contains(refused.err, "point 1 (line 2)"));
  const Outcome dropped = bench({"--cloud", "bad.xyz", "--drop-bad-points", "--radius", "3", "--json", "r.json"});
  ASSERT_EQ(dropped.exit_code, 0) << dropped.err;
  EXPECT_TRUE(contains(dropped.err, "2 points are left out"));
  EXPECT_TRUE(contains(dropped.out, "2 bad ones left out"));
  EXPECT_EQ(json("r.json")["clouds"][0]["dropped"], 2);
  EXPECT_EQ(json("r.json")["clouds"][0]["points"], 3);
}

TEST_F(BenchRtnn, WhatCannotBeMeasuredIsRefused) {
  write("empty.xyz", "# nothing\n");
  write("cut.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "end_header\n1 2 3\n");
  write("far.csv", "x,y,z\n");
  const struct {
    std::vector<std::string> words;
    const char* says;
  } cases[] = {{{"--cloud", "empty.xyz"}, "no points to search"},
               {{"--cloud", "cut.ply"}, "after 1 of 3 vertices"},
               {{"--cloud", "far.csv"}, "far.csv:1: "},
               {{"--cloud", "lidra"}, "did you mean 'lidar'?"},
               {{"--cloud", "none.ply"}, "neither a generated cloud nor a file"},
               {{"--cloud", "lidar", "--cloud", "lidar"}, "given twice"},
               {{"--radius", "nan"}, "'nan' is not a radius"},
               {{"--radius", "-1"}, "'-1' is not a radius"},
               {{"--neighbors", "0"}, "--neighbors"},
               {{"--neighbors", "5000"}, "--neighbors"},
               {{"--leaf", "257"}, "--leaf"},
               {{"--count", "0"}, "--count"},
               {{"--search", "nearest"}, "allowed: range, knn, both"},
               {{"--sweep", "radii"}, "did you mean 'radius'?"},
               {{"--sweep", "radius", "--radius", "1"}, "no --radius"},
               {{"--sweep", "neighbors", "--neighbors", "3"}, "no --neighbors"},
               {{"--sweep", "leaf", "--leaf", "3"}, "no --leaf"},
               {{"--sweep", "boxes", "--order", "file"}, "no --order"},
               {{"--sweep", "queries", "--order", "shuffled"}, "no --order"},
               {{"--structure", "box"}, "did you mean 'boxes'?"},
               {{"--structure", "boxes", "--structure", "boxes"}, "given twice"},
               {{"--csv", "-", "--json", "-"}, "cannot both go to standard output"},
               {{"--csv", "x", "--json", "./x"}, "the same file"},
               {{"--clouds", "lidar"}, "did you mean '--cloud'?"}};
  for (const auto& [words, says] : cases) {
    const Outcome outcome = bench(words);
    EXPECT_EQ(outcome.exit_code, 2) << says;
    EXPECT_EQ(outcome.out, "") << says;
    EXPECT_TRUE(contains(outcome.err, says));
  }
  EXPECT_EQ(bench({"--json", "/proc/none/r.json"}).exit_code, 1);
}

}  // namespace riffle
