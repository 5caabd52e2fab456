#pragma once
/// The part of HDF5 that state files and files of particles need: groups, whole arrays of numbers, texts, and notes at both.
/// HDF5 is no more visible than its numbers for what is open.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/state/file_memory.h"

namespace riffle::hdf5 {

enum class Type { Byte, Int32, Uint32, Uint64, Float, Double };

template <class T>
constexpr Type type_of();
template <>
constexpr Type type_of<std::uint8_t>() {
  return Type::Byte;
}
template <>
constexpr Type type_of<std::int32_t>() {
  return Type::Int32;
}
template <>
constexpr Type type_of<std::uint32_t>() {
  return Type::Uint32;
}
template <>
constexpr Type type_of<std::uint64_t>() {
  return Type::Uint64;
}
template <>
constexpr Type type_of<float>() {
  return Type::Float;
}
template <>
constexpr Type type_of<double>() {
  return Type::Double;
}

using Shape = std::vector<std::uint64_t>;  ///< elements along each axis; empty: one number

/// The bytes of a file. The memory is larger.
struct Image {
  FileMemory memory;
  std::size_t size = 0;

  char* bytes() const { return memory.bytes(); }
};

/// Makes a file in memory: HDF5 1.10 crashes at the program's end after a disk was full. Or writes one on the disk, which
/// then must have room for all that is written.
class Writer {
 public:
  enum class Begin { New, GoOn };

  /// A file on the disk, of which the bytes that are there stay as they are until close() (hdf5_staged.h). Messages are the
  /// reason alone. @param kept [bytes] of a file that goes on
  Writer(const std::filesystem::path& file, Begin begin, std::uint64_t kept = 0);

  /// @param user_block [bytes] at the file's begin that HDF5 leaves alone: 0, or a power of two from 512 on
  /// @param shown  the name in messages  @throws RuntimeFailure, as all functions
  Writer(std::string shown, std::uint64_t user_block);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void make_group(const std::string& name);  ///< "scene/files"; the groups above it exist

  template <class T>
  void write(const std::string& name, const std::vector<T>& values, const Shape& shape) {
    write(name, type_of<T>(), values.data(), shape);
  }
  /// The same in compressed pieces (shuffle and deflate).
  template <class T>
  void write_packed(const std::string& name, const std::vector<T>& values, const Shape& shape) {
    write(name, type_of<T>(), values.data(), shape, true);
  }
  /// Only makes room for an array, of a file in memory: whoever has the image writes the numbers there, as they lie in memory.
  /// They are 0 until then. @return where they begin in the image [bytes]; 0: there are none
  std::uint64_t place(const std::string& name, Type type, const Shape& shape);
  void write_text(const std::string& name, const std::string& text);
  void write_bytes(const std::string& name, const std::string& bytes);

  /// A text, or a number, as an HDF5 attribute of a group or an array; "/" is the file.
  void note(const std::string& object, const std::string& name, const std::string& text);
  template <class T>
  void note(const std::string& object, const std::string& name, T number) {
    note(object, name, type_of<T>(), &number);
  }

  void remove(const std::string& name);  ///< a group with what is in it

  Image finish();  ///< the whole file, of one in memory
  void close();    ///< of one on the disk

 private:
  void write(const std::string& name, Type type, const void* values, const Shape& shape, bool packed = false);
  void note(const std::string& object, const std::string& name, Type type, const void* number);
  [[noreturn]] void fail(int reason) const;

  std::string shown_;
  std::uint64_t user_block_;
  Image image_;
  std::int64_t file_ = -1;
};

/// A file that may be damaged. No array is read, and no memory taken for it, unless the file has all of its bytes. What is read in
/// all has no more bytes than the file: several names may lead to one array.
class Reader {
 public:
  /// @param bytes of the file  @param shown  the name in messages  @throws InputError, as all functions
  Reader(const std::filesystem::path& file, std::string shown, std::uint64_t bytes);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::vector<std::string> names(const std::string& group) const;  ///< of what is in it
  bool has(const std::string& name) const;
  Shape shape(const std::string& array) const;

  template <class T>
  bool holds(const std::string& array) const {
    return holds(array, type_of<T>());
  }
  template <class T>
  std::vector<T> read(const std::string& array) const {
    const std::uint64_t count = elements(array, type_of<T>());
    take(array, count * sizeof(T));
    std::vector<T> values(count);
    read(array, type_of<T>(), values.data(), values.size());
    return values;
  }
  /// Of an array that read() would read: so many numbers.
  template <class T>
  std::uint64_t elements(const std::string& array) const {
    return elements(array, type_of<T>());
  }
  /// The same as read() in pieces of whole rows, so that no second copy of an array is in memory. Calls each(first row, its numbers).
  template <class T, class Each>
  void read_in_pieces(const std::string& array, const Each& each) const {
    constexpr std::uint64_t kNumbers = std::uint64_t{1} << 16;
    const std::uint64_t all = elements(array, type_of<T>()), rows = all == 0 ? 0 : shape(array).at(0);
    if (rows == 0) return;
    take(array, all * sizeof(T));
    const std::uint64_t width = all / rows, most = kNumbers / width + 1;
    std::vector<T> piece(std::min(rows, most) * width);
    for (std::uint64_t first = 0; first < rows; first += most) {
      const std::uint64_t count = std::min(most, rows - first);
      read_rows(array, type_of<T>(), piece.data(), first, count);
      each(first, std::span<const T>(piece.data(), count * width));
    }
  }
  std::string read_text(const std::string& name) const;
  std::string read_bytes(const std::string& name) const;

  bool has_note(const std::string& object, const std::string& name) const;
  std::string text_note(const std::string& object, const std::string& name) const;
  template <class T>
  T note(const std::string& object, const std::string& name) const {
    T number{};
    note(object, name, type_of<T>(), &number);
    return number;
  }

 private:
  bool holds(const std::string& array, Type type) const;
  std::uint64_t elements(const std::string& array, Type type) const;
  void read(const std::string& array, Type type, void* values, std::uint64_t count) const;
  void read_rows(const std::string& array, Type type, void* values, std::uint64_t first, std::uint64_t count) const;
  void note(const std::string& object, const std::string& name, Type type, void* number) const;
  std::int64_t open_array(const std::string& name) const;
  void take(const std::string& name, std::uint64_t bytes) const;
  bool is_there(const std::string& level) const;
  void require_own(const std::string& name) const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::string shown_;
  std::uint64_t bytes_;
  mutable std::uint64_t taken_ = 0;  ///< [bytes] read so far
  std::int64_t file_ = -1;
};

}  // namespace riffle::hdf5
