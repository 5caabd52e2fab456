#include "app/desktop/shell/typing_guard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/desktop/platform/window.h"

namespace riffle::desktop {

namespace {

bool writes(const KeyPress& press) {
  if (press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) return false;
  return (press.key >= GLFW_KEY_SPACE && press.key <= GLFW_KEY_WORLD_2) ||
         (press.key >= GLFW_KEY_KP_0 && press.key <= GLFW_KEY_KP_EQUAL && press.key != GLFW_KEY_KP_ENTER) ||
         press.key == GLFW_KEY_BACKSPACE;
}

/// Ends the text on purpose.
bool finishes(int key) {
  return key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER || key == GLFW_KEY_TAB || key == GLFW_KEY_ESCAPE;
}

}  // namespace

bool TypingGuard::lets_through(const KeyPress& press, bool typing, double now) {
  const bool continues = writes(press) && now - last_ < kPause;
  if (typing ? writes(press) : continues) last_ = now;
  if (finishes(press.key)) last_ = -std::numeric_limits<double>::infinity();
  return !typing && !continues;
}

}  // namespace riffle::desktop
