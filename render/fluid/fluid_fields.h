#pragma once
/// What the two ways to draw the fluid look, OpenGL's and the kernels', have in common: over how much each particle is
/// spread, and how large the targets are that it is spread into.

#include "render/camera.h"
#include "render/view.h"

namespace riffle {

/// Discs over which a particle's volume and colour are spread: wide enough that neighbours overlap on a stretched
/// surface too, narrow enough that a jet stays one.
inline constexpr float kThicknessRadius = 1.5f, kSurfaceRadius = 1.5f;  // [particle spacings]

/// [particle spacings] of thickness in a disc's middle. The integral over a disc of (1 - r^2)^2 is pi/3 of its radius
/// squared: with this weight the sum is the volume per area.
constexpr float peak(float radius) { return 3 / (3.14159265f * radius * radius); }

/// How far below the surface a particle still shows its colour.
inline constexpr float kSurfaceReach = 1.5f;  // [particle spacings]

/// How far behind a depth the filter takes what is far behind it to be; rounds silhouettes.
inline constexpr float kSilhouetteDepth = 0.1f;  // [particle spacings]

/// [particle spacings] of thickness up to which the filter leaves the spheres as they are, and from which it has its whole
/// width: two drops, one before the other, are spheres already.
inline constexpr float kDropLayers = 0.85f, kSmoothLayers = 2.5f;

/// [pixel] between the pixels that the filter's last passes take. An even number of them.
inline constexpr int kSmoothSteps[] = {8, 4, 2, 1};

struct PictureSize {
  int width = 0, height = 0;  ///< [pixel]
  friend bool operator==(const PictureSize&, const PictureSize&) = default;
};

/// Of the targets for thickness and colour. Both are smooth over a disc, three spacings wide: where a spacing in the
/// middle of the domain has two pixels they show all there is, and each pixel more costs the square of it.
/// @return at most half of `scene`, rounded up
PictureSize coarse_size(PictureSize scene, const ViewTransform& view, const BoxView& box, float spacing);

}  // namespace riffle
