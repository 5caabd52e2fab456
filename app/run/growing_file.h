#pragma once
/// A file that grows by whole pieces. A piece that cannot be written leaves the file as it was.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/text/output_files.h"

namespace riffle {

/// Holds the file open only from begin() to commit() or undo(), so that an error that shows only when a file is closed
/// belongs to its piece. A pipe stays open: its reader would take the end of a piece for the end of all.
class GrowingFile {
 public:
  /// A new file. It appears with the first piece, and then replaces a file of that name.
  explicit GrowingFile(std::filesystem::path file) : file_(std::move(file)) {}

  /// Goes on with a file. @param keep [bytes] that stay; the rest is cut off when the next piece begins
  GrowingFile(std::filesystem::path file, std::uint64_t keep) : file_(std::move(file)), whole_(keep), begun_(true) {}

  ~GrowingFile() { undo(); }
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  // All throw RuntimeFailure with the reason alone.
  void begin();  ///< also if the file is no longer what commit() has left
  void append(std::string_view bytes);
  void write_at(std::uint64_t place, std::string_view bytes);  ///< over bytes that are there
  void settle();  ///< has the disk hold what was appended: where it has no room, some systems say so only then
  void commit();
  void undo() noexcept;                            ///< drops what was appended since begin()
  void cut(std::uint64_t keep) { whole_ = keep; }  ///< the rest goes when the next piece begins

  std::uint64_t end() const { return end_; }  ///< [bytes] with what was appended
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_, partial_;  ///< partial_: "" once the first piece is there
  PartialLock lock_;                      ///< of the partial file
  int descriptor_ = -1;
  std::uint64_t whole_ = 0, end_ = 0;  ///< [bytes]
  struct Left {
    std::uint64_t bytes = 0, device = 0, number = 0;
    friend bool operator==(const Left&, const Left&) = default;
  };
  std::optional<Left> left_;  ///< the file as commit() has left it
  bool begun_ = false, is_regular_ = true;
};

}  // namespace riffle
