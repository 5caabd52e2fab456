#include "sim/start/flow.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace riffle {

namespace {

/// cosh(k (y + depth)) / sinh(k depth) or with sinh above, without overflow in deep water. y > 0 is above the surface.
double wave_factor(double k, double y, double depth, double sign) {
  const double above = std::exp(k * y), below = std::exp(-k * (y + 2 * depth));
  return (above + sign * below) / (1 - std::exp(-2 * k * depth));
}

}  // namespace

Vec3 flow_velocity(const FlowSetup& flow, Vec3 place) {
  const double x = double{component(place, flow.along)} - component(flow.center, flow.along);
  const double y = double{component(place, flow.across)} - component(flow.center, flow.across);
  const double k = 2 * std::numbers::pi / flow.wavelength;
  double u = 0, v = 0;
  switch (flow.flow) {
    case Flow::None: break;
    case Flow::Shear: u = flow.rate * y; break;
    case Flow::Rotation:
      u = -flow.rate * y;
      v = flow.rate * x;
      break;
    case Flow::Strain:
      u = flow.rate * x;
      v = -flow.rate * y;
      break;
    case Flow::TaylorGreen:
      u = -flow.speed * std::cos(k * x) * std::sin(k * y);
      v = flow.speed * std::sin(k * x) * std::cos(k * y);
      break;
    case Flow::StandingWave:
      u = -flow.speed * std::sin(k * x) * wave_factor(k, y, flow.depth, 1);
      v = flow.speed * std::cos(k * x) * wave_factor(k, y, flow.depth, -1);
      break;
  }
  float velocity[3] = {0, 0, 0};
  velocity[flow.along] = static_cast<float>(u);
  velocity[flow.across] = static_cast<float>(v);
  return {velocity[0], velocity[1], velocity[2]};
}

float fastest_flow(const FlowSetup& flow, const Bounds& bounds) {
  const auto farthest = [&](int axis) {
    const float center = component(flow.center, axis);
    return std::max(std::fabs(double{component(bounds.min, axis)} - center),
                    std::fabs(double{component(bounds.max, axis)} - center));
  };
  switch (flow.flow) {
    case Flow::None: break;
    case Flow::Shear: return static_cast<float>(std::fabs(flow.rate) * farthest(flow.across));
    case Flow::Rotation:
    case Flow::Strain:
      return static_cast<float>(std::fabs(flow.rate) * std::hypot(farthest(flow.along), farthest(flow.across)));
    case Flow::TaylorGreen: return std::fabs(flow.speed);
    case Flow::StandingWave: {
      const double k = 2 * std::numbers::pi / flow.wavelength;
      const float surface = component(flow.center, flow.across);
      const double top = double{component(bounds.max, flow.across)} - surface;
      const double bottom = double{component(bounds.min, flow.across)} - surface;
      return static_cast<float>(std::fabs(flow.speed) *
                                std::max(wave_factor(k, top, flow.depth, 1), wave_factor(k, bottom, flow.depth, 1)));
    }
  }
  return 0;
}

}  // namespace riffle
