#include "app/cli/command_list.h"

namespace riffle {

// Each is defined beside what it does. A new command needs its own file, a line here and a line below.
CommandRow run_command();
CommandRow resume_command();
CommandRow pack_command();
CommandRow unpack_command();
CommandRow check_command();
CommandRow audit_command();
CommandRow pairs_command();
CommandRow validate_command();
CommandRow doctor_command();
CommandRow list_command();
CommandRow manual_command();
CommandRow export_lammps_command();
namespace bench {
CommandRow step_command();
CommandRow draw_command();
CommandRow sweep_command();
CommandRow methods_command();
CommandRow switch_command();
CommandRow neighbors_command();
CommandRow resort_command();
CommandRow rng_command();
CommandRow rtnn_command();
CommandRow surface_command();
CommandRow contact_command();
CommandRow guard_command();
}  // namespace bench

const std::vector<CommandRow>& commands() {
  // clang-format off
  static const std::vector<CommandRow> rows = {
      run_command(),
      resume_command(),
      pack_command(),
      unpack_command(),
      check_command(),
      {"bench", "measure what a step or a picture costs", {}},
      bench::step_command(),
      bench::draw_command(),
      bench::sweep_command(),
      bench::methods_command(),
      bench::switch_command(),
      bench::neighbors_command(),
      bench::resort_command(),
      bench::rng_command(),
      bench::rtnn_command(),
      bench::surface_command(),
      bench::contact_command(),
      bench::guard_command(),
      audit_command(),
      pairs_command(),
      {"export", "write a scene for another program", {}},
      export_lammps_command(),
      validate_command(),
      doctor_command(),
      list_command(),
      manual_command(),
  };
  // clang-format on
  return rows;
}

}  // namespace riffle
