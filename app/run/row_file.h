#pragma once
/// A table that grows by rows while a run goes on.
///
/// The first rows are written beside the file and renamed, so that a run that is killed leaves the table of before or the one that
/// goes on. Later rows are appended. A row that does not fit on the disk leaves the rows before it, and a table that another
/// program has changed is not written any more.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/run/growing_file.h"

namespace riffle {

class RowFile {
 public:
  /// @param goes_on  [s] of the state that the run goes on from: rows of the file before it stay
  explicit RowFile(std::filesystem::path file, std::optional<double> goes_on = {})
      : file_(std::move(file)), goes_on_(goes_on) {}

  /// Before the first row of a run that goes on: warns of rows of the file that are lost. @throws InputError if it has other columns
  /// @param interval  [s] between rows
  void look(const std::string& header, double interval) const;

  /// Writes the table again with other columns: this header, the rows of before the state, and these.
  void begin(const std::string& header, std::string_view rows);
  bool begun() const { return table_.has_value(); }

  void append(std::string_view rows);         ///< behind begin()
  void cut_last() { table_->cut(last_at_); }  ///< the last row that was written goes with the next append()

 private:
  void write(std::string_view text);  ///< @throws RuntimeFailure with the file and the reason

  std::filesystem::path file_;
  std::optional<double> goes_on_;
  std::string earlier_;               ///< rows of before the state, once the table is begun
  std::optional<GrowingFile> table_;  ///< none: nothing is written yet
  std::uint64_t last_at_ = 0;         ///< [bytes] where the last row begins
};

}  // namespace riffle
