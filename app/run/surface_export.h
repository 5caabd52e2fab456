#pragma once
/// The surfaces of fluids in files for other programs: PLY, OBJ, VTK's PolyData (.vtp) and USD in text (.usda).

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "sim/fluid_surface/fluid_surface.h"

namespace riffle {

/// The surface of one fluid.
struct FluidMesh {
  std::string fluid;  ///< its name
  Vec3 color;         ///< sRGB, 0..1
  SurfaceMesh mesh;
  double volume = 0;               ///< [m^3] that it encloses
  double volume_of_particles = 0;  ///< [m^3] their number times spacing^3
};

/// The surfaces of all fluids at one moment.
struct SurfaceTable {
  std::string scene;
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  bool si = true;           ///< lengths are metres; otherwise reduced ones
  std::string length_unit;  ///< "m"; "" where it has no name
  std::vector<FluidMesh> fluids;
  std::uint32_t left_out = 0;  ///< particles that are not finite, or too far away for cells of this size

  std::size_t vertices() const;
  std::size_t triangles() const;
  double volume() const;
  double volume_of_particles() const;
};

/// Each fluid's surface by itself. Waits. @throws Unavailable if memory is short
SurfaceTable read_surface(const Simulation& simulation, SimulationSurface& surface, const std::string& scene);

enum class SurfaceFormat { Vtp, Ply, Obj, Usda };

struct SurfaceFormatRow {
  const char* ending;  ///< ".vtp"
  SurfaceFormat format;
  const char* list;  ///< ending of the file beside a series that has its times; "": none
};

std::span<const SurfaceFormatRow> surface_formats();

/// By the name's ending. @throws InputError when it is none of surface_formats()
const SurfaceFormatRow& surface_format_row(const std::filesystem::path& file);

/// The list beside a series of such files; "": there is none. @throws InputError likewise
std::filesystem::path surface_list(const std::filesystem::path& file);

/// Binary, little-endian: vertices with float x y z nx ny nz and uint fluid, faces as lists with uint fluid.
void write_ply(std::ostream& out, const SurfaceTable& table);
/// Text: an object for each fluid, with normals. Numbers read back as the same floats.
void write_obj(std::ostream& out, const SurfaceTable& table);
/// VTK's XML PolyData with raw appended data: points with normals, polygons with their fluid, TimeValue.
void write_vtp(std::ostream& out, const SurfaceTable& table);
/// USD in text: a stage with a mesh for each fluid, y upwards.
void write_usda(std::ostream& out, const SurfaceTable& table);

/// Writes the format of the name's ending. The file appears whole or not at all.
/// @throws InputError as surface_format_row(), RuntimeFailure with the reason
void write_surface(const std::filesystem::path& file, const SurfaceTable& table);

}  // namespace riffle
