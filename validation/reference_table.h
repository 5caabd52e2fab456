#pragma once
/// Tables of reference figures: comma-separated, lines beginning with '#' say what they are, then one line of names,
/// then the rows. No quotes.

#include <string>
#include <vector>

namespace riffle {

/// The folders that are searched for tables: the installed share/riffle/reference, then tests/reference of the sources.
std::vector<std::string> reference_folders();

/// @param folder  the only folder to search; "": reference_folders()
/// @return the table's path. @throws Unavailable when there is none, with the folders
std::string find_reference(const std::string& file, const std::string& folder = "");

class ReferenceTable {
 public:
  /// @throws InputError with file and line when a row has more or fewer fields than names, or there is no row
  explicit ReferenceTable(const std::string& path);

  std::size_t rows() const { return cells_.size(); }

  /// A column by its name. @throws InputError with file, line and text of a field that is not a number; for unknown
  /// names
  std::vector<double> numbers(const std::string& column) const;
  std::vector<std::string> texts(const std::string& column) const;

  /// The rows with this text in that column. @throws InputError when there is none
  ReferenceTable where(const std::string& column, const std::string& text) const;

 private:
  std::size_t index_of(const std::string& column) const;

  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<int> lines_;  ///< (rows) line in the file, from 1
};

/// Linear interpolation. Beyond the ends it gives the end values. x and y are equally long and not empty; x ascends or
/// descends.
double interpolate(const std::vector<double>& x, const std::vector<double>& y, double where);

}  // namespace riffle
