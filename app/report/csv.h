#pragma once
/// Fields of comma-separated files.

#include <filesystem>
#include <string>

namespace riffle {

/// The text; in quotes when it contains a comma, a quote or a line end.
std::string csv_field(const std::string& text);

/// The rows of a table that a run goes on with: those before that time [s], which is their first field; "" if the file is
/// missing or empty. header: a line with its end. @throws InputError if the file has other columns; it names them. A unit kT
/// in the file is eps
std::string rows_before(const std::filesystem::path& file, const std::string& header, double time);

}  // namespace riffle
