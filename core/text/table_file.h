#pragma once
/// Tables in files: comma-separated, lines beginning with '#' say what they are, then one line of names, then the rows.
/// A field may stand in double quotes, which it must if it has a comma; a double quote in it is written twice.

#include <string>
#include <vector>

namespace riffle {

class TableFile {
 public:
  /// @throws Unavailable when the file cannot be read; InputError with file and line when a row has more or fewer fields
  ///         than names, or quotes that do not end, or there is no row
  explicit TableFile(const std::string& path);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return cells_.size(); }

  /// A column by its name. @throws InputError with file, line and text of a field that is not a number; for unknown
  /// names
  std::vector<double> numbers(const std::string& column) const;
  std::vector<std::string> texts(const std::string& column) const;

  /// A column of "yes" and "no". @throws InputError likewise
  std::vector<bool> flags(const std::string& column) const;

  /// The rows with this text in that column. @throws InputError when there is none
  TableFile where(const std::string& column, const std::string& text) const;

 private:
  std::size_t index_of(const std::string& column) const;

  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<int> lines_;  ///< (rows) line in the file, from 1
};

}  // namespace riffle
