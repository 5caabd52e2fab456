#include "app/terminal/signals.h"

#include <signal.h>

#include <iterator>

namespace riffle {

namespace {

volatile sig_atomic_t arrived = 0, arrivals = 0;

void note(int signal) {
  if (signal != SIGHUP || arrived == 0) arrivals = arrivals + 1;
  arrived = signal;
}

constexpr int kNoted[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kFailedWrites[] = {SIGPIPE, SIGXFSZ};
struct sigaction previous_noted[std::size(kNoted)], previous_writes[std::size(kFailedWrites)];

/// @param previous gets what was done with the signal before
void note_next(int signal, struct sigaction* previous) {
  struct sigaction action {};
  action.sa_handler = note;
  // A terminal that closes may send SIGHUP several times: its shell does, and the system does when the shell has ended.
  action.sa_flags = static_cast<int>(signal == SIGHUP ? SA_RESTART : SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, previous);
}

}  // namespace

Interruption::Interruption() {
  arrived = 0;
  arrivals = 0;
  for (std::size_t i = 0; i < std::size(kNoted); ++i) {
    note_next(kNoted[i], &previous_noted[i]);
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

bool Interruption::take() {
  const int now = arrivals;
  if (now == taken_) return false;
  if (taken_ == 0)
    for (const int signal : {SIGINT, SIGTERM}) note_next(signal, nullptr);
  taken_ = now;
  return true;
}

bool interrupted() { return arrived != 0; }
bool hung_up() { return arrived == SIGHUP; }
int exit_code_or_interrupted(int finished) { return arrived != 0 ? 128 + arrived : finished; }

std::string interruption_text(bool was_interrupted) {
  return was_interrupted ? "interrupted: what was not measured by then is missing\n" : "";
}

}  // namespace riffle
