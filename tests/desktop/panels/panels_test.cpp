#include "app/desktop/panels/panels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/desktop/panels/actions.h"
#include "app/desktop/panels/transport.h"
#include "app/desktop/playback/worker_status.h"

namespace riffle {
namespace {

TEST(Panels, EachHasANameOfItsOwnAndIsDrawn) {
  std::set<std::string> names;
  for (const desktop::Panel* panel : desktop::panels()) {
    EXPECT_TRUE(names.insert(panel->name).second) << panel->name;
    EXPECT_NE(panel->draw, nullptr) << panel->name;
  }
}

// A panel that is missing in the list would compile and never be seen.
TEST(Panels, EveryRowInTheirFilesIsInTheList) {
  const std::string row = "extern const Panel ";
  std::set<std::string> written, listed;
  for (const auto& entry : std::filesystem::directory_iterator(RIFFLE_SOURCE_DIR "/app/desktop/panels")) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t at = text.find(row); at != std::string::npos; at = text.find(row, at + 1)) {
      const std::size_t end = text.find(';', at), name = text.find("{\"", at);
      if (name < end) written.insert(text.substr(name + 2, text.find('"', name + 2) - name - 2));
    }
  }
  for (const desktop::Panel* panel : desktop::panels()) listed.insert(panel->name);
  EXPECT_EQ(written, listed);
}

TEST(PanelMemory, KeepsOneValueOfEachType) {
  struct Open {
    bool now = false;
  };
  desktop::PanelMemory memory, other;
  memory.of<Open>().now = true;
  memory.of<std::string>() = "text";
  EXPECT_TRUE(memory.of<Open>().now);
  EXPECT_EQ(memory.of<std::string>(), "text");
  EXPECT_FALSE(other.of<Open>().now);
}

// Back from a fault nobody is asked, and nothing may say so.
TEST(PlayingOn, IsSaidToAskExactlyWhereItDoes) {
  desktop::WorkerStatus status;
  status.clock.time = 1;
  status.last_moment = 2;
  status.can_keep = true;
  EXPECT_STREQ(desktop::playing_on(status).shorter, "playing on leaves later moments");
  status.can_keep = false;
  status.asks_about_later = true;
  EXPECT_STREQ(desktop::playing_on(status).shorter, "later moments would be lost");
  status.asks_about_later = false;
  EXPECT_STREQ(desktop::playing_on(status).shorter, "forgets the moments up to the fault");
  EXPECT_EQ(std::string(desktop::playing_on(status).tip).find("asked first"), std::string::npos);
  status.last_moment = status.clock.time;
  EXPECT_NE(std::string(desktop::playing_on(status).tip).find("asked first"), std::string::npos)
      << "of the moments that will be later after a way back";
}

// "mesh" once found nothing, since no key of most scenes has the word.
TEST(Actions, AreFoundByTheirPlainWords) {
  const std::pair<const char*, const char*> cases[] = {
      {"mesh", "add_mesh"},
      {"STL", "add_mesh"},
      {"mesh solid", "add_mesh"},
      {"state", "save_state"},
      {"state", "open_state"},
      {"checkpoint", "save_state"},
      {"resume", "open_state"},
      {"solid", "add.solids.box"},
      {"sphere", "add.bodies.sphere"},
      {"cylinder", "add.solids.cylinder"},
      {"probe", "add.probes.point"},
      {"probe", "probe_here"},
      {"measure", "add.probes.level"},
      {"fluid", "add.fluids"},
      {"damping", "add.damping"},
      {"movie", "record"},
      {"video", "record"},
      {"picture", "save_picture"},
      {"picture", "picture"},
      {"screenshot", "save_picture"},
      {"undo", "undo"},
      {"redo", "redo"},
      {"restart", "reset"},
      {"rewind", "step_back"},
      {"pause", "play"},
      {"step", "step"},
      {"paraview", "save_particles"},
      {"ply", "save_ply"},
      {"usd", "save_surface"},
      {"trajectories", "particles_over_time"},
      {"table", "save_diagnostics"},
      {"plots", "diagnostics"},
      {"energy", "diagnostics"},
      {"performance", "timings"},
      {"legend", "picture"},
      {"colour", "picture"},
      {"color", "picture"},
      {"vorticity", "picture"},
      {"cut plane", "picture"},
      {"resolution", "export"},
      {"folder", "export"},
      {"speed", "speed"},
      {"slow motion", "speed"},
      {"shortcuts", "shortcuts"},
      {"help", "shortcuts"},
      {"gpu", "device"},
      {"quit", "quit"},
      {"camera", "home"},
      {"zoom", "turn"},
      {"stir", "hand"},
      {"rotate", "move_things"},
      {"handles", "move_things"},
      {"verify", "neighbors"},
      {"compare", "neighbors"},
      {"particle", "particle"},
      {"save", "save_scene"},
      {"rdf", "distribution"},
      {"g(r)", "distribution"},
      {"standard error", "means"},
      {"average", "means"},
      {"surface over", "surfaces_over_time"},
      {"open", "open_scene"},
      {"new scene", "new_scene"},
      {"full screen", "panels"},
      {"float", "add.solids.box"},
      {"floating", "add.solids.box"},
      {"buoyancy", "add.solids.sphere"},
      {"wood", "add.solids.box"},
      {"friction", "add.solids.box"},
      {"piston", "add.solids.box"},
      {"wavemaker", "add.solids.box"},
      {"water level", "add.probes.level"},
      {"compare runs", "diagnostics"},
      {"depth", "diagnostics"},
      {"pressure", "diagnostics"},
  };
  for (const auto& [words, action] : cases) {
    const std::vector<std::string> found = desktop::actions_with(words);
    EXPECT_NE(std::find(found.begin(), found.end(), action), found.end()) << words;
  }
  for (const char* words : {"", " ", "m", "mesh gravity", "esh", "nonsense"})
    EXPECT_TRUE(desktop::actions_with(words).empty()) << words;
}

}  // namespace
}  // namespace riffle
