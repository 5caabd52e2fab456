#pragma once
/// What every reader of particles promises.

#include <string>
#include <string_view>

#include "sim/setup.h"
#include "sim/start/particle_file.h"
#include "tests/fuzz/reader.h"

namespace riffle::fuzz {

/// @param ending  ".csv": of the file, which decides the reader
inline void read_particles(const std::string& ending, std::string_view input) {
  const auto cloud = read_particle_file(input_file(ending, input));
  require(cloud->size() > 0, "no particle, and no refusal");
  require(cloud->velocity.empty() || cloud->velocity.size() == cloud->size(), "velocities of a part of the particles");
  require(cloud->fluid.empty() || cloud->fluid.size() == cloud->size(), "fluids of a part of the particles");
  require(cloud->compression.empty() || cloud->compression.size() == cloud->size(),
          "compressions of a part of the particles");
  for (const Vec3& x : cloud->position) require(is_finite(x), "a position that is not finite");
  for (const Vec3& v : cloud->velocity) require(is_finite(v), "a velocity that is not finite");
  for (const std::uint8_t f : cloud->fluid) require(f < kMaxFluids, "a fluid that no scene can have");
  require(cloud->size() <= input.size(), "more particles than bytes");
}

}  // namespace riffle::fuzz
