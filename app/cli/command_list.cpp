#include "app/cli/command_list.h"

namespace riffle {

// Each is defined beside what it does. A new command needs its own file, a line here and a line below.
CommandRow run_command();
CommandRow check_command();
CommandRow bench_step_command();
CommandRow bench_draw_command();
CommandRow bench_neighbors_command();
CommandRow bench_rng_command();
CommandRow bench_rtnn_command();
CommandRow audit_command();
CommandRow validate_command();
CommandRow doctor_command();
CommandRow list_command();

const std::vector<CommandRow>& commands() {
  static const std::vector<CommandRow> rows = {
      run_command(),        check_command(),      {"bench", "measure what a step or a picture costs", {}},
      bench_step_command(), bench_draw_command(), bench_neighbors_command(),
      bench_rng_command(),  bench_rtnn_command(), audit_command(),
      validate_command(),   doctor_command(),     list_command(),
  };
  return rows;
}

}  // namespace riffle
