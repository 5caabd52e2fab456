// State files, by the buttons of the window and by dropping them on it.

#include <cmath>
#include <filesystem>
#include <fstream>

#include "desktop_session.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class WindowStates : public InterfaceTest {
 protected:
  /// Runs the program without a window. @return the hash of its last state
  std::string hash_of(std::vector<std::string> words) {
    words.insert(words.end(), {"--no-picture", "--quiet", "--json", "r.json"});
    const Outcome outcome = Program(words, folder_).wait();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(read("r.json"))["diagnostics"]["state_hash"];
  }
  /// Pauses the run and saves its state by the button. @return the step
  std::uint64_t save_state(const std::string& name, const std::string& folder = "scenes") {
    EXPECT_TRUE(session().click("play"));
    EXPECT_TRUE(session().wait_for("playing", false));
    EXPECT_TRUE(session().click("save_state"));
    EXPECT_TRUE(session().type_on(name));
    EXPECT_TRUE(session().press("Return"));
    EXPECT_TRUE(session().wait_for("last_saved", (folder_ / folder / (name + ".h5")).lexically_normal().string()));
    return session().step();
  }
  ::testing::AssertionResult says(const std::string& words) {
    return session().wait_until(
        words, [words](const json& now) { return now.value("notice", "").find(words) != std::string::npos; });
  }
};

TEST_F(WindowStates, OneIsSavedOpenedAgainAndTakenBack) {
  open();
  ASSERT_TRUE(session().wait_for_steps(20));
  const json home = session().values()["camera"];
  ASSERT_TRUE(session().drag(0.5f, 0.5f, 0.6f, 0.55f));
  ASSERT_TRUE(session().wait_until("a turned view", [&](const json& now) { return now["camera"] != home; }));
  const std::uint64_t step = save_state("run");
  const json seen = session().values()["camera"];
  session().write_picture("saved_state");
  ASSERT_TRUE(std::filesystem::exists(folder_ / "scenes/run.xmf")) << "ParaView opens it";
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().click("open_state"));
  ASSERT_TRUE(session().wait_for("open_state.folder", (folder_ / "scenes").string()));
  session().write_picture("open_state");
  ASSERT_TRUE(session().click("open_state.entry.run.h5"));
  ASSERT_TRUE(session().click("open_state.do"));
  ASSERT_TRUE(session().wait_for("scene_list", "drop (run.h5)"));
  EXPECT_GE(session().step(), step);
  ASSERT_TRUE(session().wait_until("the view that was saved", [&](const json& now) {
    for (std::size_t k = 0; k < seen.size(); ++k)
      if (std::abs(now["camera"][k].get<double>() - seen[k].get<double>()) > 1e-3) return false;
    return true;
  }));
  ASSERT_TRUE(session().wait_until("its time line begins at the state",
                                   [](const json& now) { return now["last_moment"] > 0 && now["time"] > 0; }));
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().click("scene"));
  ASSERT_TRUE(session().wait_until("the list", [&](const json&) { return session().has_widget("scene.drop"); }));
  EXPECT_FALSE(session().has_widget("recent.drop")) << "the scene of a state has no file of its own";
  ASSERT_TRUE(session().press("Escape"));
}

TEST_F(WindowStates, AFileIsReplacedOnlyWhenAsked) {
  open();
  write("scenes/drop.h5", "precious");
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().click("export_menu"));
  ASSERT_TRUE(session().click("menu.export.state"));
  ASSERT_TRUE(session().wait_for("typing", true));
  ASSERT_TRUE(session().press("Return"));  // the name that is offered
  ASSERT_TRUE(session().wait_until("it asks", [&](const json&) { return session().has_widget("save_state.replace"); }));
  EXPECT_EQ(read("scenes/drop.h5"), "precious");
  ASSERT_TRUE(session().click("save_state.replace"));
  ASSERT_TRUE(session().wait_for("last_saved", (folder_ / "scenes/drop.h5").string()));
  EXPECT_EQ(read("scenes/drop.h5").find("RIFFLE STATE"), 0u);

  std::filesystem::remove(folder_ / "scenes/drop.h5");  // what is written beside it is asked about as well
  write("scenes/drop.xmf", "precious");
  ASSERT_TRUE(session().click("save_state"));
  ASSERT_TRUE(session().wait_for("typing", true));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("save_state.there", "drop.xmf is there already."));
  EXPECT_EQ(read("scenes/drop.xmf"), "precious");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "scenes/drop.h5"));
  ASSERT_TRUE(session().click("save_state.replace"));
  ASSERT_TRUE(session().wait_until("it is replaced", [&](const json&) {
    return std::filesystem::exists(folder_ / "scenes/drop.h5") && read("scenes/drop.xmf") != "precious";
  }));
}

TEST_F(WindowStates, AFileOfTheSceneThatIsGoneIsNamedInTheQuestion) {
  const auto way = write("scenes/way.csv", "t,x\n0,0\n1,0.01\n2,0\n");
  write("scenes/driven.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [0.4, 0.4, 1]}\n"
        "solids:\n  - {box: {min: [0.6, 0, 0.2], max: [0.9, 0.4, 0.6]}, motion: {table: way.csv}}\n");
  open({"scenes/driven.yaml", "--device", "cpu"});
  std::filesystem::remove(way);
  ASSERT_TRUE(session().click("save_state"));
  ASSERT_TRUE(session().wait_for("typing", true));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("the file's name", [](const json& now) {
    return now.value("save_state.mistake", "").find("way.csv: cannot be read for the state") != std::string::npos;
  }));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "scenes/driven.h5"));
  ASSERT_TRUE(session().press("Escape"));
}

TEST_F(WindowStates, ADroppedOneIsOpenedAndABrokenOneSaysWhatIsWrong) {
  open();
  ASSERT_TRUE(session().wait_for_steps(10));
  const std::uint64_t step = save_state("run");
  ASSERT_EQ(Program({"pack", "scenes/run.h5", "--out", "scenes/run.zip"}, folder_).wait().exit_code, 0);
  ASSERT_EQ(screen().drop_files(session().window(), {folder_ / "scenes/run.zip"}), "");
  ASSERT_TRUE(session().wait_for("scene_list", "drop (run.zip)"));
  ASSERT_TRUE(session().wait_for("playing", true));
  EXPECT_GE(session().step(), step);
  ASSERT_EQ(screen().drop_files(session().window(), {folder_ / "scenes/run.h5"}), "");
  ASSERT_TRUE(session().wait_for("scene_list", "drop (run.h5)"));
  ASSERT_TRUE(session().wait_for("playing", true));
  EXPECT_GE(session().step(), step);
  const auto broken = write("broken.h5", read("scenes/run.h5").substr(0, 3000));
  const auto foreign = write("foreign.h5", "\x89HDF\r\n\x1a\n of another program, which is longer than this line");
  for (const auto& [file, words] : {std::pair{broken, "broken.h5: is incomplete: it has 3000 bytes"},
                                    {foreign, "foreign.h5: is an HDF5 file of another program"}}) {
    ASSERT_EQ(screen().drop_files(session().window(), {file}), "");
    ASSERT_TRUE(says(words));
    EXPECT_EQ(session().values()["notice"].get<std::string>().find("The state could not be opened: "), 0u);
    session().write_picture("broken_state");
    ASSERT_TRUE(session().click("notice.close"));
    ASSERT_TRUE(session().wait_for_steps(2)) << "the run goes on";
    EXPECT_EQ(session().values()["scene_list"], "drop (run.h5)");
  }
  ASSERT_TRUE(session().click("open_state"));
  ASSERT_TRUE(session().type("open_state.file", "none.h5"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("it is missing", [](const json& now) {
    return now.value("open_state.mistake", "").find("none.h5: there is no such file") != std::string::npos;
  }));
  ASSERT_TRUE(session().press("Escape"));
}

// From the command line into the window and back: every hash is that of the run that nobody interrupted.
TEST_F(WindowStates, ARunGoesThroughTheWindowToTheLastBit) {
  write("scenes/round.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1], axes: periodic}\nparticles: {spacing: 0.1}\ndeterministic: true\n"
        "bodies:\n  - {velocity: [0, -5, 0], box: {min: [0, 0, 0], max: [1, 0.8, 0.5]}}\ntime: {end: 1000}\n");
  hash_of({"run", "scenes/round.yaml", "--device", "cpu", "--steps", "30", "--checkpoint", "begin.h5",
           "--checkpoint-every", "10"});
  open({"begin.h5", "--device", "cpu"});
  EXPECT_EQ(session().values()["scene_list"], "round (begin.h5)");
  EXPECT_GE(session().step(), 30u);
  ASSERT_TRUE(session().wait_for_steps(10));
  ASSERT_TRUE(session().click("save_state"));
  ASSERT_TRUE(session().wait_until("what a run from the state keeps", [](const json& now) {
    return now.value("save_state.keeping", "").find(" in begin.h5 beside it") != std::string::npos;
  }));
  ASSERT_TRUE(session().press("Escape"));
  const std::uint64_t step = save_state("there", ".");
  ASSERT_GT(step, 30u);
  const std::string whole =
      hash_of({"run", "scenes/round.yaml", "--device", "cpu", "--steps", std::to_string(step + 20)});
  EXPECT_EQ(hash_of({"resume", "there.h5", "--device", "cpu", "--steps", "20"}), whole);
}

/// Every run is long enough to be asked about.
class ClosingUnsaved : public WindowStates {
 protected:
  std::map<std::string, std::string> more_environment() override { return {{"RIFFLE_UNSAVED_SECONDS", "0"}}; }
  ::testing::AssertionResult close_and_be_asked() {
    screen().close(session().window());
    return session().wait_for("asks_about_unsaved_run", true);
  }
  bool asks() { return session().values().value("asks_about_unsaved_run", false); }
};

TEST_F(ClosingUnsaved, ARunWithoutAStateIsAskedAboutAndItsStateIsSaved) {
  open();
  ASSERT_TRUE(session().wait_for_steps(5));
  ASSERT_TRUE(close_and_be_asked());
  const std::string text = session().values()["unsaved_run"];
  EXPECT_EQ(text.find("This run was computed for "), 0u) << text;
  EXPECT_NE(text.find("more than 0 seconds of computing of a run would be lost"), std::string::npos) << text;
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("unsaved_run");
  ASSERT_TRUE(session().click("unsaved_run.stay"));
  ASSERT_TRUE(session().wait_for("asks_about_unsaved_run", false));
  ASSERT_TRUE(session().wait_for_steps(5)) << "the run goes on";
  ASSERT_TRUE(close_and_be_asked());
  ASSERT_TRUE(session().click("unsaved_run.save"));
  ASSERT_TRUE(session().wait_for("typing", true));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for("typing", false)) << "no file: the window stays";
  ASSERT_TRUE(session().wait_for_steps(5));
  EXPECT_FALSE(asks());
  ASSERT_TRUE(close_and_be_asked());
  ASSERT_TRUE(session().click("unsaved_run.save"));
  ASSERT_TRUE(session().wait_for("typing", true));
  screen().press_key("Return");
  expect_end(0);
  EXPECT_EQ(read("scenes/drop.h5").find("RIFFLE STATE"), 0u);
}

TEST_F(ClosingUnsaved, AStateThatCannotBeWrittenKeepsTheWindowOpen) {
  open();
  ASSERT_TRUE(session().wait_for_steps(5));
  ASSERT_TRUE(close_and_be_asked());
  ASSERT_TRUE(session().click("unsaved_run.save"));
  ASSERT_TRUE(session().type_on("/proc/x"));  // nobody can write there
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("it is said", [](const json& now) { return now["notices"] == 1; }));
  ASSERT_TRUE(session().click("notice.close"));
  ASSERT_TRUE(session().wait_for_pictures(5)) << "it is still open";
  EXPECT_FALSE(asks());
  ASSERT_TRUE(close_and_be_asked()) << "the run is still unsaved";
  ASSERT_TRUE(session().click("unsaved_run.stay"));
}

TEST_F(ClosingUnsaved, ARunWhoseStateIsSavedIsClosedWithoutAQuestion) {
  open();
  ASSERT_TRUE(session().wait_for_steps(5));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().click("save_state"));
  ASSERT_TRUE(session().wait_for("typing", true));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("last_saved", (folder_ / "scenes/drop.h5").string()));
  screen().close(session().window());
  expect_end(0);
}

TEST_F(ClosingUnsaved, RunsThatUndoLeadsToAreNamedAndAskedAboutAloneOnceThePresentOneIsSaved) {
  open();
  ASSERT_TRUE(session().wait_for_steps(5));
  ASSERT_TRUE(session().click("reset"));
  ASSERT_TRUE(session().wait_for("kept_runs", 1));
  ASSERT_TRUE(session().wait_for_steps(5));
  ASSERT_TRUE(close_and_be_asked());
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("unsaved_runs");
  const std::string both = session().values()["unsaved_run"];
  EXPECT_EQ(both.find("This run was computed for "), 0u) << both;
  EXPECT_NE(both.find("Undo and redo lead to an earlier run whose last moments are in no state file: drop up to t = "),
            std::string::npos)
      << both;
  ASSERT_TRUE(session().click("unsaved_run.save"));
  ASSERT_TRUE(session().wait_for("typing", true));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("only about the other one", [](const json& now) {
    return now["asks_about_unsaved_run"] == true && now.value("unsaved_run", "").starts_with("Undo and redo lead to ");
  }));
  EXPECT_FALSE(session().has_widget("unsaved_run.save")) << "it would save the present one";
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("unsaved_kept_run");
  ASSERT_TRUE(session().click_to_end("unsaved_run.close"));
  expect_end(0);
  EXPECT_EQ(read("scenes/drop.h5").find("RIFFLE STATE"), 0u);
}

}  // namespace
}  // namespace riffle::test
