#include "tests/fuzz/readers/particles.h"

namespace riffle::fuzz {

void read_particles_ply(std::string_view input) { read_particles(".ply", input); }

}  // namespace riffle::fuzz
