#pragma once
/// Particles from files, as `--particles` and the window write them: PLY, VTP, CSV and LAMMPS's dumps; and from LAMMPS's data
/// files.

#include <filesystem>
#include <memory>

#include "sim/start/file_particles.h"

namespace riffle {

/// The particles of a .ply, .vtp, .csv, .data, .lammpstrj or .dump file. A file that was read before and has not changed is not read again while
/// somebody holds its particles.
/// @throws InputError with file, line or byte, what was found and what is allowed
std::shared_ptr<const FileParticles> read_particle_file(const std::filesystem::path& file);

}  // namespace riffle
