#pragma once
/// Point clouds from files: PLY (text, binary of either byte order), XYZ as text (.xyz, .txt, .csv, .pts) and XYZ as
/// raw float triples (.xyzb, little-endian). The ending of the name decides: a raw file may look like text.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/math/vec.h"

namespace riffle::bench {

enum class PointFormat { Ply, Text, Raw };

/// Format by the name's ending. @throws InputError for any other ending
PointFormat point_format(const std::filesystem::path& file);

/// Treatment of points with coordinates that are NaN, infinite or too large for single precision.
enum class BadPoints {
  Refuse,
  Drop,  ///< they are left out and counted
};

struct PointFile {
  std::vector<Vec4> points;  ///< in the file's order, less the origin; w is 0
  /// Subtracted from every point, whole numbers: coordinates far from zero, as on maps, would lose in single precision
  /// what separates neighbours. 0 if the cloud, a few outliers apart, is not far away for its size.
  double origin[3] = {0, 0, 0};
  std::int64_t dropped = 0;
  std::string first_dropped;  ///< "vertex 17 (line 30): found nan 0 0"
};

/// PLY: the element `vertex` and its x, y, z of any scalar type; all else is passed over, but must be there.
/// Text: a line is "x y z", separated by blanks, commas or semicolons, further columns ignored; '#' begins a comment; a
/// first line of one whole number is the number of points. A line that is also a point with decimal commas is refused.
/// Memory follows what a file holds, never what it says it holds.
/// @throws InputError with the file, the line or byte, what was found and what is allowed
PointFile read_points(const std::filesystem::path& file, BadPoints bad = BadPoints::Refuse);

}  // namespace riffle::bench
