#pragma once
/// Numbers as people read them.

#include <cstdint>
#include <string>

namespace riffle {

std::string bytes_text(double bytes);  ///< "3.2 GiB"

std::string grouped(std::int64_t number);  ///< "1,048,576"

/// "1 row", "2 rows"
std::string counted(std::int64_t number, const std::string& singular);

/// Without the unit, rounded to `figures` significant digits. It keeps all digits before the point and prints at most
/// `figures` after it: "0.046", "12.3", "2,192" with 3.
std::string milliseconds_text(double ms, int figures);

}  // namespace riffle
