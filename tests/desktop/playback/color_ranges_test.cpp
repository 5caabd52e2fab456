// The range of colours belongs to the quantity that they show.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/playback/worker_status.h"
#include "desktop/playback/scene_files.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/parameters.h"

namespace riffle {
namespace {

class ColorRange : public test::SceneFiles {
 protected:
  void TearDown() override {
    editor_.reset();
    worker_.reset();
    SceneFiles::TearDown();
  }
  /// @param picture the section of the scene
  void open(const std::string& picture, const std::string& name = "block.yaml") {
    if (!worker_) worker_.emplace(true);
    if (!editor_) editor_.emplace(*worker_);
    editor_->open(scene(test::kBlock + picture, name));
    worker_->play(false);
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      const auto status = worker_->status();
      editor_->follow(*status);
      if (status->loaded && status->busy.empty() && status->handled == worker_->asked()) return;
      ASSERT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  std::string range() const { return editor_->find("picture.range")->value; }
  std::string color() const { return editor_->find("picture.color_by")->value; }

  std::optional<desktop::Worker> worker_;
  std::optional<desktop::SceneEditor> editor_;
};

TEST_F(ColorRange, OfTheSceneComesBackWithItsQuantity) {
  ASSERT_NO_FATAL_FAILURE(open("picture: {color_by: pressure, range: [0, 500]}\n"));
  editor_->set("picture.color_by", "speed");
  EXPECT_EQ(range(), "auto") << "500 Pa are no speed";
  editor_->set("picture.range", "[0, 2]");
  editor_->set("picture.color_by", "density");
  EXPECT_EQ(range(), "auto");
  editor_->set("picture.color_by", "pressure");
  EXPECT_EQ(range(), "[0, 500]");
  editor_->set("picture.range", "auto");
  editor_->set("picture.color_by", "speed");
  EXPECT_EQ(range(), "[0, 2]");
  editor_->set("picture.color_by", "pressure");
  EXPECT_EQ(range(), "auto") << "as it was when the pressure was shown last";
}

TEST_F(ColorRange, ComesBackWithTheQuantityThatAutomaticColoursShow) {
  ASSERT_NO_FATAL_FAILURE(open("picture: {look: spheres, range: [0, 3]}\n"));
  editor_->set("picture.color_by", "pressure");
  EXPECT_EQ(range(), "auto");
  editor_->set("picture.color_by", "speed");
  EXPECT_EQ(range(), "[0, 3]") << "auto meant the speed";
  editor_->set("picture.color_by", "pressure");
  editor_->reset("picture.color_by");
  EXPECT_EQ(color(), "auto");
  EXPECT_EQ(range(), "[0, 3]");
}

TEST_F(ColorRange, OneUndoTakesBackTheQuantityAndItsRange) {
  ASSERT_NO_FATAL_FAILURE(open("picture: {color_by: pressure, range: [0, 500]}\n"));
  editor_->set("picture.color_by", "speed");
  ASSERT_EQ(range(), "auto");
  editor_->undo();
  EXPECT_EQ(color(), "pressure");
  EXPECT_EQ(range(), "[0, 500]");
  editor_->redo();
  EXPECT_EQ(color(), "speed");
  EXPECT_EQ(range(), "auto");
  editor_->undo();
  EXPECT_FALSE(editor_->anything_edited());
}

// Particles of PBF have no pressure: once the solver was refused for it.
TEST_F(ColorRange, GivesWayWithItsQuantityToASolverThatLacksIt) {
  ASSERT_NO_FATAL_FAILURE(open("picture: {color_by: pressure, range: [0, 500]}\n"));
  const std::string solver = editor_->find("solver.type")->value;
  editor_->set("solver.type", "pbf");
  EXPECT_EQ(editor_->error(), "");
  EXPECT_EQ(editor_->find("solver.type")->value, "pbf");
  EXPECT_EQ(color(), "auto");
  EXPECT_EQ(range(), "auto");
  EXPECT_NE(editor_->color_note().find("have no pressure"), std::string::npos) << editor_->color_note();
  editor_->set("solver.type", "dfsph");
  EXPECT_EQ(color(), "pressure") << "it comes back";
  EXPECT_EQ(range(), "[0, 500]");
  EXPECT_EQ(editor_->color_note(), "");
  editor_->undo();
  editor_->undo();
  EXPECT_EQ(editor_->find("solver.type")->value, solver);
  EXPECT_EQ(color(), "pressure");
  EXPECT_EQ(range(), "[0, 500]");
  EXPECT_FALSE(editor_->anything_edited()) << "one step";
  editor_->set("solver.type", "dpd");
  EXPECT_TRUE(editor_->error().starts_with("solver.type: found 'dpd'")) << editor_->error();
  EXPECT_EQ(color(), "pressure") << "what is refused changes nothing";
  EXPECT_FALSE(editor_->anything_edited());
}

TEST_F(ColorRange, StaysWithASolverThatHasTheQuantity) {
  ASSERT_NO_FATAL_FAILURE(open("picture: {color_by: density, range: [900, 1100]}\n"));
  editor_->set("solver.type", "pbf");
  EXPECT_EQ(color(), "density");
  EXPECT_EQ(range(), "[900, 1100]");
}

TEST_F(ColorRange, TheNameOfASavedSceneIsThatOfItsFile) {
  ASSERT_NO_FATAL_FAILURE(open("name: Seiche\n"));
  EXPECT_EQ(editor_->find("name")->text(), "Seiche");
  editor_->set("picture.legend", "false");
  const std::string file = (std::filesystem::temp_directory_path() / "riffle_named_after_file.yaml").string();
  editor_->save(file);
  EXPECT_EQ(editor_->find("name")->text(), "riffle_named_after_file");
  editor_->set("picture.legend", "true");
  EXPECT_EQ(editor_->find("name")->text(), "riffle_named_after_file") << "later too";
  std::filesystem::remove(file);
}

TEST_F(ColorRange, IsNotThatOfAnotherScene) {
  ASSERT_NO_FATAL_FAILURE(open("picture: {color_by: pressure, range: [0, 500]}\n"));
  editor_->set("picture.color_by", "speed");
  ASSERT_NO_FATAL_FAILURE(open("picture: {color_by: speed}\n", "other.yaml"));
  editor_->set("picture.color_by", "pressure");
  EXPECT_EQ(range(), "auto");
}

// The lines of the file that was read say nothing of another one.
TEST_F(ColorRange, WarningsOfASceneSavedAsAnotherFileNameThatFile) {
  ASSERT_NO_FATAL_FAILURE(open("time: {step: 1}\n"));
  const auto where = [&] {
    std::string all;
    for (const scenes::Warning& warning : editor_->warnings()) all += warning.where + "\n";
    return all;
  };
  ASSERT_NE(where().find("block.yaml:"), std::string::npos) << where();
  editor_->save((folder_ / "mine.yaml").string());
  EXPECT_EQ(where().find("block.yaml"), std::string::npos) << where();
  const auto in_file = [&] {
    std::string all;
    for (const scenes::Warning& warning : scenes::load_scene((folder_ / "mine.yaml").string()).warnings)
      all += warning.where + "\n";
    return all;
  };
  EXPECT_EQ(where(), in_file()) << "its own lines";
  EXPECT_NE(where().find("mine.yaml:"), std::string::npos) << where();
  editor_->set("gravity", "[0, -5, 0]");
  EXPECT_EQ(where().find("block.yaml"), std::string::npos) << where();
  editor_->set("particles.spacing", "-1");
  ASSERT_NE(editor_->error(), "");
  EXPECT_EQ(editor_->error().find("block.yaml"), std::string::npos) << editor_->error();
}

// The text of a new scene is that of the program, and the file that it is saved to may have the name that it had before.
TEST_F(ColorRange, WarningsOfASceneSavedUnderItsNameHaveTheLinesOfTheFile) {
  ASSERT_NO_FATAL_FAILURE(open("# A comment that\n# takes lines.\ntime: {step: 1}\n"));
  const std::string file = editor_->scene()->path;
  const auto in_file = [&] { return scenes::load_scene(file).warnings.at(0).where; };
  ASSERT_FALSE(editor_->warnings().empty());
  const std::string before = editor_->warnings()[0].where;
  editor_->set("description", "a block");
  editor_->save(file);
  EXPECT_NE(in_file(), before) << "or the test tests nothing";
  EXPECT_EQ(editor_->warnings().at(0).where, in_file());
  editor_->set("time.step", "2");
  ASSERT_FALSE(editor_->warnings().empty());
  EXPECT_EQ(editor_->warnings()[0].where, "") << "of an edit, which the file has not";
}

// They only measure: the run goes on.
TEST(Effect, OfForcesOnFacesIsLive) {
  EXPECT_EQ(scenes::effect_of_change(scenes::parse_source(test::kBlock, "a"),
                                     scenes::parse_source(test::kBlock, "a", {"domain.face_forces=true"})),
            scenes::Effect::Live);
}

}  // namespace
}  // namespace riffle
