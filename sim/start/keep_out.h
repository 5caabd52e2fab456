#pragma once
/// Where the bodies of a setup have no fluid: in solids, in nozzles with their own, and behind walled faces.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/math/vec.h"
#include "sim/openings/nozzle.h"
#include "sim/setup.h"
#include "sim/walls/inside_solids.h"

namespace riffle {

inline constexpr float kInfinite = std::numeric_limits<float>::infinity();
inline constexpr Bounds kEverywhere{{-kInfinite, -kInfinite, -kInfinite}, {kInfinite, kInfinite, kInfinite}};

/// By more than rounding.
bool is_below(float low, float high, float spacing);

/// Of looking whether a place is in a shape, in spheres.
inline double visit_cost(std::size_t corners) { return 1 + double(corners); }

/// What becomes of a site of a body's lattice.
enum class SiteFate : std::uint8_t {
  Kept,
  KeptCut,     ///< it makes a particle, and a surface cuts its cell
  Dropped,     ///< it is in a solid, or behind a face
  DroppedCut,  ///< it makes none, because a surface cuts its cell
  Nozzle,      ///< an inlet has a particle there
};

constexpr bool makes_particle(SiteFate fate) { return fate == SiteFate::Kept || fate == SiteFate::KeptCut; }
constexpr bool is_cut(SiteFate fate) { return fate == SiteFate::KeptCut || fate == SiteFate::DroppedCut; }

class KeepOut {
 public:
  explicit KeepOut(const SimulationSetup& setup);

  /// From here on for that body: walled faces that it crosses cut it as solids do. A body that touches a face is as it
  /// would be without the face.
  void begin(const BodySetup& body);

  bool any() const { return !solids_.empty() || nozzles_.any() || !beyond_walls().empty(); }

  bool any_nozzle() const { return nozzles_.any(); }

  /// Of each nozzle, of each solid with the cells that it may cut, and of what lies beyond walled faces likewise; infinite along
  /// periodic axes whose faces it crosses or goes on through.
  std::vector<Bounds> bounds() const;

  /// Of fate() near one solid: the dearest.
  double cost() const;

  /// Where the body has random places at most: within the walled faces that it crosses.
  const Bounds& room() const { return room_; }
  /// The same for sites.
  const Bounds& lattice_room() const { return lattice_room_; }

  /// Of a place that is no site.
  bool has(Vec3 x) const { return is_beyond_a_wall(x) || nearer(x, clearance_); }

  /// Of a site that the body contains. In gaps that are narrower than about two spacings a site makes a particle if it lies a quarter of a
  /// spacing from the surfaces. Elsewhere a surface leaves some of the volume that belongs to a site it cuts; as large a share of such
  /// sites make a particle, by a rule that spreads them evenly. Particles so near to a surface find their place by
  /// sim/start/fitting.h. Of thermal fluids a site makes a particle unless it is in a solid.
  SiteFate fate(Vec3 site) const { return fate_in(site, true); }
  /// The same for a site outside of the body, as if the body went on there.
  SiteFate fate_beyond(Vec3 site) const { return fate_in(site, false); }

  /// Of particles that a run has put where they are. Solvers leave some nearer to a solid than bodies begin, and put back
  /// what is inside by rounding.
  bool buries(Vec3 x) const { return nearer(x, -kInside * spacing_); }

  const SolidsAtRest& solids() const { return solids_; }
  /// Of the faces that cut the body (LatticeSites::face_bit).
  std::uint8_t faces() const { return faces_; }

 private:
  static constexpr float kInside = 0.1f;  // [spacings]

  SiteFate fate_in(Vec3 site, bool body) const;
  /// Whether another surface faces the one that is nearest to the site.
  /// before: a place one spacing in front of that  own: its solid; nothing: a face
  bool is_narrow(Vec3 site, Vec3 before, std::optional<std::size_t> own) const;
  float near_face(Vec3 x) const;  ///< [m] to the nearest walled face, negative behind it; kNowhere: there is none
  void cut_low(float low, int a, float& room, float& lattice_room);
  void cut_high(float high, int a, float& room, float& lattice_room);
  bool is_beyond_a_wall(Vec3 x) const;
  std::vector<Bounds> beyond_walls() const;  ///< one for each walled face that cuts the body
  bool nearer(Vec3 x, float clearance) const { return nozzles_.near(x) || solids_.nearer(x, clearance); }
  Bounds with_images(Bounds bounds) const;
  /// The nearest of solids and of faces that cut the body, if it is within `reach`.
  /// anchor: a place that moves with that solid  nearest_solid: it; nothing for a face
  SurfaceDistance nearest(Vec3 x, float reach, Vec3& anchor, std::optional<std::size_t>& nearest_solid) const;

  SolidsAtRest solids_;
  std::vector<Vec3> anchor_;  ///< (solids) the middle of its bounds, 0 along axes where it has no end
  FilledNozzles nozzles_;
  Domain domain_;
  bool fits_;                    ///< lattices are fitted to surfaces
  float clearance_, cut_reach_;  ///< [m] of random places; how far from a surface it may cut a site's cell
  float spacing_;
  const BodySetup* body_ = nullptr;
  Bounds room_ = kEverywhere, lattice_room_ = kEverywhere;
  std::uint8_t faces_ = 0;
};

}  // namespace riffle
