#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "app/cli/commands.h"
#include "app/desktop/shell/desktop.h"
#include "core/error.h"
#include "core/text/log.h"

namespace {

int run_command(int argc, char** argv) {
  const riffle::Options options = riffle::parse_command_line(argc, argv);
  if (options.wants_window) {
    try {
      return riffle::run_desktop(options.scene);
    } catch (const riffle::NoWindow& why) {
      riffle::log::info("{}: running without one", why.what());
    }
  }
  switch (options.command) {
    case riffle::Command::Run: return riffle::run_scene(options.scene, options.run);
    case riffle::Command::Check: return riffle::check_scene(options.scene);
    case riffle::Command::BenchStep: return riffle::bench_step(options.scene, options.bench);
    case riffle::Command::BenchDraw: return riffle::bench_draw(options.scene, options.bench);
    case riffle::Command::BenchNeighbors: return riffle::bench_neighbors(options.neighbors);
    case riffle::Command::BenchRng: return riffle::bench_rng(options.rng);
    case riffle::Command::BenchRtnn: return riffle::bench_rtnn(options.rtnn);
    case riffle::Command::Audit: return riffle::audit_scene(options.scene, options.audit);
    case riffle::Command::Validate: return riffle::validate_physics(options.validate);
    case riffle::Command::Doctor: return riffle::examine_machine(riffle::why_no_window);
    case riffle::Command::List: return riffle::list_scenes_and_methods();
    case riffle::Command::Nothing: break;
  }
  return options.exit_code;
}

/// A descriptor below 3 that the caller has closed would become the next file opened, and the report, say, would get
/// what is meant for standard output. As the lowest free one it becomes /dev/null; standard output read-only, so that
/// writing to it fails instead of losing the text in silence.
void occupy_standard_descriptors() {
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF &&
        open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY) < 0)
      return;
}

/// Every line gets the program's name, so that a report of many mistakes can be told from other programs' output.
int fail(const std::string& message, int exit_code) {
  std::size_t begin = 0;
  while (begin <= message.size()) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    std::fprintf(stderr, "riffle: %s\n", message.substr(begin, end - begin).c_str());
    begin = end + 1;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  try {
    const int exit_code = run_command(argc, argv);
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout))  // a full disk is often noticed only here
      return fail(std::string("standard output cannot be written to") + (errno ? ": " : "") +
                      (errno ? std::strerror(errno) : ""),
                  1);
    return exit_code;
  } catch (const riffle::InputError& error) {
    return fail(error.what(), 2);
  } catch (const riffle::Unavailable& error) {
    return fail(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
