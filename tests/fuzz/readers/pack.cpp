/// Packs, whose state is read and which are unpacked. An input is read twice: as it is, and with the checksums that its files
/// should have, so that changed bytes reach what comes behind them.

#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "app/state/pack_file.h"
#include "app/state/state_file.h"
#include "app/state/unpack.h"
#include "core/error.h"
#include "tests/fuzz/reader.h"

namespace riffle::fuzz {

namespace fs = std::filesystem;

namespace {

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T number{};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// The list at the end of an archive, with the checksums of the stored files that it names.
std::string with_right_checksums(std::string bytes) {
  constexpr std::size_t kEntry = 46, kHead = 30;  // [bytes] before the name in the list, and before that of a file
  for (std::size_t at = bytes.find("PK\x01\x02"); at != bytes.npos; at = bytes.find("PK\x01\x02", at + 1)) {
    if (bytes.size() - at < kEntry || number_at<std::uint16_t>(bytes, at + 10) != 0) continue;
    const std::size_t size = number_at<std::uint32_t>(bytes, at + 24), head = number_at<std::uint32_t>(bytes, at + 42);
    if (head > bytes.size() || bytes.size() - head < kHead) continue;
    const std::size_t data =
        head + kHead + number_at<std::uint16_t>(bytes, head + 26) + number_at<std::uint16_t>(bytes, head + 28);
    if (data > bytes.size() || bytes.size() - data < size) continue;
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const unsigned char*>(bytes.data()) + data, static_cast<unsigned>(size)));
    std::memcpy(bytes.data() + at + 16, &sum, sizeof sum);
    std::memcpy(bytes.data() + head + 14, &sum, sizeof sum);
  }
  return bytes;
}

/// What is below the folder, in files. It has no links, and nothing that another name leads to.
std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    require(entry.is_directory() || fs::is_regular_file(entry.symlink_status()), "something that is no file");
    if (entry.is_regular_file()) sum += entry.file_size();
  }
  return sum;
}

/// The files of a folder of its own: of the archive, of what it is unpacked into, and of no other.
void require_alone(const fs::path& pack, const fs::path& out) {
  for (const auto& entry : fs::directory_iterator(pack.parent_path()))
    require(entry.path() == pack || entry.path() == out, "a file beside the folder");
}

void read_pack_file(const std::string& bytes) {
  const fs::path pack = input_file("s/run.zip", bytes);  // alone in the folder inputs
  const fs::path out = pack.parent_path() / "out";
  std::optional<InputError> refused;
  try {
    const PackedState state = packed_state(pack);
    require(fs::exists("/proc/self/fd/" + std::to_string(state.file->descriptor())), "no copy of the state");
  } catch (const InputError& error) {
    refused = error;
  }
  std::error_code ignored;
  fs::remove_all(out, ignored);
  try {
    const Unpacked files = unpack(pack, out, {});
    require_alone(pack, out);
    require(bytes_below(out) == files.bytes, "other bytes than it says");
    require(fs::is_regular_file(out / files.state), "no file of the state");
    require(files.bytes <= 1032 * bytes.size(), "more bytes than deflate makes");
    fs::remove_all(out);
  } catch (const InputError& error) {
    require(!fs::exists(out), "a folder of a pack that is refused");
    require_alone(pack, out);
    throw;
  }
  if (refused) throw *refused;
}

}  // namespace

void read_pack(std::string_view input) {
  std::optional<InputError> refused;
  try {
    read_pack_file(std::string(input));
  } catch (const InputError& error) {
    refused = error;
  }
  if (const std::string right = with_right_checksums(std::string(input)); right != input) read_pack_file(right);
  if (refused) throw *refused;
}

}  // namespace riffle::fuzz
