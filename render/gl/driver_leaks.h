#pragma once
/// Tells memory that OpenGL's drivers leave allocated from leaks of ours.

namespace riffle::render {

/// Call it before a context is destroyed. Leaks are suppressed by module, but drivers are unloaded before leaks are
/// reported, and then no module name is left to suppress. Does nothing without the address sanitizer.
void keep_drivers_loaded();

}  // namespace riffle::render
