#pragma once
/// Tables of Markdown with a column for each search and for each figure of a paper, and a line for each size.

#include <string>
#include <vector>

#include "bench/rows.h"

namespace riffle::bench {

/// A table for each scenario, table and input among the rows, in their order.
std::string columns_tables(const std::vector<const BenchRow*>& rows);

}  // namespace riffle::bench
