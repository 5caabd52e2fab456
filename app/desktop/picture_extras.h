#pragma once
/// What a picture shows besides particles, domain and legend: in the window as in what is saved.

#include <vector>

#include "app/desktop/frame_exchange.h"
#include "core/domain.h"
#include "render/view.h"

namespace riffle {

/// What of it the user has chosen.
struct ExtrasChoice {
  bool cells = false;        ///< those of the neighbour search, where the frame has them
  int cut_axis = -1;         ///< that the cut plane is perpendicular to; -1: there is none
  float cut_at = 0.5f;       ///< of the domain's extent
  bool cut_flipped = false;  ///< the upper side is kept
};

/// Of one frame.
class PictureExtras {
 public:
  PictureExtras(const ParticleFrame& frame, const Domain& domain, const ExtrasChoice& choice);

  Extras view() const;  ///< while this lives

 private:
  std::vector<Highlight> highlights_;  ///< the particle that is looked at, and its neighbours
  std::vector<BoxView> boxes_;
  Extras extras_;
};

}  // namespace riffle
