#pragma once
/// Packs: an output folder with its newest state in one .zip file, which other programs list and unpack and from which a run goes
/// on. docs/state-files.md has what is in it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/state/descriptor.h"

namespace riffle {

/// The folder in the archive that has what `riffle pack` adds. Its first file says which state is the newest.
inline constexpr const char* kPackFolder = "riffle-pack/";
inline constexpr const char* kPackManifest = "riffle-pack/manifest.json";

/// Whether a file begins as a pack, whatever its name. It may be damaged.
bool begins_as_pack(const std::filesystem::path& file);

/// A file in the folder for temporary files, which is removed with its owner. HDF5 opens none without a name.
class TemporaryFile {
 public:
  /// @throws RuntimeFailure if it cannot be created
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  std::string path_;
  Descriptor descriptor_;
};

struct PackedState {
  std::shared_ptr<const TemporaryFile> file;  ///< a copy of the state
  std::string shown;                          ///< "run.zip: state.h5"
};

/// Copies the state that the manifest names out of the archive into the folder for temporary files. No name in the archive becomes
/// a path. @throws InputError for an archive that is damaged or of another program, and for a state without room
PackedState packed_state(const std::filesystem::path& pack);

/// Writes an archive; none of it is readable before finish(). Names are paths in the archive with '/'.
class PackWriter {
 public:
  /// Called from time to time with the bytes written by now; what it throws ends the packing.
  using Progress = std::function<void(std::uint64_t bytes)>;

  /// @throws RuntimeFailure with `shown` and the reason, as all functions
  PackWriter(const std::filesystem::path& file, std::string shown, Progress progress);
  ~PackWriter();
  PackWriter(const PackWriter&) = delete;
  PackWriter& operator=(const PackWriter&) = delete;

  void add_text(const std::string& name, const std::string& text);
  /// The bytes that an open file has now, from its begin. @throws RuntimeFailure also if it cannot be read
  void add_file(const std::string& name, int descriptor);
  void finish();

  std::uint64_t bytes() const { return bytes_; }  ///< of the files

 private:
  void begin(const std::string& name, std::int64_t seconds, std::uint64_t size);
  void put(const char* data, std::size_t size);
  void check(int result) const;

  std::string shown_;
  Progress progress_;
  void* zip_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace riffle
