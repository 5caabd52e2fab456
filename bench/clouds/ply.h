#pragma once
/// PLY, the Stanford format of scanned objects (Turk 1994): a header in text that lists elements and their properties,
/// and their values in text or binary. Private to clouds/.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/clouds/input_bytes.h"
#include "bench/clouds/point_sink.h"

namespace riffle::bench {

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
};

/// Up to and with the line "end_header". @throws InputError
PlyHeader read_ply_header(InputBytes& in);

/// Header and all elements; the points of `vertex`. @throws InputError
void read_ply(InputBytes& in, PointSink& sink);

}  // namespace riffle::bench
