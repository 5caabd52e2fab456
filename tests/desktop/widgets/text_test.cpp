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
  EXPECT_EQ(broken("into artificially now", 6), "into\nartificially\nnow") << "a word that is too long stands alone";
  EXPECT_EQ(broken("a\nb c\n\nd", 3), "a\nb c\n\nd") << "its own lines stay";
  EXPECT_EQ(broken("", 3), "");
}

TEST(TextInPanels, PathsAreBrokenAfterSlashes) {
  EXPECT_EQ(broken("into /home/me/Videos/riffle-dam-20261130-001358.mp4", 26),
            "into /home/me/Videos/\nriffle-dam-20261130-001358.mp4");
  EXPECT_EQ(broken("saved /home/me/out/a.png", 12), "saved /home/\nme/out/a.png");
  EXPECT_EQ(broken("in /a/b", 20), "in /a/b") << "it fits";
  EXPECT_EQ(broken("x /ab/cd y", 6), "x\n/ab/cd\ny") << "a path that fits a line stays whole";
  EXPECT_EQ(broken("/abc/def/ghi, 3 s", 5), "/abc/\ndef/\nghi,\n3 s");
}

TEST(TextInPanels, AUnitOfTheTableHasTheLettersOfTheWindow) {
  EXPECT_EQ(desktop::shown_unit("eps/r_c^3"), "\u03b5/r_c^3");
  EXPECT_EQ(desktop::shown_unit("m r_c/tau^2"), "m r_c/\u03c4^2");
  EXPECT_EQ(desktop::shown_unit("\u03b5"), "\u03b5") << "it has them already";
  EXPECT_EQ(desktop::shown_unit("kg/m^3"), "kg/m^3");
}

}  // namespace
}  // namespace riffle::test
