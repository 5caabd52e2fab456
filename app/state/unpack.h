#pragma once
/// A pack as files again.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace riffle {

struct Unpacked {
  std::string state;  ///< the name of the newest state, below the folder
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

/// Writes all files of a pack below a folder. The folder must be missing or empty. It gets all of them or none: they are written to
/// a partial folder first, beside it, or in it where it is there. Times of files are kept in full seconds; the newest state becomes
/// a second later than the others where it would not be the newest.
/// @param progress  called from time to time with the bytes written and those of all; what it throws ends the unpacking
/// @throws InputError for an archive that is damaged, of another program, or with a name that leads out of the folder;
/// RuntimeFailure for a folder that cannot be written
Unpacked unpack(const std::filesystem::path& pack, const std::filesystem::path& folder,
                const std::function<void(std::uint64_t done, std::uint64_t all)>& progress);

}  // namespace riffle
