#include "support/program.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace riffle {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSmallScene =
    "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
    "particles: {spacing: 0.1}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"
    "time: {end: 0.01}\n"
    "picture: {size: [320, 180]}\n";

std::string captured(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  char block[512];
  while (pipe && std::fgets(block, sizeof block, pipe)) text += block;
  if (pipe) pclose(pipe);
  return text;
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const fs::path& folder, bool terminal,
                 const std::map<std::string, std::string>& environment) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  if (terminal) {
    winsize size{};
    size.ws_col = 120;
    size.ws_row = 24;
    if (openpty(&err[0], &err[1], nullptr, nullptr, &size) != 0) throw std::runtime_error("openpty");
    fcntl(err[0], F_SETFD, FD_CLOEXEC);
  } else if (pipe2(err, O_CLOEXEC) != 0) {
    throw std::runtime_error("pipe");
  }
  process_ = fork();
  if (process_ == 0) {
    // Tests that were started by nohup or by a script in the background inherit signals that are ignored.
    for (const int number : {SIGHUP, SIGINT, SIGTERM}) signal(number, SIG_DFL);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    // Mesa's driver leaks a few bytes and is unloaded before leaks are reported, so no suppression can name it.
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    for (const char* display : {"DISPLAY", "WAYLAND_DISPLAY"}) unsetenv(display);  // these tests run without a display
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    if (chdir(folder.c_str()) != 0) _exit(127);
    std::vector<char*> argv = {const_cast<char*>("riffle")};
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(RIFFLE_PROGRAM, argv.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Program::~Program() {
  if (!ended_) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(out_);
  close(err_);
}

void Program::send(int signal) const { kill(process_, signal); }

void Program::drain(int milliseconds) {
  pollfd descriptors[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  if (poll(descriptors, 2, milliseconds) <= 0) return;
  for (auto& [file, events, found] : descriptors) {
    if (!(found & POLLIN)) continue;
    char block[4096];
    const ssize_t got = ::read(file, block, sizeof block);
    if (got > 0) (file == out_ ? outcome_.out : outcome_.err).append(block, static_cast<std::size_t>(got));
  }
}

bool Program::running() {
  if (ended_) return false;
  drain(0);
  ended_ = waitpid(process_, &status_, WNOHANG) == process_;
  return !ended_;
}

bool Program::says(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  const auto said = [&] {
    return outcome_.out.find(text) != std::string::npos || outcome_.err.find(text) != std::string::npos;
  };
  while (!said() && running() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) drain(20);
  return said();
}

Outcome Program::wait() {
  const auto begin = std::chrono::steady_clock::now();
  bool killed = false;
  while (running()) {
    drain(20);
    if (killed || std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) continue;
    kill(process_, SIGKILL);
    killed = true;
    outcome_.err += "(killed by the test after a minute)";
  }
  for (std::size_t before = std::string::npos; before != outcome_.out.size() + outcome_.err.size();) {
    before = outcome_.out.size() + outcome_.err.size();
    drain(50);
  }
  outcome_.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return outcome_;
}

void ProgramTest::SetUp() {
  std::string name = (fs::temp_directory_path() / "riffle-test-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
  scene_ = write("small.yaml", kSmallScene);
}

void ProgramTest::TearDown() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string ProgramTest::write(const std::string& name, const std::string& text) {
  std::ofstream(folder_ / name) << text;
  return (folder_ / name).string();
}

std::string ProgramTest::read(const std::string& name) const {
  std::ifstream file(folder_ / name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> ProgramTest::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    if (entry.is_regular_file() && entry.path() != scene_)
      names.push_back(fs::relative(entry.path(), folder_).string());
  std::sort(names.begin(), names.end());
  return names;
}

::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in:\n" << text;
}

bool has_tool(const std::string& name) { return !captured("command -v " + name + " 2>/dev/null").empty(); }

bool can_draw() {
  static const bool found = captured(std::string(RIFFLE_PROGRAM) + " doctor").find("[ok] OpenGL") != std::string::npos;
  return found;
}

std::string movie_fault(const fs::path& file, int frames) {
  if (!fs::exists(file)) return "no file " + file.string();
  if (!has_tool("ffprobe")) return "no ffprobe";
  const std::string said =
      captured("ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames -of csv=p=0 '" +
               file.string() + "' 2>&1");
  const int found = std::atoi(said.c_str());
  if (found < 1 || (frames >= 0 && found != frames)) return "ffprobe counts: " + said;
  return "";
}

}  // namespace riffle
