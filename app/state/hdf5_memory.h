#pragma once
/// A driver of HDF5 for files in memory. Only hdf5_file.cpp includes this: it needs HDF5's headers.

#include <hdf5.h>

#include "app/state/file_memory.h"

namespace riffle::hdf5 {

/// Has the next file that is made with these properties lie in that memory, which must outlive it. HDF5's own driver sets to 0 what
/// nobody has written; here such bytes are never touched.
/// @return whether HDF5 took it
bool keep_in_memory(hid_t access, FileMemory& memory);

}  // namespace riffle::hdf5
