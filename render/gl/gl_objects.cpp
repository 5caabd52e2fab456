#include "render/gl/gl_objects.h"

#include <fmt/format.h>

#include <vector>

#include "core/error.h"
#include "render/assets.h"

namespace riffle::render {
namespace {

void append_file(ShaderText& shader, std::string_view file, std::initializer_list<std::string_view> defines) {
  const std::string_view source = find_asset(fmt::format("shaders/{}", file));
  if (shader.file_count == static_cast<int>(std::size(shader.files)))
    throw RuntimeFailure(fmt::format("assets/shaders/{}: too many includes", file));
  const int number = shader.file_count++;
  shader.files[number] = file;
  int line_number = 0;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view line = source.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    if (line.starts_with("#include \"")) {
      append_file(shader, line.substr(10, line.rfind('"') - 10), {});
      shader.text += fmt::format("#line {} {}\n", line_number + 1, number);
    } else {
      shader.text += line;
      shader.text += '\n';
      if (line.starts_with("#version")) {
        for (const std::string_view define : defines) shader.text += fmt::format("#define {}\n", define);
        shader.text += fmt::format("#line {} {}\n", line_number + 1, number);
      } else if (line_number == 1 && number > 0) {
        // An included file has no #version, so its numbering starts before its first line.
        shader.text.insert(shader.text.size() - line.size() - 1, fmt::format("#line 1 {}\n", number));
      }
    }
  }
}

GLuint compile(GLenum stage, std::string_view file, std::initializer_list<std::string_view> defines) {
  const ShaderText shader = load_shader(file, defines);
  const GLuint name = glCreateShader(stage);
  const char* text = shader.text.c_str();
  glShaderSource(name, 1, &text, nullptr);
  glCompileShader(name);
  GLint compiled = 0;
  glGetShaderiv(name, GL_COMPILE_STATUS, &compiled);
  if (compiled) return name;
  GLint length = 0;
  glGetShaderiv(name, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  glGetShaderInfoLog(name, length, &length, log.data());
  log.resize(static_cast<std::size_t>(std::max(length, 0)));
  glDeleteShader(name);
  throw RuntimeFailure(fmt::format("a shader does not compile:\n{}", readable_log(shader, log)));
}

}  // namespace

bool GlFence::passed() const {
  if (!sync_) return true;
  const GLenum state = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

void GlFence::wait() {
  if (!sync_) return;
  constexpr GLuint64 second = 1'000'000'000;
  for (int tries = 0; tries < 60; ++tries) {
    const GLenum state = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, second);
    if (state != GL_TIMEOUT_EXPIRED) break;
  }
  reset();
}

Program::Program(std::string_view vertex, std::string_view fragment, std::initializer_list<std::string_view> defines) {
  const GLuint vertex_shader = compile(GL_VERTEX_SHADER, vertex, defines);
  GLuint fragment_shader = 0;
  try {
    fragment_shader = compile(GL_FRAGMENT_SHADER, fragment, defines);
  } catch (...) {
    glDeleteShader(vertex_shader);
    throw;
  }
  name_ = glCreateProgram();
  ++gl_detail::owned;
  for (const GLuint shader : {vertex_shader, fragment_shader}) {
    glAttachShader(name_, shader);
    glDeleteShader(shader);  // lives as long as the program
  }
  glLinkProgram(name_);
  GLint linked = 0;
  glGetProgramiv(name_, GL_LINK_STATUS, &linked);
  if (linked) return;
  std::string log(4096, '\0');
  GLsizei length = 0;
  glGetProgramInfoLog(name_, static_cast<GLsizei>(log.size()), &length, log.data());
  log.resize(static_cast<std::size_t>(length));
  reset();
  throw RuntimeFailure(fmt::format("shaders {} and {} do not link:\n{}", vertex, fragment, log));
}

ShaderText load_shader(std::string_view file, std::initializer_list<std::string_view> defines) {
  ShaderText shader;
  append_file(shader, file, defines);
  return shader;
}

namespace {

/// Takes the digits at the front of the text.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

/// "0:12(5): error" of Mesa and Intel, "0(12) : error" of NVIDIA, "ERROR: 0:12: " of AMD: 0 is the file and 12 the line.
std::string readable_line(const ShaderText& shader, std::string_view line) {
  std::string_view rest = line;
  const std::string_view error = rest.starts_with("ERROR: ") ? rest.substr(0, 7) : "";
  rest.remove_prefix(error.size());
  const std::string_view file = take_digits(rest);
  if (file.empty() || file.size() > 6 || !(rest.starts_with(':') || rest.starts_with('('))) return std::string(line);
  rest.remove_prefix(1);
  const std::string_view number = take_digits(rest);
  if (number.empty()) return std::string(line);
  if (rest.starts_with(')')) rest.remove_prefix(1);
  if (std::string_view column = rest; column.starts_with('(')) {
    column.remove_prefix(1);
    if (!take_digits(column).empty() && column.starts_with(')')) rest = column.substr(1);
  }
  const int index = std::stoi(std::string(file));
  return fmt::format("{}assets/shaders/{}:{}{}", error, index < shader.file_count ? shader.files[index] : "?", number,
                     rest);
}

}  // namespace

std::string readable_log(const ShaderText& shader, std::string_view log) {
  std::string readable;
  while (true) {
    const std::size_t end = log.find('\n');
    readable += readable_line(shader, log.substr(0, end));
    if (end == std::string_view::npos) return readable;
    readable += '\n';
    log.remove_prefix(end + 1);
  }
}

std::string_view find_asset(std::string_view name) {
  for (const Asset& asset : assets())
    if (asset.name == name) return asset.bytes;
  throw RuntimeFailure(fmt::format("assets/{} is not part of this program: add it to render/CMakeLists.txt", name));
}

}  // namespace riffle::render
