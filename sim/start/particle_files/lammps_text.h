#pragma once
/// What LAMMPS's data files and dumps have in common. Private to particle_files/.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/start/particle_files/particle_builder.h"

namespace riffle {

class InputBytes;

/// The words of a line between its spaces.
std::vector<std::string_view> lammps_words(std::string_view line);

/// @throws InputError "p.data:7: found 'two' for x; allowed: a number"
double lammps_number(std::string_view text, std::string_view what, const std::string& where);
/// @throws InputError where it is none from `least` to `most`
std::uint64_t lammps_whole(std::string_view text, std::string_view what, std::uint64_t least, std::uint64_t most,
                           const std::string& where);

/// Numbers in the units "lj" and "si" are those of scenes. @throws InputError for LAMMPS's other ones
void check_lammps_units(std::string_view units, const std::string& where);

/// LAMMPS writes particles in any order. Ids begin with 1 there.
class LammpsParticles {
 public:
  struct Row {
    std::uint64_t id = 0, line = 0;
    ParticleNumbers numbers{};  ///< the fluid is the type less 1
  };

  /// @param file  for messages
  explicit LammpsParticles(std::string file) : file_(std::move(file)) {}

  void add(const Row& row) { rows_.push_back(row); }
  std::size_t size() const { return rows_.size(); }
  /// In the order of ids. @throws InputError for an id that is there twice
  std::vector<Row>& sorted();

  /// Gives them to the builder, sorted. @throws InputError
  void hand_over(ParticleBuilder& builder, bool with_velocities);

 private:
  std::string file_;
  std::vector<Row> rows_;
};

/// The fluid's number of a type. @throws InputError for a type that scenes have no fluid for
double fluid_of_type(std::string_view text, const std::string& where);

inline constexpr std::uint64_t kLargestLammpsId = std::uint64_t{1} << 62;

}  // namespace riffle
