// The key of each shortcut on keyboards of several countries.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include "app/desktop/platform/window.h"

namespace riffle {
namespace {

TEST(KeyOnLayout, LettersAreWhereTheKeyboardHasThem) {
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_Y, "z"), GLFW_KEY_Z) << "German";
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_Z, "y"), GLFW_KEY_Y);
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_W, "z"), GLFW_KEY_Z) << "French";
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_SEMICOLON, "m"), GLFW_KEY_M);
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_M, ","), GLFW_KEY_COMMA) << "no longer a letter";
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_O, "r"), GLFW_KEY_R) << "Dvorak";
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_R, "R"), GLFW_KEY_R);
}

TEST(KeyOnLayout, OtherScriptsAndKeysWithoutALetterStayWhereTheyAre) {
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_Z, "\xd1\x8f"), GLFW_KEY_Z) << "Russian";
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_L, nullptr), GLFW_KEY_L);
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_L, ""), GLFW_KEY_L);
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_PERIOD, ":"), GLFW_KEY_PERIOD);
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_KP_DECIMAL, "r"), GLFW_KEY_KP_DECIMAL);
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_SPACE, nullptr), GLFW_KEY_SPACE);
  EXPECT_EQ(desktop::key_on_layout(GLFW_KEY_F1, nullptr), GLFW_KEY_F1);
}

}  // namespace
}  // namespace riffle
