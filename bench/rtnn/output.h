#pragma once
/// What `riffle bench rtnn` prints and writes while it measures: a run that is killed leaves the rows it had.

#include "app/report/outputs.h"
#include "bench/rtnn/rtnn.h"

namespace riffle::bench {

class RtnnOutput {
 public:
  /// @throws as ReportOutputs::prepare()
  explicit RtnnOutput(ReportOutputs outputs);

  void begin(const BenchSession& session, const std::vector<RtnnCloud>& clouds);
  /// Prints the tables of the rows since the last call, which are of whole cases, and replaces the file of --csv by one with
  /// all rows. A file that cannot be written is warned of once, and an error at the end.
  void add(const RtnnReport& report);
  /// @throws as ReportOutputs::deliver()
  void end(const RtnnReport& report);

 private:
  void print(const std::string& text) const;

  ReportOutputs outputs_;
  std::size_t printed_ = 0;  ///< rows
  bool warned_ = false;
};

}  // namespace riffle::bench
