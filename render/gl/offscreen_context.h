#pragma once
/// An OpenGL 4.5 core context with no window and no display, through EGL loaded at run time.

#include <memory>
#include <optional>
#include <string>

#include "render/gl/gl_debug.h"

namespace riffle::render {

/// It is current on the thread that constructed it until its destruction. It has no default framebuffer: draw into a
/// Surface.
class OffscreenContext {
 public:
  /// Tries every EGL device (the one that is CUDA device `cuda_ordinal` first, then hardware, then software), then
  /// Mesa's surfaceless platform, then the default display.
  /// @throws Unavailable with the reason of each attempt.
  explicit OffscreenContext(std::optional<int> cuda_ordinal = std::nullopt);
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  /// The same, but returns nullptr without a context and puts the reason into *why_not.
  static std::unique_ptr<OffscreenContext> create(std::optional<int> cuda_ordinal, std::string* why_not);

  const GlInfo& info() const { return info_; }
  /// "EGL device 0", "EGL surfaceless" or "EGL default display"
  const std::string& platform() const { return platform_; }
  std::optional<int> cuda_ordinal() const { return cuda_ordinal_; }  ///< of the EGL device, if the driver tells it

  void make_current();

  /// For `riffle doctor`: opens a context and closes it again. Call it only while no context is current.
  struct Probe {
    bool found = false;
    std::string why_not;  ///< empty when found
    std::string platform;
    GlInfo info;
  };
  static Probe probe(std::optional<int> cuda_ordinal = std::nullopt);

 private:
  void* display_ = nullptr;  ///< EGLDisplay
  void* context_ = nullptr;  ///< EGLContext
  std::string platform_;
  std::optional<int> cuda_ordinal_;
  GlInfo info_;
};

}  // namespace riffle::render
