#include "render/media/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/error.h"

extern char** environ;

namespace riffle::render {
namespace {

std::string whole_file(int file) {
  std::string text;
  char block[4096];
  off_t at = 0;
  for (ssize_t got = 0; (got = pread(file, block, sizeof block, at)) > 0; at += got)
    text.append(block, static_cast<std::size_t>(got));
  return text;
}

}  // namespace

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    const std::size_t end = rest.find(':');
    const std::string candidate = fmt::format("{}/{}", rest.substr(0, end), name);
    if (end != 0 && access(candidate.c_str(), X_OK) == 0) return candidate;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return {};
}

pid_t start_process(const std::vector<std::string>& arguments, int stdin_fd, int stdout_fd, int stderr_fd) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int fds[3] = {stdin_fd, stdout_fd, stderr_fd};
  for (int i = 0; i < 3; ++i) {
    if (fds[i] >= 0)
      posix_spawn_file_actions_adddup2(&actions, fds[i], i);
    else
      posix_spawn_file_actions_addopen(&actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGQUIT, SIGHUP}) sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t process = -1;
  const int error = posix_spawn(&process, arguments.at(0).c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw RuntimeFailure(fmt::format("{} cannot be started: {}", arguments[0], std::strerror(error)));
  return process;
}

int wait_process(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::optional<std::string> output_of(const std::vector<std::string>& arguments) {
  const int file = memfd_create("output", MFD_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::optional<std::string> text;
  try {
    if (wait_process(start_process(arguments, -1, file, -1)) == 0) text = whole_file(file);
  } catch (const RuntimeFailure&) {
    // a program that cannot be started is a valid answer
  }
  close(file);
  return text;
}

std::string last_lines(int file, int lines) {
  std::string text = whole_file(file);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  std::size_t begin = text.size();
  for (int i = 0; i < lines && begin != std::string::npos && begin > 0; ++i) begin = text.rfind('\n', begin - 1);
  text = begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
  std::string joined;
  for (const char c : text) joined += c == '\n' ? std::string(" | ") : std::string(1, c);
  return joined;
}

}  // namespace riffle::render
