#include "core/text/input_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace riffle {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;

[[noreturn]] void refuse(const std::string& name, int error) {
  throw InputError(fmt::format("{}: cannot be read: {}", name, std::strerror(error)));
}

}  // namespace

InputBytes::InputBytes(const std::filesystem::path& file) : name_(file.string()) {
  descriptor_ = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse(name_, errno);
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int error = S_ISDIR(status.st_mode) ? EISDIR : errno;
    close(descriptor_);
    refuse(name_, error);
  }
  if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
  // One byte more than a small file has, so that the read after its last byte finds the end.
  buffer_.resize(size_ ? static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, *size_ + 1)) : kPiece);
}

InputBytes::~InputBytes() { close(descriptor_); }

bool InputBytes::refill() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  for (;;) {
    const ssize_t got = read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(name_, errno);
    end_ += static_cast<std::size_t>(got);
    ended_ = got == 0;
    return !ended_;
  }
}

void InputBytes::advance(std::size_t n) {
  begin_ += n;
  offset_ += n;
}

const char* InputBytes::take(std::size_t n) {
  while (end_ - begin_ < n)
    if (!refill()) return nullptr;
  const char* bytes = buffer_.data() + begin_;
  advance(n);
  return bytes;
}

std::uint64_t InputBytes::skip(std::uint64_t n) {
  std::uint64_t skipped = 0;
  while (skipped < n) {
    if (begin_ == end_ && !refill()) break;
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(n - skipped, end_ - begin_));
    advance(step);
    skipped += step;
  }
  return skipped;
}

std::optional<std::string_view> InputBytes::line() {
  std::size_t length = 0;  // known to hold no end of a line
  for (;;) {
    const char* from = buffer_.data() + begin_;
    const void* found = std::memchr(from + length, '\n', end_ - begin_ - length);
    const std::size_t known = found ? static_cast<std::size_t>(static_cast<const char*>(found) - from) : end_ - begin_;
    if (known > kLongestLine)
      throw InputError(fmt::format("{}:{}: found a line of more than {} bytes; this is no text", name_,
                                   line_number_ + 1, kLongestLine));
    length = known;
    if (found || !refill()) {
      if (!found && length == 0) return std::nullopt;
      std::string_view text(buffer_.data() + begin_, length);
      if (text.ends_with('\r')) text.remove_suffix(1);
      advance(length + (found ? 1 : 0));
      ++line_number_;
      return text;
    }
  }
}

std::string InputBytes::at_line() const { return fmt::format("{}:{}: ", name_, line_number_); }
std::string InputBytes::at_byte() const { return fmt::format("{}: byte {}: ", name_, offset_); }

std::optional<std::uint64_t> InputBytes::bytes_left() const {
  if (!size_) return std::nullopt;
  return *size_ > offset_ ? *size_ - offset_ : 0;
}

std::string quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 40)) out += c >= ' ' && c < 0x7f ? c : '?';
  return out + (text.size() > 40 ? "...'" : "'");
}

}  // namespace riffle
