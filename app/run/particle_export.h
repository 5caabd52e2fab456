#pragma once
/// Particles in files for other programs: PLY, VTK's PolyData (.vtp), which ParaView opens with all attributes, and CSV.
/// Scenes read all three again (sim/start/particle_file.h).

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "sim/measure/unwrapped_positions.h"
#include "sim/simulation.h"

namespace riffle {

/// One quantity of every particle.
struct ParticleField {
  std::string name;           ///< "position"
  std::string unit;           ///< "m", "r_c/tau"; "" of a number, and where the unit of length has no name
  int components = 1;         ///< 1 or 3
  std::vector<float> values;  ///< (count x components), a particle's components side by side
};

/// The fluid's particles at one moment, in the host's memory, in the order of their ids.
struct ParticleTable {
  std::string scene;
  double time = 0;           ///< [s]
  float expected_speed = 0;  ///< [m/s] of the run (sim/start/origin.h)
  std::uint64_t step = 0;
  std::string note;                  ///< a comment on the fields; "": none
  std::vector<std::string> fluids;   ///< names
  std::vector<std::uint32_t> fluid;  ///< (count), index of `fluids`
  std::vector<std::uint32_t> id;     ///< (count), ascending
  /// Position, velocity, the quantities that are columns (sim/measure/quantity.h) and, if particles have a density,
  /// compression: what they carry, otherwise what follows from sums, and the note says so.
  std::vector<ParticleField> fields;

  std::size_t count() const { return fluid.size(); }
  const ParticleField& field(const std::string& name) const;  ///< @throws std::logic_error when there is none
};

/// All attributes of the simulation's particles. NaN values are kept. Waits.
/// @param unwrapped that follows the simulation: its places are a field, too; nullptr: they are not
ParticleTable read_particles(Simulation& simulation, const std::string& scene, UnwrappedPositions* unwrapped = nullptr);

enum class ParticleFormat { Ply, Vtp, Csv };

/// The format by the name's ending. @throws InputError when it is none of .ply, .vtp and .csv
ParticleFormat particle_format(const std::filesystem::path& file);

/// Binary, little-endian: float x y z vx vy vz ..., uint id fluid. The format has no place for time and units; they are
/// written as comments.
void write_ply(std::ostream& out, const ParticleTable& table);

/// VTK's XML PolyData with raw appended data: points, one vertex cell each, the fields as point data, TimeValue.
void write_vtp(std::ostream& out, const ParticleTable& table);

/// A line of the names that PLY files have, then a line per particle. Every number reads back as the same float. Time and
/// units are comments, lines that begin with #.
void write_csv(std::ostream& out, const ParticleTable& table);

/// Writes the format of the name's ending. The file appears whole or not at all.
/// @throws InputError as particle_format(), RuntimeFailure with the reason
void write_particles(const std::filesystem::path& file, const ParticleTable& table);

}  // namespace riffle
