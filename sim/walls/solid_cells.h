#pragma once
/// Which solids may be near a place: a grid over the domain whose cells have a bit for each solid. A particle is then compared
/// with the solids around it, however many there are.
///
/// A cell has the bits of all solids whose bounds are nearer than `reach` to some place in it. Places outside the grid belong to
/// the outermost cells. The bits of solids that stand still are found once, those of the others in each step, from the frames of
/// the step. A solid that covers very many cells is listed for all of them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/device/buffer.h"
#include "core/math/bits.h"
#include "core/math/domain.h"
#include "core/math/vec.h"
#include "sim/shapes/distance.h"
#include "sim/walls/surface_frame.h"

namespace riffle {

inline constexpr int kMostSolids = 64 * 64;  ///< a bit for each 64 of them fits into one word

/// For kernels. A row of bits has a word for each 64 solids. Where that is more than one, a summary stands before them: its bit w
/// says whether word w has any.
struct SolidCellsView {
  const std::uint64_t* bits =
      nullptr;    ///< (cells + 1) rows; the last one is of solids that may be near any place. nullptr: none
  int words = 0;  ///< in a row, without the summary
  int cells = 0;
  int size[3] = {1, 1, 1};                ///< cells along each axis
  bool wraps[3] = {false, false, false};  ///< periodic axes
  Vec3 low{0, 0, 0};                      ///< [m] of the grid
  Vec3 per_cell{0, 0, 0};                 ///< [1/m]
  float reach = 0;                        ///< [m]

  RIFFLE_HD int stride() const { return words > 1 ? words + 1 : 1; }

  /// Monotone in x, so that a place within bounds is in a cell between those of the bounds. A NaN is in the first cell.
  RIFFLE_HD int along(int a, float x) const {
    const auto n = static_cast<float>(size[a]);
    float c = floorf((x - component(low, a)) * component(per_cell, a));
    if (wraps[a]) c -= n * floorf(c / n);
    if (!(c > 0)) return 0;
    return c < n ? static_cast<int>(c) : size[a] - 1;
  }
  RIFFLE_HD int cell(Vec3 x) const { return along(0, x.x) + size[0] * (along(1, x.y) + size[1] * along(2, x.z)); }

  /// Calls visit(solid) for the solids that may be nearer to x than `reach`, in their order, until it returns false.
  template <class Visit>
  RIFFLE_HD void for_each_near(Vec3 x, const Visit& visit) const {
    const std::uint64_t* here = bits + static_cast<std::ptrdiff_t>(cell(x)) * stride();
    const std::uint64_t* everywhere = bits + static_cast<std::ptrdiff_t>(cells) * stride();
    if (words == 1) {
      visit_word(0, *here | *everywhere, visit);
      return;
    }
    for (std::uint64_t left = *here | *everywhere; left != 0; left &= left - 1) {
      const int word = lowest_bit(left);
      if (!visit_word(word, here[1 + word] | everywhere[1 + word], visit)) return;
    }
  }

 private:
  template <class Visit>
  RIFFLE_HD static bool visit_word(int word, std::uint64_t left, const Visit& visit) {
    for (; left != 0; left &= left - 1)
      if (!visit(64 * word + lowest_bit(left))) return false;
    return true;
  }
};

/// The bits on a device.
class SolidCells {
 public:
  static constexpr std::size_t kFewest = 5;  ///< solids for which a grid pays

  SolidCells() = default;
  /// @param flat    each solid's shape, then its cuts, as sim/shapes/distance.h has them
  /// @param moving  (solids) whether steps move it; empty: none moves
  /// @param reach   [m] > 0: up to which places may ask for solids
  SolidCells(const Device& device, const Domain& domain, const FlatRegions& flat, std::span<const std::uint8_t> moving,
             float reach);

  /// Valid as long as this lives, whatever moves. Until mark() those that move may be anywhere.
  SolidCellsView view() const { return view_; }

  /// Finds the cells of the moving solids again.
  /// @param frames  (solids) of a step, on the device. Asynchronous.
  void mark(const SurfaceFrame* frames);

  std::size_t bytes() const { return bits_.bytes() + still_.bytes() + moving_.bytes() + half_.bytes(); }
  /// As bytes() of what the constructor would make.
  static std::size_t bytes_of(const Domain& domain, const FlatRegions& flat, std::size_t moving, float reach);

 private:
  SolidCellsView view_;
  Buffer<std::uint64_t> bits_;    ///< that the view has
  Buffer<std::uint64_t> still_;   ///< the same of solids that stand still; empty: nothing moves
  Buffer<std::uint32_t> moving_;  ///< the solids that move, without those that have no end
  Buffer<Vec3> half_;             ///< [m] of those, half the extents of their bounds, in their frame
};

}  // namespace riffle
