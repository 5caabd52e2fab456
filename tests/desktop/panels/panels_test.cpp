#include "app/desktop/panels/panels.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

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

}  // namespace
}  // namespace riffle
