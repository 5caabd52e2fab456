#include "sim/start/particle_files/lammps_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/input_bytes.h"
#include "core/text/read_number.h"
#include "sim/setup.h"

namespace riffle {

std::vector<std::string_view> lammps_words(std::string_view line) {
  constexpr std::string_view kSpaces = " \t\r\f\v";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kSpaces); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(kSpaces, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kSpaces, end);
  }
  return words;
}

double lammps_number(std::string_view text, std::string_view what, const std::string& where) {
  if (const auto value = number_in(text)) return *value;
  throw InputError(fmt::format("{}: found {} for {}; allowed: a number", where, quote(text), what));
}

std::uint64_t lammps_whole(std::string_view text, std::string_view what, std::uint64_t least, std::uint64_t most,
                           const std::string& where) {
  const auto value = whole_number_in(text);
  if (value && *value >= least && *value <= most) return *value;
  throw InputError(
      fmt::format("{}: found {} for {}; allowed: a whole number from {} to {}", where, quote(text), what, least, most));
}

void check_lammps_units(std::string_view units, const std::string& where) {
  if (units == "lj" || units == "si") return;
  throw InputError(
      fmt::format("{}: found the units {}; allowed: lj, which are those of dpd, and si", where, quote(units)));
}

double fluid_of_type(std::string_view text, const std::string& where) {
  return static_cast<double>(lammps_whole(text, "type", 1, kMaxFluids, where) - 1);
}

std::vector<LammpsParticles::Row>& LammpsParticles::sorted() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
  const auto twice =
      std::adjacent_find(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.id == b.id; });
  if (twice != rows_.end())
    throw InputError(fmt::format("{}:{}: found the id {} a second time; allowed: each id once", file_,
                                 (twice + 1)->line, twice->id));
  return rows_;
}

void LammpsParticles::hand_over(ParticleBuilder& builder, bool with_velocities) {
  std::vector<std::string> columns = {"x", "y", "z", "fluid"};
  if (with_velocities) columns.insert(columns.end(), {"vx", "vy", "vz"});
  builder.set_columns(columns, file_);
  builder.expect(rows_.size(), rows_.size());
  for (const Row& row : sorted()) builder.add(row.numbers, [&] { return fmt::format("{}:{}", file_, row.line); });
}

}  // namespace riffle
