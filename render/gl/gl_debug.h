#pragma once
/// Describes the current OpenGL context and collects its error messages.

#include <string>

namespace riffle::render {

struct GlInfo {
  std::string renderer;  ///< GL_RENDERER: "NVIDIA H200/PCIe/SSE2", "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string vendor;    ///< GL_VENDOR
  std::string version;   ///< GL_VERSION: "4.5 (Core Profile) Mesa 22.3.6"
  int major = 0, minor = 0;
  bool software = false;  ///< drawn by the processor: llvmpipe, softpipe, swrast
};

/// Describes the context that is current on this thread, whose functions must be loaded.
GlInfo current_gl_info();

/// Sends the current context's error messages to the log and counts them. Performance hints go to the debug level.
/// A window's context needs this call too; OffscreenContext makes it itself.
void install_gl_debug_output();

/// Error messages of every context of this process so far.
int gl_error_count();

}  // namespace riffle::render
