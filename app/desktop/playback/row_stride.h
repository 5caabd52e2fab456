#pragma once
/// Which intervals of a table get a row, so that measuring takes a small share of the time: each, every second, every fourth ...
/// Rows stay at multiples of one simulated interval, however busy the machine is for a moment.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace riffle::desktop {

/// @param first, last [s] simulated: the times of the first and the last of so many rows @param interval [s] simulated
/// @return multiples of the interval that have no row
std::size_t intervals_without_row(double first, double last, std::size_t rows, double interval);

class RowStride {
 public:
  static constexpr double kShare = 0.02;        ///< of the time, for rows
  static constexpr std::size_t kLooksAt = 5;    ///< rows; less than half of them may be slow by chance
  static constexpr std::size_t kFirstLook = 3;  ///< rows after which it may change

  /// Intervals from one row to the next.
  std::uint64_t intervals() const { return all_ ? 1 : intervals_; }

  /// Every interval gets a row, whatever that takes.
  void measure_all(bool all) { all_ = all; }
  bool measures_all() const { return all_; }

  /// A row was measured.
  /// @param time [s] simulated @param interval [s] simulated: of the table
  /// @param row [s] that it took from the run (RunSeries::last_cost()) @param rest [s] on the wall per interval since the
  /// row before
  void note(double time, double interval, double row, double rest);

  /// A step begins at that time [s]: what changed later has been in force from here on.
  void go_on_from(double time);

  struct Change {
    double time;      ///< [s] simulated, of the last row before it
    double from, to;  ///< [s] simulated between rows
    friend bool operator==(const Change&, const Change&) = default;
  };
  const std::vector<Change>& changes() const { return changes_; }  ///< by time

  /// Begins with the changes of a run that goes on. Call it before the first note(). @param interval  as of note()
  void go_on_with(std::vector<Change> changes, double interval);

 private:
  std::uint64_t intervals_ = 1;
  bool all_ = false;
  double every_ = 0;          ///< [s] simulated between the last rows; 0: none was noted
  std::deque<double> costs_;  ///< of the last rows, as shares of the time per interval
  std::vector<Change> changes_;
};

}  // namespace riffle::desktop
