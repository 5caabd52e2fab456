/// Particles as HDF5: a group for each frame, and an XDMF text beside the file, with which ParaView opens it.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

#include "app/run/trajectory_formats.h"
#include "app/state/hdf5_file.h"
#include "core/error.h"
#include "core/text/output_files.h"
#include "core/text/xml_text.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

std::string frame_group(std::size_t frame) { return fmt::format("frame_{:06}", frame); }

/// One array of a frame, as the XDMF text names it.
struct XdmfArray {
  std::string name, unit;
  int components = 1;
  bool integers = false;
};

std::string xdmf_grid(const std::string& file, std::size_t frame, double time, std::uint64_t count,
                      const std::vector<XdmfArray>& arrays) {
  std::string text = fmt::format(
      "<Grid Name=\"{}\" GridType=\"Uniform\">\n<Time Value=\"{}\"/>\n"
      "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\"/>\n",
      frame_group(frame), time, count);
  for (const XdmfArray& array : arrays) {
    const std::string item = fmt::format(
        "<DataItem Dimensions=\"{}{}\" NumberType=\"{}\" Precision=\"4\" Format=\"HDF\">{}:/{}/{}</DataItem>", count,
        array.components == 3 ? " 3" : "", array.integers ? "UInt" : "Float", xml_text(file), frame_group(frame),
        xml_text(array.name));
    const std::string unit = array.unit.empty() || array.unit == "1"
                                 ? ""
                                 : fmt::format("<Information Name=\"unit\" Value=\"{}\"/>", xml_text(array.unit));
    text += array.name == "position"
                ? fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n", item)
                : fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}{}</Attribute>\n",
                              xml_text(array.name), array.components == 3 ? "Vector" : "Scalar", item, unit);
  }
  return text + "</Grid>\n";
}

std::vector<XdmfArray> arrays_of(const ParticleTable& table) {
  std::vector<XdmfArray> arrays;
  for (const ParticleField& field : table.fields) arrays.push_back({field.name, field.unit, field.components, false});
  arrays.push_back({"id", "", 1, true});
  arrays.push_back({"fluid", "", 1, true});
  return arrays;
}

/// What HDF5 may need for a frame: numbers that do not shrink, its tables for each array, and those of all frames, which
/// move to the file's end when they grow.
std::uint64_t most_bytes(const ParticleTable& table, std::size_t frames) {
  constexpr std::uint64_t kEach = 8192, kRest = 32768, kFrame = 64;
  std::uint64_t bytes = kRest + kFrame * frames + 2 * (kEach + 4 * table.count());
  for (const ParticleField& field : table.fields) bytes += kEach + 4 * field.values.size();
  return bytes + bytes / 64;
}

/// Has the disk keep room behind the file's end. HDF5 1.10 crashes at the program's end after a disk was full.
class RoomOnDisk {
 public:
  RoomOnDisk(const fs::path& file, std::uint64_t bytes) : file_(file) {
    std::error_code error;
    before_ = fs::file_size(file, error);
    const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) throw RuntimeFailure(std::strerror(errno));
    int reason = 0;
    do reason = posix_fallocate(descriptor, static_cast<off_t>(before_), static_cast<off_t>(bytes));
    while (reason == EINTR);  // a signal came
    close(descriptor);
    if (reason == 0) return;
    give_back();
    throw RuntimeFailure(std::strerror(reason));
  }

  std::uint64_t before() const { return before_; }  ///< [bytes] of the file

 private:
  void give_back() {
    std::error_code ignored;
    fs::resize_file(file_, before_, ignored);
  }

  fs::path file_;
  std::uint64_t before_ = 0;
};

class Hdf5Trajectory : public ParticleTrajectory {
 public:
  explicit Hdf5Trajectory(const fs::path& file) : ParticleTrajectory(file) {}

  /// @param grids of the frames that stay  @param there frames that the file has
  Hdf5Trajectory(const fs::path& file, std::vector<std::string> grids, std::size_t there)
      : ParticleTrajectory(file, grids.size()), grids_(std::move(grids)), there_(there) {}

  std::string companion() const override {
    std::string text =
        "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
        "<Grid Name=\"particles\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    for (const std::string& grid : grids_) text += grid;
    return text + "</Grid>\n</Domain>\n</Xdmf>\n";
  }

 private:
  void write_frame(const ParticleTable& table) override {
    if (frames() == 0) {
      write_whole(file(), [&](const fs::path& partial) {
        hdf5::Writer(partial, hdf5::Writer::Begin::New).close();
        add_to(partial, table);
      });
    } else {
      add_to(file(), table);
    }
    there_ = std::max(there_, frames() + 1);
    grids_.push_back(xdmf_grid(file().filename().string(), frames(), table.time, table.count(), arrays_of(table)));
  }

  void add_to(const fs::path& place, const ParticleTable& table) {
    const RoomOnDisk room(place, most_bytes(table, frames()));
    hdf5::Writer out(place, hdf5::Writer::Begin::GoOn, room.before());
    if (frames() == 0) write_head(out, table);
    for (; there_ > frames(); --there_) out.remove(frame_group(there_ - 1));
    const std::string group = frame_group(frames());
    out.make_group(group);
    out.note(group, "time", table.time);
    if (!table.time_unit.empty()) out.note(group, "unit", table.time_unit);
    out.note(group, "step", table.step);
    out.note(group, "count", std::uint64_t{table.count()});
    out.note(group, "expected_speed", table.expected_speed);
    if (!table.note.empty()) out.note(group, "note", table.note);
    for (const ParticleField& field : table.fields) {
      const std::string name = group + "/" + field.name;
      hdf5::Shape shape{table.count()};
      if (field.components > 1) shape.push_back(static_cast<std::uint64_t>(field.components));
      out.write_packed(name, field.values, shape);
      out.note(name, "unit", field.unit.empty() ? std::string("1") : field.unit);
    }
    out.write_packed(group + "/id", table.id, {table.count()});
    out.write_packed(group + "/fluid", table.fluid, {table.count()});
    out.close();
  }

  /// What all frames share.
  static void write_head(hdf5::Writer& out, const ParticleTable& table) {
    out.note("/", "program", std::string("Riffle"));
    out.note("/", "version", std::string(RIFFLE_VERSION));
    out.note("/", "scene", table.scene);
    out.make_group("box");
    const Domain& domain = table.domain;
    std::vector<float> corners;
    std::string faces;
    for (const Vec3 corner : {domain.min, domain.max})
      for (int a = 0; a < domain.dimension; ++a) corners.push_back(component(corner, a));
    for (int a = 0; a < domain.dimension; ++a)
      faces += std::string(a > 0 ? ", " : "") + (domain.periodic(a) ? "periodic"
                                                 : domain.walled(a) ? "walled"
                                                                    : "open");
    out.write("box/corners", corners, {2, static_cast<std::uint64_t>(domain.dimension)});
    out.note("box/corners", "unit", table.field("position").unit);
    out.note("box", "axes", faces);
    out.make_group("fluids");
    for (std::size_t f = 0; f < table.fluids.size(); ++f) {
      const std::string group = fmt::format("fluids/{}", f);
      out.make_group(group);
      out.note(group, "name", table.fluids[f]);
      if (f < table.masses.size()) out.note(group, "particle_mass", table.masses[f]);
    }
  }

  std::vector<std::string> grids_;
  std::size_t there_ = 0;
};

}  // namespace

std::unique_ptr<ParticleTrajectory> begin_particle_hdf5(const fs::path& file) {
  return std::make_unique<Hdf5Trajectory>(file);
}

std::unique_ptr<ParticleTrajectory> continue_particle_hdf5(const fs::path& file, const KeepFrames& keep) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  if (error) throw InputError(fmt::format("{}: cannot be read: {}", file.string(), error.message()));
  const hdf5::Reader in(file, file.string(), bytes);
  std::vector<double> times;
  while (in.has(frame_group(times.size()))) times.push_back(in.note<double>(frame_group(times.size()), "time"));
  if (times.empty())
    throw InputError(fmt::format("{}: has no frame_000000; allowed: a series of particles", file.string()));
  const std::size_t kept = keep(times);
  if (kept == 0) return begin_particle_hdf5(file);
  std::vector<std::string> grids;
  for (std::size_t frame = 0; frame < kept; ++frame) {
    const std::string group = frame_group(frame);
    std::vector<XdmfArray> arrays;
    for (const std::string& name : in.names(group)) {
      const std::string array = group + "/" + name;
      const bool integers = in.holds<std::uint32_t>(array);
      arrays.push_back(
          {name, integers ? "" : in.text_note(array, "unit"), in.shape(array).size() == 2 ? 3 : 1, integers});
    }
    grids.push_back(
        xdmf_grid(file.filename().string(), frame, times[frame], in.note<std::uint64_t>(group, "count"), arrays));
  }
  return std::make_unique<Hdf5Trajectory>(file, std::move(grids), times.size());
}

}  // namespace riffle
