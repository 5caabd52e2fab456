#include "app/desktop/handles/handle_drag.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace riffle::desktop {

namespace {

/// Where the ray meets the plane through that place.
Vec3 on_plane(const Ray& ray, Vec3 place, Vec3 normal) {
  const double slope = dot(ray.direction, normal);
  if (std::fabs(slope) < 1e-6) return place;
  return ray.origin + static_cast<float>(dot(place - ray.origin, normal) / slope) * ray.direction;
}

double rounded(double value, double unit) { return unit * std::round(value / unit); }

/// What of a probe must lie in the domain.
std::vector<Vec3> ends_of(const ProbeSetup& probe) {
  switch (probe.kind) {
    case ProbeKind::Point: return {probe.at};
    case ProbeKind::Line:
    case ProbeKind::Level: return {probe.at, probe.to};
    case ProbeKind::Plane:
    case ProbeKind::Flow: break;
  }
  const Vec3 a = probe.at, b = a + probe.side;
  return {a, b, a + probe.other_side, b + probe.other_side};
}

/// Of a float: 0.01f lies below 0.01.
double decade_of(double value) { return std::pow(10.0, std::floor(std::log10(value) + 1e-6)); }

}  // namespace

HandleDrag::HandleDrag(scenes::PlacedEntry start, Handle handle, std::vector<scenes::SizeHandle> sizes, const Ray& grip,
                       Vec3 forward, const Rounding& rounding)
    : start_(std::move(start)),
      handle_(std::move(handle)),
      sizes_(std::move(sizes)),
      forward_(forward),
      rounding_(rounding) {
  const auto number = static_cast<std::size_t>(handle_.number);
  switch (handle_.kind) {
    case Handle::Kind::Along: along_ = along(grip, start_.middle, axis_vector(handle_.number)); break;
    case Handle::Kind::InView: in_view_ = on_plane(grip, start_.middle, forward_); break;
    case Handle::Kind::Turn: angle_ = angle(grip); break;
    case Handle::Kind::Size: along_ = along(grip, sizes_[number].at, sizes_[number].along);
  }
}

/// [m] from the place to the point of its line that comes nearest to the ray.
double HandleDrag::along(const Ray& mouse, Vec3 place, Vec3 direction) const {
  const Vec3 from = place - mouse.origin;
  const double slope = dot(direction, mouse.direction), across = std::max(1e-6, 1 - slope * slope);
  return (slope * dot(mouse.direction, from) - dot(direction, from)) / across;
}

/// [degrees] about the axis of the ring.
double HandleDrag::angle(const Ray& mouse) const {
  const int axis = handle_.number;
  const Vec3 arm = on_plane(mouse, start_.middle, axis_vector(axis)) - start_.middle;
  return std::atan2(component(arm, (axis + 2) % 3), component(arm, (axis + 1) % 3)) * 180 / std::numbers::pi;
}

/// So that the coordinates of the anchor that change are round.
Vec3 HandleDrag::rounded_way(Vec3 by, bool whole) const {
  const Vec3 anchor = anchor_of(start_);
  const double unit = whole ? rounding_.spacing : decade_of(0.01 * rounding_.spacing);
  const auto way = [&](int axis) -> float {
    if (component(by, axis) == 0 || !moves_along(start_, axis)) return 0;
    const double from = whole ? component(rounding_.low, axis) : 0;
    const double to = from + rounded(component(anchor, axis) + component(by, axis) - from, unit);
    return static_cast<float>(to - component(anchor, axis));
  };
  return {way(0), way(1), way(2)};
}

/// As much of a movement as keeps a probe in the domain; other entries may lie partly outside.
Vec3 HandleDrag::inside(Vec3 by) const {
  const auto* const probe = std::get_if<ProbeSetup>(&start_.what);
  if (!probe) return by;
  const std::vector<Vec3> ends = ends_of(*probe);
  const auto along = [&](int axis) {
    float low = component(ends[0], axis), high = low;
    for (const Vec3& end : ends) low = std::min(low, component(end, axis)), high = std::max(high, component(end, axis));
    const float least = std::min(0.0f, component(rounding_.low, axis) - low);
    return std::clamp(component(by, axis), least, std::max(0.0f, component(rounding_.high, axis) - high));
  };
  return {along(0), along(1), along(2)};
}

/// [m] by which the ends of a probe may go that way, until one lies at the edge of the domain. Infinity for other entries.
double HandleDrag::room_of_probe(Vec3 way) const {
  const auto* const probe = std::get_if<ProbeSetup>(&start_.what);
  double room = INFINITY;
  if (!probe) return room;
  for (const Vec3& end : ends_of(*probe))
    for (int a = 0; a < (start_.flat ? 2 : 3); ++a) {
      const double along = component(way, a);
      const double edge = component(along > 0 ? rounding_.high : rounding_.low, a);
      if (std::fabs(along) > 1e-6) room = std::min(room, std::max(0.0, (edge - double{component(end, a)}) / along));
    }
  return room;
}

scenes::PlacedEntry HandleDrag::at(const Ray& mouse, bool whole) const {
  scenes::PlacedEntry entry = start_;
  switch (handle_.kind) {
    case Handle::Kind::Along: {
      const Vec3 axis = axis_vector(handle_.number);
      const double by = along(mouse, start_.middle, axis) - along_;
      move(entry, inside(rounded_way(static_cast<float>(by) * axis, whole)));
      break;
    }
    case Handle::Kind::InView:
      move(entry, inside(rounded_way(on_plane(mouse, start_.middle, forward_) - in_view_, whole)));
      break;
    case Handle::Kind::Turn: {
      double by = rounded(angle(mouse) - angle_, whole ? 15 : 1);
      by -= 360 * std::round(by / 360);
      if (by != 0) turn(entry, handle_.number, by, decade_of(0.01 * rounding_.spacing));
      break;
    }
    case Handle::Kind::Size: {
      const scenes::SizeHandle& size = sizes_[static_cast<std::size_t>(handle_.number)];
      const bool factor = size.kind == scenes::SizeHandle::Kind::Factor;
      const double step = factor  ? (whole ? 0.1 : 0.01)
                          : whole ? rounding_.spacing
                                  : decade_of(0.01 * rounding_.spacing);
      const bool place = size.kind == scenes::SizeHandle::Kind::Coordinate;
      const double from = place && whole ? component(rounding_.low, size.axis) : 0;
      const double by = size.gain * (along(mouse, size.at, size.along) - along_);
      if (by == 0) break;
      double value = from + rounded(size.value + by - from, step);
      if (!place) value = std::max(value, step);  // nothing has a length of 0
      value = std::min(value, size.value + room_of_probe(size.along));
      size.set(entry, value);
    }
  }
  return entry;
}

}  // namespace riffle::desktop
