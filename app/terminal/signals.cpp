#include "app/terminal/signals.h"

#include <signal.h>

#include <iterator>

namespace riffle {

namespace {

volatile sig_atomic_t arrived = 0;

void note(int signal) { arrived = signal; }

constexpr int kNoted[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kFailedWrites[] = {SIGPIPE, SIGXFSZ};
struct sigaction previous_noted[std::size(kNoted)], previous_writes[std::size(kFailedWrites)];

}  // namespace

Interruption::Interruption() {
  arrived = 0;
  for (std::size_t i = 0; i < std::size(kNoted); ++i) {
    struct sigaction action {};
    action.sa_handler = note;
    // A terminal that closes may send SIGHUP several times: its shell does, and the system does when the shell has ended.
    action.sa_flags = static_cast<int>(kNoted[i] == SIGHUP ? SA_RESTART : SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(kNoted[i], &action, &previous_noted[i]);
    if (kNoted[i] == SIGHUP && previous_noted[i].sa_handler == SIG_IGN)
      sigaction(SIGHUP, &previous_noted[i], nullptr);  // the user wants the program to outlive the terminal
  }
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (std::size_t i = 0; i < std::size(kFailedWrites); ++i) sigaction(kFailedWrites[i], &ignore, &previous_writes[i]);
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < std::size(kNoted); ++i) {
    if (kNoted[i] == SIGHUP && hung_up()) continue;  // results may still have to be written
    sigaction(kNoted[i], &previous_noted[i], nullptr);
  }
  for (std::size_t i = 0; i < std::size(kFailedWrites); ++i) sigaction(kFailedWrites[i], &previous_writes[i], nullptr);
}

int Interruption::signal() const { return arrived; }

bool interrupted() { return arrived != 0; }
bool hung_up() { return arrived == SIGHUP; }
int exit_code_or_interrupted(int finished) { return arrived != 0 ? 128 + arrived : finished; }

std::string interruption_text(bool was_interrupted) {
  return was_interrupted ? "interrupted: what was not measured by then is missing\n" : "";
}

}  // namespace riffle
