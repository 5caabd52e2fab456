#pragma once
/// What the renderer needs to know about a scene, as plain views without simulation types.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "core/math/camera.h"
#include "core/math/domain.h"
#include "core/math/triangles.h"
#include "core/math/vec.h"

namespace riffle::render {

/// The simulation's particles. The pointers are in the memory of `device`; only the gather kernel reads them.
struct ParticleView {
  Device device;
  int count = 0;
  const Vec4* position = nullptr;        ///< (count), any order, [m]; w unused
  const Vec4* velocity = nullptr;        ///< (count), [m/s]; w unused
  const float* scalar = nullptr;         ///< (count), the colour value; nullptr: uses the index or else the speed
  float radius = 0.01f;                  ///< [m] of every sphere
  const std::uint32_t* index = nullptr;  ///< (count), the colour value if there is no scalar: an entry of a palette
  bool gathered = false;                 ///< position is the output of gather_vertices(): its w is the colour value
  const float* speed = nullptr;          ///< (count) [m/s] of a gathered view; nullptr: none
  float spacing = 0;                     ///< [m] mean distance of neighbours in the bulk; 0: twice the radius
  float earlier =
      0;  ///< [s] the picture shows position - earlier * velocity, if there are velocities; of no gathered view
};

/// One colour of a palette and its meaning.
struct PaletteEntry {
  std::string name;  ///< in the legend
  Vec3 rgb;          ///< sRGB, 0..1; for example from categorical_colors() of render/color_map.h
};

/// Legend and colours: a colour map over [min, max] of a named quantity, or a palette if there is one.
struct ColorScale {
  std::string quantity = "speed";
  std::string unit = "m/s";
  std::string colormap = "viridis";  ///< one of color_map_names()
  float min = 0, max = 1;
  bool below = false, above = false;  ///< particles have values beyond these ends: the legend's bar is pointed there
  std::vector<PaletteEntry> palette;  ///< up to 8 entries; a particle's value is then its index in the palette
};

/// The domain's box, drawn as lines.
struct BoxView {
  Vec3 min, max;
  bool two_dimensional = false;
  Axis axis[3] = {Axis::Open, Axis::Open, Axis::Open};  ///< a 2-D fluid ends at a wall and goes on at a periodic face
};

/// Hides particles on one side of a plane, so that one sees inside.
struct CutPlane {
  Vec3 normal{1, 0, 0};  ///< need not be a unit vector
  float offset = 0;      ///< particles whose centre x has dot(normal, x) > offset are not drawn
};

/// A sphere drawn in addition to the particles, such as the picked particle and its neighbours.
struct Highlight {
  Vec3 position;           ///< [m]
  float radius_scale = 1;  ///< relative to the particles' radius
  Vec3 color{1, 0.6f, 0};  ///< sRGB
};

/// Cells of a neighbour search, drawn as faint lines: a whole 2-D grid, or in 3-D the three faces behind the fluid or
/// one plane.
struct GridOverlay {
  struct Slice {
    int axis = 2;        ///< axis perpendicular to the plane: 0, 1, 2
    float position = 0;  ///< [m] along the axis
  };
  Vec3 origin;         ///< [m] lower corner of the first cell
  Vec3 cell{1, 1, 1};  ///< [m] edges of a cell
  int counts[3] = {0, 0, 0};
  std::optional<Slice> slice;
};

/// Where a mesh is: a point x of it is drawn at turn x + shift.
struct MeshPose {
  Vec3 turn[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< rows of a rotation
  Vec3 shift{};

  Vec3 of(Vec3 x) const { return Vec3{dot(turn[0], x), dot(turn[1], x), dot(turn[2], x)} + shift; }
  Vec3 turned_back(Vec3 v) const { return v.x * turn[0] + v.y * turn[1] + v.z * turn[2]; }
  Vec3 back(Vec3 x) const { return turned_back(x - shift); }
};

/// A solid: its closed surface, or in 2-D its area with an outline.
struct SolidMesh {
  TriangleMesh mesh;
  Vec3 color{0.62f, 0.64f, 0.66f};  ///< sRGB
  MeshPose pose;
};

struct Solids {
  std::vector<SolidMesh> meshes;
  std::uint64_t version =
      0;  ///< another one for other meshes, also of other objects: a renderer takes each over once; poses may change without
};

/// What a picture may show besides particles and domain. draw() keeps no reference to it.
struct Extras {
  std::optional<CutPlane> cut;
  std::span<const Highlight> highlights;
  bool highlights_through = false;  ///< draw highlights in front of everything
  std::optional<GridOverlay> grid;
  std::span<const BoxView> boxes;  ///< of a tree of boxes, drawn like the grid's lines
  const Solids* solids = nullptr;  ///< opaque, and not cut by `cut`
};

/// A picture in the host's memory, top row first.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< (height, width, 3), sRGB
  std::vector<std::uint8_t> alpha =
      {};  ///< (height, width), 0: clear; empty: all is opaque. The colours are not multiplied by it
};

}  // namespace riffle::render
