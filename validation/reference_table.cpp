#include "validation/reference_table.h"

#include "core/text/program_folder.h"

namespace riffle {

std::vector<std::string> reference_folders() { return shared_folders("reference", RIFFLE_SOURCE_REFERENCE); }

std::string find_reference(const std::string& file, const std::string& folder) {
  return find_shared(file, folder.empty() ? reference_folders() : std::vector<std::string>{folder}, "reference");
}

double interpolate(const std::vector<double>& x, const std::vector<double>& y, double where) {
  const bool rising = x.back() > x.front();
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    const double a = rising ? x[k] : x[k + 1], b = rising ? x[k + 1] : x[k];
    if (where < a || where > b || a == b) continue;
    return y[k] + (y[k + 1] - y[k]) * (where - x[k]) / (x[k + 1] - x[k]);
  }
  return (where < x.front()) == rising ? y.front() : y.back();
}

}  // namespace riffle
