#pragma once
/// Particles with places and velocities of their own, as a file has them (sim/start/particle_file.h).

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/math/vec.h"
#include "sim/shapes/shape.h"

namespace riffle {

/// A comment with these words says that a file's compressions are those of a sum over neighbours, which is low at every
/// free surface. No particle can carry such a compression: a start does not take it.
inline constexpr std::string_view kSummedCompression = "compression is summed";

/// In the order of the file. Everything is finite; no place is beyond 1e18 and no speed beyond 1e6.
struct FileParticles {
  std::vector<Vec3> position;       ///< [m]
  std::vector<Vec3> velocity;       ///< [m/s]; empty: the file has none
  std::vector<std::uint8_t> fluid;  ///< number of the fluid in the file, below kMaxFluids; empty: the file has none
  std::vector<float> compression;   ///< rho / rho0 - 1 that the particle carries; empty: the file has none, or sums
  float fastest = 0;                ///< [m/s] of all
  std::optional<double> time;       ///< [s] of the run that wrote the file; nothing: the file does not say it
  /// [m/s] expected_speed() of that run: what pictures leave to `auto` follows from it. Nothing: the file does not say it.
  std::optional<float> expected_speed;

  std::size_t size() const { return position.size(); }
};

/// What a body takes of it.
struct ParticleSelection {
  std::shared_ptr<const FileParticles> from;  ///< nullptr: the body is a shape
  std::optional<std::uint8_t> only;           ///< those of this fluid in the file; nothing: all

  explicit operator bool() const { return from != nullptr; }
  bool takes(std::size_t i) const { return !only || from->fluid[i] == *only; }
};

/// Bounds of the places; of none: zeros.
struct ParticleExtent {
  Bounds bounds{};
  std::size_t count = 0;
};
ParticleExtent extent_of(const ParticleSelection& part);

}  // namespace riffle
