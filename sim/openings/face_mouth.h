#pragma once
/// The mouth of an inlet that is a face of the domain, all of it or up to a level.

#include <array>
#include <string>
#include <vector>

#include "core/math/domain.h"
#include "sim/openings/nozzle_frame.h"
#include "sim/openings/opening.h"

namespace riffle {

class FaceMouth {
 public:
  FaceMouth(const InletSetup& inlet, const Domain& domain);

  Vec3 middle() const;                                                ///< [m] of the mouth
  Vec3 inwards() const;                                               ///< unit vector
  double extent(int axis) const { return high_[axis] - low_[axis]; }  ///< [m] 0 across the face

  /// [m] (particles of a layer) from the middle, along `across` and `upwards` of the frame. From the lower end up where a level
  /// ends it, otherwise evenly about the middle. Along a periodic axis the spacing is stretched to fit.
  std::vector<std::array<float, 2>> sites(const NozzleFrame& frame, float spacing) const;

 private:
  std::vector<double> places(int axis, double spacing) const;  ///< [m] along the axis

  Domain domain_;
  int axis_;
  bool upper_, levelled_;
  double low_[3] = {0, 0, 0}, high_[3] = {0, 0, 0};  ///< [m] of the mouth
};

/// "x_min" and so on. @param face  2 axis + (1 for the upper one)
std::string face_word(int face);

/// The region beyond the face, as `outlet` has it, up to infinity.
void outlet_at_face(OutletSetup& outlet, const Domain& domain);

/// [m] How far from its face an outlet with a speed moves the particles: twice what a free particle's support reaches.
double outflow_length(float search_radius, float spacing);

}  // namespace riffle
