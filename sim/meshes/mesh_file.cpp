#include "sim/meshes/mesh_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <mutex>
#include <string>

#include "core/error.h"
#include "core/text/input_bytes.h"
#include "core/text/number_text.h"
#include "core/text/program_folder.h"
#include "sim/meshes/mesh_output.h"

extern char** environ;

namespace riffle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostVertices = 3 * kMostTriangles;

InputError mistake(const fs::path& file, const std::string& what) { return InputError(file.string() + ": " + what); }

fs::path import_program() {
  const fs::path beside = program_folder() / "riffle-import";
  std::error_code error;
  const bool installed = !installed_share().empty();
  return installed || fs::is_regular_file(beside, error) ? beside : fs::path(RIFFLE_BUILT_IMPORT);
}

/// The program while it runs. Ends with it.
class Child {
 public:
  Child(const fs::path& program, const std::vector<std::string>& arguments) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw RuntimeFailure(fmt::format("no pipe: {}", std::strerror(errno)));
    output_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    const int error = posix_spawn(&process_, program.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
      close(output_);
      throw RuntimeFailure(fmt::format("{}, which reads mesh files, cannot be started: {}; it is installed with riffle",
                                       program.string(), std::strerror(error)));
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      wait();
    }
    close(output_);
  }

  /// What it writes, until it has written `most` bytes or ends. @return false when the time is over
  bool read_all(std::vector<char>& bytes, std::size_t most, double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (std::size_t size = 0;;) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
      if (left <= 0) return false;
      pollfd ready{output_, POLLIN, 0};
      const int count = poll(&ready, 1, static_cast<int>(std::min<long long>(left, 1000)));
      if (count < 0 && errno != EINTR) return true;
      if (count <= 0) continue;
      bytes.resize(std::min(most, std::max(size + 65536, 2 * size)));
      const ssize_t got = read(output_, bytes.data() + size, bytes.size() - size);
      if (got < 0 && errno == EINTR) continue;
      size += got > 0 ? static_cast<std::size_t>(got) : 0;
      if (got > 0 && size < most) continue;
      bytes.resize(size);
      return true;
    }
  }

  /// Its status as waitpid() gives it.
  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }

 private:
  pid_t process_ = 0;
  int output_ = -1;
};

IndexedMesh import(const fs::path& file, const MeshImport& how) {
  Child child(how.program.empty() ? import_program() : how.program,
              {file.string(), std::to_string(how.bytes), std::to_string(static_cast<long>(std::ceil(how.seconds))),
               std::to_string(kMostTriangles)});
  std::vector<char> bytes;
  const std::size_t most = 64 + kMostVertices * sizeof(Vec3) + kMostTriangles * sizeof(Triangle);
  if (!child.read_all(bytes, most, how.seconds))
    throw mistake(
        file, fmt::format("was not read within {:g} s; allowed: a mesh of fewer triangles{}", how.seconds, kSaveAgain));
  const int status = child.wait();
  if (WIFSIGNALED(status))
    throw mistake(file,
                  fmt::format("its reader crashed ({}): the file is damaged, or it is one that the library Assimp "
                              "cannot read{}",
                              strsignal(WTERMSIG(status)), kSaveAgain));
  if (WEXITSTATUS(status) != 0)
    throw mistake(file, fmt::format("its reader ended with the code {}{}", WEXITSTATUS(status), kSaveAgain));
  return mesh_of_output(file, bytes);
}

struct Known {
  fs::path file;
  fs::file_time_type time;
  std::uintmax_t size;
  std::shared_ptr<const IndexedMesh> mesh;
};

}  // namespace

bool is_mesh_file(const fs::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(std::begin(kMeshEndings), std::end(kMeshEndings),
                     [&](const char* known) { return ending == std::string(".") + known; });
}

std::shared_ptr<const IndexedMesh> read_mesh_file(const fs::path& file, const MeshImport& how) {
  constexpr std::size_t kKept = 4;
  static std::mutex mutex;
  static std::vector<Known> known;
  if (!is_mesh_file(file)) {
    std::string allowed;
    for (const char* ending : kMeshEndings) allowed += (allowed.empty() ? "." : ", .") + std::string(ending);
    throw mistake(file, fmt::format("found the ending {}; allowed: {}", quote(file.extension().string()), allowed));
  }
  { InputBytes readable(file); }  // says why it is not
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  const fs::file_time_type time = fs::last_write_time(file, error);
  if (size > kMostMeshFileBytes)
    throw mistake(file, fmt::format("has {}; allowed: at most {}", bytes_text(double(size)),
                                    bytes_text(double(kMostMeshFileBytes))));
  const fs::path place = fs::absolute(file);
  const std::lock_guard lock(mutex);
  for (const Known& entry : known)
    if (entry.file == place && entry.time == time && entry.size == size && how.program.empty()) return entry.mesh;
  auto mesh = std::make_shared<const IndexedMesh>(import(file, how));
  std::erase_if(known, [&](const Known& entry) { return entry.file == place; });
  if (known.size() == kKept) known.erase(known.begin());
  if (how.program.empty()) known.push_back({place, time, size, mesh});
  return mesh;
}

}  // namespace riffle
