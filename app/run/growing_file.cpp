#include "app/run/growing_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail_with(int reason) { throw RuntimeFailure(std::strerror(reason)); }

}  // namespace

void GrowingFile::begin() {
  std::error_code ignored;
  end_ = whole_;
  if (!begun_) {
    is_regular_ = !fs::exists(file_, ignored) || fs::is_regular_file(file_, ignored);
    partial_ = is_regular_ ? partial_name(file_) : fs::path();
    if (is_regular_) {
      const int made = open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (made < 0) fail_with(errno);
      close(made);
      lock_ = PartialLock(partial_, file_);
    }
  }
  if (descriptor_ < 0) descriptor_ = open((partial_.empty() ? file_ : partial_).c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail_with(errno);
  if (!is_regular_) return;  // a pipe, /dev/stdout: what follows goes behind what was written
  struct stat found {};
  if (fstat(descriptor_, &found) != 0) fail_with(errno);
  const Left there{static_cast<std::uint64_t>(found.st_size), found.st_dev, found.st_ino};
  if (left_ ? !(there == *left_) : there.bytes < whole_) {
    close(std::exchange(descriptor_, -1));  // undo() is not to cut what is not ours
    const std::uint64_t had = left_ ? left_->bytes : whole_;
    throw RuntimeFailure(there.bytes == had ? std::string("another program has put another file in its place")
                                            : fmt::format("another program has changed it: it has {} bytes, and had {}",
                                                          there.bytes, had));
  }
  if (ftruncate(descriptor_, static_cast<off_t>(whole_)) != 0) fail_with(errno);
  if (lseek(descriptor_, static_cast<off_t>(whole_), SEEK_SET) < 0) fail_with(errno);
}

void GrowingFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with(errno);
    end_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void GrowingFile::write_at(std::uint64_t place, std::string_view bytes) {
  const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
  if (written < 0) fail_with(errno);
  if (static_cast<std::size_t>(written) != bytes.size()) fail_with(EIO);
}

void GrowingFile::settle() {
  if (is_regular_ && fsync(descriptor_) != 0) fail_with(errno);
}

void GrowingFile::commit() {
  if (!is_regular_) {
    whole_ = end_;
    begun_ = true;
    return;
  }
  struct stat left {};
  if (fstat(descriptor_, &left) != 0) fail_with(errno);
  const int closing = std::exchange(descriptor_, -1);
  if (close(closing) != 0) {
    const int reason = errno;
    descriptor_ = open((partial_.empty() ? file_ : partial_).c_str(), O_WRONLY | O_CLOEXEC);  // for undo()
    fail_with(reason);
  }
  if (!partial_.empty()) {
    std::error_code error;
    fs::rename(partial_, file_, error);
    if (error) throw RuntimeFailure(error.message());
    partial_.clear();
    lock_ = PartialLock();
  }
  whole_ = end_;
  begun_ = true;
  left_ = {end_, left.st_dev, left.st_ino};
}

void GrowingFile::undo() noexcept {
  const int closing = std::exchange(descriptor_, -1);
  if (!partial_.empty()) {
    std::error_code ignored;
    fs::remove(partial_, ignored);
    partial_.clear();
    lock_ = PartialLock();
  } else if (closing >= 0 && is_regular_ && begun_) {
    [[maybe_unused]] const int cut = ftruncate(closing, static_cast<off_t>(whole_));
    if (left_) left_->bytes = whole_;
  }
  if (closing >= 0) close(closing);
  end_ = whole_;
}

}  // namespace riffle
