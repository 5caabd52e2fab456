#include "tests/fuzz/readers/particles.h"

namespace riffle::fuzz {

void read_particles_lammps_data(std::string_view input) { read_particles(".data", input); }

}  // namespace riffle::fuzz
