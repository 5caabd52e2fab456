#pragma once
/// Tables of reference figures: comma-separated, lines beginning with '#' say what they are, then one line of names,
/// then the rows. No quotes.

#include <string>
#include <vector>

namespace riffle {

/// Where tables are looked for: the installed share/riffle/reference, then tests/reference of the source tree.
std::vector<std::string> reference_folders();

/// @param folder  the only one to look in; "": reference_folders()
/// @return the table's path. @throws Unavailable when there is none, with the folders
std::string find_reference(const std::string& file, const std::string& folder = "");

class ReferenceTable {
 public:
  /// @throws InputError with file and line for a row that has not as many fields as names, or no row at all
  explicit ReferenceTable(const std::string& path);

  std::size_t rows() const { return cells_.size(); }

  /// A column by its name. @throws InputError with file, line and text for what is no number, and for an unknown name
  std::vector<double> numbers(const std::string& column) const;
  std::vector<std::string> texts(const std::string& column) const;

  /// The rows whose text in that column is this one. @throws InputError when there is none
  ReferenceTable where(const std::string& column, const std::string& text) const;

 private:
  std::size_t index_of(const std::string& column) const;

  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<int> lines_;  ///< (rows) in the file, from 1
};

/// Linear; x ascending or descending; the end values beyond the ends. x and y equally long, not empty.
double interpolate(const std::vector<double>& x, const std::vector<double>& y, double where);

}  // namespace riffle
