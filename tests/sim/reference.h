#pragma once
/// Tables of tests/reference: comma-separated, one header line.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace riffle::test {

/// Numbers of two columns, row by row. @throws std::runtime_error when the file or a number is missing.
struct ReferenceColumn {
  std::vector<double> x, y;

  ReferenceColumn(const std::string& file, int x_column, int y_column) {
    const std::filesystem::path path = std::filesystem::path(RIFFLE_REFERENCE_DIR) / file;
    std::ifstream stream(path);
    if (!stream) throw std::runtime_error("no reference table " + path.string());
    std::string line;
    std::getline(stream, line);
    while (std::getline(stream, line)) {
      std::vector<std::string> fields;
      std::stringstream row(line);
      for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
      x.push_back(std::stod(fields.at(static_cast<std::size_t>(x_column))));
      y.push_back(std::stod(fields.at(static_cast<std::size_t>(y_column))));
    }
    if (x.empty()) throw std::runtime_error("empty reference table " + path.string());
  }

  /// Linear interpolation; x ascending or descending; the end values beyond the ends.
  double at(double where) const { return interpolate(x, y, where); }

  static double interpolate(const std::vector<double>& x, const std::vector<double>& y, double where) {
    const bool rising = x.back() > x.front();
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      const double a = rising ? x[k] : x[k + 1], b = rising ? x[k + 1] : x[k];
      if (where < a || where > b) continue;
      return y[k] + (y[k + 1] - y[k]) * (where - x[k]) / (x[k + 1] - x[k]);
    }
    return (where < x.front()) == rising ? y.front() : y.back();
  }
};

}  // namespace riffle::test
