// The window on the desktop: sizes, minimising, files dropped on it, closing it, and the settings it keeps.

#include <gtest/gtest-spi.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <thread>

#include "desktop_session.h"
#include "picture_difference.h"
#include "render/assets.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class Windows : public InterfaceTest {
 protected:
  /// The picture fills what the panels leave, up to the window's edges.
  void expect_picture_fills(int width, int height) {
    const json viewport = session().values()["viewport"];
    // The bar below has three lines in a narrow window, otherwise two.
    const float line = 29, edges = 14, bar = static_cast<float>(height) - viewport[3].get<float>();
    EXPECT_GE(bar, 2 * line);
    EXPECT_LE(bar, 3 * line + edges);
    EXPECT_EQ(screen().area(session().window()).width, width);
  }
  /// The picture gets the new size one picture after the window.
  ::testing::AssertionResult wait_for_size(int width, int height) {
    return session().wait_until(
        "the picture fills a window of " + std::to_string(width) + " x " + std::to_string(height),
        [=](const json& now) {
          const json& viewport = now["viewport"];
          return now["framebuffer"] == json{width, height} &&
                 viewport[0].get<float>() + viewport[2].get<float>() == static_cast<float>(width);
        });
  }
};

TEST_F(Windows, PictureFollowsTheWindowsSize) {
  open();
  EXPECT_EQ(screen().class_name(session().window()), "riffle");  // StartupWMClass in packaging/riffle.desktop
  ASSERT_TRUE(wait_for_size(800, 520));
  expect_picture_fills(800, 520);
  for (const auto& [width, height] : {std::pair{1100, 700}, {701, 481}}) {
    screen().resize(session().window(), width, height);
    ASSERT_TRUE(wait_for_size(width, height));
    expect_picture_fills(width, height);
  }
  screen().resize(session().window(), 20, 20);
  ASSERT_TRUE(wait_for_size(640, 400)) << "a window smaller than its panels could not be used";

  screen().maximize(session().window(), true);
  ASSERT_TRUE(session().wait_until("it covers the screen", [](const json& now) {
    return now["framebuffer"][0] == 1400 && now["framebuffer"][1] > 800;
  }));
  const json full = session().values()["framebuffer"];
  ASSERT_TRUE(wait_for_size(full[0], full[1]));
  expect_picture_fills(full[0], full[1]);
  screen().maximize(session().window(), false);
  ASSERT_TRUE(wait_for_size(640, 400));
  ASSERT_TRUE(session().wait_for_steps(2));
}

TEST_F(Windows, TheViewIsFittedAgainUntilTheCameraIsMoved) {
  open();
  ASSERT_TRUE(wait_for_size(800, 520));
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().wait_for_pictures(3));
  const json wide = session().values()["camera"];
  screen().resize(session().window(), 701, 700);
  ASSERT_TRUE(wait_for_size(701, 700));
  ASSERT_TRUE(session().wait_until("it is another view", [&](const json& now) { return now["camera"] != wide; }));
  screen().resize(session().window(), 800, 520);
  ASSERT_TRUE(wait_for_size(800, 520));
  ASSERT_TRUE(session().wait_for("camera", wide));

  ASSERT_TRUE(session().turn_wheel(2));
  ASSERT_TRUE(session().wait_until("it comes nearer", [&](const json& now) { return now["camera"] != wide; }));
  ASSERT_TRUE(session().wait_for_pictures(3));  // the second click may come a picture after the first
  const json nearer = session().values()["camera"];
  screen().resize(session().window(), 701, 700);
  ASSERT_TRUE(wait_for_size(701, 700));
  ASSERT_TRUE(session().wait_for_pictures(3));
  const json narrow = session().values()["camera"];
  for (const int k : {0, 1, 2, 3, 4, 5}) EXPECT_EQ(narrow[k], nearer[k]) << "what was set by hand stays";
  EXPECT_GT(narrow[7], nearer[7]) << "more above and below, so that all of it stays visible";
  screen().resize(session().window(), 800, 520);
  ASSERT_TRUE(wait_for_size(800, 520));
  ASSERT_TRUE(session().wait_for("camera", nearer));
}

TEST_F(Windows, MinimisedItGoesOnAndComesBack) {
  open();
  ASSERT_TRUE(session().wait_for_steps(2));
  screen().minimize(session().window());
  ASSERT_TRUE(session().wait_until("it is gone", [&](const json&) { return !screen().is_shown(session().window()); }));
  screen().activate(session().window());
  ASSERT_TRUE(session().wait_until("it is back", [&](const json&) { return screen().is_shown(session().window()); }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  ASSERT_TRUE(session().wait_for_steps(5));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
}

TEST_F(Windows, TheDoctorFindsTheDisplay) {
  const Outcome outcome = Program({"doctor"}, folder_, false, {{"DISPLAY", screen().name()}}).wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("[ok] display       X11 (" + screen().name() + ")"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("the window can be opened"), std::string::npos) << outcome.out;
}

TEST_F(Windows, ADroppedSceneIsOpened) {
  open();
  const auto file = write("elsewhere/a drop of 50%.yaml",
                          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
                          "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  // A list of addresses has what is no letter in hexadecimal.
  ASSERT_EQ(screen().drop_files(session().window(), {file.parent_path() / "a%20drop%20of%2050%25.yaml"}), "");
  ASSERT_TRUE(session().wait_for("scene", "a drop of 50%"));
  ASSERT_TRUE(session().wait_for("particles", 125));
  ASSERT_TRUE(session().wait_for_steps(3));
}

TEST_F(Windows, ADroppedBrokenSceneIsExplainedAndTheOldOneStays) {
  open();
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const std::uint64_t paused = session().step();
  const auto file = write("broken.yaml", "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticel: {spacing: 0.1}\n");

  ASSERT_EQ(screen().drop_files(session().window(), {file}), "");
  ASSERT_TRUE(session().wait_for("notices", 1));
  ASSERT_TRUE(session().wait_until("the dialog is drawn", [](const json& now) { return now.contains("notice"); }));
  const std::string notice = session().values()["notice"];
  EXPECT_EQ(notice.find("The scene could not be loaded: "), 0u) << notice;
  EXPECT_NE(notice.find("broken.yaml:2:1: particel"), std::string::npos) << notice;
  EXPECT_NE(notice.find("particles"), std::string::npos) << "the nearest key is named: " << notice;
  EXPECT_EQ(session().values()["scene"], "drop");

  ASSERT_TRUE(session().click("notice.close"));
  ASSERT_TRUE(session().wait_for("notices", 0));
  EXPECT_EQ(session().values()["playing"], false) << "a scene that was paused stays so";
  EXPECT_EQ(session().step(), paused);
  ASSERT_TRUE(session().click("step"));
  ASSERT_TRUE(session().wait_for("step", paused + 1));

  ASSERT_EQ(screen().drop_files(session().window(), {file, folder_ / "there-is-none.yaml"}), "");
  ASSERT_TRUE(session().wait_for("notices", 2));
  for (const int left : {1, 0}) {
    ASSERT_TRUE(session().press("Escape"));
    ASSERT_TRUE(session().wait_for("notices", left));
  }
}

TEST_F(Windows, ABrokenFirstSceneIsExplainedToo) {
  write("broken.yaml", "nonsense");
  ASSERT_NO_FATAL_FAILURE(start({"broken.yaml"}));
  ASSERT_TRUE(session().wait_for("notices", 1));
  ASSERT_TRUE(session().click("notice.close"));
  ASSERT_TRUE(session().wait_for("notices", 0));
  EXPECT_EQ(session().values()["loaded"], false);
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().wait_for_steps(2));
}

TEST_F(Windows, WhatIsWrongWithAFirstSceneIsPrintedOnce) {
  write("broken.yaml", "nonsense");
  ASSERT_NO_FATAL_FAILURE(start({"broken.yaml"}));
  ASSERT_TRUE(session().wait_for("notices", 1));
  const std::string printed = session().close().err, title = "The scene could not be loaded";
  const std::size_t first = printed.find(title);
  ASSERT_NE(first, std::string::npos) << printed;
  EXPECT_EQ(printed.find(title, first + 1), std::string::npos) << printed;
}

TEST_F(Windows, WhereOpenGLIsTooOldTheSceneRunsWithoutOne) {
  auto environment = program_environment();
  environment["MESA_GL_VERSION_OVERRIDE"] = "4.1";
  environment["ASAN_OPTIONS"] =
      "detect_leaks=0";  // a driver that refused its context is unloaded, and its leaks have no module to suppress
  const Outcome outcome = Program({"scenes/drop.yaml", "--set", "time.end=0.01"}, folder_, false, environment).wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("no window: OpenGL 4.5 is needed, found 4.1"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("running without one"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("steps"), std::string::npos) << outcome.out;
}

TEST_F(Windows, TheListHasPicturesOfShippedScenesAndNoneOfOthers) {
  write("scenes/dam_break_72k.yaml",  // shares only the name of a shipped one
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  write("config/riffle/settings.json", R"({"x": 40, "y": 40, "width": 900, "height": 900})");
  open();
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const auto colored = [&](const std::string& scene) {
    const json row = session().widget("scene." + scene);
    if (!row["visible"]) return -1;
    const render::Image image = crop(session().picture(), row["x"].get<int>(), row["y"].get<int>(),
                                     static_cast<int>(1.6f * row["height"].get<float>()), row["height"].get<int>());
    int count = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
      const auto [least, most] = std::minmax({image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]});
      count += most - least > 60;
    }
    return count;
  };
  // A picture takes the line's height, but for a margin, and is 1.6 times as wide as high; the name stands right of it.
  const auto expect_frame_of_a_tank_and_name = [&](const std::string& scene) {
    const json row = session().widget("scene." + scene);
    const auto left = row["x"].get<int>(), top = row["y"].get<int>(), height = row["height"].get<int>();
    const render::Image line = crop(session().picture(), left, top, 3 * height, height);
    const auto brightest = [&](int x, int from, int to) {
      int most = 0;
      for (int y = from; y < to; ++y) {
        const auto [r, g, b] = pixel(line, x, y);
        most = std::max(most, r + g + b);
      }
      return most;
    };
    int walls = 0;
    bool before = false;
    for (int x = height / 4; x < 5 * height / 4; ++x) {
      const bool now = brightest(x, 2 * height / 5, 3 * height / 5) > 350;
      walls += now && !before;
      before = now;
    }
    EXPECT_EQ(walls, 2) << scene;
    const int middle = 3 * height / 4;  // of the picture
    EXPECT_GT(brightest(middle, 11 * height / 20, 13 * height / 20),
              brightest(middle, 3 * height / 10, 9 * height / 20) + 60)
        << "water in the tank of " << scene;
    int letters = 0;
    for (int x = 8 * height / 5; x < 2 * height; ++x) letters += brightest(x, height / 20, height / 4) > 500;
    EXPECT_GT(letters, 5) << "the name of " << scene;
  };
  json objects;
  for (int times = 0; times < 3; ++times) {
    ASSERT_TRUE(session().click("scene"));
    ASSERT_TRUE(session().wait_until("the list is open", [&](const json&) {
      return session().has_widget("scene.drop") && session().widget("scene.drop")["visible"];
    }));
    ASSERT_TRUE(session().wait_for_pictures(3));
    for (const char* shipped : {"dam_break_pbf", "dam_break_pbf_72k", "dpd_box"})
      EXPECT_GT(colored(shipped), 200) << shipped;
    for (const char* own : {"dam_break_72k", "drop"}) EXPECT_EQ(colored(own), 0) << own;
    expect_frame_of_a_tank_and_name("drop");
    const json now = session().values()["gl_objects"];
    if (times > 0) {
      EXPECT_EQ(now, objects) << "textures are made once";
    }
    objects = now;
    ASSERT_TRUE(session().click("play"));  // while a list is open, any click closes it and does nothing else
    ASSERT_TRUE(session().wait_until("it is closed", [&](const json&) { return !session().has_widget("scene.drop"); }));
  }
}

TEST_F(Windows, TheListMakesThePictureOfASceneWhenItFirstShowsItAndOnlyThen) {
  write("config/riffle/settings.json", R"({"x": 40, "y": 40, "width": 900, "height": 900})");
  open();
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().drag(0.4f, 0.5f, 0.6f, 0.5f));  // four pictures: then all other objects are there
  const auto objects = [&] { return session().values()["gl_objects"].get<std::ptrdiff_t>(); };
  const auto of_scene = [](const render::Asset& asset) { return asset.name.starts_with("thumbnails/"); };
  const std::ptrdiff_t pictures = std::ranges::count_if(render::assets(), of_scene), before = objects();
  for (int times = 0; times < 2; ++times) {
    ASSERT_TRUE(session().look_through("scene"));
    EXPECT_EQ(objects(), before + pictures) << times;
  }
}

TEST_F(Windows, ClosedWhileASceneIsLoading) {
  open();
  const auto large = write("large.yaml",
                           "domain: {min: [0, 0, 0], max: [2, 1, 1]}\nparticles: {spacing: 0.0125}\n"
                           "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.5, 0.5]}\n");
  ASSERT_EQ(screen().drop_files(session().window(), {large}), "");
  ASSERT_TRUE(session().wait_until("it is loading, or was quick",
                                   [](const json& now) { return now["busy"] != "" || now["scene"] == "large"; }));
  close();
}

/// Its start takes hours.
const char* const kSlow =
    "domain: {min: [0, 0, 0], max: [8, 8, 8], axes: periodic}\ngravity: [0, 0, 0]\n"
    "particles: {number_density: 3}\n"
    "bodies:\n  - {filling: random, box: {min: [0, 0, 0], max: [8, 8, 8]}}\n"
    "start: {equilibration: 100000}\nsolver: {type: dpd}\ntime: {step: 0.01, end: 1}\n";

TEST_F(Windows, AStartIsCancelledByItsButtonOrByEsc) {
  open();
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const auto step = session().step();
  const auto slow = write("slow.yaml", kSlow);
  for (const bool by_key : {false, true}) {
    SCOPED_TRACE(by_key ? "Esc" : "the button");
    ASSERT_EQ(screen().drop_files(session().window(), {slow}), "");
    ASSERT_TRUE(session().wait_until("it says how far it is", [](const json& now) {
      return now.value("start", "").starts_with("equilibrating: step ") && now["busy"] == "loading slow";
    }));
    if (by_key) {
      ASSERT_TRUE(session().press("F1"));
      ASSERT_TRUE(session().wait_until("the keys", [&](const json&) { return session().has_widget("shortcuts"); }));
      ASSERT_TRUE(session().press("Escape"));
      ASSERT_TRUE(session().wait_until("no keys", [&](const json&) { return !session().has_widget("shortcuts"); }));
      ASSERT_TRUE(session().wait_for_pictures(2));
      EXPECT_EQ(session().values()["busy"], "loading slow") << "Esc closed what was open, and nothing else";
      ASSERT_TRUE(session().press("Escape"));
    } else {
      ASSERT_TRUE(session().click("cancel_start"));
    }
    ASSERT_TRUE(session().wait_for("busy", ""));
    EXPECT_EQ(session().values()["scene"], "drop");
    EXPECT_EQ(session().step(), step);
    EXPECT_EQ(session().values()["can_undo"], false);
  }
}

TEST_F(Windows, WithoutASceneACancelledStartIsNamed) {
  write("slow.yaml", kSlow);
  start({"slow.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().wait_until("it is equilibrated", [](const json& now) { return now["start_done"] > 0; }));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for(
      "hint", "You cancelled the start of slow. Choose a scene at the top left, or drop a .yaml file here"));
  EXPECT_EQ(session().values()["loaded"], false);
  session().write_picture("cancelled_start");
  close();
}

TEST_F(Windows, AnOpeningOfMillionsOfParticlesIsAskedAbout) {
  open();
  const auto large = write("large.yaml",
                           "domain: {min: [0, 0, 0], max: [2, 1, 1]}\nparticles: {spacing: 0.004}\n"
                           "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.5, 0.5]}\n");
  for (const char* const answer : {"long_start.stay", "long_start.start"}) {
    SCOPED_TRACE(answer);
    ASSERT_EQ(screen().drop_files(session().window(), {large}), "");
    ASSERT_TRUE(session().wait_until("it asks", [](const json& now) {
      return now["asks_about_start"].get<std::string>().starts_with("The scene would have about 3.9 million particles");
    }));
    session().write_picture("long_opening");
    ASSERT_TRUE(session().click(answer));
    if (answer == std::string("long_start.start")) {
      ASSERT_TRUE(session().wait_until("it starts", [](const json& now) { return now["can_cancel"] == true; }));
      ASSERT_TRUE(session().press("Escape"));
    }
    ASSERT_TRUE(session().wait_until(
        "neither", [](const json& now) { return now["asks_about_start"] == "" && now["busy"] == ""; }));
    EXPECT_EQ(session().values()["scene"], "drop");
  }
}

TEST_F(Windows, ClosedWhileASceneIsEquilibratedItDoesNotWaitForThat) {
  open();
  const auto slow = write("slow.yaml", kSlow);
  ASSERT_EQ(screen().drop_files(session().window(), {slow}), "");
  ASSERT_TRUE(session().wait_until("it is equilibrated", [](const json& now) { return now["start_done"] > 0; }));
  close();
}

TEST_F(Windows, SignalsCloseItAsTheyCloseAnyProgram) {
  open();
  session().send(SIGTERM);
  expect_end(128 + SIGTERM);
}

/// A test whose program crashes while nobody waits for anything.
class CrashAtTheEnd : public Windows {
 public:
  void SetUp() override { Windows::SetUp(); }
  void TearDown() override { Windows::TearDown(); }
  void TestBody() override {
    open();
    session().send(SIGKILL);
  }
  bool runs() { return session().running(); }
};

TEST_F(Windows, ACrashAfterTheLastWaitIsAFailure) {
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter report(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    CrashAtTheEnd test;
    test.SetUp();
    test.TestBody();
    while (test.runs()) std::this_thread::yield();
    test.TearDown();
  }
  ASSERT_EQ(failures.size(), 1);
  EXPECT_NE(std::string(failures.GetTestPartResult(0).message()).find("exit code 137, expected 0"), std::string::npos)
      << failures.GetTestPartResult(0).message();
}

TEST_F(Windows, WhatWasSetIsThereAtTheNextStart) {
  open();
  EXPECT_EQ(session().values()["appearance"], "dark");
  ASSERT_TRUE(session().click("section.timings"));
  ASSERT_TRUE(
      session().wait_until("the section closes", [&](const json&) { return !session().has_widget("stage_plot"); }));
  ASSERT_TRUE(session().click("section.picture"));
  ASSERT_TRUE(session().click("light"));
  ASSERT_TRUE(session().wait_for("appearance", "light"));
  screen().resize(session().window(), 1000, 600);
  ASSERT_TRUE(session().wait_for("settled_size", json{1000, 600}));
  screen().maximize(session().window(), true);
  ASSERT_TRUE(
      session().wait_until("it covers the screen", [](const json& now) { return now["framebuffer"][0] == 1400; }));
  close();

  open();
  ASSERT_TRUE(
      session().wait_until("it covers the screen", [](const json& now) { return now["framebuffer"][0] == 1400; }));
  EXPECT_EQ(session().values()["appearance"], "light");
  EXPECT_FALSE(session().has_widget("stage_plot")) << "a section that was closed";
  EXPECT_TRUE(session().has_widget("light")) << "a section that was opened";
  screen().maximize(session().window(), false);
  ASSERT_TRUE(wait_for_size(1000, 600)) << "the size that it had before it was maximised";
}

/// A screen of 192 dots per inch, for windows that open during its lifetime.
class HighDensity {
 public:
  explicit HighDensity(XDisplay& screen) : screen_(screen) { screen_.set_content_scale(2); }
  ~HighDensity() { screen_.set_content_scale(1); }

 private:
  XDisplay& screen_;
};

TEST_F(Windows, OnADenseScreenIsTwiceAsLargeAndRemembersItsSizeInPixels) {
  const HighDensity dense(screen());
  write("config/riffle/settings.json", R"({"x": 10, "y": 40, "width": 1200, "height": 800})");
  for (int start = 0; start < 2; ++start) {
    open();
    ASSERT_TRUE(wait_for_size(1200, 800)) << "start " << start;
    ASSERT_TRUE(session().wait_for("settled_size", json{1200, 800}));
    EXPECT_GT(session().widget("play")["width"].get<float>(), 50) << "32 on another screen";
    close();
  }
}

TEST_F(Windows, ComesBackWhereItWas) {
  write("config/riffle/settings.json", R"({"x": 60, "y": 90, "width": 900, "height": 600})");
  for (int start = 0; start < 3; ++start) {
    open();
    ASSERT_TRUE(wait_for_size(900, 600)) << "start " << start;
    ASSERT_TRUE(session().wait_for("settled_size", json{900, 600}));
    ASSERT_TRUE(session().wait_for("settled_at", json{60, 90})) << "start " << start;
    close();
  }
}

TEST_F(Windows, SaysBesideTheButtonsNothingByHalves) {
  open();
  ASSERT_TRUE(session().wait_for_pictures(2));
  const auto said = [&] {
    int count = 0;
    for (int i = 0; i < 3; ++i) {
      const std::string name = "said." + std::to_string(i);
      if (!session().has_widget(name)) continue;
      const json item = session().widget(name);
      EXPECT_LE(item["x"].get<float>() + item["width"].get<float>(), session().values()["framebuffer"][0].get<float>());
      ++count;
    }
    return count;
  };
  const int narrow = said();
  screen().resize(session().window(), 1300, 700);
  ASSERT_TRUE(wait_for_size(1300, 700));
  ASSERT_TRUE(session().wait_for_pictures(2));
  EXPECT_GT(said(), narrow);
}

class NothingIsCutOff : public Windows, public ::testing::WithParamInterface<std::pair<int, int>> {};

TEST_P(NothingIsCutOff, AtThisSize) {
  const auto [width, height] = GetParam();
  write("config/riffle/settings.json",
        "{\"x\": 0, \"y\": 20, \"width\": " + std::to_string(width) + ", \"height\": " + std::to_string(height) + "}");
  open({"dam_break", "--set", "particles.spacing=0.08", "--device", "cpu"});
  ASSERT_TRUE(wait_for_size(width, height));
  std::map<std::string, json> seen;  // the worst of each widget
  const auto look = [&] {
    const json widgets = session().widgets();
    for (const auto& [name, item] : widgets.items()) {
      if (!item["measured"]) continue;  // its window finds its size, and nothing of it is drawn
      const float x = item["x"], y = item["y"], right = x + item["width"].get<float>(),
                  bottom = y + item["height"].get<float>();
      const json room = item["room"];
      const bool fixed = item["window"] == "##transport";  // cannot be scrolled
      const bool cut = x < room[0].get<float>() - 1 || right > room[2].get<float>() + 1 ||
                       (fixed && (y < room[1].get<float>() - 1 || bottom > room[3].get<float>() + 1)) ||
                       item.value("cut_text", false);
      if (cut) seen[name] = item;
    }
  };
  look();
  for (const std::string button :
       {"reset", "step_back", "play", "step", "speed", "record", "export_menu", "help", "said.0"})
    EXPECT_TRUE(session().has_widget(button)) << button;
  for (const std::string section : {"physics", "keys.scene", "keys.domain", "keys.solver", "keys.bodies[0]",
                                    "diagnostics", "particle", "picture", "export"}) {
    ASSERT_TRUE(session().click(section.starts_with("keys.") ? section : "section." + section));
    ASSERT_TRUE(session().wait_for_pictures(2));
    look();
    if (section != "picture") continue;
    ASSERT_TRUE(session().choose("picture.look", "fluid"));  // the longest word of its list
    ASSERT_TRUE(session().wait_for_pictures(3));
    look();
  }
  session().write_picture("size_" + std::to_string(width));
  for (const auto& [name, item] : seen) ADD_FAILURE() << name << ": " << item;
}

INSTANTIATE_TEST_SUITE_P(Sizes, NothingIsCutOff, ::testing::Values(std::pair{1280, 720}, std::pair{640, 400}),
                         [](const auto& info) {
                           return std::to_string(info.param.first) + "x" + std::to_string(info.param.second);
                         });

TEST_F(Windows, PhysicsIsOneClickAwayAtTheFirstStartAndItsKeysAreFound) {
  write("config/riffle/settings.json", R"({"x": 0, "y": 20, "width": 1280, "height": 720})");
  open();
  ASSERT_TRUE(session().wait_for_pictures(2));
  const json heading = session().widget("section.physics");
  EXPECT_TRUE(heading["visible"]);
  EXPECT_LT(heading["y"].get<float>() + heading["height"].get<float>(), 360) << "in the upper half";
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().type("keys.search", "viscosity"));
  ASSERT_TRUE(session().wait_until("only those", [&](const json&) {
    return session().has_widget("key.fluids[0].viscosity") && session().has_widget("key.solver.artificial_viscosity") &&
           !session().has_widget("keys.domain");
  }));
  ASSERT_TRUE(session().click("keys.search.clear"));
  ASSERT_TRUE(session().wait_until("all again", [&](const json&) { return session().has_widget("keys.domain"); }));
  EXPECT_FALSE(session().has_widget("key.fluids[0].viscosity")) << "in its closed section";
  ASSERT_TRUE(session().type("keys.search", "visocsity"));
  ASSERT_TRUE(
      session().wait_until("what was meant", [&](const json&) { return session().has_widget("keys.search.meant"); }));
  session().write_picture("meant_words");
  ASSERT_TRUE(session().click("keys.search.meant"));
  ASSERT_TRUE(session().wait_until("the keys that were meant",
                                   [&](const json&) { return session().has_widget("key.fluids[0].viscosity"); }));
}

TEST_F(Windows, TheListOfKeysFitsIntoTheSmallestWindow) {
  write("config/riffle/settings.json", R"({"x": 0, "y": 20, "width": 640, "height": 400})");
  open();
  ASSERT_TRUE(wait_for_size(640, 400));
  ASSERT_TRUE(session().press("F1"));
  ASSERT_TRUE(session().wait_for("shortcuts", true));
  ASSERT_TRUE(session().wait_until("it has found its size", [&](const json&) {
    return session().has_widget("shortcuts") && session().widget("shortcuts")["measured"];
  }));
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("shortcuts_640");
  const json box = session().values()["shortcuts_box"];
  EXPECT_GE(box[0].get<float>(), 0);
  EXPECT_GE(box[1].get<float>(), 0);
  EXPECT_LE(box[0].get<float>() + box[2].get<float>(), 640);
  EXPECT_LE(box[1].get<float>() + box[3].get<float>(), 400);
}

// "mesh" once found nothing, since no key of this scene has the word.
TEST_F(Windows, WhatOneCanDoIsFoundByItsPlainWords) {
  write("config/riffle/settings.json", R"({"x": 0, "y": 20, "width": 1280, "height": 720})");
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().type("keys.search", "mesh"));
  ASSERT_TRUE(session().wait_until("its button", [&](const json&) { return session().has_widget("action.add_mesh"); }));
  EXPECT_FALSE(session().has_widget("keys.search.meant"));
  session().write_picture("search_mesh");
  ASSERT_TRUE(session().click("keys.search.clear"));
  ASSERT_TRUE(session().type("keys.search", "checkpiont"));
  ASSERT_TRUE(
      session().wait_until("what was meant", [&](const json&) { return session().has_widget("keys.search.meant"); }));
  ASSERT_TRUE(session().click("keys.search.meant"));
  ASSERT_TRUE(session().click("action.save_state"));
  ASSERT_TRUE(session().wait_until("its question", [&](const json&) { return session().has_widget("save_state.do"); }));
  ASSERT_TRUE(session().press("Escape"));
}

TEST_F(Windows, NeverSaysThatThereIsNoSceneWhileItsSceneIsLoaded) {
  start({"scenes/drop.yaml", "--device", "cpu"});
  std::set<std::string> said;
  ASSERT_TRUE(session().wait_until("the scene", [&](const json& now) {
    for (const char* key : {"scene_list", "hint"}) said.insert(now.value(key, ""));
    return now.value("loaded", false);
  }));
  for (const std::string& text : said)
    EXPECT_TRUE(!text.starts_with("no scene") && !text.starts_with("Choose")) << text;
}

}  // namespace
}  // namespace riffle::test
