/// Tables of motion, with the three sets of columns that they can have.

#include "sim/motion/motion_table_file.h"

#include <array>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "tests/fuzz/reader.h"

namespace riffle::fuzz {

namespace {

void read_with(const std::filesystem::path& file, std::span<const motion_table::Column> columns) {
  const auto table = motion_table::read(file, columns);
  const MotionTableView view = table->view();
  require(view.count >= 2, "a table of one row");
  for (int i = 0; i < view.count; ++i) {
    require(i == 0 || view.knots[i].time > view.knots[i - 1].time, "times that do not ascend");
    for (int k = 0; k < kTableValues; ++k)
      require(std::isfinite(view.knots[i].value[k]) && std::isfinite(view.knots[i].slope[k]),
              "a value that is not finite");
  }
  constexpr double kNone[kTableValues] = {};
  motion_table::find_jump({view.knots, static_cast<std::size_t>(view.count)}, kNone);
}

}  // namespace

void read_motion_table(std::string_view input) {
  const std::filesystem::path file = input_file(".table.csv", input);
  std::optional<InputError> refused;
  bool read = false;
  for (const auto& columns : {std::span<const motion_table::Column>(motion_table::kMotionColumns),
                              std::span<const motion_table::Column>(motion_table::kGravityColumns),
                              std::span<const motion_table::Column>(motion_table::kInflowColumns)})
    try {
      read_with(file, columns);
      read = true;
    } catch (const InputError& error) {
      if (!refused) refused = error;
    }
  if (!read) throw *refused;
}

}  // namespace riffle::fuzz
