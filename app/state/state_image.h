#pragma once
/// A state file in memory, so that a run goes on while the disk takes it.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/state/attribute_view.h"
#include "app/state/descriptor.h"
#include "app/state/hdf5_file.h"
#include "app/state/image_blocks.h"
#include "app/state/placed_array.h"
#include "app/state/state_file.h"

namespace riffle {

struct StateImage {
  std::filesystem::path file;
  hdf5::Image frame;                ///< of which the arrays are missing
  std::vector<PlacedArray> arrays;  ///< by their places; they lie in what the image was made of
  FileMemory whole;                 ///< for the frame with the arrays
  std::unique_ptr<ImageBlocks> blocks;
  std::string companion;  ///< text of FILE.xmf
};

/// Call it on one thread at a time with all that uses HDF5. Takes little time: no array is copied.
/// @param attributes  those of run.state may be missing
/// @param used  memory of an earlier image: the system clears new memory, which takes longer than all else
StateImage image_of_state(const std::filesystem::path& file, const SavedRun& run,
                          std::span<const AttributeView> attributes, FileMemory used = {});

/// Copies the frame and the arrays, by all threads. The run and the attributes must be there until it returns.
void fill_image(const StateImage& state);

/// The rest of write_state(), on any thread. Begins with the first block that fill_image(), on another thread, has filled.
/// @return the file that had the name before: the system frees its room, which takes a while, when it is closed
/// @throws RuntimeFailure with the file and the reason
Descriptor write_image(const StateImage& state);

}  // namespace riffle
