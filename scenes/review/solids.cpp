#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/math/even_places.h"
#include "scenes/document/body_space.h"
#include "scenes/review/resolution_key.h"
#include "scenes/review/subjects.h"
#include "sim/shapes/distance.h"
#include "sim/shapes/known_of_regions.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"

namespace riffle::scenes {

namespace {

constexpr float kOnSurface = 0.02f;  // [spacings] two solids that touch are rounded apart or into each other by less

constexpr int kMostPlaces = 262144;

std::string solid_key(std::size_t i) { return fmt::format("solids[{}]", i); }

/// "solids[2] ('post')"
std::string solid_text(const SimulationSetup& setup, std::size_t i) {
  const std::string& name = setup.solid_regions[i].name;
  return solid_key(i) + (name.empty() ? "" : fmt::format(" ('{}')", name));
}

bool reaches_low(const Domain& domain, const Bounds& bounds, int axis) {
  return component(bounds.min, axis) <= component(domain.min, axis) + 1e-5f * component(domain.extent(), axis);
}
bool reaches_high(const Domain& domain, const Bounds& bounds, int axis) {
  return component(bounds.max, axis) >= component(domain.max, axis) - 1e-5f * component(domain.extent(), axis);
}

Bounds within(const Bounds& a, const Bounds& b) {
  return {{std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y), std::max(a.min.z, b.min.z)},
          {std::min(a.max.x, b.max.x), std::min(a.max.y, b.max.y), std::min(a.max.z, b.max.z)}};
}

/// A place in the box for which is_there(place) holds, of up to some hundred thousand that are spread evenly and on no
/// lattice, eight for each particle's volume; nothing if there is none.
template <class Test>
std::optional<Vec3> place_in(const Bounds& box, const SimulationSetup& setup, int most, const Test& is_there) {
  const int dimension = setup.domain.dimension;
  double volume = 1;
  for (int a = 0; a < dimension; ++a) {
    const double extent = double{component(box.max, a)} - component(box.min, a);
    if (!(extent >= 0)) return std::nullopt;
    volume *= extent / setup.spacing;
  }
  const auto count = static_cast<int>(std::clamp(8 * volume, 4096.0, double(most)));
  for (int k = 0; k < count; ++k) {
    const Vec3 part = even_place(k, dimension);
    float at[3] = {0, 0, 0};
    for (int a = 0; a < dimension; ++a) {
      const double low = component(box.min, a), extent = double{component(box.max, a)} - low;
      at[a] = static_cast<float>(low + double{component(part, a)} * extent);
    }
    const Vec3 x{at[0], at[1], at[2]};
    if (is_there(x)) return x;
  }
  return std::nullopt;
}

template <class Test>
std::optional<Vec3> place_in(const Bounds& box, const SimulationSetup& setup, const Test& is_there) {
  return place_in(box, setup, kMostPlaces, is_there);
}

/// Signed distances to single solids.
class SolidSurfacesOf {
 public:
  explicit SolidSurfacesOf(const SimulationSetup& setup) : setup_(setup) {
    for (const SolidRegion& solid : setup.solid_regions) {
      const Region* const one[] = {&solid};
      flat_.push_back(flatten(one, setup.domain, setup.spacing));
    }
  }

  bool deep_inside(std::size_t solid, Vec3 x) const {
    return nearest_surface(flat_[solid], x, setup_.domain.dimension).distance < -kOnSurface * setup_.spacing;
  }

  const FlatRegions& flat(std::size_t solid) const { return flat_[solid]; }

  /// The image of x nearest to the solid.
  Vec3 image_of(std::size_t solid, Vec3 x) const { return RegionsAtRest{}.into(flat_[solid].shapes[0], x); }

  /// Where the solid and its images are: along periodic axes whose faces it crosses they are anywhere.
  Bounds reach(std::size_t solid) const {
    Bounds bounds = bounds_of(setup_.solid_regions[solid]);
    const Domain& domain = setup_.domain;
    const Vec3 period = flat_[solid].shapes[0].period;
    const auto extend = [&](int a, float& low, float& high) {
      const float from = component(domain.min, a), to = component(domain.max, a);
      if (component(period, a) > 0 && (low < from || high > to)) low = std::min(low, from), high = std::max(high, to);
    };
    extend(0, bounds.min.x, bounds.max.x);
    extend(1, bounds.min.y, bounds.max.y);
    extend(2, bounds.min.z, bounds.max.z);
    return bounds;
  }

  /// The part of it that lies in the domain.
  Bounds bounds(std::size_t solid) const { return within(reach(solid), {setup_.domain.min, setup_.domain.max}); }

 private:
  const SimulationSetup& setup_;
  std::vector<FlatRegions> flat_;
};

void review_names(const SimulationSetup& setup, Findings& out) {
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::string name = solid_name(setup, i);
      if (name != solid_name(setup, j)) continue;
      const bool given = !setup.solid_regions[i].name.empty();
      out.refuse(solid_key(given ? i : j) + ".name",
                 fmt::format("found '{}', which is already the name of {}; allowed: a name of its own", name,
                             solid_key(given ? j : i)));
      return;
    }
}

/// One that crosses a periodic face comes in through the other, unless it is so long that it meets itself there, or is a
/// hole in what goes on through both. @param longest  [m] that may cross
/// @return false when it was refused
bool review_periodic_axis(const SimulationSetup& setup, const Bounds& bounds, int a, double longest,
                          const std::string& key, Findings& out) {
  const Domain& domain = setup.domain;
  if (!domain.periodic(a)) return true;
  const float slack = 0.01f * setup.spacing;
  const bool beyond = component(bounds.min, a) < component(domain.min, a) - slack ||
                      component(bounds.max, a) > component(domain.max, a) + slack;
  if (!beyond || (reaches_low(domain, bounds, a) && reaches_high(domain, bounds, a))) return true;
  if (double{component(bounds.max, a)} - component(bounds.min, a) <= longest) return true;
  const std::string shorter = longest > 0 ? fmt::format(", or a length of at most {}, so that it does not meet itself",
                                                        length_text(setup, longest))
                                          : "";
  out.refuse(key,
             fmt::format("sticks out through one face of the periodic axis {}: {}; allowed: from face to face and "
                         "beyond, or within the domain{}. Moved along {}, or with the domain's faces elsewhere, it "
                         "lies within",
                         kAxisNames[a], place_text(setup, bounds, a), shorter, kAxisNames[a]));
  return false;
}

bool goes_through(const Domain& domain, const Bounds& bounds, int axis) {
  return reaches_low(domain, bounds, axis) && reaches_high(domain, bounds, axis);
}

/// Faces of an axis that the solid, one of its shapes or a hole in it crosses. @return false when it was refused
bool review_faces_crossed(const SimulationSetup& setup, std::size_t i, int a, Findings& out) {
  const SolidRegion& solid = setup.solid_regions[i];
  const Domain& domain = setup.domain;
  const double longest = double{component(domain.extent(), a)} - 2 * setup.spacing;
  bool through = false;  // one of its shapes goes on through both faces
  for_each_part(solid, [&](const PlainShape& part) { through |= goes_through(domain, bounds_of(part), a); });
  if (!through) {
    const Bounds bounds = bounds_of(solid);
    if (goes_through(domain, bounds, a) && domain.periodic(a) &&
        component(bounds.max, a) - component(bounds.min, a) > component(domain.extent(), a) + 0.01f * setup.spacing) {
      out.refuse(solid_key(i),
                 fmt::format("is longer than the periodic axis {}, and none of its shapes goes on through both faces: "
                             "{}; allowed: a length of at most {}",
                             kAxisNames[a], place_text(setup, bounds, a), length_text(setup, longest)));
      return false;
    }
    return review_periodic_axis(setup, bounds, a, longest, solid_key(i), out);
  }
  // What a solid has beside a shape that goes on, and a hole in it, may reach beyond the solid anywhere, but not be there at one
  // of the two faces alone.
  const double most = solid.with.empty() ? longest : 0;
  if (!review_periodic_axis(setup, bounds_of(static_cast<const PlainShape&>(solid)), a, most, solid_key(i), out))
    return false;
  for (std::size_t k = 0; k < solid.with.size(); ++k)
    if (!review_periodic_axis(setup, bounds_of(solid.with[k]), a, 0, fmt::format("{}.with[{}]", solid_key(i), k), out))
      return false;
  for (std::size_t k = 0; k < solid.without.size(); ++k) {
    const PlainShape& cut = solid.without[k];
    const std::string key = fmt::format("{}.without[{}]", solid_key(i), k);
    if (cut.shape != Shape::Plane) {
      if (!review_periodic_axis(setup, bounds_of(cut), a, 0, key, out)) return false;
    } else if (domain.periodic(a) && component(cut.normal, a) != 0) {
      out.refuse(key + ".plane.normal",
                 fmt::format("found {:g} along the periodic axis {}, where the solid would have a step at the domain's "
                             "faces; allowed: 0",
                             component(cut.normal, a), kAxisNames[a]));
      return false;
    }
  }
  return true;
}

bool review_faces_crossed(const SimulationSetup& setup, std::size_t i, Findings& out) {
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (!review_faces_crossed(setup, i, a, out)) return false;
  return true;
}

/// Lies wholly outside the domain, or in it `without` leaves nothing. @return false when it was refused
bool review_place(const SimulationSetup& setup, const SolidSurfacesOf& surfaces, std::size_t i, Findings& out) {
  const SolidRegion& solid = setup.solid_regions[i];
  const Domain& domain = setup.domain;
  const Bounds all = bounds_of(solid);
  for (int a = 0; a < domain.dimension; ++a)
    if (component(all.max, a) <= component(domain.min, a) || component(all.min, a) >= component(domain.max, a)) {
      out.refuse(solid_key(i), "lies wholly outside the domain: " + place_text(setup, all, a));
      return false;
    }
  const Bounds bounds = surfaces.bounds(i);
  const auto has_place = [&](auto&& is_there) { return place_in(bounds, setup, is_there).has_value(); };
  if (has_place([&](Vec3 x) { return contains(solid, surfaces.image_of(i, x), domain.dimension); })) return true;
  if (!solid.without.empty() &&
      has_place([&](Vec3 x) { return in_union(solid, surfaces.image_of(i, x), domain.dimension); }))
    out.refuse(solid_key(i) + ".without",
               "takes away all of the solid that lies in the domain; allowed: shapes that leave some of it");
  else
    out.refuse(solid_key(i), "lies wholly outside the domain, though the box of its bounds reaches into it");
  return false;
}

struct Thickness {
  float length = INFINITY;  ///< [m]
  const char* what = "";    ///< "along x"
};

/// How thin the shape is, where that can be told simply. An end in a walled face is none: the wall is behind it.
/// Periodic axes are longer than any solid that is thin.
Thickness thickness_of(const PlainShape& shape, const Domain& domain) {
  Thickness least;
  const auto consider = [&](float length, const char* what) {
    if (length < least.length) least = {length, what};
  };
  const Bounds bounds = bounds_of(shape);
  const auto goes_on = [&](int a) {
    return domain.walled(a) && (reaches_low(domain, bounds, a) || reaches_high(domain, bounds, a));
  };
  static constexpr const char* kAlong[] = {"along x", "along y", "along z"};
  switch (shape.shape) {
    case Shape::Sphere:
    case Shape::Capsule: consider(2 * shape.radius, "across"); break;
    case Shape::Cylinder: {
      consider(2 * shape.radius, "across");
      Vec3 way = shape.to - shape.from;
      if (domain.dimension == 2) way.z = 0;
      const float length = std::sqrt(length2(way));
      bool on = false;
      for (int a = 0; a < domain.dimension; ++a)
        on = on || (std::fabs(component(way, a)) > 0.5f * length && goes_on(a));
      if (!on) consider(length, "from end to end");
      break;
    }
    case Shape::Box:
    case Shape::Polygon:
      for (int a = 0; a < domain.dimension; ++a)
        if (!goes_on(a)) consider(component(bounds.max, a) - component(bounds.min, a), kAlong[a]);
      break;
    case Shape::Plane: break;  // it has no end
    case Shape::Mesh: break;   // see review_mesh()
  }
  return least;
}

/// What places in a solid say about how thick it is.
struct Depths {
  float deepest = 0;      ///< [m] half of the thickness where it is thickest; infinite: thick enough, or not known
  float wall = INFINITY;  ///< [m] thickness of the thinnest wall that is thinner than a spacing
  Vec3 in_wall{};         ///< a place in it
};

/// What they follow from, beside the solid.
struct DepthsIn {
  Domain domain;
  float spacing;  ///< [m]
  friend bool operator==(const DepthsIn&, const DepthsIn&) = default;
};

/// Looks at places as place_in() does, at fewer in solids of many corners. From those that are nearer to the surface than a
/// spacing it looks straight across the solid, by at most two spacings; at most kMostAcross of them.
class DepthProbe {
 public:
  DepthProbe(const SimulationSetup& setup, const FlatRegions& solid) : setup_(setup), solid_(solid) {}

  Depths operator()(const Bounds& box) {
    Depths depths;
    int fluid_side = 0, across = 0, backed = 0;  // places
    double cost = 1;
    for (const FlatShape& shape : solid_.shapes) cost += 1 + shape.corners;
    const auto most = static_cast<int>(std::clamp(4e6 / cost, 4096.0, double{kMostPlaces}));
    place_in(box, setup_, most, [&](Vec3 x) {
      const SurfaceDistance d = at(x);
      if (d.distance >= 0) return false;
      if (d.distance < -setup_.spacing)
        depths.deepest = INFINITY;
      else if (++across <= kMostAcross)
        look_across(x, d, depths, fluid_side, backed);
      return false;
    });
    // The domain's wall behind a layer makes it thick. At an end of what reaches to a wall few places see it.
    if (fluid_side == 0 || 4 * backed > fluid_side) depths.deepest = INFINITY;
    return depths;
  }

 private:
  static constexpr int kMostAcross = 20000;

  SurfaceDistance at(Vec3 x) const { return nearest_surface(solid_, x, setup_.domain.dimension); }
  bool is_union() const { return solid_.shapes.size() > 1 && solid_.shapes[1].joined; }
  bool beyond_wall(Vec3 x) const {
    const Domain& domain = setup_.domain;
    const float slack = kOnSurface * setup_.spacing;
    for (int a = 0; a < domain.dimension; ++a)
      if (domain.walled(a) &&
          (component(x, a) < component(domain.min, a) + slack || component(x, a) > component(domain.max, a) - slack))
        return true;
    return false;
  }

  Vec3 within_walls(Vec3 x) const {
    const Domain& domain = setup_.domain;
    if (domain.walled(0)) x.x = std::clamp(x.x, domain.min.x, domain.max.x);
    if (domain.walled(1)) x.y = std::clamp(x.y, domain.min.y, domain.max.y);
    if (domain.walled(2)) x.z = std::clamp(x.z, domain.min.z, domain.max.z);
    return x;
  }

  void look_across(Vec3 x, const SurfaceDistance& d, Depths& depths, int& fluid_side, int& backed) const {
    const float spacing = setup_.spacing, slack = kOnSurface * spacing;
    const Vec3 surface = x - d.distance * d.normal;
    if (beyond_wall(surface) || std::fabs(at(surface).distance) > slack) return;
    ++fluid_side;
    depths.deepest = std::max(depths.deepest, -d.distance);
    float thickness = std::max(-d.distance, slack);  // on the surface itself there is nothing to see
    for (;;) {
      const Vec3 there = surface - thickness * d.normal;
      if (beyond_wall(there)) {
        ++backed;
        return;
      }
      float left = -at(there).distance;
      if (left <= 0.1f * slack) {
        // Where shapes of a union touch there is no surface.
        if (!is_union() || at(there - slack * d.normal).distance >= 0) break;
        left = slack;
      }
      thickness += left;
      if (thickness > 2 * spacing) return;
    }
    if (thickness >= (1 - 1e-3f) * spacing || thickness >= depths.wall) return;
    if (!goes_on_around(surface - 0.5f * thickness * d.normal, d.normal)) return;
    depths.wall = thickness;
    depths.in_wall = x;
  }

  /// Whether the solid goes on in all directions at right angles to n. At the edge of what tapers it does not.
  bool goes_on_around(Vec3 middle, Vec3 n) const {
    const bool flat = setup_.domain.dimension == 2;
    Vec3 u = flat || n.x * n.x + n.y * n.y > 0.25f ? Vec3{-n.y, n.x, 0} : Vec3{0, -n.z, n.y};
    u = (1 / std::sqrt(length2(u))) * u;
    const Vec3 v{n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x};
    const float far = 3 * setup_.spacing, near = 0.5f * setup_.spacing;
    const auto solid_at = [&](Vec3 x) { return at(within_walls(x)).distance < near; };
    return solid_at(middle + far * u) && solid_at(middle - far * u) &&
           (flat || (solid_at(middle + far * v) && solid_at(middle - far * v)));
  }

  const SimulationSetup& setup_;
  const FlatRegions& solid_;
};

/// @return false when it was refused
bool review_thickness(const SimulationSetup& setup, const SolidSurfacesOf& surfaces, std::size_t i, Findings& out) {
  constexpr float kRounding = 1e-3f;
  constexpr float kNotDeepest = 0.1f;  // none of the places may lie in the middle
  const SolidRegion& solid = setup.solid_regions[i];
  const bool one = solid.with.empty();
  Thickness thin, thickest{0, ""};  // of its shapes
  std::string key = solid_key(i), thin_key = key;
  bool any_polygon = false;
  int part = -1;
  for_each_part(solid, [&](const PlainShape& shape) {
    const Thickness own = thickness_of(shape, setup.domain);
    if (own.length < thin.length) thin = own, thin_key = part < 0 ? key : fmt::format("{}.with[{}]", key, part);
    if (own.length > thickest.length) thickest = own;
    any_polygon |= shape.shape == Shape::Polygon;
    ++part;
  });
  const float spacings = thin.length / setup.spacing + kRounding;
  if (thickest.length / setup.spacing + kRounding < 1) {
    out.refuse(key, fmt::format("{}is {} thick {}; allowed: at least one particle spacing ({}). A {} "
                                "resolves it",
                                one ? "" : "has no shape that is thick enough: the thickest ",
                                length_text(setup, thickest.length), thickest.what, length_text(setup, setup.spacing),
                                finer_resolution(out)));
    return false;
  }
  if (spacings < 2 && solver_info(setup).wall_particles)
    out.warn(WarningKind::ThinSolid, thin_key,
             fmt::format("is {} thick {}, less than two particle spacings ({}): it holds the fluid off too weakly, "
                         "which comes nearer to it than half a spacing; a {} or a thicker solid helps",
                         length_text(setup, thin.length), thin.what, length_text(setup, 2 * setup.spacing),
                         finer_resolution(out)));
  if (spacings < 2 || (solid.without.empty() && !any_polygon)) return true;  // known exactly
  static KnownOfRegions<DepthsIn, Depths> known;
  const Depths depths = known.of(solid, {setup.domain, setup.spacing},
                                 [&] { return DepthProbe(setup, surfaces.flat(i))(surfaces.bounds(i)); });
  const auto rounded = [&](float length) { return length_text(setup, std::stod(fmt::format("{:.2g}", length))); };
  // Within a union the depth is not known where shapes touch.
  if (one && 2 * depths.deepest < (1 - kNotDeepest) * setup.spacing) {
    out.refuse(solid_key(i),
               fmt::format("is nowhere thicker than about {}; allowed: at least one particle spacing ({}). A {} "
                           "resolves it",
                           rounded(2 * depths.deepest), length_text(setup, setup.spacing), finer_resolution(out)));
    return false;
  }
  if (!solver_info(setup).wall_particles) return true;
  if (one && 2 * depths.deepest < 2 * (1 - kNotDeepest) * setup.spacing)
    out.warn(
        WarningKind::ThinSolid, solid_key(i),
        fmt::format("is nowhere thicker than about {}, less than two particle spacings ({}): it holds the fluid off "
                    "too weakly; a {} or a thicker solid helps",
                    rounded(2 * depths.deepest), length_text(setup, 2 * setup.spacing), finer_resolution(out)));
  else if (depths.wall < setup.spacing)
    out.warn(WarningKind::ThinSolid, solid_key(i),
             fmt::format("has a wall that is about {} thick, for example at {}, less than one particle spacing ({}): "
                         "it holds the fluid off too weakly, or not at all; a {} or a thicker wall helps",
                         rounded(depths.wall), place_text(setup, depths.in_wall), length_text(setup, setup.spacing),
                         finer_resolution(out)));
  return true;
}

void warn_of_common_parts(const SimulationSetup& setup, const SolidSurfacesOf& surfaces, Findings& out) {
  constexpr int kMost = 5;
  int found = 0;
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
    for (std::size_t j = 0; j < i && found < kMost; ++j) {
      const Bounds both = within(surfaces.bounds(i), surfaces.bounds(j));
      const auto place =
          place_in(both, setup, [&](Vec3 x) { return surfaces.deep_inside(i, x) && surfaces.deep_inside(j, x); });
      if (!place) continue;
      ++found;
      out.warn(WarningKind::SolidsOverlap, solid_key(i),
               fmt::format("overlaps {}, for example at {}: the part in both belongs to {}", solid_text(setup, j),
                           place_text(setup, *place), solid_key(j)));
    }
}

/// Fluid that has no place because solids are there. Fluid goes round what is sunk in it; of a body that mostly lies in
/// solids more was probably meant to be there.
void review_displaced_fluid(const SimulationSetup& setup, const SolidSurfacesOf& surfaces, Findings& out) {
  constexpr int kMost = 5;
  std::int64_t left = 0;
  int found = 0;
  SimulationSetup alone = without_contents(setup);
  std::vector<Bounds> solids;
  const Vec3 reach = 0.5f * setup.spacing * Vec3{1, 1, 1};  // a solid cuts cells of sites as far away
  for (std::size_t s = 0; s < setup.solid_regions.size(); ++s) {
    const Bounds bounds = surfaces.reach(s);
    solids.push_back({bounds.min - reach, bounds.max + reach});
  }
  for (std::size_t i = 0; i < setup.bodies.size(); ++i) {
    alone.bodies = {setup.bodies[i]};
    alone.solid_regions.clear();
    std::string near;  // the first few
    for (std::size_t s = 0; s < solids.size(); ++s)
      if (!apart(bounds_of(setup.bodies[i]), solids[s], setup.domain.dimension)) {
        alone.solid_regions.push_back(setup.solid_regions[s]);
        const std::size_t count = alone.solid_regions.size();
        if (count <= kMost) near += (near.empty() ? "" : ", ") + (count == kMost ? "..." : solid_key(s));
      }
    if (near.empty()) {
      left = std::max<std::int64_t>(left, 1);
      continue;
    }
    const std::int64_t with = count_particles(alone);
    alone.solid_regions.clear();
    const std::int64_t without = count_particles(alone);
    left += with;
    const bool of_file = setup.bodies[i].particles.from != nullptr;
    if ((of_file ? with >= without : 2 * with >= without) || found++ >= kMost) continue;
    if (of_file) {
      out.warn(
          WarningKind::FluidInSolid, fmt::format("bodies[{}]", i),
          fmt::format("has {} of its {} particles in solids: they are left out ({})", without - with, without, near));
      continue;
    }
    out.warn(WarningKind::FluidInSolid, fmt::format("bodies[{}]", i),
             fmt::format("has about {} of its {} particles where solids are: they are left out ({})", without - with,
                         without, near));
  }
  if (left == 0 && !setup.bodies.empty())
    out.refuse("solids", "leave no particle: all of the bodies lies in solids; allowed: solids that leave some of it");
}

/// Columns of forces have the names of solids and of faces.
void review_face_forces(const SimulationSetup& setup, Findings& out) {
  if (!setup.face_forces) return;
  const Domain& domain = setup.domain;
  if (!domain.walled(0) && !domain.walled(1) && !domain.walled(2))
    out.refuse("domain.face_forces", "is true, but no face is walled; allowed: false, or axes that are walled");
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
    for (int face = 0; face < 2 * domain.dimension; ++face)
      if (domain.walled(face / 2) && solid_name(setup, i) == face_name(face))
        out.refuse(solid_key(i) + ".name",
                   fmt::format("found '{}', which is the name of a face whose force is measured; "
                               "allowed: a name of its own",
                               face_name(face)));
}

bool any_mesh_longer_than(float length, const SimulationSetup& setup) {
  const auto is_longer = [length](const PlainShape& shape) {
    if (shape.shape != Shape::Mesh) return false;
    const Bounds bounds = bounds_of(shape);
    const Vec3 extent = bounds.max - bounds.min;
    return std::max({extent.x, extent.y, extent.z}) > length;
  };
  return std::ranges::any_of(setup.solid_regions, [&](const SolidRegion& solid) {
    return is_longer(solid) || std::ranges::any_of(solid.with, is_longer) ||
           std::ranges::any_of(solid.without, is_longer);
  });
}

}  // namespace

void review_solids(SceneDraft& draft, Findings& out) {
  if (!out.intact({"dimension", "domain", "particles"})) return;
  SimulationSetup& setup = draft.scene.simulation;
  review_face_forces(setup, out);
  if (setup.solid_regions.empty()) return;
  bool sound = out.intact("solids");
  std::vector<bool> shaped(setup.solid_regions.size());
  for (std::size_t i = 0; i < shaped.size(); ++i) {
    if (!out.intact(solid_key(i))) continue;
    SolidRegion& solid = setup.solid_regions[i];
    if (solid.shape == Shape::Mesh && !read_mesh(draft, i, solid_key(i), out)) {
      sound = false;
      continue;
    }
    within_domain(solid, setup.domain.min, setup.domain.max);
    shaped[i] = review_region(setup, solid, solid_key(i), RegionOf::Solid, out);
    sound = sound && shaped[i];
  }
  review_names(setup, out);
  // The distances to a mesh are read from a grid as fine as the particles. Where a spacing is far too small, the number of
  // particles refuses it, but nobody counts them where a body is refused.
  if (!out.none_refused() && any_mesh_longer_than(1000 * setup.spacing, setup)) return;
  const SolidSurfacesOf surfaces(setup);
  for (std::size_t i = 0; i < shaped.size(); ++i) {
    if (!shaped[i]) continue;
    sound &= review_place(setup, surfaces, i, out) && review_faces_crossed(setup, i, out) &&
             review_thickness(setup, surfaces, i, out);
    if (setup.solid_regions[i].shape == Shape::Mesh) sound &= review_mesh(setup, i, solid_key(i), out);
  }
  if (!sound) return;
  warn_of_common_parts(setup, surfaces, out);
  if (out.none_refused()) review_displaced_fluid(setup, surfaces, out);
}

}  // namespace riffle::scenes
