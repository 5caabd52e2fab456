#include "sim/bodies/mass/body_mass.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "sim/bodies/mass/moments.h"
#include "sim/setup.h"
#include "sim/shapes/known_of_regions.h"

namespace riffle {

namespace {

constexpr double kLeastShare = 1e-6;  // of its bounds that a body's volume is at least

/// A further shape that sticks out of the others by less than this share of its volume counts as wholly in them and adds nothing.
/// It is about the error of the cells that its common part is counted by.
constexpr double kWholly = 1e-3;

bodies::Moments computed_moments(const Region& region, int dimension) {
  bodies::Moments whole = bodies::plain_moments(region, dimension);
  for (std::size_t k = 0; k < region.with.size(); ++k) {
    const bodies::Moments part = bodies::plain_moments(region.with[k], dimension);
    const bodies::Moments common = bodies::common_moments(region, k, dimension);
    if (common.volume < (1 - kWholly) * part.volume) whole = bodies::sum(whole, bodies::difference(part, common));
  }
  return region.without.empty() ? whole : bodies::difference(whole, bodies::cut_moments(region, dimension));
}

bodies::Moments moments_of(const Region& region, int dimension) {
  if (region.plain()) return computed_moments(region, dimension);
  static KnownOfRegions<int, bodies::Moments> known;
  return known.of(region, dimension, [&] { return computed_moments(region, dimension); });
}

BodyMass mass_of(const bodies::Moments& m, int dimension, double density) {
  BodyMass body;
  body.volume = m.volume;
  body.mass = density * m.volume;
  for (int a = 0; a < 3; ++a) body.center[a] = m.center[a];
  double(&inertia)[9] = body.inertia;
  if (dimension == 2) {
    inertia[8] = density * (m.second[0][0] + m.second[1][1]);
    body.inverse[8] = inertia[8] > 0 ? 1 / inertia[8] : 0;
    return body;
  }
  const double trace = m.second[0][0] + m.second[1][1] + m.second[2][2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inertia[3 * i + j] = density * ((i == j ? trace : 0) - m.second[i][j]);
  const auto minor = [&](int i, int j) {
    const int r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return inertia[3 * r + c] * inertia[3 * s + d] - inertia[3 * r + d] * inertia[3 * s + c];
  };
  const double determinant = inertia[0] * minor(0, 0) + inertia[1] * minor(0, 1) + inertia[2] * minor(0, 2);
  if (determinant > 0)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) body.inverse[3 * j + i] = minor(i, j) / determinant;
  return body;
}

/// Of the bounds [m^d]. Refuses what is infinite.
double volume_of_bounds(const SimulationSetup& setup, std::size_t solid) {
  const Bounds bounds = bounds_of(setup.solid_regions[solid]);
  if (has_plane(setup.solid_regions[solid]))
    throw InputError(
        fmt::format("solid '{}': a free body that is a plane has no end and no mass; allowed: any other shape",
                    solid_name(setup, solid)));
  double product = 1;
  for (int a = 0; a < setup.domain.dimension; ++a) {
    const double low = component(bounds.min, a), high = component(bounds.max, a);
    if (!std::isfinite(low) || !std::isfinite(high))
      throw InputError(
          fmt::format("solid '{}': a free body that is infinite along {} has no mass; allowed: finite "
                      "`from` and `to`",
                      solid_name(setup, solid), "xyz"[a]));
    product *= high - low;
  }
  return product;
}

}  // namespace

BodyMass body_mass(const Region& region, int dimension, double density) {
  return mass_of(moments_of(region, dimension), dimension, density);
}

std::vector<BodyMass> body_masses(const SimulationSetup& setup) {
  std::vector<BodyMass> masses(setup.solid_regions.size());
  const int dimension = setup.domain.dimension;
  for (std::size_t s = 0; s < masses.size(); ++s) {
    const SolidRegion& solid = setup.solid_regions[s];
    if (!solid.free.given) continue;
    const double bounds = volume_of_bounds(setup, s);
    const bodies::Moments m = moments_of(solid, dimension);
    if (!(m.volume > kLeastShare * bounds))
      throw InputError(
          fmt::format("solid '{}': a free body without volume has no mass; found {:.3g} m^{}; allowed: "
                      "more than {:g} of its bounds, which have {:.3g} m^{}",
                      solid_name(setup, s), m.volume, dimension, kLeastShare, bounds, dimension));
    const double density = solid.free.mass > 0 ? solid.free.mass / m.volume : double{solid.free.density};
    if (!(density > 0))
      throw InputError(fmt::format("solid '{}': a free body has neither `density` nor `mass`; allowed: one above 0",
                                   solid_name(setup, s)));
    masses[s] = mass_of(m, dimension, density);
  }
  return masses;
}

}  // namespace riffle
