#pragma once
/// An archive that is read. What is wrong with it is an InputError with its name.

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace riffle {

/// What is wrong with a name as that of a file below a folder, on this system or on another; "" if nothing is.
std::string fault_of_packed_name(const std::string& name);

/// A name for messages: at most 200 characters, with no control character.
std::string shown_of_packed_name(const std::string& name);

struct PackEntry {
  std::string name;
  std::uint64_t bytes = 0;             ///< as the archive says
  std::uint64_t packed = 0;            ///< of these in the archive
  std::optional<std::time_t> written;  ///< nothing: the archive says no time
  std::uint64_t place[2] = {0, 0};     ///< in the archive's list: the byte, the number
};

class PackReader {
 public:
  /// Called with one piece after the other.
  using Take = std::function<void(const char* data, std::size_t size)>;

  /// @throws InputError unless it is an archive, as all functions
  explicit PackReader(const std::filesystem::path& file);

  /// The name of the state that the manifest names; the format of the pack is one that this version reads.
  std::string state_name() const;

  PackEntry entry(const std::string& name) const;

  /// All files, in the order of the archive. Entries of folders are left out.
  std::vector<PackEntry> entries() const;

  /// Hands over the bytes of a file. They are counted, whatever the archive says, and their checksum is compared.
  void read(const PackEntry& entry, const Take& take) const;

  const std::string& shown() const { return name_; }
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  std::string manifest() const;
  PackEntry current(const std::string& name) const;

  std::string name_;
  std::unique_ptr<void, int (*)(void*)> zip_;
};

}  // namespace riffle
