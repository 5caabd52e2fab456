#include "tests/fuzz/readers/particles.h"

namespace riffle::fuzz {

void read_particles_lammps_dump(std::string_view input) { read_particles(".dump", input); }

}  // namespace riffle::fuzz
