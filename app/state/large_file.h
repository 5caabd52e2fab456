#pragma once
/// A large file that is written once, from memory to the disk.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "app/state/descriptor.h"

namespace riffle {

/// Its bytes go to the disk past the system's cache where the file's folder allows that: nothing is copied, and what others
/// have in the cache stays there. Otherwise through the cache, from which the disk takes them at once.
class LargeFile {
 public:
  static constexpr std::uint64_t kPage = 4096;
  static constexpr std::uint64_t kDirectFrom = std::uint64_t{1}
                                               << 20;  ///< [bytes] of a file; smaller ones use the cache

  /// Replaces the bytes of a file and asks the disk for `size`. @param shown  the name in messages
  /// @param direct_from [bytes] from which on a file goes past the cache
  /// @throws RuntimeFailure with the name and the reason, as all functions
  LargeFile(const std::filesystem::path& file, std::string shown, std::uint64_t size,
            std::uint64_t direct_from = kDirectFrom);

  /// Writes the bytes of the image from `begin` to `end`, which is a multiple of kPage or the size; `begin` is a multiple. The image
  /// begins at a page, and has whole pages.
  void write(const char* image, std::uint64_t begin, std::uint64_t end);

  void flush();  ///< waits until the disk has it all

  bool is_direct() const { return direct_ >= 0; }

 private:
  [[noreturn]] void fail() const;
  bool write_direct(const char* image, std::uint64_t& begin, std::uint64_t end);

  std::string shown_;
  std::uint64_t size_;
  Descriptor cached_, direct_;
};

}  // namespace riffle
