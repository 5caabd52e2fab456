#pragma once
/// State files: all that a run needs to go on, in one HDF5 file. docs/state-files.md has their layout.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/state/saved_scene.h"
#include "sim/state.h"

namespace riffle {

/// The layout that this version writes. It reads those up to it.
inline constexpr std::uint32_t kStateFormat = 1;

/// Where the run that wrote a state was to end, if it was told: a number of steps since time 0, or a time.
struct SavedGoal {
  std::optional<std::uint64_t> step;
  std::optional<double> time;  ///< [s] simulated
};

struct SavedRun {
  SavedScene scene;
  SimulationState state;  ///< read from a file, its setup is not filled: it is that of the scene
  SavedGoal goal;
  std::string version;  ///< of the program that wrote it
};

/// [bytes] that the file will have, rounded up by a little.
std::uint64_t state_file_bytes(const SavedScene& scene, const SimulationState& state);

/// Writes FILE beside itself, flushes it to the disk and renames it: at any instant the name has a complete state. Then
/// FILE.xmf, with which ParaView opens it. @throws RuntimeFailure with the file and the reason
void write_state(const std::filesystem::path& file, const SavedRun& run);

/// Whether a file is meant to be a state: it has the ending .h5 or .hdf5, or begins like one. It may be damaged, or of another
/// program.
bool is_state_file(const std::filesystem::path& file);

/// The name of the companion of "dam.h5": "dam.xmf".
std::filesystem::path companion_of(const std::filesystem::path& state_file);

/// Reads a whole file. Its length and its checksum are verified first. @throws InputError that names the file and says
/// what was found, for every file that is not a complete state of this format or an older one
SavedRun read_state(const std::filesystem::path& file);

}  // namespace riffle
