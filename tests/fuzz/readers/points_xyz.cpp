#include "tests/fuzz/readers/points.h"

namespace riffle::fuzz {

void read_points_xyz(std::string_view input) { read_points(".xyz", input); }

}  // namespace riffle::fuzz
