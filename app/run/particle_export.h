#pragma once
/// Particles in files for other programs: PLY, VTK's PolyData (.vtp), which ParaView opens with all attributes, and CSV.
/// Scenes read these three again (sim/start/particle_file.h). particle_trajectory.h has the formats with many moments in a file.

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
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
  Domain domain;                     ///< the box
  float spacing = 1;                 ///< [m] of particles at rest
  bool si = true;                    ///< otherwise numbers are reduced ones
  std::string time_unit;             ///< "s", "tau"; "" where it has no name
  std::string note;                  ///< a comment on the fields; "": none
  std::vector<std::string> fluids;   ///< names
  std::vector<float> masses;         ///< [kg] of a particle of each fluid; in 2-D per metre of depth
  std::vector<std::uint32_t> fluid;  ///< (count), index of `fluids`
  std::vector<std::uint32_t> id;     ///< (count), ascending
  /// Position, velocity, the quantities that are columns (sim/measure/quantity.h) and, if particles have a density,
  /// compression: what they carry, otherwise what follows from sums, and the note says so.
  std::vector<ParticleField> fields;

  std::size_t count() const { return fluid.size(); }
  bool has(const std::string& name) const;                    ///< a field of that name
  const ParticleField& field(const std::string& name) const;  ///< @throws std::logic_error when there is none
};

/// Words for the fields that particles of such a simulation can have, in the order of ParticleTable::fields.
std::vector<std::string> particle_field_names(const SimulationSetup& setup);

/// Position, and those of the fields that are chosen. @param chosen words; none: all fields
/// @throws InputError with what is allowed for a word that is no field of such particles
std::vector<std::string> chosen_fields(const std::vector<std::string>& chosen, const SimulationSetup& setup);

/// The simulation's particles. NaN values are kept. Waits.
/// @param unwrapped that follows the simulation: its places are a field, too; nullptr: they are not
/// @param fields words that chosen_fields() gave; none: all
ParticleTable read_particles(Simulation& simulation, const std::string& scene, UnwrappedPositions* unwrapped = nullptr,
                             const std::vector<std::string>& fields = {});

enum class ParticleFormat { Vtp, Ply, Csv, Hdf5, LammpsDump, Gsd };

struct ParticleFormatRow {
  const char* ending;  ///< ".vtp"
  ParticleFormat format;
  bool one_file;         ///< all moments of a run are in one file (particle_trajectory.h)
  const char* list;      ///< ending of the file beside it that other programs open; "": none
  bool usual = true;     ///< otherwise the ending is another one for the same format
  bool in_place = true;  ///< parts that were written are changed: the file must be a regular one
};

std::span<const ParticleFormatRow> particle_formats();

/// By the name's ending. @throws InputError when it is none of particle_formats()
const ParticleFormatRow& particle_format_row(const std::filesystem::path& file);
inline ParticleFormat particle_format(const std::filesystem::path& file) { return particle_format_row(file).format; }

/// @throws InputError if the format of the name's ending cannot be written to what has that name, a pipe say
void refuse_special_file(const std::filesystem::path& file);

/// A field's columns, by the names that programs reading PLY and LAMMPS's dumps know; others as they are.
std::vector<std::string> column_names(const ParticleField& field);

/// Binary, little-endian: float x y z vx vy vz ..., uint id fluid. The format has no place for time and units; they are
/// written as comments.
void write_ply(std::ostream& out, const ParticleTable& table);

/// VTK's XML PolyData with raw appended data: points, one vertex cell each, the fields as point data, TimeValue.
void write_vtp(std::ostream& out, const ParticleTable& table);

/// A line of the names that PLY files have, then a line per particle. Every number reads back as the same float. Time and
/// units are comments, lines that begin with #.
void write_csv(std::ostream& out, const ParticleTable& table);

/// Writes the format of the name's ending, with its list if it has one. The file appears whole or not at all.
/// @throws InputError as particle_format(), RuntimeFailure with the reason
void write_particles(const std::filesystem::path& file, const ParticleTable& table);

}  // namespace riffle
