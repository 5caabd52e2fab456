#pragma once
/// The sets of ray programs. Private to neighbors/.

namespace riffle {

/// Ray programs that are compiled and linked together.
enum class OptixPrograms {
  Neighbors,      ///< neighbors/optix/optix_programs.cu, of particles
  Points,         ///< neighbors/optix/optix_point_programs.cu, of point clouds
  FewNearest,     ///< neighbors/optix/optix_nearest_8_programs.cu: up to kFewNearest points in a payload
  PayloadNearest  ///< neighbors/optix/optix_nearest_15_programs.cu: up to kMostNearest
};
inline constexpr int kOptixPrograms = 4;

}  // namespace riffle
