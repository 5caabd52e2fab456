#include "app/run/surface_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numeric>
#include <ostream>
#include <set>

#include "app/run/file_comments.h"
#include "app/run/vtp_arrays.h"
#include "core/error.h"
#include "core/text/output_files.h"
#include "sim/start/origin.h"
#include "sim/units.h"

namespace riffle {

namespace {

static_assert(std::endian::native == std::endian::little, "files are written as the values lie in memory");
static_assert(sizeof(Vec3) == 3 * sizeof(float) && sizeof(Triangle) == 3 * sizeof(std::uint32_t));

constexpr SurfaceFormatRow kSurfaceFormats[] = {
    {".vtp", SurfaceFormat::Vtp, ".pvd"},
    {".ply", SurfaceFormat::Ply, ""},
    {".obj", SurfaceFormat::Obj, ""},
    {".usda", SurfaceFormat::Usda, ""},
};

/// Text that is written in pieces: a string for all of a large mesh would take as much memory again.
class TextPieces {
 public:
  explicit TextPieces(std::ostream& out) : out_(out) {}
  ~TextPieces() { flush(); }
  TextPieces(const TextPieces&) = delete;
  TextPieces& operator=(const TextPieces&) = delete;

  template <class... Values>
  void add(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(piece_), text, std::forward<Values>(values)...);
    if (piece_.size() > kPiece) flush();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;
  void flush() {
    out_.write(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    piece_.clear();
  }
  std::ostream& out_;
  fmt::memory_buffer piece_;
};

/// Words, for formats whose names are such.
std::string identifier(const std::string& name, std::set<std::string>& taken) {
  std::string word;
  for (const char c : name)
    word += std::isalnum(static_cast<unsigned char>(c)) && static_cast<signed char>(c) > 0 ? c : '_';
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0]))) word = "fluid_" + word;
  std::string free = word;
  for (int k = 2; !taken.insert(free).second; ++k) free = fmt::format("{}_{}", word, k);
  return free;
}

/// In quotation marks of USD.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// USD's colours are linear.
float linear(float srgb) { return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f); }

}  // namespace

std::size_t SurfaceTable::vertices() const {
  return std::accumulate(fluids.begin(), fluids.end(), std::size_t{0},
                         [](std::size_t sum, const FluidMesh& f) { return sum + f.mesh.vertices.size(); });
}
std::size_t SurfaceTable::triangles() const {
  return std::accumulate(fluids.begin(), fluids.end(), std::size_t{0},
                         [](std::size_t sum, const FluidMesh& f) { return sum + f.mesh.triangles.size(); });
}
double SurfaceTable::volume() const {
  return std::accumulate(fluids.begin(), fluids.end(), 0.0,
                         [](double sum, const FluidMesh& f) { return sum + f.volume; });
}
double SurfaceTable::volume_of_particles() const {
  return std::accumulate(fluids.begin(), fluids.end(), 0.0,
                         [](double sum, const FluidMesh& f) { return sum + f.volume_of_particles; });
}

SurfaceTable read_surface(const Simulation& simulation, SimulationSurface& surface, const std::string& scene) {
  const SimulationSetup& setup = simulation.setup();
  const Units& units = units_of(setup);
  const StepReport clock = simulation.latest();
  SurfaceTable table;
  table.scene = scene;
  table.time = time_of_files(setup).value_or(0) + clock.time;
  table.step = clock.step;
  table.si = units.si;
  table.length_unit = units.named() ? units.length : "";
  for (std::size_t f = 0; f < setup.fluids.size(); ++f) {
    // A single fluid is all there is: its particles need not be told apart.
    const FluidSurface& found = surface.find(simulation, setup.fluids.size() == 1 ? kAllFluids : static_cast<int>(f));
    const SurfaceReport& report = found.report();
    FluidMesh& fluid = table.fluids.emplace_back();
    fluid.fluid = setup.fluids[f].name;
    fluid.color = setup.fluids[f].color;
    fluid.mesh = found.to_host();
    fluid.volume = fluid.mesh.volume();
    fluid.volume_of_particles = report.particles * setup.particle_volume();
    table.left_out += report.non_finite + report.too_far;
  }
  return table;
}

std::span<const SurfaceFormatRow> surface_formats() { return kSurfaceFormats; }

const SurfaceFormatRow& surface_format_row(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  std::string allowed;
  for (const SurfaceFormatRow& row : kSurfaceFormats) {
    if (ending == row.ending) return row;
    allowed += (allowed.empty() ? "" : ", ") + std::string(row.ending);
  }
  throw InputError(
      fmt::format("'{}': found the ending '{}', allowed for surfaces: {}", file.string(), ending, allowed));
}

std::filesystem::path surface_list(const std::filesystem::path& file) {
  const char* const ending = surface_format_row(file).list;
  return *ending != 0 ? std::filesystem::path(file).replace_extension(ending) : std::filesystem::path();
}

void write_ply(std::ostream& out, const SurfaceTable& table) {
  out << "ply\nformat binary_little_endian 1.0\n";
  out << fmt::format("comment riffle: {}\ncomment time {} step {}\n", one_line(table.scene), table.time, table.step);
  for (std::size_t f = 0; f < table.fluids.size(); ++f)
    out << fmt::format("comment fluid {} {}\n", f, one_line(table.fluids[f].fluid));
  if (!table.length_unit.empty()) out << "comment unit position " << table.length_unit << "\n";
  out << fmt::format("element vertex {}\n", table.vertices());
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) out << "property float " << name << "\n";
  out << fmt::format("property uint fluid\nelement face {}\n", table.triangles());
  out << "property list uchar uint vertex_indices\nproperty uint fluid\nend_header\n";
  constexpr std::size_t kFlush = std::size_t{1} << 20;
  std::vector<char> rows;
  const auto append = [&](const void* data, std::size_t bytes) {
    const char* begin = static_cast<const char*>(data);
    rows.insert(rows.end(), begin, begin + bytes);
  };
  const auto flush = [&](std::size_t from) {
    if (rows.size() < from) return;
    out.write(rows.data(), static_cast<std::streamsize>(rows.size()));
    rows.clear();
  };
  for (std::uint32_t f = 0; f < table.fluids.size(); ++f) {
    const SurfaceMesh& mesh = table.fluids[f].mesh;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      append(&mesh.vertices[v], sizeof(Vec3));
      append(&mesh.normals[v], sizeof(Vec3));
      append(&f, sizeof f);
      flush(kFlush);
    }
  }
  std::uint32_t first = 0;
  for (std::uint32_t f = 0; f < table.fluids.size(); ++f) {
    const SurfaceMesh& mesh = table.fluids[f].mesh;
    for (const Triangle& triangle : mesh.triangles) {
      const std::uint8_t corners = 3;
      append(&corners, 1);
      const Triangle shifted{triangle[0] + first, triangle[1] + first, triangle[2] + first};
      append(&shifted, sizeof shifted);
      append(&f, sizeof f);
      flush(kFlush);
    }
    first += static_cast<std::uint32_t>(mesh.vertices.size());
  }
  flush(0);
}

void write_obj(std::ostream& out, const SurfaceTable& table) {
  TextPieces text(out);
  text.add("# riffle: {}\n# time {} step {}\n", one_line(table.scene), table.time, table.step);
  if (!table.length_unit.empty()) text.add("# unit position {}\n", table.length_unit);
  std::set<std::string> taken;
  std::uint64_t first = 1;  // vertices are numbered from 1, through all objects
  for (const FluidMesh& fluid : table.fluids) {
    text.add("o {}\n", identifier(fluid.fluid, taken));
    for (const Vec3& v : fluid.mesh.vertices) text.add("v {} {} {}\n", v.x, v.y, v.z);
    for (const Vec3& n : fluid.mesh.normals) text.add("vn {} {} {}\n", n.x, n.y, n.z);
    for (const Triangle& t : fluid.mesh.triangles)
      text.add("f {0}//{0} {1}//{1} {2}//{2}\n", t[0] + first, t[1] + first, t[2] + first);
    first += fluid.mesh.vertices.size();
  }
}

void write_vtp(std::ostream& out, const SurfaceTable& table) {
  std::vector<Vec3> points, normals;
  std::vector<std::uint32_t> fluid_of_point, fluid_of_triangle;
  std::vector<std::int64_t> connectivity, offsets;
  for (std::uint32_t f = 0; f < table.fluids.size(); ++f) {
    const SurfaceMesh& mesh = table.fluids[f].mesh;
    const auto first = static_cast<std::int64_t>(points.size());
    points.insert(points.end(), mesh.vertices.begin(), mesh.vertices.end());
    normals.insert(normals.end(), mesh.normals.begin(), mesh.normals.end());
    fluid_of_point.resize(points.size(), f);
    for (const Triangle& triangle : mesh.triangles) {
      for (const std::uint32_t vertex : triangle) connectivity.push_back(first + vertex);
      offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    fluid_of_triangle.resize(offsets.size(), f);
  }
  std::string comment = table.scene + ", step " + std::to_string(table.step);
  for (std::size_t f = 0; f < table.fluids.size(); ++f)
    comment += fmt::format("; fluid {} is {}", f, table.fluids[f].fluid);
  if (!table.length_unit.empty()) comment += "; position in " + table.length_unit;
  AppendedData appended;
  out << "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      << xml_comment(comment);
  out << "<PolyData>\n<FieldData>\n"
      << fmt::format(
             "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
             table.time)
      << "</FieldData>\n"
      << fmt::format(
             "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
             "NumberOfPolys=\"{}\">\n",
             points.size(), offsets.size());
  out << "<PointData Scalars=\"fluid\" Normals=\"normal\">\n"
      << data_array(appended, "Float32", "normal", 3, normals)
      << data_array(appended, "UInt32", "fluid", 1, fluid_of_point) << "</PointData>\n<CellData Scalars=\"fluid\">\n"
      << data_array(appended, "UInt32", "fluid", 1, fluid_of_triangle) << "</CellData>\n<Points>\n"
      << data_array(appended, "Float32", "Points", 3, points) << "</Points>\n<Polys>\n"
      << data_array(appended, "Int64", "connectivity", 1, connectivity)
      << data_array(appended, "Int64", "offsets", 1, offsets);
  out << "</Polys>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
  appended.write(out);
  out << "\n</AppendedData>\n</VTKFile>\n";
}

void write_usda(std::ostream& out, const SurfaceTable& table) {
  TextPieces text(out);
  text.add("#usda 1.0\n(\n    customLayerData = {{\n        double time = {}\n        int64 step = {}\n    }}\n",
           table.time, table.step);
  text.add("    defaultPrim = \"riffle\"\n    doc = {}\n", quoted("riffle: " + table.scene));
  if (table.si) text.add("    metersPerUnit = 1\n");
  text.add("    upAxis = \"Y\"\n)\n\ndef Xform \"riffle\"\n{{\n");
  std::set<std::string> taken;
  for (const FluidMesh& fluid : table.fluids) {
    const SurfaceMesh& mesh = fluid.mesh;
    text.add("    def Mesh \"{}\"\n    {{\n", identifier(fluid.fluid, taken));
    const auto list = [&](const char* declaration, const auto& values, const auto& add, const char* more = "") {
      text.add("        {} = [", declaration);
      const char* between = "";
      for (const auto& value : values) {
        text.add("{}", between);
        add(value);
        between = ", ";
      }
      text.add("]{}\n", more);
    };
    const auto vector = [&](const Vec3& v) { text.add("({}, {}, {})", v.x, v.y, v.z); };
    Vec3 low, high;
    if (!mesh.vertices.empty()) low = high = mesh.vertices[0];
    for (const Vec3& v : mesh.vertices) {
      low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    list("float3[] extent", std::vector<Vec3>{low, high}, vector);
    list("int[] faceVertexCounts", mesh.triangles, [&](const Triangle&) { text.add("3"); });
    list("int[] faceVertexIndices", mesh.triangles,
         [&](const Triangle& t) { text.add("{}, {}, {}", t[0], t[1], t[2]); });
    list("normal3f[] normals", mesh.normals, vector, " (\n            interpolation = \"vertex\"\n        )");
    list("point3f[] points", mesh.vertices, vector);
    const Vec3 color{linear(fluid.color.x), linear(fluid.color.y), linear(fluid.color.z)};
    list("color3f[] primvars:displayColor", std::vector<Vec3>{color}, vector);
    text.add(
        "        uniform token orientation = \"rightHanded\"\n        uniform token subdivisionScheme = \"none\"\n    "
        "}}\n");
  }
  text.add("}}\n");
}

void write_surface(const std::filesystem::path& file, const SurfaceTable& table) {
  const SurfaceFormat format = surface_format_row(file).format;
  write_stream(file, [&](std::ostream& out) {
    switch (format) {
      case SurfaceFormat::Vtp: write_vtp(out, table); break;
      case SurfaceFormat::Ply: write_ply(out, table); break;
      case SurfaceFormat::Obj: write_obj(out, table); break;
      case SurfaceFormat::Usda: write_usda(out, table); break;
    }
  });
}

}  // namespace riffle
