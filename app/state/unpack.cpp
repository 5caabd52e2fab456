#include "app/state/unpack.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <vector>

#include "app/state/descriptor.h"
#include "app/state/pack_file.h"
#include "app/state/pack_reader.h"
#include "app/state/state_file.h"
#include "app/state/write_all.h"
#include "core/error.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"

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
      archive.refuse(fmt::format("the name \"{}\" has {}", shown_of_packed_name(file.name), fault));
    if (!names.insert(file.name).second)
      archive.refuse(fmt::format("has two files \"{}\"", shown_of_packed_name(file.name)));
    if (file.bytes / kMostOfDeflate > file.packed)
      archive.refuse(fmt::format("says that \"{}\" has {} bytes, packed into {}; allowed: up to {} times as many",
                                 shown_of_packed_name(file.name), file.bytes, file.packed, kMostOfDeflate));
    // Files that share their bytes would be many times as large as the archive.
    packed = file.packed > archive_bytes ? archive_bytes + 1 : packed + file.packed;
    if (packed > archive_bytes)
      archive.refuse(fmt::format("is damaged: its files have more than its {} bytes", archive_bytes));
  }
  for (const std::string& name : names)
    for (std::size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1))
      if (names.contains(name.substr(0, slash)))
        archive.refuse(fmt::format("\"{}\" is a file and the folder of \"{}\"",
                                   shown_of_packed_name(name.substr(0, slash)), shown_of_packed_name(name)));
  return files;
}

/// @throws InputError where the name is at fault
[[noreturn]] void fail(const fs::path& file) {
  const std::string reason = std::strerror(errno), shown = printable_line(file.string());
  if (errno == ENAMETOOLONG) throw InputError(fmt::format("\"{}\" cannot be the name of a file: {}", shown, reason));
  throw RuntimeFailure(fmt::format("{}: cannot be written: {}", shown, reason));
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

bool is_there(const fs::path& file) {
  struct stat found {};
  if (lstat(file.c_str(), &found) == 0) return true;
  if (errno == ENAMETOOLONG) fail(file);
  return false;
}

/// "out/run/" -> "out/run", which has a name. A folder that is not there may be called "out/." or "none/../out".
fs::path plain(const fs::path& folder) {
  std::error_code error;
  const fs::path given = is_there(folder) ? folder : fs::weakly_canonical(folder, error);
  if (error) errno = error.value(), fail(folder);
  return given.has_filename() ? given : given.parent_path();
}

/// [s since 1970] of the newest state: later than all others, whose times may have lost their parts of a second.
std::optional<std::time_t> time_of_newest(const std::vector<PackEntry>& files, const std::string& newest) {
  std::optional<std::time_t> own, others;
  for (const PackEntry& file : files) {
    if (file.name == newest)
      own = file.written;
    else if (has_state_ending(file.name) && file.written)
      others = std::max(others.value_or(0), *file.written);
  }
  return own && others ? std::max(*own, *others + 1) : own;
}

/// The files are written to a folder in a partial one, which goes with its owner. A lock beside them tells remove_leftovers() that
/// somebody still writes there.
class PartialFolder {
 public:
  /// @param above  where it is made; @param shown  what is to be written, for messages
  PartialFolder(const fs::path& above, const fs::path& shown) {
    const fs::path first = above / fmt::format(".riffle-partial-{}", getpid());
    path_ = first;
    // A killed program with the number of this one may have left its own.
    for (int other = 1; mkdir(path_.c_str(), 0777) != 0; ++other) {
      if (errno != EEXIST) fail(shown);
      path_ = fs::path(first) += fmt::format(".{}", other);
    }
    try {
      lock_ = PartialLock(path_ / kPartialFolderLock, shown);
      if (mkdir(files().c_str(), 0777) != 0) fail(shown);
    } catch (...) {
      remove();
      throw;
    }
  }
  ~PartialFolder() { remove(); }
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;

  fs::path files() const { return path_ / kPartialFolderFiles; }

 private:
  /// The lock last, so that what is left tells that nobody writes there, and closed first: some file systems keep open files.
  void remove() {
    std::error_code ignored;
    fs::remove_all(files(), ignored);
    lock_ = PartialLock();
    fs::remove_all(path_, ignored);
  }

  fs::path path_;
  PartialLock lock_;
};

/// All on the disk, so that a folder with its name has its bytes even if the power fails next.
void sync_below(const fs::path& files, const fs::path& shown) {
  Descriptor folder(open(files.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder < 0 || syncfs(folder) != 0) fail(shown);
}

/// Whether something is mounted there, or the kernel does not tell: it does from Linux 5.8 on. The device does not tell of a
/// folder of the same file system that is mounted there once more.
bool may_be_mounted(const fs::path& folder) {
  struct statx found {};
  if (statx(AT_FDCWD, folder.c_str(), 0, STATX_TYPE, &found) != 0) return true;
  const bool told = (found.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
  return !told || (found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// Whether a folder beside this one can take its name. It cannot where something is mounted, and the folder in which the program
/// works would no longer be there for the user's shell.
bool is_replaceable(const fs::path& folder) {
  const fs::path above = folder.parent_path();
  struct stat own {
  }, around{}, here{};
  if (stat(folder.c_str(), &own) != 0 || stat(above.c_str(), &around) != 0 || stat(".", &here) != 0) return false;
  const bool works_there = here.st_dev == own.st_dev && here.st_ino == own.st_ino;
  return own.st_dev == around.st_dev && !may_be_mounted(folder) && !works_there &&
         access(above.c_str(), W_OK | X_OK) == 0;
}

/// The names of the extended attributes. Nothing where they cannot be read; none where the file system has none.
std::optional<std::set<std::string>> names_of_attributes(const fs::path& file) {
  std::vector<char> names(std::size_t{1} << 16);
  const ssize_t length = listxattr(file.c_str(), names.data(), names.size());
  if (length < 0 && errno != ENOTSUP) return std::nullopt;
  std::set<std::string> all;
  for (const char* name = names.data(); name < names.data() + length; name += std::strlen(name) + 1) all.insert(name);
  return all;
}

/// Owner, extended attributes (access control lists are among them) and rights. The folder above may have left attributes to `to`
/// that `from` does not have. @return whether `to` has all that `from` has and no other
bool copy_rights(const fs::path& from, const fs::path& to) {
  struct stat own {
  }, other{};
  if (stat(from.c_str(), &own) != 0 || stat(to.c_str(), &other) != 0) return false;
  const bool same_owner = own.st_uid == other.st_uid && own.st_gid == other.st_gid;
  if (!same_owner && chown(to.c_str(), own.st_uid, own.st_gid) != 0) return false;
  const auto wanted = names_of_attributes(from), inherited = names_of_attributes(to);
  if (!wanted || !inherited) return false;
  for (const std::string& name : *inherited)
    if (!wanted->contains(name) && removexattr(to.c_str(), name.c_str()) != 0) return false;
  std::vector<char> value(std::size_t{1} << 16), there(value.size());
  for (const std::string& name : *wanted) {
    const ssize_t size = getxattr(from.c_str(), name.c_str(), value.data(), value.size());
    if (size < 0) return false;
    const auto bytes = static_cast<std::size_t>(size);
    const bool same = getxattr(to.c_str(), name.c_str(), there.data(), there.size()) == size &&
                      std::memcmp(there.data(), value.data(), bytes) == 0;
    if (!same && setxattr(to.c_str(), name.c_str(), value.data(), bytes, 0) != 0) return false;
  }
  // The system may leave a right out without a word, for instance the group's where the user is not in it.
  return chmod(to.c_str(), own.st_mode & 07777) == 0 && stat(to.c_str(), &other) == 0 && own.st_mode == other.st_mode &&
         own.st_uid == other.st_uid && own.st_gid == other.st_gid;
}

/// Into a folder that is there and cannot be replaced, file by file. The folder of the pack comes last. Removes what it has moved
/// if it fails.
void move_into(const fs::path& folder, const fs::path& files) {
  std::vector<fs::path> names, moved;
  for (const auto& entry : fs::directory_iterator(files)) names.push_back(entry.path().filename());
  const auto is_last = [](const fs::path& name) { return name.string() + "/" == kPackFolder; };
  std::stable_partition(names.begin(), names.end(), [&](const fs::path& name) { return !is_last(name); });
  try {
    for (const fs::path& name : names) {
      if (is_there(folder / name)) errno = EEXIST, fail(folder / name);
      if (rename((files / name).c_str(), (folder / name).c_str()) != 0) fail(folder / name);
      moved.push_back(folder / name);
    }
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& file : moved) fs::remove_all(file, ignored);
    throw;
  }
}

/// How the files come to their folder.
enum class Way { New, Replace, Into };

/// An empty folder is replaced by the one rename that also makes a new folder.
void take_place(const fs::path& files, const fs::path& folder, Way way) {
  if (way != Way::Into) {
    if (rename(files.c_str(), folder.c_str()) == 0) return;
    // The system refuses others, for instance where the folder is another user's in a folder for all.
    const bool has_files = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR;
    if (way == Way::New || has_files) fail(folder);
  }
  move_into(folder, files);
}

}  // namespace

Unpacked unpack(const fs::path& pack, const fs::path& wanted,
                const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  const fs::path folder = plain(wanted);
  const PackReader archive(pack);
  Unpacked result{archive.state_name()};
  const std::vector<PackEntry> files = checked_entries(archive, fs::file_size(pack));
  if (std::none_of(files.begin(), files.end(), [&](const PackEntry& file) { return file.name == result.state; }))
    archive.refuse(
        fmt::format("is damaged: it has no \"{}\", which {} names", shown_of_packed_name(result.state), kPackManifest));
  std::error_code error;
  const bool exists = is_there(folder), is_folder = fs::is_directory(fs::symlink_status(folder, error));
  if (is_folder) remove_leftovers(folder);
  if (exists && !(is_folder && fs::is_empty(folder, error) && !error))
    throw InputError(
        fmt::format("{}: is there already; allowed: a folder that is not there, or an empty one", folder.string()));
  std::uint64_t all = 0;
  for (const PackEntry& file : files) all += file.bytes;
  const fs::path place = exists ? fs::canonical(folder) : folder;
  Way way = !exists ? Way::New : is_replaceable(place) ? Way::Replace : Way::Into;
  const fs::path above = way == Way::Into ? place : place.has_parent_path() ? place.parent_path() : ".";
  prepare_folder(above);
  if (const fs::space_info space = fs::space(above); space.available < all)
    archive.refuse(
        fmt::format("its files have {} bytes, and {} has room for {}", all, above.string(), space.available));
  const std::optional<std::time_t> newest = time_of_newest(files, result.state);
  std::optional<PartialFolder> partial(std::in_place, above, folder);
  if (way == Way::Replace && !copy_rights(place, partial->files())) {
    way = Way::Into;
    partial.emplace(place, folder);
  }
  for (const PackEntry& file : files) {
    Descriptor out = created(partial->files() / file.name, folder / file.name);
    archive.read(file, [&](const char* data, std::size_t size) {
      if (!write_all(out, data, size)) fail(folder / file.name);
      result.bytes += size;
      if (progress) progress(result.bytes, all);
    });
    const std::optional<std::time_t> written = file.name == result.state ? newest : file.written;
    if (const timespec times[2] = {{0, UTIME_OMIT}, {written.value_or(0), 0}}; written) futimens(out, times);
    if (!out.close_now()) fail(folder / file.name);
    ++result.files;
  }
  sync_below(partial->files(), folder);
  take_place(partial->files(), folder, way);
  return result;
}

}  // namespace riffle
