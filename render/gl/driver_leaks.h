#pragma once
/// What OpenGL's drivers leave allocated, told apart from leaks of ours.

namespace riffle {

/// Before a context goes. Leaks are suppressed by module, and drivers are unloaded before leaks are looked for: a leak from
/// a module that is gone has no name to be suppressed by. Nothing without the address sanitizer.
void keep_drivers_loaded();

}  // namespace riffle
