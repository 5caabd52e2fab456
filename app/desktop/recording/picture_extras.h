#pragma once
/// What a picture shows besides particles, domain and legend: in the window as in what is saved.

#include <vector>

#include "app/desktop/playback/frame_exchange.h"
#include "core/math/domain.h"
#include "render/view.h"

namespace riffle {

/// What of it the user has chosen.
struct ExtrasChoice {
  bool cells = false;        ///< those of the neighbour search, where the frame has them
  int cut_axis = -1;         ///< that the cut plane is perpendicular to; -1: there is none
  float cut_at = 0.5f;       ///< of the domain's extent
  bool cut_flipped = false;  ///< the upper side is kept
};

/// The neighbours of the particle that is looked at.
struct Neighborhood {
  int through_faces = 0;  ///< neighbours of its image beyond a periodic face, which lie on the domain's other side
  int cut_away = 0;       ///< on the side of the cut plane that is left out, and therefore not marked
};

/// A colour for neighbours that no particle of that scale has, nor the particle that is looked at.
Vec3 neighbor_color(const ColorScale& scale);

/// Of one frame.
class PictureExtras {
 public:
  /// @param camera  that the picture is drawn with
  /// @param scale   of its particles
  PictureExtras(const ParticleFrame& frame, const Domain& domain, const ExtrasChoice& choice, const Camera& camera,
                const ColorScale& scale);

  Extras view() const;  ///< while this lives
  const Neighborhood& neighborhood() const { return neighborhood_; }

 private:
  std::vector<Highlight> highlights_;  ///< the particle that is looked at, and its neighbours
  std::vector<BoxView> boxes_;
  Extras extras_;
  Neighborhood neighborhood_;
};

}  // namespace riffle
