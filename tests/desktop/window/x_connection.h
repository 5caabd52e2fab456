#pragma once
/// Xlib, kept out of all other files: its macros (None, Success, Status) collide with our names and GoogleTest's.

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>

#include <string>
#include <vector>

#include "x_display.h"

namespace riffle::test {

struct XDisplay::Connection {
  Display* display = nullptr;
  Window root = 0;

  explicit Connection(const std::string& name);
  ~Connection();

  Atom atom(const char* name) const { return XInternAtom(display, name, False); }
  std::vector<long> property(Window window, const char* name) const;  ///< 32-bit items; empty: it has none
  void send(Window to, Window about, const char* message, const long (&data)[5], long mask) const;
};

}  // namespace riffle::test
