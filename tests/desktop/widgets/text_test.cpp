#include <gtest/gtest.h>

#include "app/desktop/scene/shown_unit.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::test {
namespace {

/// Every letter is a pixel wide.
std::string broken(const std::string& text, float room) {
  return desktop::ui::broken_at_spaces(text, room,
                                       [](const std::string& line) { return static_cast<float>(line.size()); });
}

TEST(TextInPanels, IsBrokenAtSpacesAndNeverWithinANumber) {
  EXPECT_EQ(broken("for 20.3 s, 1.25 MiB", 8), "for 20.3\ns, 1.25\nMiB");
  EXPECT_EQ(broken("for 20.3 s", 10), "for 20.3 s");
  EXPECT_EQ(broken("into /a/long/path now", 6), "into\n/a/long/path\nnow") << "a word that is too long stands alone";
  EXPECT_EQ(broken("a\nb c\n\nd", 3), "a\nb c\n\nd") << "its own lines stay";
  EXPECT_EQ(broken("", 3), "");
}

TEST(TextInPanels, AUnitOfTheTableHasTheLettersOfTheWindow) {
  EXPECT_EQ(desktop::shown_unit("eps/r_c^3"), "\u03b5/r_c^3");
  EXPECT_EQ(desktop::shown_unit("m r_c/tau^2"), "m r_c/\u03c4^2");
  EXPECT_EQ(desktop::shown_unit("\u03b5"), "\u03b5") << "it has them already";
  EXPECT_EQ(desktop::shown_unit("kg/m^3"), "kg/m^3");
}

}  // namespace
}  // namespace riffle::test
