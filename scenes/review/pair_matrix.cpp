#include "scenes/review/pair_matrix.h"

#include <fmt/format.h>

#include "core/text/number_text.h"

namespace riffle::scenes {

bool fill_matrix(const SceneDraft::Matrix& from, const std::vector<FluidSetup>& fluids, const std::string& key,
                 Findings& out, PairMatrix& to) {
  const std::size_t n = fluids.size();
  if (from.rows.empty()) {
    to.fill(from.all);
    return true;
  }
  if (from.rows.size() != n) {
    const bool fewer = from.rows.size() < n;
    out.refuse(key, fmt::format("found {} for {}{}; allowed: a row for every fluid, or one number for all",
                                counted(static_cast<std::int64_t>(from.rows.size()), "row"),
                                counted(static_cast<std::int64_t>(n), "fluid"),
                                fewer ? ": '" + fluids[from.rows.size()].name + "' has no coefficients" : ""));
    return false;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const auto& row = from.rows[k];
    if (row.size() != n) {
      out.refuse(key, fmt::format("found {} in the row of '{}'{}; allowed: one for every fluid, which is {}",
                                  counted(static_cast<std::int64_t>(row.size()), "number"), fluids[k].name,
                                  row.size() < n ? ", none against '" + fluids[row.size()].name + "'" : "", n));
      return false;
    }
    for (std::size_t l = 0; l < n; ++l) to.value[k][l] = row[l];
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t l = 0; l < k; ++l)
      if (to.value[k][l] != to.value[l][k]) {
        out.refuse(key, fmt::format("found {:g} for '{}' against '{}' and {:g} the other way round; allowed: the same "
                                    "number, or forces would not cancel and momentum would drift",
                                    to.value[k][l], fluids[k].name, fluids[l].name, to.value[l][k]));
        return false;
      }
  return true;
}

}  // namespace riffle::scenes
