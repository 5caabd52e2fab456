#include "app/run/disk_need.h"

#include <fmt/format.h>

#include <cmath>

#include "core/text/log.h"
#include "core/text/number_text.h"

namespace riffle {

namespace fs = std::filesystem;

void say_disk_need(const std::string& what, std::uint64_t each, double count, const fs::path& folder) {
  const std::string size = fmt::format("{}: about {} each", what, bytes_text(static_cast<double>(each)));
  std::error_code error;
  const fs::space_info disk = fs::space(folder.empty() ? "." : folder, error);
  const std::string free = error ? "" : fmt::format(", {} are free", bytes_text(static_cast<double>(disk.available)));
  if (!std::isfinite(count)) return log::info("{}{}", size, free);
  const double needed = count * static_cast<double>(each);
  const std::string text =
      fmt::format("{}; all {:.0f} need about {} on the disk{}", size, count, bytes_text(needed), free);
  if (!error && needed - static_cast<double>(each) > static_cast<double>(disk.available))
    log::warn("{}", text);
  else
    log::info("{}", text);
}

}  // namespace riffle
