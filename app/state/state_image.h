#pragma once
/// A state file in memory, so that a run goes on while the disk takes it.

#include <filesystem>
#include <string>

#include "app/state/hdf5_file.h"
#include "app/state/state_file.h"

namespace riffle {

struct StateImage {
  std::filesystem::path file;
  hdf5::Image image;
  std::string companion;  ///< text of FILE.xmf
};

/// Call it on one thread at a time with all that uses HDF5.
StateImage image_of_state(const std::filesystem::path& file, const SavedRun& run);

/// The rest of write_state(), on any thread. @throws RuntimeFailure with the file and the reason
void write_image(const StateImage& state);

}  // namespace riffle
