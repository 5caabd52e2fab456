#pragma once
/// Receives the particles of the readers. Private to particle_files/.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sim/start/file_particles.h"

namespace riffle {

class InputBytes;

/// A particle's numbers, by the names that PLY files have for them.
inline constexpr std::array<std::string_view, 8> kParticleColumns = {"x",  "y",  "z",     "vx",
                                                                     "vy", "vz", "fluid", "compression"};
inline constexpr std::size_t kFluidColumn = 6, kCompressionColumn = 7;
using ParticleNumbers = std::array<double, kParticleColumns.size()>;  ///< in that order
inline constexpr std::size_t kNoColumn = ~std::size_t{0};

class ParticleBuilder {
 public:
  explicit ParticleBuilder(std::string file) : file_(std::move(file)) {}

  /// Which of the file's columns are the particle columns. x and y must be there; either all of vx, vy and vz (of a file
  /// without z: vx and vy) or none.
  /// @param where  of the list of columns, "p.csv:1"  @throws InputError
  void set_columns(std::span<const std::string> names, const std::string& where);
  /// Indices into those names, kNoColumn for a column that is missing.
  const std::array<std::size_t, kParticleColumns.size()>& columns() const { return columns_; }

  /// @param stated      number of particles that the file claims
  /// @param most        that its bytes can hold
  void expect(std::uint64_t stated, std::uint64_t most);

  /// @param numbers  in the order of kParticleColumns; those of missing columns are not read
  /// @param where    -> "p.csv:17"; called only when a number is wrong  @throws InputError
  void add(const ParticleNumbers& numbers, const std::function<std::string()>& where);

  /// What the file says about the run that wrote it. A text that is no number, or no possible one, says nothing.
  void set_time(std::string_view text);
  void set_expected_speed(std::string_view text);
  /// The same from a comment, "time 0.6 step 120" or "expected_speed 3.2", and whether compressions are sums.
  void read_comment(std::string_view comment);

  /// @throws InputError when there is no particle
  std::shared_ptr<const FileParticles> finish();

 private:
  bool has(std::size_t column) const { return columns_[column] != kNoColumn; }

  std::string file_;
  std::array<std::size_t, kParticleColumns.size()> columns_{};
  FileParticles particles_;
  bool summed_ = false;  ///< the compressions
};

/// The readers, each in the file of its name.
void read_particle_ply(InputBytes& in, ParticleBuilder& builder);
void read_particle_vtp(InputBytes& in, ParticleBuilder& builder);
void read_particle_csv(InputBytes& in, ParticleBuilder& builder);
void read_particle_lammps_data(InputBytes& in, ParticleBuilder& builder);
void read_particle_lammps_dump(InputBytes& in, ParticleBuilder& builder);

}  // namespace riffle
