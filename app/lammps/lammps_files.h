#pragma once
/// The texts of LAMMPS's files: a data file with the particles, and an input that reads it and runs.

#include <iosfwd>
#include <string>

#include "app/lammps/lammps_particles.h"
#include "app/lammps/lammps_scene.h"

namespace riffle {

/// Types are the fluids' numbers + 1, ids those of Riffle + 1. Every number reads back as the same float.
void write_lammps_data(std::ostream& out, const LammpsScene& scene, const LammpsParticleTable& particles);

/// @param data  the name of the data file beside it
std::string lammps_input(const LammpsScene& scene, const LammpsParticleTable& particles, const std::string& data);

/// [steps] until the end of the run; 0: it is reached.
std::uint64_t lammps_steps(const LammpsScene& scene, const LammpsParticleTable& particles);

/// [steps] between frames of the dump: rows of the log, or more, so that a run has at most 100 frames with the first.
std::uint64_t lammps_frame_steps(const LammpsScene& scene, const LammpsParticleTable& particles);

/// What the dump of the whole run takes on the disk.
struct LammpsDump {
  std::uint64_t frames = 0;
  double bytes = 0;  ///< about
};
LammpsDump lammps_dump(const LammpsScene& scene, const LammpsParticleTable& particles);

}  // namespace riffle
