#pragma once
/// What the renderer needs to know of a scene: plain views, no simulation types.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "core/math/camera.h"
#include "core/math/vec.h"

namespace riffle {

/// Particles where the simulation keeps them. The pointers are in the memory of `device` and are read by one gather
/// kernel.
struct ParticleView {
  Device device;
  int count = 0;
  const Vec4* position = nullptr;        ///< (count), any order, [m]; w unused
  const Vec4* velocity = nullptr;        ///< (count), [m/s]; w unused
  const float* scalar = nullptr;         ///< (count), the colour value; nullptr: the index, or else the speed, is used
  float radius = 0.01f;                  ///< [m] of every sphere
  const std::uint32_t* index = nullptr;  ///< (count), the colour value without a scalar: the entry of a palette
  bool gathered = false;                 ///< position is gather_vertices()' output: its w is the colour value
  const float* speed = nullptr;          ///< (count) [m/s] of a view that was gathered; nullptr: none
  float spacing = 0;                     ///< [m] mean distance of neighbours in the bulk; 0: twice the radius
};

/// One colour of a palette and what it stands for.
struct PaletteEntry {
  std::string name;  ///< in the legend
  Vec3 rgb;          ///< sRGB, 0..1; categorical_colors() of render/color_map.h has good ones
};

/// Legend and colours: a colour map over [min, max] of a named quantity, or a palette when one is given.
struct ColorScale {
  std::string quantity = "speed";
  std::string unit = "m/s";
  std::string colormap = "viridis";  ///< one of color_map_names()
  float min = 0, max = 1;
  std::vector<PaletteEntry> palette;  ///< up to 8; then a particle's value is its index in here
};

/// The domain's box, drawn as lines.
struct BoxView {
  Vec3 min, max;
  bool two_dimensional = false;
};

/// What of the particles is left out, so that one sees inside.
struct CutPlane {
  Vec3 normal{1, 0, 0};  ///< need not be a unit vector
  float offset = 0;      ///< particles whose centre x has dot(normal, x) > offset are not drawn
};

/// A sphere drawn in addition to the particles: one that was picked, its neighbours.
struct Highlight {
  Vec3 position;           ///< [m]
  float radius_scale = 1;  ///< of the particles' radius
  Vec3 color{1, 0.6f, 0};  ///< sRGB
};

/// Cells of a neighbour search, drawn as faint lines: the whole of a 2-D grid, and of a 3-D one the three faces behind
/// the fluid, or one plane.
struct GridOverlay {
  struct Slice {
    int axis = 2;        ///< that it is perpendicular to: 0, 1, 2
    float position = 0;  ///< [m] along the axis
  };
  Vec3 origin;         ///< [m] lower corner of the first cell
  Vec3 cell{1, 1, 1};  ///< [m] edges of a cell
  int counts[3] = {0, 0, 0};
  std::optional<Slice> slice;
};

/// What a picture may show besides particles and domain. Nothing is kept beyond the call of draw().
struct Extras {
  std::optional<CutPlane> cut;
  std::span<const Highlight> highlights;
  bool highlights_through = false;  ///< in front of everything, rather than where they are
  std::optional<GridOverlay> grid;
  std::span<const BoxView> boxes;  ///< of a search by a tree, drawn like the grid's lines
};

/// A picture in the host's memory, top row first.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< (height, width, 3)
};

}  // namespace riffle
