#include "app/terminal/signals.h"

#include <signal.h>

namespace riffle {

namespace {

volatile sig_atomic_t arrived = 0;
struct sigaction previous_int, previous_term, previous_pipe, previous_size;

void note(int signal) { arrived = signal; }

}  // namespace

Interruption::Interruption() {
  arrived = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_int);
  sigaction(SIGTERM, &action, &previous_term);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &previous_pipe);
  sigaction(SIGXFSZ, &ignore, &previous_size);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &previous_int, nullptr);
  sigaction(SIGTERM, &previous_term, nullptr);
  sigaction(SIGPIPE, &previous_pipe, nullptr);
  sigaction(SIGXFSZ, &previous_size, nullptr);
}

int Interruption::signal() const { return arrived; }

bool interrupted() { return arrived != 0; }
int exit_code_or_interrupted(int finished) { return arrived != 0 ? 128 + arrived : finished; }

std::string interruption_text(bool was_interrupted) {
  return was_interrupted ? "interrupted: what was not measured by then is missing\n" : "";
}

}  // namespace riffle
