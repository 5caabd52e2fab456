#include "app/state/unpack.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <vector>

#include "app/state/descriptor.h"
#include "app/state/pack_file.h"
#include "app/state/pack_reader.h"
#include "app/state/write_all.h"
#include "core/error.h"
#include "core/text/output_files.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

/// Deflate makes no more of one byte.
constexpr std::uint64_t kMostOfDeflate = 1032;

/// The files, whose names stay below a folder and are no folders of each other.
std::vector<PackEntry> checked_entries(const PackReader& archive, std::uint64_t archive_bytes) {
  std::vector<PackEntry> files = archive.entries();
  std::set<std::string> names;
  std::uint64_t packed = 0;
  for (const PackEntry& file : files) {
    if (const std::string fault = fault_of_packed_name(file.name); !fault.empty())
      archive.refuse(fmt::format("the name \"{}\" has {}", file.name.substr(0, 200), fault));
    if (!names.insert(file.name).second) archive.refuse(fmt::format("has two files \"{}\"", file.name));
    if (file.bytes / kMostOfDeflate > file.packed)
      archive.refuse(fmt::format("says that \"{}\" has {} bytes, packed into {}; allowed: up to {} times as many",
                                 file.name, file.bytes, file.packed, kMostOfDeflate));
    // Files that share their bytes would be many times as large as the archive.
    packed = file.packed > archive_bytes ? archive_bytes + 1 : packed + file.packed;
    if (packed > archive_bytes)
      archive.refuse(fmt::format("is damaged: its files have more than its {} bytes", archive_bytes));
  }
  for (const std::string& name : names)
    for (std::size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1))
      if (names.contains(name.substr(0, slash)))
        archive.refuse(fmt::format("\"{}\" is a file and the folder of \"{}\"", name.substr(0, slash), name));
  return files;
}

/// @throws InputError where the name is at fault
[[noreturn]] void fail(const fs::path& file) {
  if (errno == ENAMETOOLONG)
    throw InputError(fmt::format("\"{}\" cannot be the name of a file: {}", file.string(), std::strerror(errno)));
  throw RuntimeFailure(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
}

/// @param shown  its name when all is done
Descriptor created(const fs::path& file, const fs::path& shown) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) errno = error.value(), fail(shown);
  Descriptor out(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (out < 0) fail(shown);
  return out;
}

bool is_free(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return true;
  return fs::is_directory(fs::symlink_status(folder, error)) && fs::is_empty(folder, error) && !error;
}

/// "out/run/" -> "out/run", which has a name.
fs::path without_last_slash(const fs::path& folder) { return folder.has_filename() ? folder : folder.parent_path(); }

}  // namespace

Unpacked unpack(const fs::path& pack, const fs::path& wanted,
                const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  const fs::path folder = without_last_slash(wanted);
  const PackReader archive(pack);
  Unpacked result{archive.state_name()};
  const std::vector<PackEntry> files = checked_entries(archive, fs::file_size(pack));
  if (std::none_of(files.begin(), files.end(), [&](const PackEntry& file) { return file.name == result.state; }))
    archive.refuse(
        fmt::format("is damaged: it has no \"{}\", which {} names", result.state.substr(0, 200), kPackManifest));
  if (!is_free(folder))
    throw InputError(
        fmt::format("{}: is there already; allowed: a folder that is not there, or an empty one", folder.string()));
  std::uint64_t all = 0;
  for (const PackEntry& file : files) all += file.bytes;
  prepare_folder(folder.parent_path());
  const fs::path above = folder.has_parent_path() ? folder.parent_path() : ".";
  if (const fs::space_info space = fs::space(above); space.available < all)
    archive.refuse(
        fmt::format("its files have {} bytes, and {} has room for {}", all, above.string(), space.available));
  const fs::path partial = partial_name(folder);
  if (mkdir(partial.c_str(), 0777) != 0) fail(folder);
  std::error_code error;
  try {
    for (const PackEntry& file : files) {
      const Descriptor out = created(partial / file.name, folder / file.name);
      archive.read(file, [&](const char* data, std::size_t size) {
        if (!write_all(out, data, size)) fail(folder / file.name);
        result.bytes += size;
        if (progress) progress(result.bytes, all);
      });
      if (const timespec times[2] = {{0, UTIME_OMIT}, {file.written.value_or(0), 0}}; file.written)
        futimens(out, times);
      ++result.files;
    }
    if (rename(partial.c_str(), folder.c_str()) != 0) fail(folder);
  } catch (...) {
    fs::remove_all(partial, error);
    throw;
  }
  return result;
}

}  // namespace riffle
