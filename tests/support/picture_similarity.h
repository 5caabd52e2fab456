#pragma once
/// How alike two pictures of the same size are, at full size.

#include "render/view.h"

namespace riffle::test {

struct Similarity {
  /// The structural similarity (SSIM) of Wang, Bovik, Sheikh and Simoncelli 2004, "Image quality assessment: from error
  /// visibility to structural similarity": the mean over windows of 8 x 8 pixels, of red, green and blue each. 1: equal.
  /// -1 if the sizes differ, or if the pictures are smaller than a tile.
  double structure = -1;

  /// Of the tile of 64 x 64 pixels whose mean colour differs most: the mean over red, green and blue of the difference,
  /// 0..255. SSIM hardly sees other colours; this hardly sees particles that have moved a little.
  double color = 255;
  int x = 0, y = 0;  ///< the upper left pixel of that tile
};

Similarity similarity(const render::Image& a, const render::Image& b);

}  // namespace riffle::test
