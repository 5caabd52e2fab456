#pragma once
/// Gives memory that runs no longer use back to the system.

namespace riffle::desktop {

/// Gives the heap's unused pages back to the system, in all threads' arenas. glibc does so by itself only at
/// an arena's end. The moments of a run are small blocks: what stays from the run, as its scene, lies between them, so
/// that each arena would keep the room of the longest run so far. Takes some milliseconds, and other threads wait. Does nothing
/// with another C library.
void return_freed_memory();

}  // namespace riffle::desktop
