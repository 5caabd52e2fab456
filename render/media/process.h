#pragma once
/// Another program as a child process, with no shell in between.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace riffle::render {

/// Full path of a program on the PATH; empty if it is not there.
std::string find_program(const std::string& name);

/// Starts a program in a new process group, so that the terminal's Ctrl-C does not reach it, and with no blocked or
/// ignored signals except SIGXFSZ: a program that ignores it can report that its file became too large.
/// @param stdin_fd,stdout_fd,stderr_fd descriptors that become the child's 0, 1 and 2; -1 is /dev/null
/// @return its process id. @throws RuntimeFailure with the reason
pid_t start_process(const std::vector<std::string>& arguments, int stdin_fd, int stdout_fd, int stderr_fd);

/// Waits. @return the exit code, or 128 + the signal's number if a signal ended it
int wait_process(pid_t process);

/// The standard output of a program that takes no input; nullopt when it cannot be started or fails.
std::optional<std::string> output_of(const std::vector<std::string>& arguments);

/// The last lines of a descriptor's file, at most `lines`, joined by " | ".
std::string last_lines(int file, int lines);

}  // namespace riffle::render
