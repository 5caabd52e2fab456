/// GSD, the file of HOOMD-blue: file layer 2.0, schema hoomd 1.4, after the published layout. Numbers are little-endian.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "app/run/growing_file.h"
#include "app/run/trajectory_formats.h"
#include "core/error.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "files are written as the values lie in memory");

struct GsdHeader {
  std::uint64_t magic = 0x65DF65DF65DF65DF;
  std::uint64_t index_place = 0;    ///< [bytes] from the file's begin, as all places
  std::uint64_t index_entries = 0;  ///< for which there is room
  std::uint64_t names_place = 0;
  std::uint64_t names_segments = 0;  ///< of 64 bytes
  std::uint32_t schema_version = 1u << 16 | 4u;
  std::uint32_t file_version = 2u << 16;
  char application[64] = {};
  char schema[64] = {};
  char reserved[80] = {};
};
static_assert(sizeof(GsdHeader) == 256);

/// Where a chunk is: an array of `rows` x `columns` numbers of one frame.
struct GsdEntry {
  std::uint64_t frame = 0, rows = 0;
  std::int64_t place = 0;  ///< 0: no entry, and none follows
  std::uint32_t columns = 1;
  std::uint16_t name = 0;  ///< its number in the list of names
  std::uint8_t type = 0;
  std::uint8_t flags = 0;
};
static_assert(sizeof(GsdEntry) == 32);

constexpr std::uint64_t kGsdSegment = 64;         // bytes of the list of names are a multiple
constexpr std::uint64_t kGsdFirstEntries = 1024;  // room of the first index

template <class T>
constexpr std::uint8_t gsd_type();
template <>
constexpr std::uint8_t gsd_type<std::uint8_t>() {
  return 1;
}
template <>
constexpr std::uint8_t gsd_type<std::uint32_t>() {
  return 3;
}
template <>
constexpr std::uint8_t gsd_type<std::uint64_t>() {
  return 4;
}
template <>
constexpr std::uint8_t gsd_type<std::int8_t>() {
  return 5;
}
template <>
constexpr std::uint8_t gsd_type<float>() {
  return 9;
}
template <>
constexpr std::uint8_t gsd_type<double>() {
  return 10;
}

constexpr std::uint64_t kGsdTypeBytes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};

template <class T>
std::string_view bytes_of_values(const T* values, std::size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

/// The arrays of a frame, before they have a place.
class GsdChunks {
 public:
  template <class T>
  void add(const std::string& name, const std::vector<T>& values, std::uint32_t columns = 1) {
    GsdEntry entry;
    entry.rows = values.size() / columns;
    entry.columns = columns;
    entry.type = gsd_type<T>();
    names_.push_back(name);
    entries_.push_back(entry);
    bytes_.emplace_back(bytes_of_values(values.data(), values.size()));
  }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<GsdEntry>& entries() const { return entries_; }
  const std::string& bytes(std::size_t chunk) const { return bytes_[chunk]; }

 private:
  std::vector<std::string> names_;
  std::vector<GsdEntry> entries_;
  std::vector<std::string> bytes_;
};

/// The box of the schema is centred at the origin and holds all particles. Faces that are not periodic move out as far as
/// particles are beyond them, by the same way on both sides.
class CentredBox {
 public:
  CentredBox(const Domain& domain, float spacing, std::span<const float> positions) : dimension_(domain.dimension) {
    for (int a = 0; a < dimension_; ++a) {
      const double low = component(domain.min, a), high = component(domain.max, a);
      center_[a] = 0.5 * (low + high);
      size_[a] = static_cast<float>(high - low);
      periodic_[a] = domain.periodic(a);
    }
    if (dimension_ == 2) size_[2] = spacing;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::size_t a = i % 3;
      const float way = std::fabs(static_cast<float>(positions[i] - center_[a]));
      if (static_cast<int>(a) >= dimension_ || periodic_[a] || !(way >= 0.5f * size_[a]) || std::isinf(way)) continue;
      size_[a] = 2 * std::nextafter(way, INFINITY);
    }
  }

  /// As the schema has it: inside, or not a number.
  float place(float position, std::size_t axis) const {
    const auto place = static_cast<float>(position - center_[axis]);
    const float half = 0.5f * size_[axis];
    if (!periodic_[axis] || !std::isfinite(place)) return place;
    if (place >= half) return std::max(place - size_[axis], -half);
    return place < -half ? std::min(place + size_[axis], std::nextafter(half, 0.0f)) : place;
  }
  std::vector<float> box() const { return {size_[0], size_[1], size_[2], 0, 0, 0}; }
  std::vector<double> center() const { return {center_[0], center_[1], center_[2]}; }
  std::vector<std::uint8_t> periodic() const { return {periodic_[0], periodic_[1], periodic_[2]}; }

 private:
  int dimension_;
  double center_[3] = {};
  float size_[3] = {};
  std::uint8_t periodic_[3] = {};
};

std::vector<std::int8_t> text_bytes(const std::string& text) { return {text.begin(), text.end()}; }

/// A row for each name, filled up with zeros, of which there is one at least.
std::vector<std::int8_t> name_rows(const std::vector<std::string>& names, std::uint32_t& columns) {
  columns = 1;
  for (const std::string& name : names) columns = std::max(columns, static_cast<std::uint32_t>(name.size() + 1));
  std::vector<std::int8_t> rows(names.size() * columns, 0);
  for (std::size_t k = 0; k < names.size(); ++k)
    std::copy(names[k].begin(), names[k].end(), rows.begin() + static_cast<std::ptrdiff_t>(k * columns));
  return rows;
}

/// "time s; position m; velocity m/s".
std::string units_text(const ParticleTable& table) {
  std::string text = table.time_unit.empty() ? "" : "time " + table.time_unit;
  for (const ParticleField& field : table.fields)
    if (!field.unit.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : "; ", field.name, field.unit);
  return text;
}

/// A chunk without rows has a name and no entry: readers take an empty entry for damage.
GsdChunks chunks_of(const ParticleTable& table) {
  GsdChunks chunks;
  const std::size_t count = table.count();
  const std::vector<float>& positions = table.field("position").values;
  const CentredBox box(table.domain, table.spacing, positions);
  chunks.add<std::uint64_t>("configuration/step", {table.step});
  chunks.add<std::uint8_t>("configuration/dimensions", {static_cast<std::uint8_t>(table.domain.dimension)});
  chunks.add("configuration/box", box.box());
  chunks.add<std::uint32_t>("particles/N", {static_cast<std::uint32_t>(count)});
  std::uint32_t columns = 1;
  const std::vector<std::int8_t> types = name_rows(table.fluids, columns);
  chunks.add("particles/types", types, columns);
  chunks.add("particles/typeid", table.fluid);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = table.masses.at(table.fluid[i]);
  chunks.add("particles/mass", values);
  std::fill(values.begin(), values.end(), table.spacing);
  chunks.add("particles/diameter", values);
  values.resize(3 * count);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = box.place(positions[i], i % 3);
  chunks.add("particles/position", values, 3);
  for (const ParticleField& field : table.fields) {
    if (field.name == "position") continue;
    const bool known = field.name == "velocity";
    chunks.add((known ? "particles/" : "log/particles/") + field.name, field.values,
               static_cast<std::uint32_t>(field.components));
  }
  chunks.add("log/particles/id", table.id);
  chunks.add<double>("log/time", {table.time});
  chunks.add("log/box_center", box.center());
  chunks.add("log/periodic", box.periodic());
  for (const auto& [name, text] : {std::pair<const char*, std::string>("log/scene", table.scene),
                                   {"log/units", units_text(table)},
                                   {"log/note", table.note}})
    if (!text.empty()) chunks.add(name, text_bytes(text));
  return chunks;
}

/// What a file has, besides the chunks.
struct GsdContents {
  GsdHeader header;
  std::vector<std::string> names;
  std::vector<GsdEntry> entries;
  std::uint64_t bytes = 0;
};

class GsdFile : public ParticleTrajectory {
 public:
  explicit GsdFile(const fs::path& file) : ParticleTrajectory(file), out_(file) {}
  GsdFile(const fs::path& file, std::size_t frames, GsdContents contents)
      : ParticleTrajectory(file, frames), out_(file, contents.bytes), contents_(std::move(contents)) {
    cut_ = std::erase_if(contents_.entries, [&](const GsdEntry& entry) { return entry.frame >= frames; }) > 0;
  }

 private:
  /// Until the last write the file is the one without the frame: chunks and a new index lie behind what readers look at.
  void write_frame(const ParticleTable& table) override {
    const GsdChunks chunks = chunks_of(table);
    GsdContents next = contents_;
    if (frames() == 0) begin_contents(next, chunks);
    require_names(next, chunks);
    try {
      out_.begin();
      if (frames() == 0) out_.append(std::string(next.header.index_place, '\0'));
      if (frames() == 0) append_empty_index(next);
      std::vector<GsdEntry> added = place(chunks, next);
      next.entries.insert(next.entries.end(), added.begin(), added.end());
      out_.settle();  // nothing may fail once the index or the header name what was appended
      publish(next, added);
      out_.commit();
    } catch (...) {
      out_.undo();
      throw;
    }
    next.bytes = out_.end();
    contents_ = std::move(next);
    cut_ = false;
  }

  /// Header, names, index, chunks, in this order.
  static void begin_contents(GsdContents& contents, const GsdChunks& chunks) {
    contents = GsdContents();
    contents.names = chunks.names();
    GsdHeader& header = contents.header;
    std::strncpy(header.application, "Riffle " RIFFLE_VERSION, sizeof header.application - 1);
    std::strncpy(header.schema, "hoomd", sizeof header.schema - 1);
    header.names_place = sizeof header;
    // A name of no letters marks the end of the list.
    header.names_segments = names_text(contents.names).size() / kGsdSegment + 1;
    header.index_place = header.names_place + header.names_segments * kGsdSegment;
    header.index_entries = kGsdFirstEntries;
  }

  static std::string names_text(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += name + '\0';
    return text;
  }

  void append_empty_index(const GsdContents& contents) {
    out_.append(std::string(contents.header.index_entries * sizeof(GsdEntry), '\0'));
  }

  void require_names(const GsdContents& contents, const GsdChunks& chunks) const {
    for (const std::string& name : chunks.names())
      if (std::find(contents.names.begin(), contents.names.end(), name) == contents.names.end())
        throw RuntimeFailure(
            fmt::format("its frames have no '{}'; allowed: the fields of the run that goes on, or a new name", name));
  }

  /// Appends the chunks. @return their entries, in the order of their names' numbers
  std::vector<GsdEntry> place(const GsdChunks& chunks, const GsdContents& contents) {
    std::vector<GsdEntry> entries = chunks.entries();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      GsdEntry& entry = entries[k];
      entry.frame = frames();
      entry.place = static_cast<std::int64_t>(out_.end());
      entry.name = static_cast<std::uint16_t>(
          std::find(contents.names.begin(), contents.names.end(), chunks.names()[k]) - contents.names.begin());
      out_.append(chunks.bytes(k));
    }
    std::erase_if(entries, [](const GsdEntry& entry) { return entry.rows == 0; });
    std::sort(entries.begin(), entries.end(), [](const GsdEntry& a, const GsdEntry& b) { return a.name < b.name; });
    return entries;
  }

  /// Makes the frame part of the file. Without room, or when frames were cut off, the index goes to a new place and the
  /// header then says where.
  void publish(GsdContents& contents, const std::vector<GsdEntry>& added) {
    GsdHeader& header = contents.header;
    const bool first = frames() == 0;
    if (contents.entries.size() > header.index_entries || cut_) {
      header.index_entries =
          std::max(2 * header.index_entries, 2 * static_cast<std::uint64_t>(contents.entries.size()));
      header.index_place = out_.end();
      std::vector<GsdEntry> index = contents.entries;
      index.resize(header.index_entries);
      out_.append(bytes_of_values(index.data(), index.size()));
    } else {
      out_.write_at(header.index_place + (contents.entries.size() - added.size()) * sizeof(GsdEntry),
                    bytes_of_values(added.data(), added.size()));
      if (!first) return;
      out_.write_at(header.names_place, names_text(contents.names));
    }
    out_.write_at(0, bytes_of_values(&header, 1));
  }

  GrowingFile out_;
  GsdContents contents_;
  bool cut_ = false;  ///< frames of the file are to be replaced
};

/// Reads what GsdFile needs to go on with a file.
class GsdReader {
 public:
  explicit GsdReader(const fs::path& file) : name_(file.string()), in_(file, std::ios::binary) {
    std::error_code error;
    contents_.bytes = fs::file_size(file, error);
    if (error || !in_) refuse("cannot be read");
    read(0, &contents_.header, 1);
    const GsdHeader& header = contents_.header;
    if (header.magic != GsdHeader().magic) refuse("is no GSD file");
    if (header.file_version >> 16 != 2 || std::string_view(header.schema, 6) != std::string_view("hoomd", 6))
      refuse("is a GSD file of another version or schema; allowed: 2 and hoomd");
    read_names();
    read_entries();
  }

  const GsdContents& contents() const { return contents_; }

  std::vector<double> times() {
    const auto found = std::find(contents_.names.begin(), contents_.names.end(), "log/time");
    const auto number = static_cast<std::size_t>(found - contents_.names.begin());
    std::vector<double> times;
    for (const GsdEntry& entry : contents_.entries) {
      if (entry.name != number) continue;
      if (entry.type != gsd_type<double>() || entry.frame != times.size()) refuse("has a frame without its time");
      read(static_cast<std::uint64_t>(entry.place), &times.emplace_back(), 1);
    }
    if (!contents_.entries.empty() && times.size() != contents_.entries.back().frame + 1)
      refuse("has a frame without its time; allowed: a file that Riffle wrote");
    return times;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw InputError(fmt::format("{}: {}", name_, what)); }

  template <class T>
  void read(std::uint64_t place, T* values, std::uint64_t count) {
    if (place > contents_.bytes || count > (contents_.bytes - place) / sizeof(T)) refuse("is damaged: it is too short");
    in_.seekg(static_cast<std::streamoff>(place));
    if (!in_.read(reinterpret_cast<char*>(values), static_cast<std::streamsize>(count * sizeof(T))))
      refuse("cannot be read");
  }

  void read_names() {
    const GsdHeader& header = contents_.header;
    if (header.names_segments > contents_.bytes / kGsdSegment) refuse("is damaged: its names are beyond its end");
    std::string text(header.names_segments * kGsdSegment, '\0');
    read(header.names_place, text.data(), text.size());
    for (std::size_t at = 0; at < text.size() && text[at] != '\0';) {
      contents_.names.emplace_back(text.c_str() + at);
      at += contents_.names.back().size() + 1;
    }
  }

  void read_entries() {
    const GsdHeader& header = contents_.header;
    if (header.index_entries > contents_.bytes / sizeof(GsdEntry)) refuse("is damaged: its index is beyond its end");
    std::vector<GsdEntry>& entries = contents_.entries;
    entries.resize(header.index_entries);
    read(header.index_place, entries.data(), entries.size());
    entries.erase(std::find_if(entries.begin(), entries.end(), [](const GsdEntry& e) { return e.place == 0; }),
                  entries.end());
    for (const GsdEntry& entry : entries) {
      const std::uint64_t each = entry.type < std::size(kGsdTypeBytes) ? kGsdTypeBytes[entry.type] : 0;
      const bool whole = each > 0 && entry.name < contents_.names.size() && entry.place > 0 &&
                         static_cast<std::uint64_t>(entry.place) <= contents_.bytes &&
                         (entry.columns == 0 || entry.rows <= contents_.bytes / each / entry.columns) &&
                         entry.rows * entry.columns * each <= contents_.bytes - static_cast<std::uint64_t>(entry.place);
      if (!whole) refuse(fmt::format("is damaged: a chunk of frame {} is not in it", entry.frame));
    }
  }

  std::string name_;
  std::ifstream in_;
  GsdContents contents_;
};

}  // namespace

std::unique_ptr<ParticleTrajectory> begin_gsd(const fs::path& file) { return std::make_unique<GsdFile>(file); }

std::unique_ptr<ParticleTrajectory> continue_gsd(const fs::path& file, const KeepFrames& keep) {
  GsdReader reader(file);
  const std::size_t kept = keep(reader.times());
  if (kept == 0) return begin_gsd(file);
  return std::make_unique<GsdFile>(file, kept, reader.contents());
}

}  // namespace riffle
