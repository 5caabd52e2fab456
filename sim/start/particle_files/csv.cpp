/// Particles in CSV files: a line of the columns' names, then a line per particle. Lines that begin with # are comments.

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/input_bytes.h"
#include "core/text/read_number.h"
#include "sim/start/particle_files/particle_builder.h"

namespace riffle {

namespace {

constexpr std::size_t kMostColumns = 1000;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Calls take(k, text) for every column. @return their number
template <class Take>
std::size_t for_each_column(std::string_view line, const Take& take) {
  std::size_t k = 0;
  for (std::size_t at = 0;; ++k) {
    const std::size_t comma = line.find(',', at);
    take(k, trimmed(line.substr(at, comma == line.npos ? line.npos : comma - at)));
    if (comma == line.npos) return k + 1;
    at = comma + 1;
  }
}

}  // namespace

void read_particle_csv(InputBytes& in, ParticleBuilder& builder) {
  const auto next = [&] {
    auto line = in.line();
    while (line && (trimmed(*line).empty() || trimmed(*line).starts_with('#'))) {
      if (!trimmed(*line).empty()) builder.read_comment(trimmed(trimmed(*line).substr(1)));
      line = in.line();
    }
    return line;
  };
  const auto here = [&] { return fmt::format("{}:{}", in.name(), in.line_number()); };
  const auto first = next();
  if (!first) throw InputError(fmt::format("{}: found no line of columns; allowed: x,y,z and others", in.name()));
  std::vector<std::string> names;
  for_each_column(*first, [&](std::size_t k, std::string_view name) {
    if (k == kMostColumns)
      throw InputError(fmt::format("{}: found more than {} columns; allowed: at most as many", here(), kMostColumns));
    names.emplace_back(name);
  });
  builder.set_columns(names, here());
  std::vector<std::size_t> slot(names.size(), kNoColumn);
  for (std::size_t c = 0; c < kParticleColumns.size(); ++c)
    if (builder.columns()[c] != kNoColumn) slot[builder.columns()[c]] = c;
  ParticleNumbers particle{};
  while (const auto line = next()) {
    const std::size_t columns = for_each_column(*line, [&](std::size_t k, std::string_view text) {
      if (k >= names.size() || slot[k] == kNoColumn) return;
      const auto value = number_in(text);
      if (!value)
        throw InputError(fmt::format("{}: found {} for {}; allowed: a number", here(), quote(text), names[k]));
      particle[slot[k]] = *value;
    });
    if (columns != names.size())
      throw InputError(
          fmt::format("{}: found {} columns; allowed: {}, as the first line has", here(), columns, names.size()));
    builder.add(particle, here);
  }
}

}  // namespace riffle
