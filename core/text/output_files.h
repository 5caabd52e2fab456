#pragma once
/// Output files that are either complete or absent.

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <utility>

namespace riffle {

/// Creates the folder, checks that files can be written in it, and removes what a program that was killed left there
/// (remove_leftovers). @throws RuntimeFailure with the reason
void prepare_folder(const std::filesystem::path& folder);

/// The same for a file's folder; also checks that the file itself is not a folder, and that the system takes its name (otherwise an
/// InputError). A path that exists and is not a
/// regular file (/dev/stdout, a pipe) is written to directly, so only that is checked.
void prepare_file(const std::filesystem::path& file);

/// In a partial folder, which is removed with all that is in it: the file whose lock its process holds.
inline constexpr const char* kPartialFolderLock = "lock";
/// In it, the folder of all that is written.
inline constexpr const char* kPartialFolderFiles = "files";

/// Removes it with all that is in it, the lock last: what a program leaves that is killed meanwhile tells that nobody writes there.
void remove_partial_folder(const std::filesystem::path& folder);

/// Removes partial files, partial folders and probes of this program whose process has ended. A file stays if its name is not
/// exactly one that partial_name() gives, if it is no regular file, if its process lives, or if any process holds its lock. A
/// folder has a name of that kind, and its file kPartialFolderLock tells; without that file it goes when it has been left alone for a
/// minute and has nothing but kPartialFolderFiles. In a container the process that has ended may have had
/// the number of this one: then the lock alone tells.
void remove_leftovers(const std::filesystem::path& folder);

/// Whether both paths name the same file, also by another spelling or through a link. The file need not exist.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// A temporary name in the file's folder, with its extension: "wave.mp4" -> ".wave.riffle-partial-1234.mp4", where 1234
/// is the process. It has at most 130 bytes: of a long name it has the begin and a sum.
std::filesystem::path partial_name(const std::filesystem::path& file);

/// Creates a partial file, empty, and holds its lock while it lives. The lock tells remove_leftovers() of processes with
/// other process numbers, in a container or on another machine, that somebody still writes the file.
class PartialLock {
 public:
  PartialLock() = default;
  /// @throws RuntimeFailure "FILE: cannot be written: ..." if the partial file cannot be created
  PartialLock(const std::filesystem::path& partial, const std::filesystem::path& file);
  ~PartialLock();
  PartialLock(PartialLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  PartialLock& operator=(PartialLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

 private:
  int descriptor_ = -1;
};

/// Renames the finished partial file to `file`. @throws RuntimeFailure
void publish(const std::filesystem::path& partial, const std::filesystem::path& file);

/// Calls `write` with a temporary name and then renames that file to `file`. Leaves nothing behind when `write` throws.
void write_whole(const std::filesystem::path& file, const std::function<void(const std::filesystem::path&)>& write);

/// The same through a stream, whose errors are checked at its end. A path that exists and is not a regular file
/// (/dev/stdout, a pipe) is written to, not replaced. @throws RuntimeFailure with the file and the reason
void write_stream(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace riffle
