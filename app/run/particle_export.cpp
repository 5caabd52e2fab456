#include "app/run/particle_export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <ostream>
#include <stdexcept>

#include "app/run/file_comments.h"
#include "app/run/particle_trajectory.h"
#include "app/run/vtp_arrays.h"
#include "core/device/memory.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "scenes/document/yaml_writer.h"
#include "sim/by_id.h"
#include "sim/measure/quantity_values.h"
#include "sim/solver.h"
#include "sim/start/file_particles.h"
#include "sim/start/origin.h"
#include "sim/units.h"

namespace riffle {

namespace {

static_assert(std::endian::native == std::endian::little, "files are written as the values lie in memory");

constexpr const char* kUnwrapped = "unwrapped";

ParticleField vector_field(const char* name, const std::string& unit, const std::vector<Vec4>& from) {
  ParticleField field{name, unit, 3, {}};
  field.values.reserve(3 * from.size());
  for (const Vec4& v : from) field.values.insert(field.values.end(), {v.x, v.y, v.z});
  return field;
}

/// Reads the columns of quantities.
class QuantityColumns {
 public:
  explicit QuantityColumns(const Simulation& simulation) : simulation_(simulation) {}

  /// A column that needs more memory than there is is NaN: the others are worth more.
  std::vector<float> read(const QuantityInfo& quantity) {
    try {
      std::vector<float> found(static_cast<std::size_t>(simulation_.particle_count()));
      copy_to_host(simulation_.device(), found.data(), values_.compute(simulation_, quantity.quantity),
                   found.size() * sizeof(float));
      return in_order_of_ids(simulation_, found);
    } catch (const Unavailable& lack) {
      log::warn("the particles are written without {}, which is nan: {}", quantity.word, lack.what());
      return std::vector<float>(static_cast<std::size_t>(simulation_.particle_count()),
                                std::numeric_limits<float>::quiet_NaN());
    }
  }

 private:
  const Simulation& simulation_;
  QuantityValues values_;
};

std::string csv_number(float value) {
  return std::isfinite(value) ? scenes::number_text(value) : fmt::format("{}", value);  // YAML has words of its own
}

constexpr ParticleFormatRow kParticleFormats[] = {
    {".vtp", ParticleFormat::Vtp, false, ".pvd", true, false},
    {".ply", ParticleFormat::Ply, false, "", true, false},
    {".csv", ParticleFormat::Csv, false, "", true, false},
    {".h5", ParticleFormat::Hdf5, true, ".xmf"},
    {".lammpstrj", ParticleFormat::LammpsDump, true, "", true, false},
    {".dump", ParticleFormat::LammpsDump, true, "", false, false},
    {".gsd", ParticleFormat::Gsd, true, ""},
};

/// [kg] of a particle of each fluid.
std::vector<float> particle_masses(const SimulationSetup& setup) {
  std::vector<float> masses;
  const double volume = setup.particle_volume();
  for (const FluidSetup& fluid : setup.fluids)
    masses.push_back(solver_info(setup).has_density ? static_cast<float>(fluid.rest_density * volume) : fluid.mass);
  return masses;
}

}  // namespace

std::span<const ParticleFormatRow> particle_formats() { return kParticleFormats; }

std::vector<std::string> column_names(const ParticleField& field) {
  if (field.name == "position") return {"x", "y", "z"};
  if (field.name == "velocity") return {"vx", "vy", "vz"};
  if (field.components == 1) return {field.name};
  return {field.name + "_x", field.name + "_y", field.name + "_z"};
}

void refuse_special_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (particle_format_row(file).in_place && std::filesystem::exists(file, ignored) &&
      !std::filesystem::is_regular_file(file, ignored))
    throw InputError(fmt::format("{}: is there and is no regular file; {} can only be written to one", file.string(),
                                 file.extension().string()));
}

bool ParticleTable::has(const std::string& name) const {
  return std::any_of(fields.begin(), fields.end(), [&](const ParticleField& field) { return field.name == name; });
}

const ParticleField& ParticleTable::field(const std::string& name) const {
  for (const ParticleField& field : fields)
    if (field.name == name) return field;
  throw std::logic_error("particles have no " + name);
}

std::vector<std::string> particle_field_names(const SimulationSetup& setup) {
  std::vector<std::string> names = {"position", "velocity"};
  for (const QuantityInfo& quantity : quantities())
    if (quantity.column && quantity.lacking(setup).empty()) names.emplace_back(quantity.word);
  if (const QuantityInfo& compression = quantity_info(Quantity::Compression); compression.lacking(setup).empty())
    names.emplace_back(compression.word);
  if (UnwrappedPositions::are_needed(setup)) names.emplace_back(kUnwrapped);
  return names;
}

std::vector<std::string> chosen_fields(const std::vector<std::string>& chosen, const SimulationSetup& setup) {
  const std::vector<std::string> all = particle_field_names(setup);
  if (chosen.empty()) return all;
  for (const std::string& word : chosen)
    if (std::find(all.begin(), all.end(), word) == all.end())
      throw InputError(fmt::format("--particles-fields: found '{}'; allowed for the particles of this scene: {}", word,
                                   fmt::join(all, ", ")));
  std::vector<std::string> fields;
  for (const std::string& name : all)
    if (name == all.front() || std::find(chosen.begin(), chosen.end(), name) != chosen.end()) fields.push_back(name);
  return fields;
}

ParticleTable read_particles(Simulation& simulation, const std::string& scene, UnwrappedPositions* unwrapped,
                             const std::vector<std::string>& fields) {
  const auto wanted = [&](const char* name) {
    return fields.empty() || std::find(fields.begin(), fields.end(), name) != fields.end();
  };
  const SimulationSetup& setup = simulation.setup();
  const Units& units = units_of(setup);
  // Numbers in units that have no name are numbers alone.
  const auto unit = [&](const std::string& name) {
    return units.named() ? plain_unit(name == "kT" ? "eps" : name) : "";
  };  // as in series
  const StepReport clock = simulation.finish();
  ParticleTable table;
  table.scene = scene;
  table.time = time_of_files(setup).value_or(0) + clock.time;
  table.expected_speed = pictured_speed(setup);
  table.step = clock.step;
  table.domain = setup.domain;
  table.spacing = setup.spacing;
  table.si = units.si;
  table.time_unit = unit(units.time);
  table.masses = particle_masses(setup);
  for (const auto& fluid : setup.fluids) table.fluids.push_back(fluid.name);
  table.fluid = by_id<std::uint32_t>(simulation, "fluid");
  table.id = by_id<std::uint32_t>(simulation, "id");
  table.fields.push_back(vector_field("position", unit(units.length), by_id<Vec4>(simulation, "position")));
  if (wanted("velocity"))
    table.fields.push_back(vector_field("velocity", unit(units.speed), by_id<Vec4>(simulation, "velocity")));
  QuantityColumns columns(simulation);
  for (const QuantityInfo& quantity : quantities())
    if (quantity.column && wanted(quantity.word) && quantity.lacking(setup).empty())
      table.fields.push_back({quantity.word, unit(quantity.unit(setup)), 1, columns.read(quantity)});
  if (const QuantityInfo& summed = quantity_info(Quantity::Compression); wanted(summed.word)) {
    if (simulation.particles().has("compression")) {
      table.fields.push_back({summed.word, "", 1, by_id<float>(simulation, "compression")});
    } else if (summed.lacking(setup).empty()) {
      table.fields.push_back({summed.word, "", 1, columns.read(summed)});
      table.note = kSummedCompression;
    }
  }
  if (unwrapped && wanted(kUnwrapped))
    table.fields.push_back({kUnwrapped, unit(units.length), 3, unwrapped->now(simulation)});
  return table;
}

const ParticleFormatRow& particle_format_row(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  std::string allowed;
  for (const ParticleFormatRow& row : kParticleFormats) {
    if (ending == row.ending) return row;
    allowed += (allowed.empty() ? "" : ", ") + std::string(row.ending);
  }
  throw InputError(
      fmt::format("'{}': found the ending '{}', allowed for particles: {}", file.string(), ending, allowed));
}

void write_ply(std::ostream& out, const ParticleTable& table) {
  out << "ply\nformat binary_little_endian 1.0\n";
  out << fmt::format("comment riffle: {}\ncomment time {} step {}\n", one_line(table.scene), table.time, table.step);
  for (std::size_t f = 0; f < table.fluids.size(); ++f)
    out << fmt::format("comment fluid {} {}\n", f, one_line(table.fluids[f]));
  for (const ParticleField& field : table.fields)
    if (!field.unit.empty()) out << fmt::format("comment unit {} {}\n", field.name, field.unit);
  if (!table.note.empty()) out << fmt::format("comment {}\n", table.note);
  out << fmt::format("comment expected_speed {}\n", table.expected_speed);
  out << fmt::format("element vertex {}\n", table.count());
  for (const ParticleField& field : table.fields)
    for (const std::string& name : column_names(field)) out << "property float " << name << "\n";
  out << "property uint id\nproperty uint fluid\nend_header\n";

  std::vector<char> rows;
  const auto append = [&](const void* data, std::size_t bytes) {
    const char* begin = static_cast<const char*>(data);
    rows.insert(rows.end(), begin, begin + bytes);
  };
  constexpr std::size_t kFlush = std::size_t{1} << 20;
  for (std::size_t i = 0; i < table.count(); ++i) {
    for (const ParticleField& field : table.fields) {
      const auto components = static_cast<std::size_t>(field.components);
      append(&field.values[i * components], components * sizeof(float));
    }
    append(&table.id[i], sizeof table.id[i]);
    append(&table.fluid[i], sizeof table.fluid[i]);
    if (rows.size() < kFlush) continue;
    out.write(rows.data(), static_cast<std::streamsize>(rows.size()));
    rows.clear();
  }
  out.write(rows.data(), static_cast<std::streamsize>(rows.size()));
}

void write_vtp(std::ostream& out, const ParticleTable& table) {
  // Without cells ParaView shows nothing, and filters like Threshold want one for each point.
  const std::size_t count = table.count();
  std::vector<std::int64_t> connectivity(count), offsets(count);
  for (std::size_t i = 0; i < count; ++i) {
    connectivity[i] = static_cast<std::int64_t>(i);
    offsets[i] = connectivity[i] + 1;
  }
  AppendedData appended;
  out << "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
  std::string units, fluids;
  for (const ParticleField& field : table.fields)
    if (!field.unit.empty()) units += fmt::format("; {} in {}", field.name, field.unit);
  for (std::size_t f = 0; f < table.fluids.size(); ++f) fluids += fmt::format("; fluid {} is {}", f, table.fluids[f]);
  std::string comment = table.scene + ", step " + std::to_string(table.step) + fluids + units;
  if (!table.note.empty()) comment += "; " + table.note;
  out << xml_comment(comment);
  out << "<PolyData>\n<FieldData>\n"
      << fmt::format(
             "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
             table.time)
      << fmt::format(
             "<DataArray type=\"Float32\" Name=\"ExpectedSpeed\" NumberOfTuples=\"1\" "
             "format=\"ascii\">{}</DataArray>\n",
             table.expected_speed)
      << "</FieldData>\n"
      << fmt::format(
             "<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
             "NumberOfPolys=\"0\">\n",
             count);
  const auto there = [&](const char* attribute, const char* name) {
    return table.has(name) ? fmt::format(" {}=\"{}\"", attribute, name) : "";
  };
  out << fmt::format("<PointData{}{}>\n", there("Scalars", "speed"), there("Vectors", "velocity"));
  for (const ParticleField& field : table.fields)
    if (field.name != "position") out << data_array(appended, "Float32", field.name, field.components, field.values);
  out << data_array(appended, "UInt32", "id", 1, table.id) << data_array(appended, "UInt32", "fluid", 1, table.fluid);
  out << "</PointData>\n<Points>\n"
      << data_array(appended, "Float32", "Points", 3, table.field("position").values) << "</Points>\n<Verts>\n"
      << data_array(appended, "Int64", "connectivity", 1, connectivity)
      << data_array(appended, "Int64", "offsets", 1, offsets);
  out << "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
  appended.write(out);
  out << "\n</AppendedData>\n</VTKFile>\n";
}

void write_csv(std::ostream& out, const ParticleTable& table) {
  out << fmt::format("# riffle: {}\n# time {} step {}\n", one_line(table.scene), table.time, table.step);
  for (std::size_t f = 0; f < table.fluids.size(); ++f)
    out << fmt::format("# fluid {} {}\n", f, one_line(table.fluids[f]));
  for (const ParticleField& field : table.fields)
    if (!field.unit.empty()) out << fmt::format("# unit {} {}\n", field.name, field.unit);
  if (!table.note.empty()) out << fmt::format("# {}\n", table.note);
  out << fmt::format("# expected_speed {}\n", table.expected_speed);
  for (const ParticleField& field : table.fields)
    for (const std::string& name : column_names(field)) out << name << ",";
  out << "id,fluid\n";
  for (std::size_t i = 0; i < table.count(); ++i) {
    for (const ParticleField& field : table.fields) {
      const auto components = static_cast<std::size_t>(field.components);
      for (std::size_t c = 0; c < components; ++c) out << csv_number(field.values[i * components + c]) << ",";
    }
    out << table.id[i] << "," << table.fluid[i] << "\n";
  }
}

void write_particles(const std::filesystem::path& file, const ParticleTable& table) {
  const ParticleFormatRow& row = particle_format_row(file);
  if (row.one_file) {
    refuse_special_file(file);
    const auto trajectory = begin_trajectory(file);
    trajectory->add(table);
    if (*row.list != 0) write_text(std::filesystem::path(file).replace_extension(row.list), trajectory->companion());
    return;
  }
  const ParticleFormat format = row.format;
  write_stream(file, [&](std::ostream& out) {
    switch (format) {
      case ParticleFormat::Ply: write_ply(out, table); break;
      case ParticleFormat::Vtp: write_vtp(out, table); break;
      case ParticleFormat::Csv: write_csv(out, table); break;
      default: break;  // one_file
    }
  });
}

}  // namespace riffle
