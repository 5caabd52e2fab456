#include "validation/mixing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/error.h"

namespace riffle {

namespace {

constexpr double kTrace = 0.05;  ///< a slab with a smaller share of a fluid counts as free of it

void require(bool holds, const char* what) {
  if (!holds) throw RuntimeFailure(std::string("measures of mixing: ") + what);
}

struct Slab {
  double light = 0, all = 0;
};

}  // namespace

MixingMeasures measure_mixing(const std::vector<float>& height, const std::vector<float>& across,
                              const std::vector<std::uint32_t>& fluid, const MixingBox& box) {
  require(height.size() == across.size() && height.size() == fluid.size(), "arrays of different lengths");
  require(box.top > box.bottom && box.right > box.left && box.slabs > 0, "an empty box");
  const double tall = box.top - box.bottom, k = 2 * std::numbers::pi / (box.right - box.left);
  const double thickness = tall / box.slabs;
  std::vector<Slab> slabs(static_cast<std::size_t>(box.slabs));
  MixingMeasures m;
  double heavy = 0, light = 0, heavy_height = 0, light_height = 0;
  for (std::size_t i = 0; i < height.size(); ++i) {
    require(std::isfinite(height[i]) && std::isfinite(across[i]), "a particle's position is not a number");
    const bool is_heavy = fluid[i] == box.heavy;
    const double sign = is_heavy ? 1 : -1, phase = k * (across[i] - box.left);
    m.a_cos -= sign * std::cos(phase);
    m.a_sin -= sign * std::sin(phase);
    const double place = std::clamp((height[i] - box.bottom) / thickness, 0.0, box.slabs - 1.0);
    Slab& slab = slabs[static_cast<std::size_t>(place)];
    slab.all += 1;
    if (!is_heavy) slab.light += 1;
    (is_heavy ? heavy : light) += 1;
    (is_heavy ? heavy_height : light_height) += height[i];
  }
  require(heavy > 0, "no particle of the heavy fluid");
  require(light > 0, "no particle of the light fluid");
  m.a_cos *= tall / double(height.size());
  m.a_sin *= tall / double(height.size());
  m.centre_difference = heavy_height / heavy - light_height / light;

  // A fluid of which every slab has at most a trace counts as reaching the far end.
  double highest = box.bottom, lowest = box.top;
  for (int s = 0; s < box.slabs; ++s) {
    const Slab& slab = slabs[static_cast<std::size_t>(s)];
    if (slab.all <= 0) continue;
    const double f = slab.light / slab.all, centre = box.bottom + (s + 0.5) * thickness;
    m.width += 6 * f * (1 - f) * thickness;
    if (f > kTrace) highest = std::max(highest, centre);
    if (f < 1 - kTrace) lowest = std::min(lowest, centre);
  }
  m.bubble = highest - box.middle;
  m.spike = box.middle - lowest;
  return m;
}

}  // namespace riffle
