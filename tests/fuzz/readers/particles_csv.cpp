#include "tests/fuzz/readers/particles.h"

namespace riffle::fuzz {

void read_particles_csv(std::string_view input) { read_particles(".csv", input); }

}  // namespace riffle::fuzz
