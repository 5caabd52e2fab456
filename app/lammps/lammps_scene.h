#pragma once
/// A DPD scene in LAMMPS's terms.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenes/scene.h"

namespace riffle {

/// How LAMMPS advances positions and velocities.
enum class LammpsIntegrator {
  Nve,  ///< fix nve: the drag has the velocities of half a step, lambda = 0.5
  Mvv,  ///< fix mvv/dpd of its package DPD-MESO, which has lambda. Its fix wall/reflect does not know it
};

/// What the files say, besides the particles.
struct LammpsScene {
  std::string name;  ///< of the scene, a line
  std::string stem;  ///< of the files: "dpd_box"
  SimulationSetup setup;
  float temperature = 1;  ///< kT, of pair_style dpd
  LammpsIntegrator integrator = LammpsIntegrator::Nve;
  float step = 0;  ///< [time]
  std::uint32_t seed = 1;
  double end_time = 0;                         ///< of the run
  std::optional<std::uint64_t> end_step = {};  ///< of the run, in place of the time
  double frame_interval = 0;                   ///< [time] between rows of the log and frames of the dump
  float expected_speed = 0;                    ///< of files that Riffle writes
  std::vector<std::string> differences;        ///< sentences: what LAMMPS computes in another way
};

/// @throws InputError that names every key whose value LAMMPS cannot express, a line each
LammpsScene lammps_scene(const scenes::Scene& scene);

/// Of LAMMPS's random numbers.
inline constexpr std::uint32_t kLargestLammpsSeed = 899'999'999;

}  // namespace riffle
