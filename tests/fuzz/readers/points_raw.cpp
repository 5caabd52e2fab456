#include "tests/fuzz/readers/points.h"

namespace riffle::fuzz {

void read_points_raw(std::string_view input) { read_points(".xyzb", input); }

}  // namespace riffle::fuzz
