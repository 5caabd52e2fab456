#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "app/cli/command_line.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/printable.h"

namespace {

/// If the caller has closed a descriptor below 3, the next file that is opened would get its number, and a report, say,
/// would receive the text for standard output. Opens /dev/null on each of them. Standard output is opened read-only, so
/// that writing to it fails and the text is not lost silently.
void occupy_standard_descriptors() {
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF &&
        open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY) < 0)
      return;
}

/// Puts the program's name before every line, which tells the message from other programs' output.
int fail(const std::string& failure, int exit_code) {
  const std::string message = riffle::printable(failure);
  std::size_t begin = 0;
  while (begin <= message.size()) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    std::fprintf(stderr, "riffle: %s\n", message.substr(begin, end - begin).c_str());
    begin = end + 1;
  }
  return exit_code;
}

/// @param error  as errno; 0: not known
int fail_output(int error) {
  return fail(
      std::string("standard output cannot be written to") + (error ? ": " : "") + (error ? std::strerror(error) : ""),
      1);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  try {
    const int exit_code = riffle::run_command_line(argc, argv);
    errno = 0;
    const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout);  // a full disk often shows only here
    return lost && !riffle::hung_up() ? fail_output(errno) : exit_code;
  } catch (const riffle::InputError& error) {
    return fail(error.what(), 2);
  } catch (const riffle::Unavailable& error) {
    return fail(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 1);
  } catch (const std::system_error& error) {  // of {fmt}, once there is more than a buffer holds
    return std::ferror(stdout) ? fail_output(error.code().value()) : fail(error.what(), 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
