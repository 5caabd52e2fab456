/// LAMMPS's data files: a title, lines of the header, and sections. Of these, Atoms and Velocities are read; coefficients
/// and masses are those of the scene.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/text/input_bytes.h"
#include "sim/start/particle_files/lammps_text.h"

namespace riffle {

namespace {

/// The columns of a line of Atoms, counted from 0; three image flags may follow.
struct AtomStyle {
  std::string_view name;
  std::size_t type, x, columns;
};
constexpr AtomStyle kAtomStyles[] = {
    {"atomic", 1, 2, 5}, {"mdpd", 1, 3, 6},      {"charge", 1, 3, 6}, {"dpd", 1, 3, 6},    {"bond", 2, 3, 6},
    {"angle", 2, 3, 6},  {"molecular", 2, 3, 6}, {"full", 2, 4, 7},   {"sphere", 1, 4, 7}, {"edpd", 1, 4, 7},
};
constexpr std::size_t kImageFlags = 3;

/// What a header may count that scenes have no place for.
constexpr std::string_view kParts[] = {"bonds",      "angles", "dihedrals", "impropers",
                                       "ellipsoids", "lines",  "triangles", "bodies"};

class DataReader {
 public:
  DataReader(InputBytes& in, ParticleBuilder& builder) : in_(in), builder_(builder), particles_(in.name()) {}

  void read() {
    read_title();
    std::optional<std::string> section = read_header();
    while (section) {
      if (*section == "Atoms")
        section = read_atoms();
      else if (*section == "Velocities")
        section = read_velocities();
      else
        section = skip_section();
    }
    if (particles_.size() != stated_)
      throw InputError(fmt::format("{}: found {} particles in the section Atoms; allowed: {}, as the header says",
                                   in_.name(), particles_.size(), stated_));
    if (with_velocities_ && with_velocity_ != stated_)
      throw InputError(fmt::format("{}: found the velocities of {} particles; allowed: those of all {}", in_.name(),
                                   with_velocity_, stated_));
    particles_.hand_over(builder_, with_velocities_);
  }

 private:
  std::string here() const { return fmt::format("{}:{}", in_.name(), in_.line_number()); }

  /// "LAMMPS data file ..., units = lj"
  void read_title() {
    const auto line = in_.line();
    if (!line) throw InputError(in_.name() + ": found an empty file; allowed: a data file of LAMMPS");
    if (const std::size_t at = line->find("units = "); at != line->npos) {
      std::string_view units = line->substr(at + 8);
      check_lammps_units(units.substr(0, units.find_first_of(" ,\r")), here());
    }
  }

  /// The words of the next line that has some; its comment is in comment_. Nothing: the file ends.
  std::optional<std::vector<std::string_view>> next() {
    while (const auto line = in_.line()) {
      const std::size_t hash = std::min(line->find('#'), line->size());
      comment_ = hash < line->size() ? line->substr(hash + 1) : std::string_view{};
      const auto words = lammps_words(line->substr(0, hash));
      if (!words.empty()) return words;
      const std::size_t begin = std::min(comment_.find_first_not_of(' '), comment_.size());
      builder_.read_comment(comment_.substr(begin));
    }
    return std::nullopt;
  }

  static bool is_title(const std::vector<std::string_view>& words) {
    return std::isalpha(static_cast<unsigned char>(words[0][0])) != 0;
  }
  static std::string joined(const std::vector<std::string_view>& words, std::size_t from = 0) {
    std::string text;
    for (std::size_t k = from; k < words.size(); ++k) {
      if (!text.empty()) text += ' ';
      text += words[k];
    }
    return text;
  }

  /// @return the first section
  std::optional<std::string> read_header() {
    while (const auto words = next()) {
      if (is_title(*words)) return joined(*words);
      const std::string what = joined(*words, 1);
      if (what == "atoms") stated_ = lammps_whole((*words)[0], "atoms", 1, kLargestLammpsId, here());
      if (words->size() == 6 && (*words)[3] == "xy") refuse_tilt(*words);
      for (const std::string_view part : kParts)
        if (what == part && lammps_number((*words)[0], part, here()) != 0)
          throw InputError(
              fmt::format("{}: found {} {}; allowed: none, since particles of scenes are points of their "
                          "own",
                          here(), (*words)[0], part));
    }
    return std::nullopt;
  }

  void refuse_tilt(const std::vector<std::string_view>& words) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (lammps_number(words[k], words[k + 3], here()) != 0)
        throw InputError(fmt::format("{}: found a tilted box; allowed: boxes along the axes", here()));
  }

  /// @return the next section
  std::optional<std::string> skip_section() {
    while (const auto words = next())
      if (is_title(*words)) return joined(*words);
    return std::nullopt;
  }

  /// By the comment behind the section's name, or where there is none, that of lines of 5 or 8 columns.
  const AtomStyle& style_of(std::string_view name, std::size_t columns) const {
    std::string allowed;
    for (const AtomStyle& style : kAtomStyles) {
      if (style.name == name || (name.empty() && style.columns == 5 && (columns == 5 || columns == 5 + kImageFlags)))
        return style;
      allowed += (allowed.empty() ? "" : ", ") + std::string(style.name);
    }
    if (name.empty())
      throw InputError(
          fmt::format("{}: found {} columns and no style; allowed: 5 or 8, those of atomic, or a comment "
                      "such as 'Atoms # charge' with {}",
                      here(), columns, allowed));
    throw InputError(fmt::format("{}: found the atom style {}; allowed: {}", here(), quote(name), allowed));
  }

  std::optional<std::string> read_atoms() {
    const auto named = lammps_words(comment_);
    const std::string name(named.empty() ? std::string_view{} : named[0]);
    const AtomStyle* style = nullptr;
    while (const auto words = next()) {
      if (is_title(*words)) return joined(*words);
      if (style == nullptr) style = &style_of(name, words->size());
      if (words->size() != style->columns && words->size() != style->columns + kImageFlags)
        throw InputError(fmt::format("{}: found {} columns; allowed: {} or {}, those of {}", here(), words->size(),
                                     style->columns, style->columns + kImageFlags, style->name));
      LammpsParticles::Row row;
      row.id = lammps_whole((*words)[0], "id", 1, kLargestLammpsId, here());
      row.line = in_.line_number();
      row.numbers[kFluidColumn] = fluid_of_type((*words)[style->type], here());
      for (std::size_t a = 0; a < 3; ++a)
        row.numbers[a] = lammps_number((*words)[style->x + a], kParticleColumns[a], here());
      particles_.add(row);
    }
    return std::nullopt;
  }

  /// Of particles that the file has had before, as LAMMPS wants it too.
  std::optional<std::string> read_velocities() {
    with_velocities_ = true;
    auto& rows = particles_.sorted();
    std::vector<bool> has(rows.size());
    while (const auto words = next()) {
      if (is_title(*words)) return joined(*words);
      if (words->size() < 4)
        throw InputError(fmt::format("{}: found {} columns; allowed: id, vx, vy, vz", here(), words->size()));
      const std::uint64_t id = lammps_whole((*words)[0], "id", 1, kLargestLammpsId, here());
      const auto row =
          std::lower_bound(rows.begin(), rows.end(), id,
                           [](const LammpsParticles::Row& r, std::uint64_t wanted) { return r.id < wanted; });
      if (row == rows.end() || row->id != id || has[static_cast<std::size_t>(row - rows.begin())])
        throw InputError(
            fmt::format("{}: found a velocity of {}; allowed: one for each particle of the section Atoms, "
                        "which comes before",
                        here(), id));
      has[static_cast<std::size_t>(row - rows.begin())] = true;
      ++with_velocity_;
      for (std::size_t a = 0; a < 3; ++a)
        row->numbers[3 + a] = lammps_number((*words)[1 + a], kParticleColumns[3 + a], here());
    }
    return std::nullopt;
  }

  InputBytes& in_;
  ParticleBuilder& builder_;
  LammpsParticles particles_;
  std::string_view comment_;  ///< of the last line
  std::uint64_t stated_ = 0, with_velocity_ = 0;
  bool with_velocities_ = false;
};

}  // namespace

void read_particle_lammps_data(InputBytes& in, ParticleBuilder& builder) { DataReader(in, builder).read(); }

}  // namespace riffle
