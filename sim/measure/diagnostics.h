#pragma once
/// The quantities by which a run is judged. Sums are in double precision and in a fixed order. Particles of another
/// device (sim/halo.h) are left out everywhere.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/math/vec.h"
#include "sim/bodies/body_energy.h"
#include "sim/bodies/body_report.h"
#include "sim/openings/openings_report.h"
#include "sim/step_control.h"
#include "sim/walls/solid_load.h"

namespace riffle {

/// Measures of a fluid with a thermostat (DPD), in reduced units.
struct ThermalDiagnostics {
  double temperature = 0;            ///< kT from the velocities at the time of the positions, without the mean flow
  double half_step_temperature = 0;  ///< kT from the velocities half a step later, which is higher by order dt
  std::vector<double> fluid_temperature;  ///< kT of each fluid from its own particles; NaN if it has none
  double pair_energy = 0;                 ///< of the conservative forces, per particle [eps]
  double pressure = 0;                    ///< rho kT + virial of the conservative forces [eps / r_c^d]
  double thermostat_pressure = 0;         ///< with the virial of drag and random forces
  double mean_neighbors = 0;              ///< particles within r_c
};

/// Compression of particles: e = rho / rho0 - 1, c = max(0, e).
struct CompressionStats {
  std::int64_t particles = 0;
  double mean = 0;           ///< of c
  double p99 = 0;            ///< 99th percentile of c
  double max = 0;            ///< of c
  double mean_absolute = 0;  ///< of |e|
};

/// Compression at the present positions.
struct CompressionDiagnostics {
  /// Of particles with at least nine tenths of the neighbours of a lattice, walls' included.
  CompressionStats interior;
  CompressionStats all;  ///< of all particles
};

/// Measures of a solver that solves for pressure (DFSPH).
struct SolveDiagnostics {
  SolveReport density, divergence;  ///< of the last step
  std::uint32_t unconverged = 0;    ///< solves so far that ended without reaching their bounds
};

/// Measures of position based fluids.
struct PbfDiagnostics {
  /// Corrections of a particle in an iteration that were cut off at half the margin.
  std::uint64_t cut_corrections = 0;
  /// Mean c of all particles at the positions that another step like the last predicts, and after each of its
  /// iterations; empty before the first step.
  std::vector<double> residual;
};

struct Diagnostics {
  double kinetic_energy = 0;           ///< [J] (2-D: per metre of depth) of the particles, as all down to max_acceleration
  double potential_energy = 0;         ///< [J] in gravity, zero at the domain's lower corner
  double internal_energy = 0;          ///< [J] elastic, from the equation of state
  double momentum[3] = {0, 0, 0};      ///< [kg m/s]
  double mass = 0;                     ///< [kg] (2-D: per metre of depth)
  double density_error_mean = 0;       ///< mean over particles of |rho/rho0 - 1| where compressed (rho > rho0), else 0
  double density_error_max = 0;        ///< max of rho/rho0 - 1
  double max_speed = 0;                ///< [m/s]
  double max_acceleration = 0;         ///< [m/s^2]
  int non_finite = 0;                  ///< particles with a NaN or infinite position, velocity, acceleration or density
  std::int64_t first_non_finite = -1;  ///< the smallest id among them; -1: none
  int outside = 0;                     ///< particles beyond a walled face
  std::optional<ThermalDiagnostics> thermal;
  std::optional<CompressionDiagnostics> compression;  ///< PBF and DFSPH
  std::optional<PbfDiagnostics> pbf;
  std::optional<SolveDiagnostics> solves;
  std::optional<SolveReport> viscous_solve;  ///< of the last step; only with implicit viscosity
  std::uint32_t viscous_unconverged = 0;     ///< its solves so far that ended without reaching their bound
  std::vector<SolidLoad> solids;             ///< the domain's faces together, then the solids; empty: none is measured
  std::vector<SolidLoad> faces;   ///< the domain's: 2 axis + (1 for the upper one); empty: they are not measured
  std::vector<BodyState> bodies;  ///< (solids) of the scene, where one is free; the others count for nothing
  BodiesEnergy bodies_energy;     ///< of the free solids
  BodyReport contact;             ///< of the bodies
  OpeningsReport openings;        ///< inlets and outlets of the scene
  std::uint64_t state_hash = 0;   ///< of (id, position, velocity) bits, with WCSPH by continuity those of the
                                  ///< compression too; independent of the particles' order
};

}  // namespace riffle
