#pragma once
/// A file read once from front to back, by lines or by bytes, with the position for messages.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace riffle {

class InputBytes {
 public:
  /// @throws InputError with the reason why it cannot be read
  explicit InputBytes(const std::filesystem::path& file);
  ~InputBytes();
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;

  /// The next n bytes, valid until the next call; nullptr when there are fewer, and nothing is taken.
  const char* take(std::size_t n);

  /// Skips at most n bytes. @return how many there were
  std::uint64_t skip(std::uint64_t n);

  /// Without its end, "\n" or "\r\n"; valid until the next call. @throws InputError for one longer than kLongestLine
  std::optional<std::string_view> line();
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;

  const std::string& name() const { return name_; }
  std::uint64_t offset() const { return offset_; }            ///< [bytes] taken so far
  std::uint64_t line_number() const { return line_number_; }  ///< of the last line, from 1 on
  std::string at_line() const;                                ///< "cloud.ply:12: "
  std::string at_byte() const;                                ///< "cloud.ply: byte 1234: "

  /// [bytes] from here to the end; unknown for a pipe.
  std::optional<std::uint64_t> bytes_left() const;

 private:
  bool refill();  ///< reads more behind the bytes held; false at the end
  void advance(std::size_t n);

  std::string name_;
  int descriptor_ = -1;
  std::optional<std::uint64_t> size_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< of `buffer_`: read and not taken yet
  bool ended_ = false;
  std::uint64_t offset_ = 0, line_number_ = 0;
};

/// A text of a file for messages: short, printable, in quotes.
std::string quote(std::string_view text);

}  // namespace riffle
