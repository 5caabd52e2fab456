#include "tests/fuzz/readers/particles.h"

namespace riffle::fuzz {

void read_particles_vtp(std::string_view input) { read_particles(".vtp", input); }

}  // namespace riffle::fuzz
