#include "sim/openings/face_mouth.h"

#include <algorithm>
#include <cmath>

namespace riffle {

namespace {

constexpr double kSiteRounding = 1e-3;  // [spacings]

Vec3 along_axis(int axis, float length) {
  return {axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0};
}

}  // namespace

FaceMouth::FaceMouth(const InletSetup& inlet, const Domain& domain)
    : domain_(domain), axis_(inlet.face / 2), upper_(inlet.face % 2 == 1), levelled_(std::isfinite(inlet.level)) {
  for (int a = 0; a < domain.dimension; ++a) {
    low_[a] = component(domain.min, a), high_[a] = component(domain.max, a);
    if (a == axis_) (upper_ ? low_[a] : high_[a]) = upper_ ? high_[a] : low_[a];
  }
  if (levelled_) high_[1] = inlet.level;
}

Vec3 FaceMouth::middle() const {
  return {static_cast<float>(0.5 * (low_[0] + high_[0])), static_cast<float>(0.5 * (low_[1] + high_[1])),
          static_cast<float>(0.5 * (low_[2] + high_[2]))};
}

Vec3 FaceMouth::inwards() const { return along_axis(axis_, upper_ ? -1.0f : 1.0f); }

std::vector<double> FaceMouth::places(int axis, double spacing) const {
  if (axis == axis_ || axis >= domain_.dimension) return {low_[axis]};
  const double spacings = extent(axis) / spacing;
  const bool periodic = domain_.periodic(axis), from_low = levelled_ && axis == 1;
  const double count = periodic || from_low ? std::round(spacings) : std::floor(spacings + kSiteRounding);
  const int n = static_cast<int>(std::clamp(count, 0.0, 1e5));
  const double step = periodic && n > 0 ? extent(axis) / n : spacing;
  const double begin = from_low ? low_[axis] : 0.5 * (low_[axis] + high_[axis] - n * step);
  std::vector<double> places;
  for (int k = 0; k < n; ++k) places.push_back(begin + (k + 0.5) * step);
  return places;
}

std::vector<std::array<float, 2>> FaceMouth::sites(const NozzleFrame& frame, float spacing) const {
  std::vector<std::array<float, 2>> sites;
  for (const double z : places(2, spacing))
    for (const double y : places(1, spacing))
      for (const double x : places(0, spacing)) {
        const double r[3] = {x - frame.origin[0], y - frame.origin[1], z - frame.origin[2]};
        double across = 0, upwards = 0;
        for (int a = 0; a < 3; ++a) across += r[a] * frame.across[a], upwards += r[a] * frame.upwards[a];
        sites.push_back({static_cast<float>(across), static_cast<float>(upwards)});
      }
  return sites;
}

std::string face_word(int face) { return std::string(1, "xyz"[face / 2]) + (face % 2 == 1 ? "_max" : "_min"); }

void outlet_at_face(OutletSetup& outlet, const Domain& domain) {
  const bool upper = outlet.face % 2 == 1;
  outlet.shape = Shape::Plane;
  outlet.point = upper ? domain.max : domain.min;
  outlet.normal = along_axis(outlet.face / 2, upper ? -1.0f : 1.0f);
  outlet.min = domain.min;
  outlet.max = domain.max;
}

double outflow_length(float search_radius, float spacing) {
  return 2 * std::ceil(double{search_radius} / spacing - kSiteRounding) * spacing;
}

}  // namespace riffle
