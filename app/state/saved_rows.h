#pragma once
/// The rows of the diagnostics of a run, as a state file keeps them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace riffle {

struct SavedRows {
  struct Column {
    std::string name, unit;  ///< "kinetic_energy", "J"; the unit "" for none
    bool is_mean = false;    ///< its numbers are means since the row before
    friend bool operator==(const Column&, const Column&) = default;
  };
  /// Of a parameter with which the run went on.
  struct Change {
    double time = 0, until = 0;  ///< [s] simulated: of the change; of a slider's last movement
    std::string key, from, to;
    friend bool operator==(const Change&, const Change&) = default;
  };

  double every = 0;                        ///< [s] simulated, at whose multiples rows are due
  std::vector<Column> columns;             ///< the first is the time [s]
  std::vector<double> values;              ///< (rows, columns), rows by time; NaN: the row has no such number
  std::vector<std::uint64_t> multiples{};  ///< (rows) of `every`, at which each row was due
  std::vector<std::uint64_t> strides{};    ///< (rows) of `every`, after the row before at the least
  std::vector<Change> changes{};           ///< by time

  /// What a state file has of them at most; where they are more, every second row is left out until they are not.
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;

  std::size_t rows() const { return multiples.size(); }
  bool empty() const { return multiples.empty(); }
  static std::size_t row_bytes(std::size_t columns) { return sizeof(double) * (columns + 2); }
  /// [bytes] in a state file, rounded up by a little.
  std::size_t bytes() const;
};

}  // namespace riffle
