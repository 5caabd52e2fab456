// What the window says of a scene that is doubtful, and of changes that a scene cannot take.

#include <set>

#include "desktop_session.h"
#include "scenes/load.h"
#include "tests/scenes/warned_scenes.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class WindowWarnings : public InterfaceTest {
 protected:
  std::filesystem::path drop_scene(const std::string& name, const std::string& text) {
    const auto file = write(name + ".yaml", text);
    EXPECT_EQ(screen().drop_files(session().window(), {file}), "");
    EXPECT_TRUE(session().wait_for("scene", name));
    return file;
  }
  void open_solver_keys() {
    ASSERT_TRUE(session().click("section.physics"));
    ASSERT_TRUE(session().click("keys.solver"));
  }
};

TEST_F(WindowWarnings, EveryWarningIsInTheListWithTheWordsOfTheCommandLine) {
  open();
  EXPECT_EQ(session().values()["warnings"], json::object());
  for (const WarnedScene& scene : warned_scenes()) {
    SCOPED_TRACE(scene.name);
    if (!scene.particles.empty()) write("particles.csv", scene.particles);
    if (!scene.mesh.empty()) write("mesh.obj", scene.mesh);
    const auto file = drop_scene(scene.name, scene.text);
    ASSERT_TRUE(session().wait_until("all its warnings", [&](const json& now) {
      for (const auto* kinds : {&scene.of_scene, &scene.of_run})
        for (const scenes::WarningKind kind : *kinds)
          if (!now["warnings"].contains(word_of(kind))) return false;
      return true;
    }));
    const json listed = session().values()["warnings"];
    for (const scenes::Warning& warning : scenes::load_scene(file.string()).warnings) {
      const json of_kind = listed[std::string(word_of(warning.kind))];
      EXPECT_NE(std::find(of_kind.begin(), of_kind.end(), json(warning.message())), of_kind.end())
          << warning.message() << "\nis not in\n"
          << listed.dump(1);
    }
    EXPECT_TRUE(session().has_widget("warnings"));
    session().write_picture("warned_" + scene.name);
  }
  drop_scene("calm",
             "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
             "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  ASSERT_TRUE(session().wait_for("warnings", json::object())) << "another scene has its own";
}

TEST_F(WindowWarnings, AWarningStaysUntilItsCauseIsGone) {
  write(
      "scenes/wet.yaml",
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\nfluids: [{name: water, viscosity: 0.01}]\n"
      "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  open({"scenes/wet.yaml", "--device", "cpu"});
  open_solver_keys();
  const auto warned = [](const json& now) { return now["warnings"].contains("pbf_viscosity"); };
  ASSERT_TRUE(session().choose("key.solver.type", "pbf"));
  ASSERT_TRUE(session().wait_until("the warning", warned));
  ASSERT_TRUE(session().click("keys.solver"));

  // Its field is grey and says what to use instead.
  ASSERT_TRUE(session().click("keys.fluids[0]"));
  ASSERT_TRUE(session().rest_on("key.fluids[0].viscosity"));
  ASSERT_TRUE(session().wait_until("its tip", [](const json& now) {
    return now["tip"].get<std::string>().find(
               "fluids[0].viscosity has no effect with solver.type pbf; its viscosity is solver.xsph") !=
           std::string::npos;
  }));
  session().write_picture("idle_key");
  const json edits = session().values()["edits"];
  ASSERT_TRUE(session().slide("key.fluids[0].viscosity", 40));
  ASSERT_TRUE(session().wait_for_pictures(5));
  EXPECT_EQ(session().values()["edits"], edits) << "it cannot be changed";

  ASSERT_TRUE(session().click("warnings.toggle"));
  ASSERT_TRUE(session().wait_for("warnings_listed", false));
  EXPECT_TRUE(session().has_widget("warnings")) << "their number stays";
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("warnings", json::object()));
  ASSERT_TRUE(session().click("redo"));
  ASSERT_TRUE(session().wait_until("it is back, and listed",
                                   [&](const json& now) { return warned(now) && now["warnings_listed"] == true; }));
}

TEST_F(WindowWarnings, AWarningOfARunGoesWhenTheRunGoesBack) {
  write(
      "scenes/fast.yaml",
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\nsolver: {type: wcsph, speed_of_sound: 1}\n"
      "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n    velocity: [3, 0, 0]\n");
  open({"scenes/fast.yaml", "--device", "cpu"});
  const auto warned = [](const json& now) { return now["warnings"].contains("too_fast"); };
  ASSERT_TRUE(session().wait_until("the warning", warned));
  if (session().values()["playing"] == true) {
    ASSERT_TRUE(session().press("space"));
  }
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_for("warnings", json::object()));
  ASSERT_TRUE(session().press("period"));
  ASSERT_TRUE(session().wait_until("it is given again", warned));
}

TEST_F(WindowWarnings, ASolverWithOtherUnitsIsRefusedAndItsScenesAreOffered) {
  open();
  open_solver_keys();
  ASSERT_TRUE(session().choose("key.solver.type", "dpd"));
  ASSERT_TRUE(session().wait_until("the reason", [](const json& now) {
    return now["edit_error"].get<std::string>().find("would become 0.05 r_c") != std::string::npos;
  }));
  EXPECT_EQ(session().values()["solver"], "wcsph");
  EXPECT_EQ(session().values()["edits"], 0);
  session().write_picture("refused_solver");
  ASSERT_TRUE(session().wait_until("the offers, in a box of their size", [&](const json&) {
    const json offer = session().widget("open_instead.dpd_box");
    return offer.is_object() && offer["measured"];
  }));
  const json widgets = session().widgets();
  const auto end = [](const json& item) { return item["x"].get<float>() + item["width"].get<float>(); };
  int offers = 0;
  for (const auto& [name, item] : widgets.items()) {
    if (!name.starts_with("open_instead.")) continue;
    ++offers;
    EXPECT_LE(end(item), item["room"][2].get<float>()) << name << " is cut off";
  }
  EXPECT_GE(offers, 4);
  ASSERT_TRUE(session().click("open_instead.dpd_box"));
  ASSERT_TRUE(session().wait_for("solver", "dpd"));
  EXPECT_EQ(session().values()["edit_error"], "");
}

}  // namespace
}  // namespace riffle::test
