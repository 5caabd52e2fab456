#include "app/desktop/panels/panels.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
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
  const std::regex row(R"re(extern const Panel \w+\{"(\w+)")re");
  std::set<std::string> written, listed;
  for (const auto& entry : std::filesystem::directory_iterator(RIFFLE_SOURCE_DIR "/app/desktop/panels")) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) written.insert((*at)[1]);
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
