#include "tests/fuzz/readers/points.h"

namespace riffle::fuzz {

void read_points_ply(std::string_view input) { read_points(".ply", input); }

}  // namespace riffle::fuzz
