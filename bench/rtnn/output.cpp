#include "bench/rtnn/output.h"

#include <cstdio>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"

namespace riffle::bench {

RtnnOutput::RtnnOutput(ReportOutputs outputs) : outputs_(std::move(outputs)) { outputs_.prepare(); }

void RtnnOutput::print(const std::string& text) const {
  if (outputs_.json == "-" || outputs_.csv == "-") return;
  std::fputs(printable(text).c_str(), stdout);
  std::fflush(stdout);
}

void RtnnOutput::begin(const BenchSession& session, const std::vector<RtnnCloud>& clouds) {
  print(rtnn_head_text(session, clouds));
}

void RtnnOutput::add(const RtnnReport& report) {
  print(rtnn_tables_text(std::span(report.rows).subspan(printed_)));
  printed_ = report.rows.size();
  std::error_code ignored;
  const auto kind = std::filesystem::status(outputs_.csv, ignored).type();
  if (outputs_.csv.empty() || outputs_.csv == "-") return;
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found) return;  // a pipe
  try {
    write_text(outputs_.csv, rtnn_csv(report));
  } catch (const RuntimeFailure& failure) {
    if (!std::exchange(warned_, true)) log::warn("{}", failure.what());
  }
}

void RtnnOutput::end(const RtnnReport& report) {
  outputs_.deliver(rtnn_end_text(report), to_json(report), rtnn_csv(report));
}

}  // namespace riffle::bench
