#pragma once
/// Everything that defines a simulation before its first step, as plain data: what a scene file describes and what
/// `Simulation` is made from. SI units.

#include <cstdint>
#include <string>
#include <vector>

#include "core/domain.h"
#include "core/vec.h"
#include "neighbors/method.h"

namespace riffle {

struct FluidSetup {
  std::string name = "water";
  float rest_density = 1000.0f;     ///< [kg/m^3]
  float viscosity = 1.0e-6f;        ///< kinematic, [m^2/s] (Morris et al. 1997)
  Vec3 color{0.16f, 0.45f, 0.85f};  ///< sRGB, 0..1
};

enum class Shape { Box, Sphere };

/// A region that is filled with particles on a lattice of the particle spacing.
struct BodySetup {
  int fluid = 0;  ///< index into SimulationSetup::fluids
  Shape shape = Shape::Box;
  Vec3 min{}, max{};  ///< box [m]
  Vec3 center{};      ///< sphere [m]
  float radius = 0;   ///< sphere [m]
  Vec3 velocity{};    ///< [m/s]
  float jitter = 0;   ///< random displacement of the lattice, in spacings, 0..0.5
};

enum class KernelKind { WendlandC2, CubicSpline };

struct WcsphSetup {
  KernelKind kernel = KernelKind::WendlandC2;
  float speed_of_sound =
      0;  ///< [m/s]; 0: ten times the largest speed that gravity and the bodies' own velocities allow
  float tait_exponent = 7.0f;          ///< gamma of the Tait equation of state
  float artificial_viscosity = 0.05f;  ///< alpha of Monaghan 1992, in terms of the smoothing length h/2
  bool negative_pressure = false;      ///< false clamps p at 0, as a free surface needs
  float damping_rate = 0;  ///< [1/s] velocities decay at this rate at first, so that a start from a lattice settles
  float damping_time = 0;  ///< [s] until then
};

struct StepSetup {
  float fixed = 0;   ///< [s]; 0: adaptive
  float cfl = 0.2f;  ///< dt <= cfl h / (c0 + |v|max), h the support radius
  float max = 0;     ///< [s]; upper bound of the adaptive step; 0: none
};

struct NeighborSetup {
  NeighborMethod method = NeighborMethod::Hoetzlein;
};

struct SimulationSetup {
  Domain domain;
  Vec3 gravity{0, -9.81f, 0};  ///< [m/s^2]
  float spacing = 0.02f;       ///< particle spacing [m]
  float support_ratio = 2.0f;  ///< support radius h in particle spacings
  std::vector<FluidSetup> fluids;
  std::vector<BodySetup> bodies;
  WcsphSetup wcsph;
  StepSetup step;
  NeighborSetup neighbors;
  bool deterministic = false;  ///< bit-identical from run to run on one device
  std::uint64_t seed = 1;

  float support_radius() const { return support_ratio * spacing; }  ///< [m]
};

}  // namespace riffle
