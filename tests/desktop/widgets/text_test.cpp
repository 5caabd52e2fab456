#include <gtest/gtest.h>

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

}  // namespace
}  // namespace riffle::test
