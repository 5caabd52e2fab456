#include "render/gl/gl_objects.h"

#include <fmt/format.h>

#include <regex>
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

std::string readable_log(const ShaderText& shader, std::string_view log) {
  // Mesa and Intel write "0:12(5): error", NVIDIA "0(12) : error", AMD "ERROR: 0:12: ".
  static const std::regex place(R"((^|\n)((?:ERROR: )?)(\d+)[:(](\d+)\)?(\(\d+\))?)");
  const std::string text(log);
  std::string readable;
  std::size_t last = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), place), end; match != end; ++match) {
    readable.append(text, last, static_cast<std::size_t>(match->position()) - last);
    const int number = std::stoi((*match)[3]);
    const bool known = number < shader.file_count;
    readable += fmt::format("{}{}assets/shaders/{}:{}", match->str(1), match->str(2),
                            known ? shader.files[number] : std::string("?"), match->str(4));
    last = static_cast<std::size_t>(match->position() + match->length());
  }
  readable.append(text, last);
  return readable;
}

std::string_view find_asset(std::string_view name) {
  for (const Asset& asset : assets())
    if (asset.name == name) return asset.bytes;
  throw RuntimeFailure(fmt::format("assets/{} is not part of this program: add it to render/CMakeLists.txt", name));
}

}  // namespace riffle::render
