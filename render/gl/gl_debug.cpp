#include "render/gl/gl_debug.h"

#include <glad/gl.h>

#include <atomic>

#include "core/text/log.h"

namespace riffle::render {
namespace {

std::atomic<int> error_count{0};

std::string text_of(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text ? text : "";
}

void GLAD_API_PTR on_message(GLenum, GLenum type, GLuint, GLenum severity, GLsizei length, const GLchar* text,
                             const void*) {
  std::string_view message(text, length >= 0 ? static_cast<std::size_t>(length) : std::string_view(text).size());
  while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.remove_suffix(1);
  const bool grave = severity == GL_DEBUG_SEVERITY_HIGH || severity == GL_DEBUG_SEVERITY_MEDIUM;
  // Drivers report slow paths and recompiled shaders as "medium"; the picture is still right.
  const bool wrong = grave && type != GL_DEBUG_TYPE_PERFORMANCE && type != GL_DEBUG_TYPE_OTHER;
  if (wrong || type == GL_DEBUG_TYPE_ERROR) {
    ++error_count;
    log::error("OpenGL: {}", message);
  } else if (grave) {
    log::debug("OpenGL: {}", message);
  }
}

}  // namespace

GlInfo current_gl_info() {
  GlInfo info;
  info.renderer = text_of(GL_RENDERER);
  info.vendor = text_of(GL_VENDOR);
  info.version = text_of(GL_VERSION);
  glGetIntegerv(GL_MAJOR_VERSION, &info.major);
  glGetIntegerv(GL_MINOR_VERSION, &info.minor);
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR", "Software Rasterizer"})
    info.software = info.software || info.renderer.find(name) != std::string::npos;
  return info;
}

void install_gl_debug_output() {
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(on_message, nullptr);
}

int gl_error_count() { return error_count; }

}  // namespace riffle::render
