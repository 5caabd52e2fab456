#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "support/program.h"

namespace riffle {

namespace {

/// Fields of one line, without their quotes.
std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
      fields.back() += line[++k];
    else if (line[k] == '"')
      quoted = !quoted;
    else if (line[k] == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += line[k];
  }
  return fields;
}

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) rows.push_back(csv_fields(line));
  return rows;
}

}  // namespace

class BenchNeighbors : public ProgramTest {
 protected:
  /// Runs on the CPU, one run of each row.
  Outcome bench(std::vector<std::string> words) {
    words.insert(words.begin(), {"bench", "neighbors"});
    words.insert(words.end(), {"--device", "cpu", "--runs", "1"});
    return riffle(words);
  }
  static int count(const nlohmann::json& report, const std::string& state) {
    int n = 0;
    for (const auto& row : report["rows"]) n += row["state"] == state;
    return n;
  }
};

TEST_F(BenchNeighbors, RowsHaveEveryStageAndTheRightNeighbours) {
  const Outcome outcome = bench({"fenns2", "--max-particles", "1024", "--json", "r.json", "--csv", "r.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  EXPECT_EQ(report["bench"], "neighbors");
  EXPECT_TRUE(contains(report["command"], "riffle bench neighbors fenns2 --max-particles 1024"));
  EXPECT_EQ(report["device"]["kind"], "cpu");
  EXPECT_GE(report["machine"]["threads"], 1);
  EXPECT_EQ(report["wrong"], false);
  EXPECT_EQ(count(report, "left out"), 16) << "four sizes at four radii are larger";
  EXPECT_EQ(count(report, "published"), 24);
  EXPECT_GE(count(report, "ok"), 8);
  int fastest = 0;
  for (const auto& row : report["rows"]) {
    if (row["state"] != "ok") continue;
    fastest += row["fastest"].get<bool>();
    const double sum = row["build_ms"]["median"].get<double>() + row["reorder_ms"]["median"].get<double>() +
                       row["list_ms"]["median"].get<double>() + row["query_ms"]["median"].get<double>();
    EXPECT_NEAR(row["total_ms"]["median"].get<double>(), sum, 0.01 + 0.05 * sum) << row["method"];
    EXPECT_EQ(row["check"]["compared"], 1024);
    EXPECT_EQ(row["check"]["wrong"], 0);
    EXPECT_LT(row["neighbors"]["mean"], 1.0);
    if (row["method"] == "hoetzlein") {
      EXPECT_GE(row["counts"]["cell x [h]"], 1.0) << "the cells of the CPU";
      const auto counted = [&row](const char* name) { return row["counts"][name].get<double>(); };
      EXPECT_TRUE(contains(outcome.out,
                           fmt::format("  hoetzlein: cells {:.0f}, occupied {:.0f} cells, fullest {:.0f} particles, ",
                                       counted("cells"), counted("occupied"), counted("fullest"))))
          << "with the units of a run's report";
    }
  }
  EXPECT_EQ(fastest, 4);
  EXPECT_TRUE(contains(outcome.out, "left out by --max-particles 1024"));
  EXPECT_TRUE(contains(outcome.out, "Gross et al. 2019, GTX 1080 Ti"));

  const auto rows = csv_rows(read("r.csv"));
  ASSERT_EQ(rows.size(), report["rows"].size() + 1);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << row[0] << " " << row[6];
}

/// The cells of a line of a table in Markdown, without blanks around them.
std::vector<std::string> markdown_cells(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 2, end; (end = line.find(" |", at)) != std::string::npos; at = end + 3)
    cells.push_back(line.substr(at, end - at));
  return cells;
}

/// The lines of the table below a heading that begins with these words.
std::vector<std::vector<std::string>> markdown_table(const std::string& text, const std::string& heading) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text.substr(std::min(text.size(), text.find("### " + heading))));
  for (std::string line; std::getline(lines, line) && (rows.empty() || !line.empty());)
    if (line.starts_with("| ")) rows.push_back(markdown_cells(line));
  return rows;
}

TEST_F(BenchNeighbors, TheTablesOfTheDocumentsHaveTheMeasuredFigures) {
  const Outcome outcome =
      riffle({"bench",     "neighbors",   "fenns1",     "fenns2", "--max-particles", "1024", "--device",      "cpu",
              "--methods", "green,fenns", "--sections", "27,2",   "--runs",          "3",    "--row-seconds", "1",
              "--json",    "r.json",      "--csv",      "r.csv",  "--markdown",      "t.md"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string text = read("t.md");
  const auto times = markdown_table(text, "fenns1: total"), memory = markdown_table(text, "fenns1: memory"),
             paper = markdown_table(text, "docs/papers.md, table 1"),
             fixed = markdown_table(text, "docs/papers.md, table 2");
  ASSERT_EQ(times.size(), 5u) << text;
  ASSERT_EQ(memory.size(), 5u);
  ASSERT_EQ(paper.size(), 5u);
  ASSERT_EQ(fixed.size(), 5u);
  const std::vector<std::string> searches{"green",    "fenns",      "fenns, 2 sections",
                                          "green 2r", "fenns 18^3", "fenns 18^3, 2 sections"};
  ASSERT_EQ(times[0].size(), 2 + searches.size());
  EXPECT_TRUE(std::equal(searches.begin(), searches.end(), times[0].begin() + 2)) << text;
  EXPECT_EQ(times[0][0] + times[0][1] + times[4][0] + times[4][1], "particlesr1,0241");

  const auto shown = [](double ms) { return fmt::format("{:.{}f}", ms, ms < 10 ? 3 : 1); };
  bool spread = false;
  int wrong = 0, seen = 0;
  const auto report = json("r.json");
  for (const auto& row : report["rows"]) {
    if (row["scenario"] != "fenns1" || row["table"] != "r = 0.5" || row["state"] != "ok") continue;
    const auto column = std::find(searches.begin(), searches.end(), row["method"].get<std::string>());
    if (column == searches.end()) continue;  // a search with lists
    const std::size_t c = 2 + static_cast<std::size_t>(column - searches.begin());
    const double ms = row["total_ms"]["median"], sigma = row["total_ms"]["sigma"], bytes = row["memory_bytes"];
    const std::string bold = row["fastest"].get<bool>() ? "**" : "";
    EXPECT_EQ(times[2][c], bold + shown(ms) + bold + " ± " + shown(sigma));
    EXPECT_EQ(memory[2][c], fmt::format("{:.0f} kB", bytes / 1e3));
    // Three runs are at most 1.16 deviations from their mean. Two, where the row's second was over, are sqrt(2) apart.
    const double width = row["total_ms"]["max"].get<double>() - row["total_ms"]["min"].get<double>();
    EXPECT_LE(width, 2 * sigma + 1e-9);
    EXPECT_GE(width, (row["runs"] == 2 ? 1.41 : 1.7) * sigma - 1e-9);
    spread = spread || sigma > 0;
    wrong += row["check"]["wrong"] != 0;
    ++seen;
  }
  EXPECT_EQ(seen, 6);
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(spread) << "three runs that took the same time to the nanosecond";
  const auto plain = [](std::string cell) {
    std::erase(cell, '*');
    return cell.substr(0, cell.find(" "));
  };
  EXPECT_EQ(paper[2][0] + " " + paper[2][1] + " " + paper[2][2], "1,024 0.5 4.20 / -") << "hoetzlein was not measured";
  EXPECT_EQ(paper[2][3], "1.88 / " + plain(times[2][2]) + ", " + plain(times[2][5]));
  EXPECT_EQ(paper[2][4], "0.48 / " + plain(times[2][3]) + ", " + plain(times[2][6]));
  EXPECT_EQ(fixed[1][4], "0.52 / " + plain(markdown_table(text, "fenns2: total")[1][3]));
  const auto csv = csv_rows(read("r.csv"));
  EXPECT_EQ(std::count(csv[0].begin(), csv[0].end(), "total_sigma_ms"), 1);
  for (const auto& row : csv) EXPECT_EQ(row.size(), csv[0].size());

  ASSERT_EQ(riffle({"bench", "neighbors", "--from", "r.json", "--markdown", "again.md"}).exit_code, 0);
  EXPECT_EQ(read("again.md"), text);
}

TEST_F(BenchNeighbors, ScatteringIsARowBesideGathering) {
  const Outcome outcome = bench({"fenns1", "--max-particles", "1024", "--methods", "fenns", "--sections", "27,2",
                                 "--sums", "gather,scatter", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<std::string> found;
  const auto report = json("r.json");
  for (const auto& row : report["rows"]) {
    if (row["state"] != "ok" || row["table"] != "r = 1") continue;
    found.push_back(row["method"].get<std::string>());
    EXPECT_EQ(row["check"]["compared"], 1024);
    EXPECT_EQ(row["check"]["wrong"], 0);
    EXPECT_GT(row["neighbors"]["max"], 0) << "the check would compare zeros";
  }
  std::erase_if(found, [](const std::string& method) { return method.ends_with(", lists"); });
  const std::vector<std::string> wanted{
      "fenns",      "fenns, scatter",      "fenns, 2 sections",      "fenns, 2 sections, scatter",
      "fenns 18^3", "fenns 18^3, scatter", "fenns 18^3, 2 sections", "fenns 18^3, 2 sections, scatter"};
  EXPECT_EQ(found, wanted);
}

TEST_F(BenchNeighbors, ScatteringWithoutFennsIsRefused) {
  const Outcome without = bench({"dense", "--methods", "green,hoetzlein", "--sums", "scatter"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_TRUE(contains(without.err, "--sums scatter") && contains(without.err, "--methods green,hoetzlein"))
      << without.err;
  const Outcome other = bench({"dense", "--sums", "scater"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.err, "gather") && contains(other.err, "'scater'")) << other.err;
}

TEST_F(BenchNeighbors, AGroupByItselfIsATableOfStages) {
  ASSERT_EQ(
      bench({"scene", scene_, "--methods", "hoetzlein,fenns", "--json", "r.json", "--markdown", "t.md"}).exit_code, 0);
  const auto table = markdown_table(read("t.md"), "scene: ");
  ASSERT_EQ(table.size(), 5u) << read("t.md");
  EXPECT_EQ(table[0].front(), "search");
  EXPECT_EQ(table[1][0] + " " + table[3][0], "hoetzlein fenns");
  EXPECT_EQ(table[1][3], "-") << "no lists";
  EXPECT_NE(table[2][3], "-") << "lists";
  EXPECT_EQ(table[1][6], "0.000") << "one run has no deviation";
}

TEST_F(BenchNeighbors, MistakesInSectionsAndTablesAreNamed) {
  const Outcome three = bench({"dense", "--sections", "3"});
  EXPECT_EQ(three.exit_code, 2);
  EXPECT_TRUE(contains(three.err, "27") && contains(three.err, "'3'")) << three.err;
  for (const char* option : {"--csv", "--json"}) {
    const Outcome same = bench({"dense", "--max-particles", "1", option, "x", "--markdown", "./x"});
    EXPECT_EQ(same.exit_code, 2) << same.err;
    EXPECT_TRUE(contains(same.err, std::string(option) + " and --markdown are the same file")) << same.err;
  }
  ASSERT_EQ(bench({"scene", scene_, "--methods", "hoetzlein", "--json", "r.json"}).exit_code, 0);
  EXPECT_EQ(riffle({"bench", "neighbors", "--from", "r.json", "--markdown", "r.json"}).exit_code, 2);
}

/// All pairs of 64,000 particles: with sanitizers this takes a minute.
class LongBenchNeighbors : public BenchNeighbors {};

TEST_F(LongBenchNeighbors, EveryScenarioRunsAtItsSmallestSize) {
  const struct {
    const char* scenario;
    const char* most;
    double neighbors;  ///< on average; 0: not known beforehand
  } cases[] = {{"fenns1", "1024", 0},    {"fenns3", "1024", 0},      {"dense", "64000", 28.4},
               {"thrust", "65536", 104}, {"clustered", "50000", 30}, {"bucket", "65536", 0}};
  for (const auto& [scenario, most, neighbors] : cases) {
    // The fine grids of the FENNS paper's radii take seconds to build on a CPU, even for 1,024 particles.
    const char* method = std::string(scenario).starts_with("fenns") ? "brute_force" : "hoetzlein";
    const std::vector<std::string> words{scenario, "--max-particles", most, "--methods", method, "--json", "-"};
    const Outcome outcome = bench(words);
    ASSERT_EQ(outcome.exit_code, 0) << scenario << ": " << outcome.err;
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_GE(count(report, "ok"), 1) << scenario;
    EXPECT_EQ(count(report, "WRONG"), 0) << scenario;
    for (const auto& row : report["rows"]) {
      if (row["state"] == "ok" && neighbors > 0) {
        EXPECT_NEAR(row["neighbors"]["mean"].get<double>(), neighbors, 0.05 * neighbors) << scenario;
      }
    }
  }
}

TEST_F(LongBenchNeighbors, PairsFromDoublePositionsAreRowsOfTheArticlesCase) {
  const Outcome outcome = bench({"thrust", "--max-particles", "65536", "--methods", "thrust_pairs", "--positions",
                                 "double", "--json", "r.json", "--csv", "r.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  double pairs = 0, distances = 0, single = 0;
  for (const auto& row : report["rows"]) {
    if (row["state"] == "left out") continue;
    EXPECT_EQ(row["state"], "ok") << row.dump();
    if (row["method"] == "thrust_pairs" && row["input"] == "shuffled") single = row["neighbors"]["mean"];
    if (!std::string(row["method"]).starts_with("pairs in double")) continue;
    EXPECT_EQ(row["input"], "shuffled");
    EXPECT_EQ(row["check"]["compared"], 1024);
    EXPECT_EQ(row["check"]["wrong"], 0);
    EXPECT_TRUE(row["query_ms"].is_null());
    EXPECT_FALSE(row["fastest"]);
    EXPECT_GT(row["build_ms"]["median"], 0);
    EXPECT_EQ(row["total_ms"]["median"], row["build_ms"]["median"]);
    (row["method"] == "pairs in double" ? pairs : distances) = row["neighbors"]["mean"];
    EXPECT_NEAR(row["counts"]["half pairs"].get<double>(), 65536 * row["neighbors"]["mean"].get<double>() / 2, 1);
  }
  EXPECT_EQ(pairs, distances);
  EXPECT_NEAR(pairs, single, 1e-3 * single) << "the same particles, rounded or not";
  EXPECT_NE(pairs, 0);
  EXPECT_TRUE(contains(outcome.out, "pairs in double, distances")) << outcome.out;
  const Outcome again = riffle({"bench", "neighbors", "--from", "r.json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(contains(again.out, "pairs in double, distances"));
  const auto rows = csv_rows(read("r.csv"));
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
}

TEST_F(BenchNeighbors, DoublePositionsAreOfTheArticlesCaseAlone) {
  const Outcome refused = bench({"dense", "--positions", "double"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "it needs the scenario thrust")) << refused.err;
  EXPECT_TRUE(contains(bench({"thrust", "--positions", "half"}).err, "single, double"));
}

TEST_F(BenchNeighbors, MarkdownHasARowForEachSizeAndAColumnForEachSearchAndPaper) {
  const Outcome measured =
      bench({"bucket", "--methods", "bucket,green,hoetzlein", "--max-particles", "65536", "--json", "r.json"});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const Outcome outcome = riffle({"bench", "neighbors", "--from", "r.json", "--markdown", "t.md"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string title = "bucket: table 3, 4 per cell, 2 % moved; shuffled; build [ms]\n\n";
  const std::string page = read("t.md");
  const std::size_t begin = page.find(title);
  ASSERT_NE(begin, std::string::npos) << page;
  std::istringstream table(page.substr(begin + title.size()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(table, line) && line.starts_with("| ");) lines.push_back(line);
  ASSERT_EQ(lines.size(), 7u) << "head, rule and five sizes";
  EXPECT_EQ(lines[0],
            "| particles | bucket, full sort | bucket, re-sort | radix sort (green) | counting sort (hoetzlein) | "
            "*bucket sort, table 3, Rozen et al. 2008, GeForce 6800 Ultra* | "
            "*2 % re-sort, table 3, Rozen et al. 2008, GeForce 6800 Ultra* | "
            "*GPUSort, table 3, Rozen et al. 2008, GeForce 6800 Ultra* |");
  EXPECT_TRUE(lines[2].starts_with("| 65,536 | ")) << lines[2];
  EXPECT_TRUE(lines[2].ends_with(" | 19.34 | 7.68 | 17.67 |")) << lines[2];
  EXPECT_TRUE(contains(lines[2], "**")) << "the fastest is bold";
  EXPECT_EQ(lines[6], "| 1,048,576 | - | - | - | - | - | - | - |") << "left out by --max-particles";
  const Outcome same = riffle({"bench", "neighbors", "--from", "r.json", "--markdown", "r.json"});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_TRUE(contains(same.err, "--markdown and --from are the same file")) << same.err;
  const auto report = json("r.json");
  for (const auto& row : report["rows"])
    if (row["state"] == "ok" && row["table"] == "table 3, 4 per cell, 2 % moved" &&
        row["method"] == "bucket, re-sort") {
      EXPECT_EQ(row["counts"]["particles re-sorted"], 1310) << "2 % of 65,536";
      EXPECT_NEAR(row["counts"]["share re-sorted"].get<double>(), 0.02, 1e-4);
      for (const Outcome* text : {&measured, &outcome})  // a saved report has the units, too
        EXPECT_TRUE(contains(text->out, "particles re-sorted 1310, share re-sorted 2 %, ")) << text->out;
    }
}

TEST_F(BenchNeighbors, AScenesFluidIsMeasuredAfterItHasMoved) {
  const Outcome outcome = bench({"scene", scene_, "--from-time", "0.02", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out);
  std::vector<std::string> inputs;
  for (const auto& row : report["rows"]) {
    EXPECT_EQ(row["state"], "ok");
    EXPECT_EQ(row["particles"], 125);
    EXPECT_EQ(row["radius"].get<float>(), 0.3f);
    if (row["method"] == "hoetzlein") inputs.push_back(row["input"]);
  }
  EXPECT_EQ(inputs, (std::vector<std::string>{"shuffled", "in order", "nearly in order"}));
}

TEST_F(BenchNeighbors, AWrongRowIsMarkedEverywhereAndFailsTheCommand) {
  ASSERT_EQ(bench({"scene", scene_, "--methods", "hoetzlein", "--json", "r.json"}).exit_code, 0);
  auto report = json("r.json");
  report["rows"][0]["state"] = "WRONG";
  report["rows"][0]["fastest"] = false;
  report["rows"][0]["check"]["wrong"] = 3;
  write("w.json", report.dump());
  const Outcome outcome = riffle({"bench", "neighbors", "--from", "w.json", "--csv", "w.csv", "--json", "again.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.out, "WRONG"));
  EXPECT_EQ(json("again.json")["wrong"], true);
  EXPECT_EQ(json("again.json")["rows"], report["rows"]) << "a report that is read and written is the same";
  const auto rows = csv_rows(read("w.csv"));
  ASSERT_GE(rows.size(), 2u);
  EXPECT_EQ(rows[1][8], "WRONG");
}

TEST_F(BenchNeighbors, PlotsAreDrawnOrTheirScriptsAreLeft) {
  const Outcome outcome =
      bench({"scene", scene_, "bucket", "--max-particles", "1000", "--methods", "hoetzlein", "--plots", "plots"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  int scripts = 0, data = 0, pictures = 0;
  for (const auto& name : files()) {
    scripts += name.ends_with(".gp");
    data += name.ends_with(".csv");
    pictures += name.ends_with(".svg");
    if (name.ends_with(".svg")) {
      EXPECT_TRUE(contains(read(name), "</svg>")) << name;
    }
  }
  EXPECT_EQ(scripts, 3);
  EXPECT_EQ(data, 3);
  if (has_tool("gnuplot"))
    EXPECT_EQ(pictures, 3);
  else
    EXPECT_TRUE(contains(outcome.err, "gnuplot-nox"));
}

TEST_F(BenchNeighbors, WithoutGnuplotTheScriptsAreThereAndThePackageIsNamed) {
  const Outcome outcome = Program({"bench", "neighbors", "scene", scene_, "--methods", "hoetzlein", "--runs", "1",
                                   "--device", "cpu", "--plots", "plots"},
                                  folder_, false, {{"PATH", "/nonexistent"}})
                              .wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "gnuplot-nox"));
  EXPECT_EQ(files().size(), 6u);
}

TEST_F(BenchNeighbors, NothingInAReportIsRunAsACommand) {
  ASSERT_EQ(bench({"scene", scene_, "--methods", "hoetzlein", "--json", "r.json"}).exit_code, 0);
  auto report = json("r.json");
  auto bars = report["rows"][0];
  const std::string nasty = "it's `touch a`'\nsystem 'touch b'\n\"\nsystem \"touch c\"\n#\\";
  for (const char* key : {"scenario", "table", "input", "method"}) bars[key] = nasty;
  auto lines = bars;
  lines["sweep"] = nasty;
  lines["value"] = 5;
  report["device"]["name"] = nasty;
  report["rows"] = {bars, lines};
  write("nasty.json", report.dump());
  const Outcome outcome = riffle({"bench", "neighbors", "--from", "nasty.json", "--plots", "it's 'x"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  int scripts = 0;
  for (const std::string& name : files()) {
    const std::string file = std::filesystem::path(name).filename().string();
    EXPECT_TRUE(file != "a" && file != "b" && file != "c") << name << " was made by a command in the report";
    if (!name.ends_with(".gp")) continue;
    ++scripts;
    std::istringstream script(read(name));
    for (std::string line; std::getline(script, line);) {
      EXPECT_FALSE(line.starts_with("system")) << name << ": " << line;
      EXPECT_EQ(std::count(line.begin(), line.end(), '\'') % 2, 0) << name << ": " << line;
    }
    if (has_tool("gnuplot")) {
      EXPECT_TRUE(contains(read(name.substr(0, name.size() - 3) + ".svg"), "it&apos;s") ||
                  contains(read(name.substr(0, name.size() - 3) + ".svg"), "it's"))
          << "the text is drawn, quote and all";
    }
  }
  EXPECT_EQ(scripts, 2);
}

TEST_F(BenchNeighbors, FilesOfPicturesHavePlainNames) {
  ASSERT_EQ(bench({"scene", scene_, "--methods", "hoetzlein", "--json", "r.json"}).exit_code, 0);
  auto report = json("r.json");
  auto& rows = report["rows"];
  ASSERT_GE(rows.size(), 3u);
  const char* names[] = {"../../out", "..", "|<$;\u00e9"};
  for (std::size_t k = 0; k < 3; ++k) rows[k]["scenario"] = names[k], rows[k]["table"] = rows[k]["input"] = "";
  rows.erase(rows.begin() + 3, rows.end());
  write("names.json", report.dump());
  const Outcome outcome = riffle({"bench", "neighbors", "--from", "names.json", "--plots", "plots"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  int scripts = 0;
  for (const std::string& name : files()) {
    const std::filesystem::path file(name);
    if (file.extension() != ".gp") continue;
    ++scripts;
    EXPECT_EQ(file.parent_path().filename(), "plots");
    const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    EXPECT_EQ(file.filename().string().find_first_not_of(plain), std::string::npos) << name;
    EXPECT_NE(file.filename().string().front(), '.') << name;
  }
  EXPECT_EQ(scripts, 3) << "each table has its own picture, whatever is left of its name";
}

TEST_F(BenchNeighbors, WhatIsWrongWithASavedReportIsNamed) {
  ASSERT_EQ(bench({"scene", scene_, "--methods", "hoetzlein", "--json", "r.json"}).exit_code, 0);
  const auto report = json("r.json");
  const auto refused = [&](const std::string& file, const char* says) {
    const Outcome outcome = riffle({"bench", "neighbors", "--from", file});
    EXPECT_EQ(outcome.exit_code, 2) << says << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "--from " + file)) << says;
    EXPECT_TRUE(contains(outcome.err, says));
    EXPECT_FALSE(contains(outcome.err, "json.exception"));
  };
  using Json = nlohmann::json;
  const struct {
    const char* place;
    Json value;  ///< null: the key is removed
    const char* says;
  } cases[] = {
      {"/rows/0/state", "fine", "/rows/0/state: found \"fine\", allowed: ok, WRONG"},
      {"/rows/0/method", nullptr, "/rows/0/method: found nothing, allowed: a text"},
      {"/rows/0/method", 3, "/rows/0/method: found 3, allowed: a text"},
      {"/rows/0/value", "x", "/rows/0/value: found \"x\", allowed: a number"},
      {"/rows/0/value", 1e300, "/rows/0/value: found 1e+300, allowed: a number from -2^53 to 2^53"},
      {"/rows/0/particles", 1.5, "/rows/0/particles: found 1.5, allowed: a whole number from"},
      {"/rows/0/runs", 99999999999,
       "/rows/0/runs: found 99999999999, allowed: a whole number from -2147483648 to 2147483647"},
      {"/rows/0/check/wrong", -1, "/rows/0/check/wrong: found -1, allowed: a whole number from 0 to"},
      {"/rows/0/fastest", 1, "/rows/0/fastest: found 1, allowed: true or false"},
      {"/rows/0/build_ms", "quick", "/rows/0/build_ms: found \"quick\", allowed: an object"},
      {"/rows/0/build_ms/median", nullptr, "/rows/0/build_ms/median: found nothing, allowed: a number"},
      {"/rows/0/build_ms/p95", "late", "/rows/0/build_ms/p95: found \"late\", allowed: a number"},
      {"/rows/0/counts", 7, "/rows/0/counts: found 7, allowed: an object"},
      {"/rows/0", "row", "/rows/0/scenario: found nothing, allowed: a text"},
      {"/rows", Json::object(), "/rows: found {}, allowed: a list"},
      {"/device", nullptr, "/device/kind: found nothing, allowed: a text"},
      {"/machine/threads", "two", "/machine/threads: found \"two\", allowed: a whole number from"},
      {"/machine/cuda", 12, "/machine/cuda: found 12, allowed: a text"},
      {"/rows/0/runs", true, "/rows/0/runs: found true, allowed: a whole number from"},
      {"/bench", 5, "is not a report"},
  };
  for (const auto& [place, value, says] : cases) {
    auto broken = report;
    const Json::json_pointer at(place);
    if (value.is_null())
      broken[at.parent_pointer()].erase(at.back());
    else
      broken[at] = value;
    write("broken.json", broken.dump());
    refused("broken.json", says);
  }
  std::filesystem::create_directory(folder_ / "folder");
  refused("folder", "is a folder");
  refused("none.json", "No such file");
  write("cut.json", report.dump().substr(0, 200));
  refused("cut.json", "is not a report");
  write("locked.json", report.dump());
  std::filesystem::permissions(folder_ / "locked.json", std::filesystem::perms::none);
  if (access((folder_ / "locked.json").c_str(), R_OK) != 0) refused("locked.json", "Permission denied");
}

TEST_F(BenchNeighbors, StandardOutputIsOneTableOnly) {
  ASSERT_EQ(bench({"scene", scene_, "--methods", "hoetzlein", "--json", "r.json", "--csv", "r.csv"}).exit_code, 0);
  const Outcome outcome = riffle({"bench", "neighbors", "--from", "r.json", "--csv", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, read("r.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "-"));
  const Outcome both = riffle({"bench", "neighbors", "--from", "r.json", "--csv", "-", "--json", "-"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_EQ(both.out, "");
  EXPECT_TRUE(contains(both.err, "standard output"));
}

TEST_F(BenchNeighbors, AFileAndTheFolderOfPicturesAreDifferentBeforeAnythingIsMeasured) {
  for (const char* option : {"--csv", "--json"}) {
    const Outcome same = bench({"dense", "--max-particles", "1", option, "x", "--plots", "./x"});
    EXPECT_EQ(same.exit_code, 2) << same.err;
    EXPECT_EQ(same.out, "");
    EXPECT_TRUE(contains(same.err, std::string(option) + " and --plots are the same"));
    const Outcome above = bench({"dense", "--max-particles", "1", option, "y", "--plots", "y/z"});
    EXPECT_EQ(above.exit_code, 1) << above.err;
    EXPECT_EQ(above.out, "");
    EXPECT_TRUE(contains(above.err, "is a folder"));
  }
  const Outcome control = bench({"dense", "--max-particles", "1", "--plots", "a\nb"});
  EXPECT_EQ(control.exit_code, 2) << control.err;
  EXPECT_TRUE(contains(control.err, "control character"));
}

TEST_F(BenchNeighbors, ATimeToStartFromIsANumber) {
  for (const char* time : {"nan", "inf", "-nan", "-1"})
    for (const std::vector<std::string>& words : {std::vector<std::string>{"neighbors", "scene", scene_, "--runs", "1"},
                                                  {"step", scene_, "--count", "1"},
                                                  {"draw", scene_, "--count", "1"}}) {
      std::vector<std::string> all{"bench"};
      all.insert(all.end(), words.begin(), words.end());
      all.push_back(std::string("--from-time=") + time);
      const Outcome outcome = riffle(all);
      EXPECT_EQ(outcome.exit_code, 2) << words[0] << " " << time;
      EXPECT_TRUE(contains(outcome.err, "--from-time")) << words[0] << " " << time;
      EXPECT_LT(outcome.err.size(), 200u) << outcome.err;
    }
}

TEST_F(BenchNeighbors, MistakesAreExitCodeTwo) {
  const struct {
    std::vector<std::string> words;
    const char* says;
  } cases[] = {
      {{}, "SCENARIO is required"},
      {{"fens1"}, "did you mean 'fenns1'?"},
      {{"fenns1", "fenns1"}, "is given twice"},
      {{"scene"}, "which one?"},
      {{"scene", "dam_braek"}, "did you mean 'dam_break'?"},
      {{"dense", "--methods", "hoetzlein,grean"}, "unknown neighbour search 'grean'"},
      {{"dense", "--runs", "0"}, "--runs"},
      {{"dense", "--runs", "-3"}, "whole number"},
      {{"dense", "--max-particles", "0"}, "--max-particles"},
      {{"dense", "--from-time", "1"}, "--from-time needs scene FILE"},
      {{"dense", "--from", "r.json"}, "takes no SCENARIO"},
      {{"dense", "--row-seconds", "0"}, "above 0"},
      {{"--from", "none.json"}, "cannot be read"},
      {{"--from", "other.json"}, "is not a report"},
      {{"--from", "text.json"}, "is not a report"},
      {{"dense", "--csv", "a", "--json", "a"}, "the same file"},
      {{"dense", "--plotz", "a"}, "did you mean '--plots'?"},
  };
  write("other.json", "{\"bench\": \"step\"}");
  write("text.json", "no JSON");
  for (auto [words, says] : cases) {
    words.insert(words.begin(), {"bench", "neighbors"});
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 2) << words.back() << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, says)) << words.back();
  }
  EXPECT_EQ(bench({"scene", scene_, "--json", "/proc/r.json"}).exit_code, 1);
}

}  // namespace riffle
