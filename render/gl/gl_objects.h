#pragma once
/// Owners of OpenGL names, and programs from the embedded shaders. Their context must be current as long as they live,
/// destructors included.

#include <glad/gl.h>

#include <atomic>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace riffle::render {

namespace gl_detail {
inline std::atomic<int> owned = 0;
}
/// Number of names and fences that objects of this file own now, in all contexts. It must not grow while a window is
/// open.
inline int gl_object_count() { return gl_detail::owned; }

/// Kind has `static void create(GLuint*)` and `static void destroy(const GLuint*)`.
template <class Kind>
class GlObject {
 public:
  GlObject() = default;
  ~GlObject() { reset(); }
  GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, 0);
    }
    return *this;
  }

  static GlObject create() {
    GlObject object;
    Kind::create(&object.name_);
    ++gl_detail::owned;
    return object;
  }
  void reset() {
    if (!name_) return;
    Kind::destroy(&name_);
    name_ = 0;
    --gl_detail::owned;
  }
  GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

struct BufferKind {
  static void create(GLuint* name) { glCreateBuffers(1, name); }
  static void destroy(const GLuint* name) { glDeleteBuffers(1, name); }
};
struct VertexArrayKind {
  static void create(GLuint* name) { glCreateVertexArrays(1, name); }
  static void destroy(const GLuint* name) { glDeleteVertexArrays(1, name); }
};
struct FramebufferKind {
  static void create(GLuint* name) { glCreateFramebuffers(1, name); }
  static void destroy(const GLuint* name) { glDeleteFramebuffers(1, name); }
};
template <GLenum Target>
struct TextureKind {
  static void create(GLuint* name) { glCreateTextures(Target, 1, name); }
  static void destroy(const GLuint* name) { glDeleteTextures(1, name); }
};
template <GLenum Target>
struct QueryKind {
  static void create(GLuint* name) { glCreateQueries(Target, 1, name); }
  static void destroy(const GLuint* name) { glDeleteQueries(1, name); }
};

using GlBuffer = GlObject<BufferKind>;
using GlVertexArray = GlObject<VertexArrayKind>;
using GlFramebuffer = GlObject<FramebufferKind>;
using GlTexture2D = GlObject<TextureKind<GL_TEXTURE_2D>>;
using GlTextureSamples = GlObject<TextureKind<GL_TEXTURE_2D_MULTISAMPLE>>;
using GlTimestampQuery = GlObject<QueryKind<GL_TIMESTAMP>>;

/// A fence, placed after everything submitted so far.
class GlFence {
 public:
  GlFence() = default;
  ~GlFence() { reset(); }
  GlFence(GlFence&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}
  GlFence& operator=(GlFence&& other) noexcept {
    reset();
    sync_ = std::exchange(other.sync_, nullptr);
    return *this;
  }
  void place() {
    reset();
    sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (sync_) ++gl_detail::owned;
  }
  bool passed() const;  ///< also true if it was never placed
  void wait();          ///< removes the fence afterwards
  void reset() {
    if (!sync_) return;
    glDeleteSync(sync_);
    sync_ = nullptr;
    --gl_detail::owned;
  }

 private:
  GLsync sync_ = nullptr;
};

/// A linked vertex and fragment shader of assets/shaders. `#include "x.glsl"` is resolved there, and compile errors
/// name the file and line they are in.
class Program {
 public:
  Program() = default;
  /// @param defines lines "NAME VALUE", inserted after #version
  /// @throws RuntimeFailure with the driver's log
  Program(std::string_view vertex, std::string_view fragment, std::initializer_list<std::string_view> defines = {});
  ~Program() { reset(); }
  Program(Program&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Program& operator=(Program&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, 0);
    }
    return *this;
  }

  explicit operator bool() const { return name_ != 0; }
  void use() const { glUseProgram(name_); }

  // Setting a uniform that the compiler removed has no effect, as in OpenGL itself.
  void set(const char* uniform, int value) const { glProgramUniform1i(name_, location(uniform), value); }
  void set(const char* uniform, float value) const { glProgramUniform1f(name_, location(uniform), value); }
  void set(const char* uniform, glm::ivec2 v) const { glProgramUniform2i(name_, location(uniform), v.x, v.y); }
  void set(const char* uniform, glm::vec2 v) const { glProgramUniform2f(name_, location(uniform), v.x, v.y); }
  void set(const char* uniform, glm::vec3 v) const { glProgramUniform3f(name_, location(uniform), v.x, v.y, v.z); }
  void set(const char* uniform, glm::vec4 v) const { glProgramUniform4f(name_, location(uniform), v.x, v.y, v.z, v.w); }
  void set(const char* uniform, const glm::mat3& m) const {
    glProgramUniformMatrix3fv(name_, location(uniform), 1, GL_FALSE, &m[0][0]);
  }
  void set(const char* uniform, const glm::mat4& m) const {
    glProgramUniformMatrix4fv(name_, location(uniform), 1, GL_FALSE, &m[0][0]);
  }
  void set(const char* uniform, std::span<const glm::vec3> v) const {
    glProgramUniform3fv(name_, location(uniform), static_cast<GLsizei>(v.size()), v.empty() ? nullptr : &v[0].x);
  }

 private:
  GLint location(const char* uniform) const { return glGetUniformLocation(name_, uniform); }
  void reset() {
    if (!name_) return;
    // A program in use would stay until another one is used; who restores it by its name would then fail.
    GLint in_use = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &in_use);
    if (static_cast<GLuint>(in_use) == name_) glUseProgram(0);
    glDeleteProgram(name_);
    name_ = 0;
    --gl_detail::owned;
  }
  GLuint name_ = 0;
};

/// A shader's text with its includes, and the files that the numbers of its #line directives mean.
struct ShaderText {
  std::string text;
  std::string files[8];
  int file_count = 0;
};
/// @throws RuntimeFailure when a file is not embedded
ShaderText load_shader(std::string_view file, std::initializer_list<std::string_view> defines);

/// The driver's log with "0:12(5):" or "0(12) :" turned into "assets/shaders/sphere.frag:12:".
std::string readable_log(const ShaderText& shader, std::string_view log);

std::string_view find_asset(std::string_view name);  ///< its bytes. @throws RuntimeFailure when it is not embedded

}  // namespace riffle::render
