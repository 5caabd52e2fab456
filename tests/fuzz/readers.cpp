/// The one list of what is fuzzed. A new reader: its file in readers/, its declaration and its row here, its examples in corpus/.

#include <algorithm>

#include "tests/fuzz/reader.h"

namespace riffle::fuzz {

void read_scene(std::string_view input);
std::string mutated_scene(const std::string& input, std::mt19937& random);
void read_particles_csv(std::string_view input);
void read_particles_lammps_data(std::string_view input);
void read_particles_lammps_dump(std::string_view input);
void read_particles_ply(std::string_view input);
void read_particles_vtp(std::string_view input);
void read_points_ply(std::string_view input);
void read_points_raw(std::string_view input);
void read_points_xyz(std::string_view input);
void read_motion_table(std::string_view input);
void read_mesh_output(std::string_view input);
void read_pack(std::string_view input);
void read_state_header(std::string_view input);
void read_state_contents(std::string_view input);
std::string mutated_state_contents(const std::string& input, std::mt19937& random);

namespace {

constexpr Reader kReaders[] = {
    {"scene", read_scene, mutated_scene},
    {"particles_csv", read_particles_csv},
    {"particles_lammps_data", read_particles_lammps_data},
    {"particles_lammps_dump", read_particles_lammps_dump},
    {"particles_ply", read_particles_ply},
    {"particles_vtp", read_particles_vtp},
    {"points_ply", read_points_ply},
    {"points_raw", read_points_raw},
    {"points_xyz", read_points_xyz},
    {"motion_table", read_motion_table},
    {"mesh_output", read_mesh_output},
    {"pack", read_pack},
    {"state_header", read_state_header},
    {"state_contents", read_state_contents, mutated_state_contents},
};

}  // namespace

std::span<const Reader> readers() { return kReaders; }

const Reader* find_reader(std::string_view name) {
  const auto at =
      std::find_if(std::begin(kReaders), std::end(kReaders), [&](const Reader& reader) { return reader.name == name; });
  return at == std::end(kReaders) ? nullptr : at;
}

}  // namespace riffle::fuzz
