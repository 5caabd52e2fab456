#include "app/run/row_file.h"

#include <fmt/format.h>

#include "app/report/csv.h"
#include "core/error.h"
#include "core/text/log.h"

namespace riffle {

void RowFile::look(const std::string& header, double interval) const {
  if (!goes_on_) return;
  const RowsBefore before = rows_before(file_, header, *goes_on_);
  if (before.damaged > 0)
    log::warn("{}: {} no rows of this table and will be left out: the first is line {}", file_.string(),
              before.damaged == 1 ? "1 line is" : fmt::format("{} lines are", before.damaged), before.first_damaged);
  if (!before.last) return;
  if (*before.last < *goes_on_ - 1.5 * interval)
    log::warn(
        "{}: the last row before the state is of t = {:g}, and the run goes on at {:g}: the rows between them are "
        "missing",
        file_.string(), *before.last, *goes_on_);
}

void RowFile::begin(const std::string& header, std::string_view rows) {
  if (goes_on_) earlier_ = rows_before(file_, header, *goes_on_).rows;
  table_.emplace(file_);
  write(header + earlier_ + std::string(rows));
  goes_on_.reset();
}

void RowFile::append(std::string_view rows) {
  if (!rows.empty()) write(rows);
}

void RowFile::write(std::string_view text) {
  try {
    table_->begin();
    table_->append(text);
    table_->commit();
    last_at_ = table_->end() - text.size() + text.rfind('\n', text.size() - 2) + 1;
  } catch (const RuntimeFailure& failure) {
    table_->undo();
    throw RuntimeFailure(fmt::format("{}: cannot be written: {}", file_.string(), failure.what()));
  }
}

}  // namespace riffle
