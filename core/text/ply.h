#pragma once
/// PLY, the Stanford format of scanned objects (Turk 1994): a header in text that lists elements and their properties,
/// and their values in text or binary.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/text/input_bytes.h"

namespace riffle {

enum class PlyEncoding { Text, LittleEndian, BigEndian };

enum class PlyType { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };
std::size_t size_of(PlyType type);  ///< [bytes]

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::Float32;  ///< of a list: of its items
  bool list = false;
  PlyType count_type = PlyType::UInt8;  ///< of a list's length, a whole type
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
  std::uint64_t line = 0;  ///< of the header

  bool has_lists() const;
  std::size_t row_bytes() const;  ///< binary, of a row in which all lists are empty
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::Text;
  std::vector<PlyElement> elements;
  std::vector<std::string> comments;  ///< without the word "comment"
};

/// Up to and with the line "end_header". @throws InputError
PlyHeader read_ply_header(InputBytes& in);

/// Where a row is, for messages.
struct PlyPlace {
  std::uint64_t row = 0;
  bool text = true;
  std::uint64_t at = 0;  ///< line, or in binary files byte

  std::string vertex() const;  ///< "vertex 17 (line 30)"
};

/// Numbers of some properties, row by row.
struct PlyRows {
  const PlyElement* element = nullptr;
  std::vector<std::size_t> properties;  ///< indices; none is a list
  /// Before the first row. Bytes from there to the end of the file; nothing in text and for a pipe.
  std::function<void(std::optional<std::uint64_t> bytes_left)> begin;
  std::function<void(std::span<const double> numbers, const PlyPlace& place)> row;
};

/// All elements behind the header, to the end of the file. @throws InputError
void read_ply_rows(InputBytes& in, const PlyHeader& header, const PlyRows& wanted);

}  // namespace riffle
