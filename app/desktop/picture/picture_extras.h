#pragma once
/// The parts of a picture besides particles, domain and legend, in the window and in saved pictures.

#include <optional>
#include <vector>

#include "core/math/domain.h"
#include "render/view.h"
#include "scenes/scene.h"

namespace riffle::desktop {

struct ParticleFrame;

/// The user's choice.
struct ExtrasChoice {
  bool cells = false;    ///< of the neighbour search, if the frame has them
  scenes::CutSetup cut;  ///< the scene's
};

/// What the picture does not show plainly of the followed particle and its neighbours.
struct Neighborhood {
  bool itself_cut_away = false;  ///< the cut plane leaves out the particle; it is then not marked
  int through_faces = 0;         ///< neighbours across a periodic face, which lie on the domain's other side
  int cut_away = 0;              ///< neighbours that the cut plane leaves out, and that are not marked
};

/// A colour for neighbours: unlike those of the scale and of the followed particle.
Vec3 neighbor_color(const render::ColorScale& scale);

/// The extras of one frame.
class PictureExtras {
 public:
  /// @param camera of the picture
  /// @param scale of its particles
  PictureExtras(const ParticleFrame& frame, const Domain& domain, const ExtrasChoice& choice, const Camera& camera,
                const render::ColorScale& scale);

  render::Extras view() const;  ///< valid as long as this object
  const Neighborhood& neighborhood() const { return neighborhood_; }

 private:
  std::vector<render::Highlight> highlights_;  ///< the followed particle and its neighbours
  std::vector<render::BoxView> boxes_;
  render::Extras extras_;
  Neighborhood neighborhood_;
};

}  // namespace riffle::desktop
