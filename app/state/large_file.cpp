#include "app/state/large_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace riffle {

LargeFile::LargeFile(const std::filesystem::path& file, std::string shown, std::uint64_t size,
                     std::uint64_t direct_from)
    : shown_(std::move(shown)), size_(size), cached_(open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)) {
  if (cached_ < 0) fail();
  if (size < direct_from) return;
  // A disk that is too full says so now. Where room cannot be asked for, it is found while writing.
  if (fallocate(cached_, 0, 0, static_cast<off_t>(size)) != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
    fail();
  direct_ = Descriptor(open(file.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC));
}

void LargeFile::fail() const {
  throw RuntimeFailure(fmt::format("{}: cannot be written: {}", shown_, std::strerror(errno)));
}

/// Moves `begin` on. @return whether all is written; otherwise the rest takes the other way
bool LargeFile::write_direct(const char* image, std::uint64_t& begin, std::uint64_t end) {
  const std::uint64_t page_end = (end + kPage - 1) / kPage * kPage;
  while (begin < end) {
    const ssize_t got = pwrite(direct_, image + begin, page_end - begin, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno != EINVAL && errno != EOPNOTSUPP) fail();
    if (got <= 0) return false;  // of another size of pages, for example
    begin = std::min(end, begin + static_cast<std::uint64_t>(got));
    if (begin < end && begin % kPage != 0) return false;
  }
  return true;
}

void LargeFile::write(const char* image, std::uint64_t begin, std::uint64_t end) {
  if (direct_ >= 0) {
    if (write_direct(image, begin, end)) return;
    direct_ = Descriptor();
  }
  while (begin < end) {
    const ssize_t got = pwrite(cached_, image + begin, end - begin, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail();
    if (got == 0) {
      errno = EIO;
      fail();
    }
    // The disk begins now, and not when all is there. Where it cannot, fsync() does it.
    sync_file_range(cached_, static_cast<off_t>(begin), got, SYNC_FILE_RANGE_WRITE);
    begin += static_cast<std::uint64_t>(got);
  }
}

void LargeFile::flush() {
  // The last page was written whole.
  while (ftruncate(cached_, static_cast<off_t>(size_)) != 0)
    if (errno != EINTR) fail();
  while (fsync(cached_) != 0)
    if (errno != EINTR) fail();
}

}  // namespace riffle
