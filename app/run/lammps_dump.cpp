/// LAMMPS's text dump (dump style custom, with dump_modify units yes time yes): every frame is a header of ITEM lines and
/// a line of numbers for each particle.

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "app/run/growing_file.h"
#include "app/run/trajectory_formats.h"
#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

/// LAMMPS's words for the faces across an axis: periodic, or not periodic and fixed.
const char* boundary_word(const Domain& domain, int axis) {
  return axis >= domain.dimension || domain.periodic(axis) ? "pp" : "ff";
}

std::string dump_header(const ParticleTable& table, bool first) {
  const Domain& domain = table.domain;
  std::string text = first ? fmt::format("ITEM: UNITS\n{}\n", table.si ? "si" : "lj") : "";
  text += fmt::format("ITEM: TIME\n{}\nITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n", table.time, table.step,
                      table.count());
  text += fmt::format("ITEM: BOX BOUNDS {} {} {}\n", boundary_word(domain, 0), boundary_word(domain, 1),
                      boundary_word(domain, 2));
  for (int a = 0; a < 3; ++a) {
    const bool flat = a >= domain.dimension;  // LAMMPS wants a box with a thickness in 2-D too, around z = 0
    text += fmt::format("{} {}\n", flat ? -0.5f * table.spacing : component(domain.min, a),
                        flat ? 0.5f * table.spacing : component(domain.max, a));
  }
  text += "ITEM: ATOMS id type";
  for (const ParticleField& field : table.fields)
    for (const std::string& name : column_names(field)) text += " " + name;
  return text + "\n";
}

class LammpsDump : public ParticleTrajectory {
 public:
  explicit LammpsDump(const fs::path& file) : ParticleTrajectory(file), out_(file) {}
  LammpsDump(const fs::path& file, std::size_t frames, std::uint64_t bytes)
      : ParticleTrajectory(file, frames), out_(file, bytes) {}

 private:
  void write_frame(const ParticleTable& table) override {
    try {
      out_.begin();
      write_rows(table);
      out_.commit();
    } catch (...) {
      out_.undo();
      throw;
    }
  }

  void write_rows(const ParticleTable& table) {
    constexpr std::size_t kFlush = std::size_t{1} << 20;
    out_.append(dump_header(table, frames() == 0));
    fmt::memory_buffer rows;
    for (std::size_t i = 0; i < table.count(); ++i) {
      // LAMMPS counts particles and types from 1.
      fmt::format_to(std::back_inserter(rows), "{} {}", std::uint64_t{table.id[i]} + 1, table.fluid[i] + 1);
      for (const ParticleField& field : table.fields) {
        const auto components = static_cast<std::size_t>(field.components);
        for (std::size_t c = 0; c < components; ++c)
          fmt::format_to(std::back_inserter(rows), " {}", field.values[i * components + c]);
      }
      rows.push_back('\n');
      if (rows.size() < kFlush) continue;
      out_.append({rows.data(), rows.size()});
      rows.clear();
    }
    out_.append({rows.data(), rows.size()});
  }

  GrowingFile out_;
};

/// The whole frames of a dump.
struct DumpFrames {
  std::vector<double> times;
  std::vector<std::uint64_t> ends;  ///< [bytes]
};

/// Reads lines and knows how far it is.
class DumpLines {
 public:
  explicit DumpLines(const fs::path& file) : file_(file.string()), in_(file, std::ios::binary) {}

  /// Whether there is another line, with its end.
  bool next(std::string& line) {
    if (!std::getline(in_, line) || in_.eof()) return false;
    place_ += line.size() + 1;
    ++number_;
    return true;
  }
  std::uint64_t place() const { return place_; }
  [[noreturn]] void refuse(const std::string& found) const {
    throw InputError(
        fmt::format("{}: line {}: found '{}'; allowed: a dump that Riffle wrote", file_, number_, found.substr(0, 60)));
  }

 private:
  std::string file_;
  std::ifstream in_;
  std::uint64_t place_ = 0, number_ = 0;
};

/// A program that was killed leaves a last frame that is cut off; it does not count.
DumpFrames frames_of_dump(const fs::path& file) {
  DumpFrames found;
  DumpLines lines(file);
  std::string line, value;
  while (lines.next(line)) {
    double time = 0;
    std::uint64_t rows = 0;
    for (bool at_rows = false; !at_rows;) {
      if (!line.starts_with("ITEM: ")) lines.refuse(line);
      at_rows = line.starts_with("ITEM: ATOMS");
      const int values = at_rows ? 0 : line.starts_with("ITEM: BOX BOUNDS") ? 3 : 1;
      for (int k = 0; k < values; ++k)
        if (!lines.next(value)) return found;
      if (line == "ITEM: TIME") time = std::strtod(value.c_str(), nullptr);
      if (line == "ITEM: NUMBER OF ATOMS") rows = std::strtoull(value.c_str(), nullptr, 10);
      if (!at_rows && !lines.next(line)) return found;
    }
    for (; rows > 0; --rows)
      if (!lines.next(line)) return found;
    found.times.push_back(time);
    found.ends.push_back(lines.place());
  }
  return found;
}

}  // namespace

std::unique_ptr<ParticleTrajectory> begin_lammps_dump(const fs::path& file) {
  return std::make_unique<LammpsDump>(file);
}

std::unique_ptr<ParticleTrajectory> continue_lammps_dump(const fs::path& file, const KeepFrames& keep) {
  const DumpFrames found = frames_of_dump(file);
  const std::size_t kept = keep(found.times);
  if (kept == 0) return begin_lammps_dump(file);
  return std::make_unique<LammpsDump>(file, kept, found.ends[kept - 1]);
}

}  // namespace riffle
