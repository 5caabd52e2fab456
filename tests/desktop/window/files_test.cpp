// Scenes as files: opening, saving, and what is asked before changes are lost.

#include <filesystem>
#include <fstream>
#include <sstream>

#include "desktop_session.h"
#include "render/media/png.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class Files : public InterfaceTest {
 protected:
  void change_gravity() {
    ASSERT_TRUE(session().click("section.physics"));
    ASSERT_TRUE(session().click("keys.scene"));
    ASSERT_TRUE(session().slide("key.gravity", 60));
    ASSERT_TRUE(session().wait_until("it is carried out", [](const json& now) { return now["edits"] > 0; }));
  }
  /// Saves onto scenes/other.yaml, which somebody else has written. @param typed  that file's name in the question
  void expect_question_before_replacing(const std::string& typed, const std::string& theirs) {
    write("scenes/other.yaml", theirs);
    ASSERT_TRUE(session().click("save_scene"));
    ASSERT_TRUE(session().type_on(typed));
    ASSERT_TRUE(session().press("Return"));
    ASSERT_TRUE(
        session().wait_until("it asks", [&](const json&) { return session().has_widget("save_scene.replace"); }));
    EXPECT_EQ(read("scenes/other.yaml"), theirs);
  }
  ::testing::AssertionResult gone(const std::string& widget) {
    return session().wait_until(widget + " is gone",
                                [&, widget](const json&) { return !session().has_widget(widget); });
  }
};

TEST_F(Files, ChangesThatAreNotSavedAreAskedAboutWhenTheWindowCloses) {
  open();
  ASSERT_NO_FATAL_FAILURE(change_gravity());
  screen().close(session().window());
  ASSERT_TRUE(session().wait_for("asks_about_changes", true));
  session().write_picture("unsaved");
  ASSERT_TRUE(session().click("unsaved.stay"));
  ASSERT_TRUE(session().wait_for("asks_about_changes", false));
  ASSERT_TRUE(session().wait_for_steps(3));
  screen().close(session().window());
  ASSERT_TRUE(session().click("unsaved.save"));
  ASSERT_TRUE(session().click("save_scene.cancel"));
  ASSERT_TRUE(gone("save_scene.do"));
  ASSERT_TRUE(session().wait_for_steps(3)) << "nothing is saved, so it stays open";
  screen().close(session().window());
  ASSERT_TRUE(session().click("unsaved.save"));
  ASSERT_TRUE(session().wait_for("typing", true)) << "the line has the keyboard";
  ASSERT_TRUE(session().press("Return"));
  expect_end(0);
  EXPECT_NE(read("scenes/drop-edited.yaml").find("gravity"), std::string::npos);
}

TEST_F(Files, ChangesOfASceneThatWasLeftAreAskedAboutToo) {
  open();
  ASSERT_NO_FATAL_FAILURE(change_gravity());
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  screen().close(session().window());
  ASSERT_TRUE(session().wait_for("asks_about_changes", true));
  EXPECT_FALSE(session().has_widget("unsaved.save")) << "they are not of this scene";
  ASSERT_TRUE(session().click_to_end("unsaved.discard"));
  expect_end(0);
}

// Undo has taken the scene back whose change is not saved: only redo leads to it.
TEST_F(Files, ChangesOfASceneThatRedoLeadsToAreAskedAboutToo) {
  open();
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().wait_for("undo_takes", "the opening of pool"));
  ASSERT_TRUE(session().click("add.bodies.box"));
  ASSERT_TRUE(session().wait_until("undo says what it takes", [](const json& now) {
    return now["undo_takes"].get<std::string>().find("bodies") != std::string::npos;
  }));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("undo_takes", "the opening of pool"));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("scene", "drop"));
  ASSERT_TRUE(session().wait_for("redo_brings", "the opening of pool"));
  screen().close(session().window());
  ASSERT_TRUE(session().wait_for("asks_about_changes", true));
  EXPECT_EQ(session().values()["unsaved"], json::array({"pool"}));
  ASSERT_TRUE(session().click_to_end("unsaved.discard"));
  expect_end(0);
}

TEST_F(Files, ASignalSaysWhichChangesAreLost) {
  open();
  ASSERT_NO_FATAL_FAILURE(change_gravity());
  session().send(SIGTERM);
  const Outcome outcome = session().wait();
  EXPECT_NE(outcome.err.find("the changes of drop are lost: they are in no file"), std::string::npos) << outcome.err;
  expect_end(128 + SIGTERM);
}

TEST_F(Files, CommentsStayInTheSavedSceneAndThoseThatCannotAreAnnounced) {
  const auto file = write("scenes/noted.yaml",
                          "# a tank of water\nname: pond  # of ducks\n" + read("scenes/drop.yaml") + "\n# the end\n");
  open({"scenes/noted.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("save_scene"));
  // Under another name the scene is called after its file.
  ASSERT_TRUE(session().wait_for("save_scene.left_out",
                                 "A comment of the scene's file will not be in it, as what it belongs to is gone."));
  ASSERT_TRUE(session().type_on("noted"));
  ASSERT_TRUE(session().wait_for("save_scene.left_out", "")) << "the name stays";
  ASSERT_TRUE(session().click("save_scene.cancel"));
  ASSERT_TRUE(gone("save_scene.do"));
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().type_on("again"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(gone("save_scene.do"));
  const std::string saved = read("scenes/again.yaml");
  EXPECT_NE(saved.find("# a tank of water\n"), std::string::npos) << saved;
  EXPECT_TRUE(saved.ends_with("# the end\n")) << saved;
}

TEST_F(Files, NothingIsAskedIfNothingIsLost) {
  open();
  ASSERT_NO_FATAL_FAILURE(change_gravity());
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(
      session().wait_until("it is undone", [&](const json&) { return !session().has_widget("reset_key.gravity"); }));
  screen().close(session().window());
  expect_end(0);
}

TEST_F(Files, ASavedSceneIsCalledAfterItsFileAndAsksNothing) {
  open();
  ASSERT_NO_FATAL_FAILURE(change_gravity());
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().type_on("mine"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("scene", "mine"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "scenes/mine.yaml"));
  ASSERT_TRUE(session().wait_until("its title",
                                   [&](const json&) { return screen().title(session().window()) == "mine - Riffle"; }));
  ASSERT_TRUE(session().wait_for("last_saved", (folder_ / "scenes/mine.yaml").string()));
  screen().close(session().window());
  expect_end(0);
}

// Once a click beside it closed the question, and the rest of the path were keys: "r" started the scene again.
TEST_F(Files, ATypedPathReachesNoShortcut) {
  open();
  ASSERT_TRUE(session().wait_for_steps(5));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const std::uint64_t step = session().step();
  ASSERT_TRUE(session().click("open_scene"));
  ASSERT_TRUE(session().type("open_scene.file", "/n"));
  ASSERT_TRUE(session().drag(0.95f, 0.05f, 0.95f, 0.05f));  // a click beside it
  for (const std::string key : {"e", "w", "c", "o", "m", "e", "r", "l", "space"}) {
    ASSERT_TRUE(session().press(key));
    ASSERT_TRUE(session().wait_for_pictures(2));
  }
  EXPECT_TRUE(session().has_widget("open_scene.do"));
  EXPECT_EQ(session().values()["legend"], true);
  EXPECT_EQ(session().values()["playing"], false);
  EXPECT_EQ(session().step(), step);
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(gone("open_scene.do"));
}

TEST_F(Files, AFolderIsMadeAndAFileReplacedOnlyWhenAsked) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().type_on("nodir/x.yaml"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(
      session().wait_until("it says so", [&](const json&) { return session().has_widget("save_scene.make_folder"); }));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "scenes/nodir"));
  session().write_picture("save_scene");
  ASSERT_TRUE(session().click("save_scene.make_folder"));
  ASSERT_TRUE(gone("save_scene.do"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "scenes/nodir/x.yaml"));

  ASSERT_NO_FATAL_FAILURE(expect_question_before_replacing("../other.yaml", "precious"));
  ASSERT_TRUE(session().click("save_scene.replace"));
  ASSERT_TRUE(gone("save_scene.do"));
  EXPECT_NE(read("scenes/other.yaml"), "precious");

  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().type_on("deeper/y.yaml"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(
      session().wait_until("it asks", [&](const json&) { return session().has_widget("save_scene.make_folder"); }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(gone("save_scene.do"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "scenes/deeper/y.yaml")) << "Enter is the answer as well";
}

// Nothing was saved in this session before: once that ended the program.
TEST_F(Files, TheFirstSaveOntoAnotherFileAsksToo) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_NO_FATAL_FAILURE(expect_question_before_replacing("other.yaml", "precious"));
  ASSERT_TRUE(session().click("save_scene.replace"));
  ASSERT_TRUE(gone("save_scene.do"));
  EXPECT_NE(read("scenes/other.yaml"), "precious");

  ASSERT_NO_FATAL_FAILURE(expect_question_before_replacing("other.yaml", "changed by somebody else since"));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(gone("save_scene.do"));
}

// Fluid that enters until the run stands still made another simulation of it.
TEST_F(Files, TheRateOfARunIsKnownAfterItHasPlayedWithTheSectionClosed) {
  write("scenes/filling.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.02}\n"
        "bodies:\n  - box: {min: [0, 0], max: [1, 0.3]}\n"
        "inlets:\n  - {disc: {center: [0.5, 0.9], radius: 0.1}, speed: 1}\ntime: {end: 100}\n");
  open({"scenes/filling.yaml", "--device", "cpu"});
  if (session().has_widget("export.record")) {  // the last window may have left the section open
    ASSERT_TRUE(session().click("section.export"));
  }
  ASSERT_TRUE(
      session().wait_until("it has played", [](const json& now) { return now["time"] > 0.1 && now["speed"] > 0; }));
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().wait_for_pictures(3));
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().wait_until("the choice", [](const json& now) {
    return now.value("would_record", "").find("Automatic chose") != std::string::npos;
  }));
  const std::string chosen = session().values()["would_record"];
  EXPECT_NE(chosen.find("the simulation makes "), std::string::npos) << chosen;
}

TEST_F(Files, WhatAutomaticHasChosenIsSaidBeforeARecordingAndDuringIt) {
  open();
  ASSERT_TRUE(session().choose("speed", "1/16 x"));
  ASSERT_TRUE(session().wait_until("it is slow", [](const json& now) {
    return now["asked_speed"] == 0.0625 && now["speed"] > 0 && now["speed"] < 0.5;
  }));
  const std::string chosen = "Automatic chose \u201cas seen\u201d: the simulation makes ";
  ASSERT_TRUE(session().rest_on("record"));
  ASSERT_TRUE(session().wait_until(
      "the tip says so", [&](const json& now) { return now.value("tip", "").find(chosen) != std::string::npos; }));
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().wait_until("the panel says so", [&](const json& now) {
    return now.value("would_record", "").find(chosen) != std::string::npos;
  }));
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_until("it is said during the recording", [&](const json& now) {
    return now.value("recorded_because", "").find(chosen) != std::string::npos;
  }));
  ASSERT_TRUE(session().wait_for("recorded_as_seen", true));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("automatic");
  float width = 0;
  for (int k = 0; k < 20; ++k) {  // its numbers grow meanwhile
    ASSERT_TRUE(session().wait_for_pictures(1));
    const json line = session().widget("recording.progress");
    EXPECT_LE(line["x"].get<float>() + line["width"].get<float>(), line["room"][2].get<float>() + 1) << "cut off";
    const float now = line["room"][2].get<float>() - line["room"][0].get<float>();
    EXPECT_EQ(now, k > 0 ? width : now) << "a window that follows its text is a picture late";
    width = now;
  }
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(
      session().wait_until("what was saved", [&](const json&) { return session().has_widget("recording.saved"); }));
  const json saved = session().widget("recording.saved");
  EXPECT_EQ(saved["room"][2].get<float>() - saved["room"][0].get<float>(), width) << "nor when the recording ends";
  EXPECT_LE(saved["x"].get<float>() + saved["width"].get<float>(), saved["room"][2].get<float>() + 1) << "cut off";
}

TEST_F(Files, APictureCanHaveTheSizeOfTheScene) {
  write("scenes/small.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0], max: [0.8, 0.8]}\npicture: {size: [466, 322]}\n");
  open({"scenes/small.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().choose("export.size", "as the scene"));
  ASSERT_TRUE(session().click("export.picture"));
  ASSERT_TRUE(session().wait_until("a picture", [](const json& now) {
    return now["last_saved"].get<std::string>().find(".png") != std::string::npos;
  }));
  const std::string saved = session().values()["last_saved"];
  const render::Image picture = render::read_png(saved.substr(saved.find('/')));
  EXPECT_EQ(picture.width, 466);
  EXPECT_EQ(picture.height, 322);
}

TEST_F(Files, EverySizeOfPicturesStandsInTheListOnce) {
  write("scenes/usual.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0], max: [0.8, 0.8]}\npicture: {size: [1280, 720]}\n");
  open({"scenes/usual.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().click("export.size"));
  ASSERT_TRUE(
      session().wait_until("the list", [&](const json&) { return session().has_widget("export.size.1080 x 1080"); }));
  for (const char* size : {"as the window", "as the scene", "1920 x 1080", "3840 x 2160", "1080 x 1920"})
    EXPECT_TRUE(session().has_widget(std::string("export.size.") + size)) << size;
  EXPECT_FALSE(session().has_widget("export.size.1280 x 720")) << "it is the scene's";
  session().write_picture("export_sizes");
  ASSERT_TRUE(session().click("export.size.1080 x 1920"));
  ASSERT_TRUE(session().wait_for("export_size", "1080 x 1920"));
  ASSERT_TRUE(session().choose("scene", "drop"));
  ASSERT_TRUE(session().wait_for("scene", "drop"));
  ASSERT_TRUE(session().click("export.picture"));
  ASSERT_TRUE(session().wait_until("a picture", [](const json& now) {
    return now["last_saved"].get<std::string>().find(".png") != std::string::npos;
  }));
  const std::string saved = session().values()["last_saved"];
  const render::Image picture = render::read_png(saved.substr(saved.find('/')));
  EXPECT_EQ(picture.width, 1080);
  EXPECT_EQ(picture.height, 1920);
}

// The section grew at its end when the line came, and a click after scrolling there hit another button.
TEST_F(Files, TheLineOfWhatWasSavedHasItsRoomFromTheBeginning) {
  open();
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().wait_until("the section", [](const json& now) { return now.contains("export_ends"); }));
  ASSERT_TRUE(session().rest_on("export.timings"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_FALSE(session().has_widget("export.saved"));
  const auto button = [&] { return session().widget("export.timings")["y"]; };
  const json end = session().values()["export_ends"], place = button();
  ASSERT_TRUE(session().click("export.timings"));
  ASSERT_TRUE(session().wait_until("the line", [&](const json&) { return session().has_widget("export.saved"); }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(session().values()["export_ends"], end);
  EXPECT_EQ(button(), place);
  ASSERT_TRUE(session().click("recording.hide"));
  ASSERT_TRUE(session().wait_until("it is gone", [&](const json&) { return !session().has_widget("export.saved"); }));
  EXPECT_EQ(session().values()["export_ends"], end);
}

// The note named the file of another scene for as long as nobody hid it.
TEST_F(Files, ANoteOfWhatWasSavedGoesWithItsScene) {
  open();
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().click("export.picture"));
  ASSERT_TRUE(session().wait_until("a picture", [](const json& now) {
    return now["last_saved"].get<std::string>().find("riffle-drop-") != std::string::npos;
  }));
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().wait_for("last_saved", ""));
}

TEST_F(Files, AFolderThatIsMissingIsMadeOnlyIfTheUserSaysSo) {
  open();
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().click("export.folder"));
  ASSERT_TRUE(session().wait_for("typing", true));
  ASSERT_TRUE(session().press("End"));
  ASSERT_TRUE(session().type_on("/new"));
  ASSERT_TRUE(session().press("Return"));
  const std::filesystem::path folder = folder_.string() + "/new";
  const auto asks = [&](const json& now) { return now["missing_folder"] == folder.string(); };
  ASSERT_TRUE(session().click("export.picture"));
  ASSERT_TRUE(session().wait_until("the question", asks)) << session().values()["missing_folder"];
  EXPECT_FALSE(std::filesystem::exists(folder));
  ASSERT_TRUE(session().click("missing_folder.cancel"));
  ASSERT_TRUE(session().wait_for("missing_folder", ""));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_FALSE(std::filesystem::exists(folder)) << "nothing is made";
  EXPECT_EQ(session().values()["last_saved"], "");
  ASSERT_TRUE(session().click("export.picture"));
  ASSERT_TRUE(session().wait_until("the question", asks));
  ASSERT_TRUE(session().click("missing_folder.make"));
  ASSERT_TRUE(session().wait_until("the picture", [&](const json& now) {
    return now["last_saved"].get<std::string>().starts_with(folder.string() + "/riffle-drop-");
  }));
}

TEST_F(Files, ANameThatNoFileCanHaveIsRefusedAndTheNameGoesWithItsScene) {
  open();
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().type("export.name", "a"));
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().type_on("b/c"));
  ASSERT_TRUE(session().wait_for("export_name", "a b/c"));
  ASSERT_TRUE(session().wait_for("forbidden_in_name", "a slash"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().click("export.picture"));
  ASSERT_TRUE(session().wait_for("notices", 1));
  ASSERT_TRUE(session().click("notice.close"));
  ASSERT_TRUE(session().type("export.name", "d"));
  ASSERT_TRUE(session().wait_for("export_name", "a b/cd"));
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(session().press("BackSpace"));
    ASSERT_TRUE(session().wait_for_pictures(3));  // GLFW takes taps of one key within 20 ms for its repetition
  }
  ASSERT_TRUE(session().wait_for("export_name", "a b"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().click("export.picture"));
  ASSERT_TRUE(session().wait_until(
      "the picture", [&](const json& now) { return now["last_saved"] == (folder_ / "a b.png").string(); }));
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().wait_for("export_name", ""));
}

TEST_F(Files, ARecordingSaysThatTheRunWasStartedAgain) {
  open();
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_until("pictures", [](const json& now) { return now["recorded_frames"] > 2; }));
  EXPECT_EQ(session().values()["recording_progress"].get<std::string>().find("back in time"), std::string::npos);
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_until("the recording's line says so", [](const json& now) {
    return now["recording_progress"].get<std::string>().find("Meanwhile the run went back in time once") !=
           std::string::npos;
  }));
  EXPECT_EQ(session().values()["recording"], true) << "it goes on";
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_until("the note says so, too", [](const json& now) {
    return now["last_saved"].get<std::string>().find("the run went back in time once") != std::string::npos;
  }));
}

TEST_F(Files, ChoicesForPicturesAndMoviesAreRemembered) {
  open();
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().choose("export.size", "1920 x 1080"));
  ASSERT_TRUE(session().click("export.png"));
  ASSERT_TRUE(session().click("export.as_seen"));
  ASSERT_TRUE(session().choose("export.particles.format", "ply"));
  const auto chosen = [](const json& now) {
    const json choices = now.value("export_choices", json::object());
    return choices.value("size", "") == "1920 x 1080" && choices.value("pictures", false) &&
           choices.value("moments", "") == "as seen" && choices.value("particles", "") == ".ply";
  };
  ASSERT_TRUE(session().wait_until("they are chosen", chosen));
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_TRUE(chosen(session().values())) << "of another scene";
  close();
  open();
  ASSERT_TRUE(session().wait_until("the section is open again",
                                   [&](const json&) { return session().has_widget("export.size"); }));
  EXPECT_TRUE(chosen(session().values())) << "after another start";
}

TEST_F(Files, ParticlesAreSavedOverTimeWithASignUntilTheyAreStopped) {
  open();
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().click("export_menu"));
  ASSERT_TRUE(session().click("menu.export.particles"));
  ASSERT_TRUE(session().wait_until("files", [](const json& now) { return now["particle_files"] >= 3; }));
  session().write_picture("particles");
  ASSERT_TRUE(session().click("particles.stop"));
  ASSERT_TRUE(session().wait_for("particle_files", 0));
  ASSERT_TRUE(session().wait_until("it says where", [](const json& now) {
    return now["last_saved"].get<std::string>().find("-particles.pvd") != std::string::npos;
  }));
  EXPECT_FALSE(session().has_widget("particles.stop"));
  const std::string saved = session().values()["last_saved"];
  const std::filesystem::path list = saved.substr(saved.find('/'));
  std::string text;
  ASSERT_TRUE(session().wait_until("the list is written", [&](const json&) {
    text = read(std::filesystem::relative(list, folder_).string());
    return text.find("_000002.vtp") != std::string::npos;
  }));
  EXPECT_TRUE(std::filesystem::exists(list.parent_path() / (list.stem().string() + "_000000.vtp")));
  EXPECT_NE(text.find("timestep=\""), std::string::npos);
  // While it ran on after the status that the window had seen, more were written.
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(list.parent_path()))
    files += file.path().extension() == ".vtp";
  EXPECT_TRUE(saved.starts_with(std::to_string(files) + " files of particles")) << files << ": " << saved;
}

TEST_F(Files, ANewSceneIsNotThatOfTheFileOfItsName) {
  open();
  const auto new_tank = [&] {
    ASSERT_TRUE(session().click("new_scene"));
    ASSERT_TRUE(session().click("new.new tank"));
    ASSERT_TRUE(session().wait_for("scene", "tank"));
    ASSERT_TRUE(session().wait_for_pictures(5));
  };
  const auto save_as = [&](const std::string& name) {
    ASSERT_TRUE(session().click("save_scene"));
    ASSERT_TRUE(session().type_on(name));
    ASSERT_TRUE(session().press("Return"));
  };
  ASSERT_NO_FATAL_FAILURE(new_tank());
  if (!session().has_widget("save_scene")) {
    ASSERT_TRUE(session().click("section.physics"));
  }
  ASSERT_NO_FATAL_FAILURE(save_as("tank"));
  ASSERT_TRUE(session().wait_until("it is written", [&](const json&) { return !read("tank.yaml").empty(); }));
  const std::string mine = read("tank.yaml");
  ASSERT_NO_FATAL_FAILURE(new_tank());
  ASSERT_TRUE(session().click("scene"));
  const std::string current = "current of " + (folder_ / "tank.yaml").string();
  ASSERT_TRUE(session().wait_until("the list", [&](const json& now) { return now.contains(current); }));
  EXPECT_EQ(session().values()[current], false);
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_until("the list is closed", [](const json& now) { return now["list_box"].is_null(); }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  // Nor does it replace that file without a question.
  ASSERT_NO_FATAL_FAILURE(save_as("tank"));
  ASSERT_TRUE(session().wait_until("it asks", [&](const json&) { return session().has_widget("save_scene.replace"); }));
  EXPECT_EQ(read("tank.yaml"), mine);
  ASSERT_TRUE(session().click("save_scene.cancel"));
  ASSERT_TRUE(gone("save_scene.do"));
  ASSERT_NO_FATAL_FAILURE(save_as("other"));
  ASSERT_TRUE(session().wait_until("it is written", [&](const json&) { return !read("other.yaml").empty(); }));
  EXPECT_TRUE(read("other.yaml").starts_with("# Riffle scene, written from a new scene\n")) << read("other.yaml");
}

TEST_F(Files, TheSurfaceIsSavedOverTimeWithASignUntilItIsStopped) {
  open({"scenes/drop.yaml", "--device", "cpu", "--set", "movie.time_scale=0.2"});
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().click("export_menu"));
  ASSERT_TRUE(session().click("menu.export.surfaces"));
  ASSERT_TRUE(session().wait_until("files", [](const json& now) { return now["surface_files"] >= 2; }));
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("surfaces");
  ASSERT_TRUE(session().click("surfaces.stop"));
  ASSERT_TRUE(session().wait_for("surface_files", 0));
  ASSERT_TRUE(session().wait_until("it says where", [](const json& now) {
    return now["last_saved"].get<std::string>().find("files of the surface, ") != std::string::npos;
  }));
  EXPECT_FALSE(session().has_widget("surfaces.stop"));
  const std::string saved = session().values()["last_saved"];
  const std::filesystem::path list = saved.substr(saved.find('/'));
  EXPECT_TRUE(list.string().ends_with("-surfaces.pvd")) << list;
  ASSERT_TRUE(session().wait_until("the list is written", [&](const json&) {
    return read(std::filesystem::relative(list, folder_).string()).find("_000001.vtp") != std::string::npos;
  }));
}

TEST_F(Files, AFileIsFoundByTheFolders) {
  open();
  write("elsewhere/pond.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  ASSERT_TRUE(session().click("open_scene"));
  ASSERT_TRUE(session().wait_for("open_scene.folder", folder_.string()));
  ASSERT_TRUE(session().click("open_scene.entry.elsewhere"));
  ASSERT_TRUE(session().wait_for("open_scene.folder", (folder_ / "elsewhere").string()));
  ASSERT_TRUE(session().click("open_scene.up"));
  ASSERT_TRUE(session().wait_for("open_scene.folder", folder_.string()));
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("open_scene");
  ASSERT_TRUE(session().type("open_scene.file", "els"));
  ASSERT_TRUE(session().press("Tab"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  ASSERT_TRUE(session().press("Return"));  // "elsewhere/" is a folder
  ASSERT_TRUE(session().wait_for("open_scene.folder", (folder_ / "elsewhere").string()));
  ASSERT_TRUE(session().click("open_scene.entry.pond.yaml"));
  ASSERT_TRUE(session().click("open_scene.do"));
  ASSERT_TRUE(session().wait_for("scene", "pond"));
  ASSERT_TRUE(session().choose("scene", "drop"));
  ASSERT_TRUE(session().wait_for("scene", "drop"));
  std::filesystem::remove(folder_ / "elsewhere/pond.yaml");
  ASSERT_TRUE(session().click("scene"));
  ASSERT_TRUE(session().wait_until("the list", [&](const json&) { return session().has_widget("scene.drop"); }));
  EXPECT_FALSE(session().has_widget("recent.pond")) << "it was deleted";
  ASSERT_TRUE(session().press("Escape"));
}

TEST_F(Files, ASceneOf2DimensionsSaysWhyItHasNoSurface) {
  const auto says_why = [](const json& now) {
    const std::string tip = now["tip"];
    return tip.find("Not here: a scene of 2 dimensions has no surface of triangles.") != std::string::npos &&
           tip.find("a probe that is a level") != std::string::npos;
  };
  write("scenes/flat.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
        "bodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\ntime: {end: 1000}\n");
  open({"scenes/flat.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("export_menu"));
  for (const char* const entry : {"menu.export.surface", "menu.export.surfaces"}) {
    ASSERT_TRUE(session().rest_on(entry));
    EXPECT_TRUE(session().wait_until(entry, says_why));
  }
  ASSERT_TRUE(session().click("menu.export.surface"));
  ASSERT_TRUE(session().wait_for_pictures(2));
  EXPECT_FALSE(session().has_widget("notice.close")) << "it does nothing";
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().click("section.export"));
  for (const char* const button : {"export.surface", "export.surfaces"}) {
    ASSERT_TRUE(session().rest_on(button));
    EXPECT_TRUE(session().wait_until(button, says_why));
  }
}

TEST_F(Files, TheSurfaceOfTheFluidIsSavedInTheFormatThatIsChosen) {
  open();
  ASSERT_TRUE(session().wait_for_steps(5));
  ASSERT_TRUE(session().click("section.export"));
  ASSERT_TRUE(session().choose("export.surface.format", "obj"));
  ASSERT_TRUE(session().click("export.surface"));
  ASSERT_TRUE(session().wait_until(
      "it is saved", [](const json& now) { return now.value("last_saved", "").ends_with("-surface.obj"); }));
  std::istringstream lines(
      read(std::filesystem::path(session().values()["last_saved"].get<std::string>()).filename().string()));
  int vertices = 0, triangles = 0;
  for (std::string line; std::getline(lines, line);) {
    vertices += line.starts_with("v ");
    triangles += line.starts_with("f ");
  }
  EXPECT_GT(vertices, 100);
  EXPECT_EQ((2 * vertices - triangles) % 4, 0) << "closed surfaces, by Euler's formula";
}

}  // namespace
}  // namespace riffle::test
