#pragma once
/// What both ways to draw the fluid look, OpenGL's and the kernels', share: the discs over which particles are spread,
/// and the size of the targets.

#include "render/camera.h"
#include "render/view.h"

namespace riffle::render {

/// Radii of the discs over which a particle's volume and colour are spread: wide enough that neighbours overlap on a
/// stretched surface too, narrow enough that a jet stays narrow. The Fourier transform of (1 - r^2)^2 over a disc,
/// J3(x) / x^3, is 0 at x = 9.761: discs of this radius, in rows a spacing apart, add up without a trace of the rows.
/// With 1.5 a deep fluid at rest had stripes of 2 %.
inline constexpr float kThicknessRadius = 1.5535f, kSurfaceRadius = 1.5535f;  // [particle spacings]

/// Thickness in a disc's middle [particle spacings]. The integral over a disc of (1 - r^2)^2 is pi/3 of its radius
/// squared, so with this weight the sum is the volume per area.
constexpr float peak(float radius) { return 3 / (3.14159265f * radius * radius); }

/// Depth below the surface down to which a particle shows its colour.
inline constexpr float kSurfaceReach = 1.5f;  // [particle spacings]

/// What tells a body of fluid from drops (fluid_bulk.frag). Two drops that touch fill 0.15 of their surroundings, a
/// string of single particles fills 0.33, and at its outline a body fills half of them.
inline constexpr float kBulkReach = 2.25f;                          // [particle spacings] radius of the surroundings
inline constexpr float kBulkSame = 2, kBulkOther = 4;               // [particle spacings] of depth
inline constexpr float kBulkBegins = 0.16f, kBulkComplete = 0.32f;  // share of the surroundings
inline constexpr int kBulkDirections = 6;                           // in which is looked, and their opposites

/// What tells a drop in front of other fluid (fluid_around.glsl): less than the first share of its surroundings is its
/// own surface, and more than the second share is behind it. In a body that is true only of particles at sharp corners.
inline constexpr float kDropSame = 1.25f, kDropOther = 2.5f;  // [particle spacings] of depth
inline constexpr float kDropOwn = 0.4f, kDropBehind = 0.3f;
/// Drops that are close together hide from each other that there is fluid behind them. The second pass decides by the
/// picture without the drops that the first one found.
inline constexpr int kDropPasses = 2;

/// A picture with solids has the thickness down to these depths below the surface. It tells how much fluid is before a
/// solid: the whole thickness includes what is behind the solid.
inline constexpr float kWithin[4] = {2, 4, 8, 16};  // [particle spacings]

/// Distances [pixel] between the pixels that the filter's last passes read, one per pass. An even number of passes.
inline constexpr int kSmoothSteps[] = {8, 4, 2, 1};

/// Likewise, of the passes after fluid_shore.frag, which read only where it has changed the surface.
inline constexpr int kShoreSteps[] = {4, 2, 1};

struct PictureSize {
  int width = 0, height = 0;  ///< [pixel]
  friend bool operator==(const PictureSize&, const PictureSize&) = default;
};

/// Size of the targets for thickness and colour. Both are smooth over a disc of three spacings, so two pixels per
/// spacing in the middle of the domain show everything; the cost grows with the square of the resolution.
/// @return at most half of `scene`, rounded up
PictureSize coarse_size(PictureSize scene, const ViewTransform& view, const BoxView& box, float spacing);

}  // namespace riffle::render
