#pragma once
/// Fields of comma-separated files.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace riffle {

/// The text; in quotes when it contains a comma, a quote or a line end.
std::string csv_field(const std::string& text);

/// The rows of a table that a run goes on with.
struct RowsBefore {
  std::string rows;               ///< with their ends; "" if the file is missing or empty
  std::optional<double> last;     ///< [s] time of the last one
  std::size_t damaged = 0;        ///< lines before it, or at the end of the file, that are no rows; not in `rows`
  std::size_t first_damaged = 0;  ///< line of the file, from 1
};

/// Those before that time [s], which is their first field. A part of a line at the end is what a run that was killed has left,
/// and is not damaged. Lines that begin with # stay.
/// header: a line with its end. @throws InputError if the file has other columns; it names them. A unit kT in the file is eps
RowsBefore rows_before(const std::filesystem::path& file, const std::string& header, double time);

}  // namespace riffle
