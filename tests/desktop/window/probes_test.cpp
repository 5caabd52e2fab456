// Probes in the window: placed with the mouse, plotted while the scene runs, and saved with it.

#include "desktop_session.h"
#include "scenes/load.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class Probes : public InterfaceTest {
 protected:
  void open_diagnostics() {
    ASSERT_TRUE(session().click("section.timings"));
    if (!session().has_widget("plot.energy.title")) {
      ASSERT_TRUE(session().click("section.diagnostics"));
    }
  }
};

TEST_F(Probes, OneIsPlacedAtAParticleAndPlottedWhileTheRunGoesOn) {
  write("scenes/tank.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.8, 1]}\ntime: {end: 1000}\n");
  open({"scenes/tank.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().wait_for_steps(150));
  ASSERT_TRUE(session().drag(0.5f, 0.5f, 0.5f, 0.5f));
  ASSERT_TRUE(
      session().wait_until("a particle is looked at", [](const json& now) { return !now["picked"].is_null(); }));
  const std::uint64_t before = session().step();
  ASSERT_TRUE(session().click("particle_box.probe_here"));
  ASSERT_TRUE(session().wait_until("its mark", [](const json& now) {
    return now["probe_marks"].is_object() && now["probe_marks"].contains("probe_1");
  }));
  EXPECT_GE(session().step(), before) << "the run goes on";
  open_diagnostics();
  ASSERT_TRUE(session().wait_until("its plots", [](const json& now) {
    if (!now.contains("diagnostics") || now["diagnostics"]["probe"] != "probe_1") return false;
    const json plots = now["diagnostics"]["plots"];
    return std::find(plots.begin(), plots.end(), json("plot.probe_pressure")) != plots.end() &&
           std::find(plots.begin(), plots.end(), json("plot.probe_velocity")) != plots.end();
  }));
  ASSERT_TRUE(session().rest_on("plot.probe_pressure"));
  session().write_picture("probe_here");
}

TEST_F(Probes, NamesOfTheSamePlaceDoNotPrintOnEachOther) {
  write("scenes/tank.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.8, 1]}\ntime: {end: 1000}\n"
        "probes:\n  - point: [0.5, 0.5, 0.5]\n  - line: {from: [0.5, 0.5, 0.5], to: [0.5, 0.1, 0.5], points: 3}\n"
        "  - point: [0.5, 0.51, 0.5]\n");
  open({"scenes/tank.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().wait_until("names", [](const json& now) {
    return now.contains("probe_names") && now["probe_names"].is_array() && now["probe_names"].size() == 3;
  }));
  session().write_picture("probe_names");
  const json rooms = session().values()["probe_names"];
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const auto side = [&](std::size_t which, int k) { return rooms[which][k].get<float>(); };
      EXPECT_TRUE(side(a, 0) >= side(b, 2) || side(b, 0) >= side(a, 2) || side(a, 1) >= side(b, 3) - 0.01f ||
                  side(b, 1) >= side(a, 3) - 0.01f)
          << rooms.dump();
    }
}

TEST_F(Probes, OneIsAddedMovedRemovedAndBroughtBackByTheKeysOfTheScene) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(
      session().wait_until("the buttons", [&](const json&) { return session().has_widget("add.probes.level"); }));
  ASSERT_TRUE(session().click("add.probes.level"));
  const auto marked = [](const char* name, bool there) {
    return [name, there](const json& now) {
      return (now["probe_marks"].is_object() && now["probe_marks"].contains(name)) == there;
    };
  };
  ASSERT_TRUE(session().wait_until("its mark", marked("level_1", true)));
  ASSERT_TRUE(session().click("add.probes.point"));
  ASSERT_TRUE(session().wait_until("another", marked("probe_2", true)));
  ASSERT_TRUE(session().click("remove.probes[0]"));
  ASSERT_TRUE(session().wait_until("the first is gone", marked("level_1", false)));
  EXPECT_TRUE(marked("probe_2", true)(session().values()));
  session().write_picture("probe_keys");
}

TEST_F(Probes, OneThatMovesIsMarkedBesideTheSavedTable) {
  write("scenes/tank.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.8, 1]}\ntime: {end: 1000}\n"
        "probes:\n  - {point: [0.5, 0.3, 0.5]}\n  - {point: [0.2, 0.3, 0.5]}\n");
  open({"scenes/tank.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().wait_for_steps(50));
  ASSERT_TRUE(session().click("keys.probes[0]"));
  ASSERT_TRUE(session().click("remove.probes[0]"));
  ASSERT_TRUE(
      session().wait_until("one is gone", [](const json& now) { return !now["probe_marks"].contains("probe_2"); }));
  ASSERT_TRUE(session().wait_for_steps(20));
  ASSERT_TRUE(session().click("export_menu"));
  ASSERT_TRUE(session().click("menu.export.diagnostics"));
  ASSERT_TRUE(session().wait_until("it is saved", [](const json& now) {
    return now.value("last_saved", "").find("-changes.csv") != std::string::npos;
  }));
  int lists = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with("-changes.csv")) continue;
    ++lists;
    const std::string text = read(name);
    EXPECT_NE(text.find(",place of probe_1,\"[0.5, 0.3, 0.5]\",\"[0.2, 0.3, 0.5]\"\n"), std::string::npos) << text;
  }
  EXPECT_EQ(lists, 1);
}

TEST_F(Probes, APlotStaysWithASolverThatLacksItsQuantityAndSaysWhy) {
  write("scenes/tank.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.8, 1]}\ntime: {end: 1000}\n"
        "probes:\n  - {name: P, point: [0.5, 0.3, 0.5]}\n");
  open({"scenes/tank.yaml", "--device", "cpu"});
  open_diagnostics();
  ASSERT_TRUE(session().wait_for_steps(100));
  ASSERT_TRUE(session().wait_for("plot.probe_pressure.note", ""));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.solver"));
  ASSERT_TRUE(session().choose("key.solver.type", "pbf"));
  ASSERT_TRUE(session().wait_for("solver", "pbf"));
  ASSERT_TRUE(session().wait_for_steps(20));
  ASSERT_TRUE(session().wait_for("plot.probe_pressure.note",
                                 "nothing is added: particles of solver.type pbf have no pressure"));
  EXPECT_EQ(session().values()["plot.probe_velocity.note"], "");
  ASSERT_TRUE(session().rest_on("plot.probe_pressure"));
  session().write_picture("probe_without_pressure");
  // The change is marked in each plot, and the mark says what it was.
  const json marks = session().values()["plot.probe_pressure.marks"];
  ASSERT_EQ(marks.size(), 1u);
  const std::string text = marks[0]["text"];
  EXPECT_EQ(text.find("changed at t = "), 0u) << text;
  EXPECT_NE(text.find(" s\nsolver.type from wcsph to pbf"), std::string::npos) << text;
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().rest_on("plot.probe_pressure"));
  const json still = session().values()["plot.probe_pressure.marks"][0];
  const Point corner = screen().area(session().window()).corner;
  screen().move_mouse({corner.x + still["x"].get<int>(), corner.y + still["y"].get<int>()});
  ASSERT_TRUE(session().wait_for("tip", text));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("parameter_mark");
}

}  // namespace
}  // namespace riffle::test
