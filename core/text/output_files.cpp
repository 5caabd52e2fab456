#include "core/text/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/text/checksum.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

std::string shown(const fs::path& path) { return path.empty() ? "." : path.string(); }

constexpr std::string_view kPartial = ".riffle-partial-", kProbe = ".riffle-probe-";

/// [bytes] of a file's name that its partial name has.
constexpr std::size_t kLongestStem = 64, kLongestExtension = 16;

/// The process in a name of a partial file or a probe; nothing for all other names.
std::optional<pid_t> process_of(std::string_view name) {
  std::size_t digits = std::string_view::npos;
  bool extension_follows = false;
  if (name.starts_with(kProbe)) {
    digits = kProbe.size();
  } else if (const std::size_t at = name.rfind(kPartial); name.starts_with('.') && at != std::string_view::npos) {
    digits = at + kPartial.size();
    extension_follows = true;
  }
  if (digits == std::string_view::npos) return std::nullopt;
  pid_t process = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + digits, end, process);
  if (error != std::errc() || process <= 0) return std::nullopt;
  if (rest != end && !(extension_follows && *rest == '.' && std::find(rest + 1, end, '.') == end)) return std::nullopt;
  return process;
}

bool lives(pid_t process) { return kill(process, 0) == 0 || errno != ESRCH; }

/// Whether no process holds the file's lock. False also where files cannot be locked.
bool is_unlocked(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool unlocked = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  close(descriptor);
  return unlocked;
}

/// Of a partial folder without a lock. A program that is killed while it removes one leaves it so, and one that makes one has it so
/// for a moment.
bool is_abandoned(const fs::path& folder) {
  constexpr auto kSoon = std::chrono::minutes(1);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename() != kPartialFolderFiles) return false;
  const fs::file_time_type changed = fs::last_write_time(folder, error);
  return !error && fs::file_time_type::clock::now() - changed > kSoon;
}

}  // namespace

void remove_partial_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder / kPartialFolderFiles, error);
  if (!error) fs::remove_all(folder, error);
}

void remove_leftovers(const fs::path& folder) {
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto process = process_of(entry->path().filename().native());
    if (!process) continue;
    if (fs::is_directory(entry->symlink_status(ignored))) {
      if (*process != getpid() && lives(*process)) continue;
      const fs::path lock = entry->path() / kPartialFolderLock;
      const bool has_lock = fs::exists(fs::symlink_status(lock, ignored));
      if (has_lock ? fs::is_regular_file(fs::symlink_status(lock, ignored)) && is_unlocked(lock)
                   : is_abandoned(entry->path()))
        remove_partial_folder(entry->path());
      continue;
    }
    if (lives(*process)) continue;
    if (!fs::is_regular_file(entry->symlink_status(ignored)) || !is_unlocked(entry->path())) continue;
    fs::remove(entry->path(), ignored);
  }
}

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) throw RuntimeFailure(fmt::format("{}: cannot be created: {}", shown(folder), error.message()));
  if (!folder.empty() && !fs::is_directory(folder, error))
    throw RuntimeFailure(fmt::format("{}: is a file, not a folder", shown(folder)));
  remove_leftovers(folder);  // first: they may fill the disk
  const fs::path probe = folder / fmt::format("{}{}", kProbe, getpid());
  errno = 0;
  const bool written = static_cast<bool>(std::ofstream(probe) << "x" << std::flush);
  const int reason = errno;
  fs::remove(probe, error);
  if (!written) throw RuntimeFailure(fmt::format("{}: cannot be written to: {}", shown(folder), std::strerror(reason)));
}

void prepare_file(const fs::path& file) {
  std::error_code error, ignored;
  (void)fs::symlink_status(file, error);
  if (error == std::errc::filename_too_long)
    throw InputError(
        fmt::format("{}: cannot be the name of a file: {}; allowed: a shorter one", file.string(), error.message()));
  if (fs::is_directory(file, ignored))
    throw RuntimeFailure(fmt::format("{}: is a folder; give the name of a file", file.string()));
  if (!fs::exists(file, ignored) || fs::is_regular_file(file, ignored)) return prepare_folder(file.parent_path());
  if (access(file.c_str(), W_OK) != 0)
    throw RuntimeFailure(fmt::format("{}: cannot be written to: {}", file.string(), std::strerror(errno)));
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (a.empty() || b.empty()) return false;
  if (fs::equivalent(a, b, error)) return true;
  const auto whole = [](const fs::path& path) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(path, failed);
    const fs::path canonical = failed ? path : fs::weakly_canonical(absolute, failed);
    return failed ? path.lexically_normal() : canonical;
  };
  return whole(a) == whole(b);
}

// A name that the system just takes leaves no room for more. What is cut off is still in the sum: outputs of one process must
// not share a partial file.
fs::path partial_name(const fs::path& file) {
  std::string stem = file.stem().string(), extension = file.extension().string();
  const std::string name = file.filename().string();
  if (extension.size() > kLongestExtension) extension.clear();
  if (stem.size() > kLongestStem || name.size() != stem.size() + extension.size()) {
    std::size_t kept = std::min(stem.size(), kLongestStem);
    while (kept > 0 && kept < stem.size() && (stem[kept] & 0xc0) == 0x80) --kept;  // whole letters of UTF-8
    Checksum sum;
    sum.add(name.data(), name.size());
    stem = fmt::format("{}-{:016x}", stem.substr(0, kept), sum.value());
  }
  return file.parent_path() / fmt::format(".{}{}{}{}", stem, kPartial, getpid(), extension);
}

PartialLock::PartialLock(const fs::path& partial, const fs::path& file)
    : descriptor_(open(partial.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0)
    throw RuntimeFailure(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
  flock(descriptor_, LOCK_EX | LOCK_NB);  // where files cannot be locked, none is taken for a leftover either
}

PartialLock::~PartialLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

void publish(const fs::path& partial, const fs::path& file) {
  std::error_code error;
  fs::rename(partial, file, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(partial, ignored);
  throw RuntimeFailure(fmt::format("{}: cannot be written: {}", file.string(), error.message()));
}

void write_whole(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  const fs::path partial = partial_name(file);
  const PartialLock lock(partial, file);
  try {
    write(partial);
  } catch (...) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw;
  }
  publish(partial, file);
}

void write_stream(const fs::path& file, const std::function<void(std::ostream&)>& write) {
  const auto write_to = [&](const fs::path& name) {
    errno = 0;
    std::ofstream out(name, std::ios::binary);
    write(out);
    out.close();  // flushes: a full disk may show only here
    if (!out) throw RuntimeFailure(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
  };
  std::error_code ignored;
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
    write_to(file);
  else
    write_whole(file, write_to);
}

void write_text(const fs::path& file, const std::string& text) {
  write_stream(file, [&](std::ostream& out) { out << text; });
}

}  // namespace riffle
