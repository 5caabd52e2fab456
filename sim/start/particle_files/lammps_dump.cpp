/// LAMMPS's text dumps (dump styles atom and custom): the last whole frame of a file.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

#include "core/error.h"
#include "core/text/input_bytes.h"
#include "sim/start/particle_files/lammps_text.h"

namespace riffle {

namespace {

constexpr std::size_t kAbsent = ~std::size_t{0};

/// What stands before the particles of a frame.
struct DumpFrame {
  std::uint64_t count = 0;
  bool has_count = false;
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
  bool has_box = false;
  std::string time;                    ///< "": the frame does not say it
  std::vector<std::string> columns;    ///< of its particles
  std::uint64_t offset = 0, line = 0;  ///< [bytes], [lines] before the first particle
};

/// Reads headers and goes over the particles.
class DumpScan {
 public:
  explicit DumpScan(InputBytes& in) : in_(in) {}

  DumpFrame last_whole_frame() {
    std::optional<DumpFrame> whole, before;
    DumpFrame frame;
    bool in_header = false;
    while (const auto line = in_.line()) {
      if (!line->starts_with("ITEM: ")) {
        in_header = true;
        if (at_end()) break;
        refuse(*line, "a line that begins with 'ITEM: '");
      }
      in_header = true;
      const std::string item(line->substr(6));
      if (!item.starts_with("ATOMS")) {
        if (!read_item(frame, item)) break;
        continue;
      }
      begin_particles(frame, item);
      if (!skip(frame.count)) break;
      before = std::move(whole);
      whole = std::move(frame);
      frame = {};
      in_header = false;
    }
    // A program that was killed leaves a frame that is cut off, perhaps within its last number.
    if (!in_header && !ends_with_a_line()) whole = std::move(before);
    if (!whole)
      throw InputError(
          fmt::format("{}: found no whole frame; allowed: a text dump of LAMMPS of styles atom or custom", in_.name()));
    return *whole;
  }

 private:
  std::string here() const { return fmt::format("{}:{}", in_.name(), in_.line_number()); }
  [[noreturn]] void refuse(std::string_view found, const char* allowed) const {
    throw InputError(fmt::format("{}: found {}; allowed: {}", here(), quote(found), allowed));
  }

  bool at_end() const { return in_.bytes_left() == std::uint64_t{0}; }

  /// @return false where the file ends: the frame is cut off
  bool read_item(DumpFrame& frame, const std::string& item) {
    if (item.starts_with("BOX BOUNDS")) return read_box(frame, item.substr(10));
    const auto value = in_.line();
    if (!value || at_end()) return false;
    if (item == "UNITS") {
      check_lammps_units(*value, here());
    } else if (item == "TIME") {
      frame.time = *value;
    } else if (item == "NUMBER OF ATOMS") {
      frame.count = lammps_whole(*value, "the number of atoms", 0, kLargestLammpsId, here());
      frame.has_count = true;
    } else if (item != "TIMESTEP") {
      refuse("ITEM: " + item, "UNITS, TIME, TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS, ATOMS");
    }
    return true;
  }

  bool read_box(DumpFrame& frame, const std::string& faces) {
    if (at_end()) return false;
    const auto words = lammps_words(faces);
    if (words.size() > 3 || (!words.empty() && (words[0] == "xy" || words[0] == "abc")))
      refuse(faces, "boxes along the axes");
    for (std::size_t a = 0; a < 3; ++a) {
      const auto line = in_.line();
      if (!line || at_end()) return false;
      const auto bounds = lammps_words(*line);
      if (bounds.size() != 2) refuse(*line, "the lower and the upper bound of the box");
      frame.low[a] = lammps_number(bounds[0], "a bound", here());
      frame.high[a] = lammps_number(bounds[1], "a bound", here());
      if (!(std::isfinite(frame.low[a]) && std::isfinite(frame.high[a]) && frame.high[a] >= frame.low[a]))
        refuse(*line, "finite bounds, the lower one first");
      frame.periodic[a] = a < words.size() && words[a] == "pp" && frame.high[a] > frame.low[a];
    }
    frame.has_box = true;
    return true;
  }

  void begin_particles(DumpFrame& frame, const std::string& item) {
    if (!frame.has_count || !frame.has_box)
      refuse("ITEM: " + item, "NUMBER OF ATOMS and BOX BOUNDS before the particles");
    const auto words = lammps_words(std::string_view(item).substr(5));
    frame.columns.assign(words.begin(), words.end());
    frame.offset = in_.offset();
    frame.line = in_.line_number();
  }

  /// @return false where the file ends before
  bool skip(std::uint64_t lines) {
    for (std::uint64_t k = 0; k < lines; ++k)
      if (!in_.line()) return false;
    return true;
  }

  bool ends_with_a_line() const {
    std::ifstream file(in_.name(), std::ios::binary | std::ios::ate);
    char last = 0;
    return file.seekg(-1, std::ios::end) && file.get(last) && last == '\n';
  }

  InputBytes& in_;
};

/// Where the numbers of a particle stand in its line.
struct DumpColumns {
  std::size_t id = kAbsent, type = kAbsent, place[3] = {kAbsent, kAbsent, kAbsent};
  std::size_t velocity[3] = {kAbsent, kAbsent, kAbsent};
  bool scaled = false;

  bool has_velocity() const { return velocity[0] != kAbsent && velocity[1] != kAbsent && velocity[2] != kAbsent; }
};

DumpColumns columns_of(const DumpFrame& frame, const std::string& where) {
  const auto index = [&](std::string_view name) {
    const auto at = std::find(frame.columns.begin(), frame.columns.end(), name);
    return at == frame.columns.end() ? kAbsent : static_cast<std::size_t>(at - frame.columns.begin());
  };
  DumpColumns columns;
  columns.id = index("id");
  columns.type = index("type");
  for (std::size_t a = 0; a < 3; ++a) columns.velocity[a] = index(std::string("v") + std::string(kParticleColumns[a]));
  for (const char* ending : {"", "u", "s", "su"}) {  // in the box, unwrapped, and both as shares of the box
    for (std::size_t a = 0; a < 3; ++a) columns.place[a] = index(std::string(kParticleColumns[a]) + ending);
    columns.scaled = ending[0] == 's';
    if (columns.place[0] != kAbsent && columns.place[1] != kAbsent && columns.place[2] != kAbsent) break;
  }
  if (columns.id == kAbsent || columns.type == kAbsent || columns.place[2] == kAbsent || columns.place[1] == kAbsent ||
      columns.place[0] == kAbsent) {
    std::string found;
    for (const std::string& name : frame.columns) found += (found.empty() ? "" : ", ") + quote(name);
    throw InputError(
        fmt::format("{}: found the columns {}; allowed: id, type, and x, y, z or xu, yu, zu or xs, ys, zs "
                    "or xsu, ysu, zsu, with vx, vy, vz where the file has them",
                    where, found.empty() ? "of no name" : found));
  }
  return columns;
}

}  // namespace

void read_particle_lammps_dump(InputBytes& in, ParticleBuilder& builder) {
  const DumpFrame frame = DumpScan(in).last_whole_frame();
  const DumpColumns columns = columns_of(frame, fmt::format("{}:{}", in.name(), frame.line));
  builder.set_time(frame.time);
  InputBytes again(in.name());
  again.skip(frame.offset);
  LammpsParticles particles(in.name());
  for (std::uint64_t k = 1; k <= frame.count; ++k) {
    const auto line = again.line();
    const auto where = [&] { return fmt::format("{}:{}", in.name(), frame.line + k); };
    const auto words = lammps_words(line ? *line : std::string_view{});
    if (words.size() != frame.columns.size())
      throw InputError(fmt::format("{}: found {} columns; allowed: {}, as the frame says", where(), words.size(),
                                   frame.columns.size()));
    LammpsParticles::Row row;
    row.id = lammps_whole(words[columns.id], "id", 1, kLargestLammpsId, where());
    row.line = frame.line + k;
    row.numbers[kFluidColumn] = fluid_of_type(words[columns.type], where());
    for (std::size_t a = 0; a < 3; ++a) {
      double x = lammps_number(words[columns.place[a]], kParticleColumns[a], where());
      const double extent = frame.high[a] - frame.low[a];
      if (columns.scaled) x = frame.low[a] + x * extent;
      // LAMMPS puts particles back into the box only when it builds its lists.
      if (frame.periodic[a] && (x < frame.low[a] || x > frame.high[a]))
        x -= extent * std::floor((x - frame.low[a]) / extent);
      row.numbers[a] = x;
      if (columns.has_velocity())
        row.numbers[3 + a] = lammps_number(words[columns.velocity[a]], kParticleColumns[3 + a], where());
    }
    particles.add(row);
  }
  particles.hand_over(builder, columns.has_velocity());
}

}  // namespace riffle
