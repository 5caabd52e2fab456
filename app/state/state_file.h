#pragma once
/// State files: all that a run needs to go on, in one HDF5 file. docs/state-files.md has their layout.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/state/descriptor.h"
#include "app/state/pack_file.h"
#include "app/state/saved_rows.h"
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

/// How a run keeps states at an interval, so that one that goes on from a state does likewise.
struct SavedKeeping {
  double every = 0;  ///< [s] simulated
  std::string file;  ///< its name, in the folder of the state
};

/// What acted on the run that wrote a state and is in no scene.
struct SavedActs {
  std::uint64_t hands = 0;  ///< how often a hand moved the fluid or a solid
  bool eased = false;       ///< time.pace eased its steps
  bool devices = false;     ///< it went on on another device
  /// An end shortened the last of so many steps, and the run may have gone on from there.
  std::optional<std::uint64_t> shortened_step = {};

  bool operator==(const SavedActs&) const = default;
};

struct SavedRun {
  SavedScene scene;
  SimulationState state;  ///< read from a file, its setup is not filled: it is that of the scene
  SavedGoal goal;
  std::string version;                       ///< of the program that wrote it
  std::optional<SavedKeeping> keeping = {};  ///< nothing: it keeps none at an interval
  SavedRows rows = {};                       ///< of its diagnostics up to now; empty: it keeps none
  SavedActs acts = {};
};

/// [bytes] that the file will have. @throws RuntimeFailure if memory is short
std::uint64_t state_file_bytes(const SavedRun& run);

/// Writes FILE beside itself, flushes it to the disk and renames it: at any instant the name has a complete state. Then
/// FILE.xmf, with which ParaView opens it. @throws RuntimeFailure with the file and the reason
void write_state(const std::filesystem::path& file, const SavedRun& run);

/// Whether a name is that of a state: it ends in .h5 or .hdf5, in large or small letters.
bool has_state_ending(const std::filesystem::path& file);

/// Whether a file is meant to be a state or a pack (pack_file.h): it has the ending .h5, .hdf5 or .zip, or begins like one. It may
/// be damaged, or of another program.
bool is_state_file(const std::filesystem::path& file);

/// The name of the companion of "dam.h5": "dam.xmf".
std::filesystem::path companion_of(const std::filesystem::path& state_file);

struct OpenState {
  Descriptor own;                               ///< of a state that is no pack
  std::shared_ptr<const TemporaryFile> copied;  ///< of the state in a pack
  std::string shown;                            ///< the name in messages

  /// Of the state: whatever becomes of its name, the bytes are these.
  int file() const { return copied ? copied->descriptor() : int{own}; }
};

/// Opens a state, or the one in a pack. Nothing of a state is verified yet. @throws InputError if there is none
OpenState open_state(const std::filesystem::path& file);

/// What a state says of itself.
struct StateSummary {
  std::string version;  ///< of the program that wrote it
  double time = 0;      ///< in `unit`
  std::string unit;
  std::uint64_t step = 0, particles = 0, bytes = 0;
  SavedScene scene;
};

/// Verifies length and checksum, and reads all but the arrays. @throws InputError as read_state()
StateSummary summary_of(const OpenState& state);

/// Reads a whole state, also that of a pack. Its length and its checksum are verified first. @throws InputError that names the file
/// and says what was found, for every file that is not a complete state of this format or an older one
/// @param is_pack  nullptr, or whether the state was in a pack
SavedRun read_state(const std::filesystem::path& file, bool* is_pack = nullptr);

}  // namespace riffle
