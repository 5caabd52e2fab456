#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "support/program.h"

namespace riffle {

namespace fs = std::filesystem;

class Validate : public ProgramTest {
 protected:
  Outcome validate(std::vector<std::string> words) {
    words.insert(words.begin(), {"validate", "--device", "cpu"});
    return riffle(words);
  }
  /// A copy of the reference tables in the test's folder.
  fs::path tables() const {
    const fs::path copy = folder_ / "tables";
    fs::copy(fs::path(RIFFLE_SOURCE_DIR) / "tests/reference", copy, fs::copy_options::recursive);
    return copy;
  }
  static void replace(const fs::path& file, const std::string& text, const std::string& with) {
    std::ifstream in(file);
    std::string all((std::istreambuf_iterator<char>(in)), {});
    const std::size_t at = all.find(text);
    ASSERT_NE(at, std::string::npos) << text;
    std::ofstream(file) << all.replace(at, text.size(), with);
  }
};

TEST_F(Validate, TheListNamesEveryCaseAndRunsNone) {
  const Outcome outcome = validate({"--list"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* name : {"hydrostatic", "dam_break", "rayleigh_taylor_theory", "reduced: 20 spacings deep"})
    EXPECT_TRUE(contains(outcome.out, name));
  EXPECT_TRUE(files().empty());
}

TEST_F(Validate, ACaseIsWrittenAsASceneThatRuns) {
  const Outcome outcome = validate({"couette", "--scene", "c.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "c.yaml holds the set-up of couette"));
  EXPECT_FALSE(fs::exists(folder_ / "output")) << "nothing else is done";
  EXPECT_EQ(riffle({"run", "c.yaml", "--steps", "2", "--set", "picture.size=[16,16]"}).exit_code, 0);
  EXPECT_EQ(validate({"rayleigh_taylor_theory", "--scene", "t.yaml"}).exit_code, 2);
  const Outcome two = validate({"couette", "poiseuille", "--scene", "t.yaml"});
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_TRUE(contains(two.err, "--scene: found 2 cases; allowed: one"));
  EXPECT_EQ(validate({"--scene", "t.yaml"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "t.yaml"));
}

TEST_F(Validate, EverySetUpIsWrittenAsASceneBesideTheRun) {
  const Outcome outcome = validate({"couette", "--scenes", "set_ups", "--out", "o"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "couette: ")) << "the case is run, too";
  ASSERT_TRUE(fs::exists(folder_ / "set_ups/couette_1.yaml"));
  ASSERT_TRUE(fs::exists(folder_ / "set_ups/couette_2.yaml"));
  EXPECT_NE(read("set_ups/couette_1.yaml"), read("set_ups/couette_2.yaml"));
  const Outcome check = riffle({"check", "set_ups/couette_2.yaml"});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  const Outcome both = validate({"couette", "--scenes", "s", "--scene", "t.yaml"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_TRUE(contains(both.err, "--scene and --scenes: allowed: one of them"));
}

TEST_F(Validate, ACaseIsHeldAgainstItsTablesFromBeginningToEnd) {
  const Outcome outcome = validate({"rayleigh_taylor_theory", "--out", "o", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  for (const char* part : {"viscous, exact: worst relative error of 19 rates", "<= 1e-05", "pass",
                           "rayleigh_taylor_growth.csv", "1 case: 7 checks passed, 0 failed"})
    EXPECT_TRUE(contains(outcome.out, part));
  const auto r = json("r.json");
  EXPECT_EQ(r["validation"], "reduced");
  EXPECT_EQ(r["passed"], true);
  EXPECT_EQ(r["device"]["kind"], "cpu");
  EXPECT_TRUE(contains(r["command"], "riffle validate --device cpu rayleigh_taylor_theory"));
  ASSERT_EQ(r["cases"].size(), 1u);
  const auto& found = r["cases"][0];
  EXPECT_EQ(found["name"], "rayleigh_taylor_theory");
  EXPECT_EQ(found["failure"], nullptr);
  ASSERT_EQ(found["checks"].size(), 7u);
  for (const auto& check : found["checks"]) {
    EXPECT_EQ(check["verdict"], "pass") << check;
    EXPECT_TRUE(check["measured"].is_number());
    EXPECT_TRUE(check["most"].is_number());
  }
  EXPECT_NEAR(found["checks"][6]["measured"].get<double>(), 0.0528, 1e-4);
  ASSERT_EQ(found["curves"].size(), 2u);
  for (const auto& curve : found["curves"]) {
    const std::string name = "o/rayleigh_taylor_theory_" + curve["name"].get<std::string>();
    EXPECT_TRUE(contains(read(name + ".csv"), curve["measured"][0]["label"].get<std::string>()));
    EXPECT_TRUE(contains(read(name + ".gp"), curve["title"].get<std::string>()));
    EXPECT_EQ(has_tool("gnuplot"), read(name + ".png").starts_with("\x89PNG")) << "gnuplot draws where it is";
  }
}

/// A dam break, which sanitizers take too long for.
class LongValidate : public Validate {};

TEST_F(LongValidate, ASimulationIsDrawnBesideTheExperiment) {
  const Outcome outcome = validate({"dam_break", "--out", "o", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto r = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(r["cases"][0]["what"], "20 particles per width");
  EXPECT_GT(r["cases"][0]["seconds"], 0.0);
  const auto& front = r["cases"][0]["curves"][0];
  EXPECT_EQ(front["measured"][0]["x"].size(), 72u);
  EXPECT_EQ(front["reference"][0]["x"].size(), front["reference"][0]["y"].size());
  EXPECT_GT(front["reference"][0]["x"].size(), 10u);
}

TEST_F(Validate, WithoutGnuplotCurvesAreLeftAsDataAndThatIsSaidOnce) {
  Program program({"validate", "rayleigh_taylor_theory", "--out", "o"}, folder_, false, {{"PATH", folder_.string()}});
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "gnuplot is not on the PATH"));
  EXPECT_EQ(outcome.err.find("gnuplot is not"), outcome.err.rfind("gnuplot is not"));
  EXPECT_EQ(files().size(), 4u) << "data and script of two curves";
}

TEST_F(Validate, OneWrongFigureFailsItsCheckAndExitsWithOne) {
  const fs::path copy = tables();
  replace(copy / "rayleigh_taylor_growth.csv", "0.05917095", "0.05917295");  // one exact rate of 19
  const Outcome outcome =
      validate({"rayleigh_taylor_theory", "--reference", copy.string(), "--out", "o", "--json", "r.json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "FAIL"));
  EXPECT_TRUE(contains(outcome.out, "6 checks passed, 1 failed"));
  const auto r = json("r.json");
  EXPECT_EQ(r["passed"], false);
  for (const auto& check : r["cases"][0]["checks"])
    EXPECT_EQ(check["verdict"] == "fail", check["name"].get<std::string>().starts_with("viscous, exact")) << check;
  EXPECT_GT(fs::file_size(folder_ / "o/rayleigh_taylor_theory_mode.csv"), 0u) << "curves are written all the same";
}

TEST_F(Validate, DamagedAndMissingTablesAreNamed) {
  const fs::path copy = tables();
  replace(copy / "rayleigh_taylor_growth.csv", "0.05917095", "0.0591709S");
  const Outcome damaged = validate({"rayleigh_taylor_theory", "--reference", copy.string()});
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_TRUE(contains(damaged.err, "rayleigh_taylor_growth.csv:11: n_exact_infinite: '0.0591709S' is not a number"));
  fs::remove(copy / "rayleigh_taylor_growth.csv");
  const Outcome missing = validate({"rayleigh_taylor_theory", "--reference", copy.string()});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(contains(missing.err,
                       "reference table rayleigh_taylor_growth.csv was not found (looked in " + copy.string() + ")"));
}

TEST_F(Validate, TablesForThePageHaveARowForEachCheckAndEveryPicture) {
  const Outcome outcome = validate({"rayleigh_taylor_theory", "--out", "o", "--markdown", "t.md"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string text = read("t.md");
  EXPECT_TRUE(contains(text, "### `rayleigh_taylor_theory`"));
  EXPECT_TRUE(contains(text, "| pass | rayleigh_taylor_growth.csv, seven digits |"));
  EXPECT_TRUE(contains(text, "(images/validation/rayleigh_taylor_theory_mode.png)"));
  std::istringstream lines(text);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) continue;
    ++rows;
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 7) << line;
  }
  EXPECT_EQ(rows, 9);
}

// What follows from the settings is judged by them, and what is of the published fluid alone by nothing.
TEST_F(Validate, OfOtherPhysicsOnlyWhatFollowsFromItIsJudged) {
  const auto checks_with = [&](const char* setting) {
    const Outcome outcome = validate({"dpd_equilibrium", "--set", setting, "--out", "o", "--json", "r.json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    std::map<std::string, nlohmann::json> checks;
    const nlohmann::json report = json("r.json");
    for (const auto& check : report["cases"][0]["checks"]) checks[check["name"]] = check;
    return checks;
  };
  const std::string fluid = "velocity-Verlet, lambda 0.5: ";
  auto hot = checks_with("solver.temperature=2");
  EXPECT_EQ(hot[fluid + "kT"]["verdict"], "pass");
  EXPECT_EQ(hot[fluid + "kT"]["expected"], 2);
  EXPECT_EQ(hot[fluid + "drift of the centre of mass"]["verdict"], "pass");
  EXPECT_EQ(hot[fluid + "P"]["verdict"], "none");
  EXPECT_TRUE(contains(hot[fluid + "P"]["source"],
                       "not judged: --set changed solver.temperature from 1 to 2, and the "
                       "reference is of the case without that (LAMMPS"));
  EXPECT_EQ(hot[fluid + "|g - g_ref|, r > 0.2"]["verdict"], "none");
  // How it is computed is no other physics.
  auto same = checks_with("neighbors.method=green");
  for (const char* row : {"kT", "P", "|g - g_ref|, r > 0.2"}) EXPECT_EQ(same[fluid + row]["verdict"], "pass") << row;
}

TEST_F(Validate, ACaseNamesTheSettingsOfItsSetups) {
  const Outcome outcome = validate({"free_slip_channel", "--out", "o", "--markdown", "t.md", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string settings =
      "wcsph, `kernel` wendland_c2, `support_ratio` 2; not the defaults: `speed_of_sound` 0.000125, "
      "`artificial_viscosity` 0, `negative_pressure` true, `walls` free_slip";
  EXPECT_TRUE(contains(read("t.md"), "\n\nSettings: " + settings + ".\n\n| check |")) << read("t.md");
  EXPECT_TRUE(contains(outcome.out, "  settings: " + settings + "\n"));
  EXPECT_EQ(json("r.json")["cases"][0]["settings"], nlohmann::json::array({settings}));
}

TEST_F(Validate, ATerminalSeesHowFarACaseIs) {
  Program program({"validate", "rayleigh_taylor_theory", "--device", "cpu", "--out", "o"}, folder_, true);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "rayleigh_taylor_theory: inviscid  ETA"));
}

TEST_F(Validate, MistakesAreExitCodeTwo) {
  const struct {
    std::vector<std::string> words;
    const char* says;
  } cases[] = {
      {{"hydrostat"}, "'hydrostat' is not a validation case; did you mean 'hydrostatic'?"},
      {{"xyz"}, "allowed: hydrostatic, tank_at_rest"},
      {{"dam_break", "dam_break"}, "is given twice"},
      {{"--size", "ful"}, "did you mean 'full'?"},
      {{"dam_break", "--json", "a", "--markdown", "./a"}, "are the same file"},
      {{"--lits"}, "did you mean '--list'?"},
      {{"--out", "a\nb", "dam_break"}, "control character"},
  };
  for (const auto& [words, says] : cases) {
    const Outcome outcome = validate(words);
    EXPECT_EQ(outcome.exit_code, 2) << says << outcome.err;
    EXPECT_TRUE(contains(outcome.err, says));
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(validate({"rayleigh_taylor_theory", "--out", "/proc/o"}).exit_code, 1);
  EXPECT_TRUE(contains(riffle({"valdate"}).err, "did you mean 'validate'?"));
}

}  // namespace riffle
