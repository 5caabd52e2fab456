#pragma once
/// The formats of particle_trajectory.h, one function each for a new file and for one that grows on.

#include "app/run/particle_trajectory.h"

namespace riffle {

using KeepFrames = std::function<std::size_t(const std::vector<double>&)>;

/// LAMMPS's text dump: .lammpstrj, .dump
std::unique_ptr<ParticleTrajectory> begin_lammps_dump(const std::filesystem::path& file);
std::unique_ptr<ParticleTrajectory> continue_lammps_dump(const std::filesystem::path& file, const KeepFrames& keep);

/// HDF5 with an XDMF text beside it: .h5
std::unique_ptr<ParticleTrajectory> begin_particle_hdf5(const std::filesystem::path& file);
std::unique_ptr<ParticleTrajectory> continue_particle_hdf5(const std::filesystem::path& file, const KeepFrames& keep);

/// HOOMD-blue's GSD: .gsd
std::unique_ptr<ParticleTrajectory> begin_gsd(const std::filesystem::path& file);
std::unique_ptr<ParticleTrajectory> continue_gsd(const std::filesystem::path& file, const KeepFrames& keep);

}  // namespace riffle
