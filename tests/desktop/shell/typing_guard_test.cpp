#include "app/desktop/shell/typing_guard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include "app/desktop/platform/window.h"

namespace riffle::desktop {
namespace {

TEST(TypingGuard, TheRestOfATextIsNoShortcutWhenItsFieldHasClosed) {
  TypingGuard guard;
  EXPECT_TRUE(guard.lets_through({GLFW_KEY_R}, false, 0)) << "nothing is typed";
  EXPECT_FALSE(guard.lets_through({GLFW_KEY_N}, true, 10));
  EXPECT_FALSE(guard.lets_through({GLFW_KEY_R}, false, 10.4));
  EXPECT_FALSE(guard.lets_through({GLFW_KEY_SPACE}, false, 11.2)) << "the text goes on";
  EXPECT_TRUE(guard.lets_through({GLFW_KEY_R, GLFW_MOD_CONTROL}, false, 11.3)) << "no text";
  EXPECT_TRUE(guard.lets_through({GLFW_KEY_F1}, false, 11.3)) << "no text";
  EXPECT_TRUE(guard.lets_through({GLFW_KEY_SPACE}, false, 11.2 + TypingGuard::kPause));
}

TEST(TypingGuard, ATextThatWasFinishedHasNoRest) {
  for (const int end : {GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER, GLFW_KEY_TAB, GLFW_KEY_ESCAPE}) {
    TypingGuard guard;
    EXPECT_FALSE(guard.lets_through({GLFW_KEY_5}, true, 10));
    EXPECT_FALSE(guard.lets_through({end}, true, 10.1));
    EXPECT_TRUE(guard.lets_through({GLFW_KEY_SPACE}, false, 10.2));
  }
}

}  // namespace
}  // namespace riffle::desktop
