#pragma once
/// What a picture shows besides particles, domain and legend: in the window as in what is saved.

#include <vector>

#include "app/desktop/frame_exchange.h"
#include "render/view.h"
#include "sim/setup.h"

namespace riffle {

/// What of it the user has chosen.
struct ExtrasChoice {
  bool cells = false;        ///< those of the neighbour search
  int cut_axis = -1;         ///< that the cut plane is perpendicular to; -1: there is none
  float cut_at = 0.5f;       ///< of the domain's extent
  bool cut_flipped = false;  ///< the upper side is kept
};

/// Of one frame.
class PictureExtras {
 public:
  PictureExtras(const ParticleFrame& frame, const SimulationSetup& setup, const ExtrasChoice& choice);

  Extras view() const;  ///< while this lives

 private:
  std::vector<Highlight> highlights_;  ///< the particle that is looked at, and its neighbours
  Extras extras_;
};

}  // namespace riffle
