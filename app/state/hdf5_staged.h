#pragma once
/// A driver of HDF5 for files that grow. Only hdf5_file.cpp includes this: it needs HDF5's headers.

#include <hdf5.h>

#include <cstdint>

namespace riffle::hdf5 {

/// Whether a file that is closed from now on gets its changes. At first none does: HDF5 also closes files that it could not open,
/// and those whose writer has failed.
void publish_changes(bool publish);

/// Has files that are opened with these properties keep the bytes that they have until they are closed: what HDF5 changes in
/// them waits in memory, and what it adds lies behind them. Closing a file writes the changes, a few pages, one after the other,
/// if publish_changes() says so; otherwise the file is left with the bytes that it had.
/// A program that is killed before leaves a file that opens and has what it had; only between these pages it may not open.
/// @param kept [bytes] of the next file that is opened with them; the disk may have kept room behind them
/// @return whether HDF5 took it
bool stage_changes(hid_t access, std::uint64_t kept);

}  // namespace riffle::hdf5
