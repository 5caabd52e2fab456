/// Which solids meet, and where.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/device/threads.h"
#include "sim/bodies/contact/contact_world.h"
#include "sim/bodies/geometry/lanes.h"

namespace riffle::bodies {

namespace {

constexpr std::int64_t kPairsAtOnce = 16;  // for a thread

/// Of a body's own image and the one on the other side, which is the same contact, one is later.
bool later_image(const ContactImage& home, const ContactImage& image) {
  const D3 way = image.shift - home.shift;
  return way.x != 0 ? way.x > 0 : way.y != 0 ? way.y > 0 : way.z > 0;
}

/// Bounds in the order of their lower ends along an axis, each kind of number by itself, so that four are compared at once.
class SweptBounds {
 public:
  SweptBounds(const std::vector<ContactImage>& images, const std::vector<int>& order, int axis, int second, int third)
      : count_(order.size()) {
    const std::size_t room = count_ + kLanes;  // behind the last one nothing meets anything
    for (std::vector<double>* numbers : {&from_, &low_[0], &low_[1]}) numbers->assign(room, 1e300);
    for (std::vector<double>* numbers : {&to_, &high_[0], &high_[1]}) numbers->assign(room, -1e300);
    for (std::size_t k = 0; k < count_; ++k) {
      const Bounds3& bounds = images[static_cast<std::size_t>(order[k])].bounds;
      from_[k] = bounds.low[axis], to_[k] = bounds.high[axis];
      low_[0][k] = bounds.low[second], high_[0][k] = bounds.high[second];
      low_[1][k] = bounds.low[third], high_[1][k] = bounds.high[third];
    }
  }

  /// f(j) for each j > i whose bounds are within kNear of those of i, in ascending order.
  template <class F>
  void each_after(std::size_t i, const F& f) const {
    const double end = to_[i] + kNear;
    const Lanes low0 = lanes(low_[0][i] - kNear), high0 = lanes(high_[0][i] + kNear), low1 = lanes(low_[1][i] - kNear),
                high1 = lanes(high_[1][i] + kNear);
    for (std::size_t j = i + 1; j < count_ && from_[j] <= end; j += kLanes) {
      const LaneMask meet =
          (at(low_[0], j) <= high0) & (at(high_[0], j) >= low0) & (at(low_[1], j) <= high1) & (at(high_[1], j) >= low1);
      if (!any(meet)) continue;
      for (int l = 0; l < kLanes; ++l)
        if (const std::size_t k = j + static_cast<std::size_t>(l); meet[l] != 0 && k < count_ && from_[k] <= end) f(k);
    }
  }

 private:
  static Lanes at(const std::vector<double>& numbers, std::size_t k) {
    Lanes four;
    std::memcpy(&four, numbers.data() + k, sizeof(Lanes));
    return four;
  }

  std::size_t count_;
  std::vector<double> from_, to_, low_[2], high_[2];
};

}  // namespace

/// The image of each solid whose centre lies in the domain is at home; the others around it are those that bodies may meet.
void ContactWorld::find_images() {
  images.clear();
  Bounds3 bodies;
  double furthest = 0;
  std::vector<D3> home(solids.size());
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const ContactSolid& solid = solids[s];
    if (!solid.shape.convex) continue;
    for (int a = 0; a < domain.dimension; ++a)
      if (period[a] > 0)
        home[s][a] = -period[a] * std::floor((solid.place.shift[a] - component(domain.min, a) / spacing) / period[a]);
    if (!solid.free) continue;
    bodies.add(solid.bounds.low + home[s]);
    bodies.add(solid.bounds.high + home[s]);
    furthest = std::max(furthest, solid.reach / spacing);
  }
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const ContactSolid& solid = solids[s];
    if (!solid.shape.convex) continue;
    const double reach = furthest + solid.reach / spacing + kNear;
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int a = 0; a < domain.dimension; ++a) {
      if (!(period[a] > 0) || solid.shape.endless[a]) continue;
      low[a] = static_cast<int>(std::ceil((bodies.low[a] - reach - solid.bounds.high[a] - home[s][a]) / period[a]));
      high[a] = static_cast<int>(std::floor((bodies.high[a] + reach - solid.bounds.low[a] - home[s][a]) / period[a]));
      low[a] = std::min(low[a], 0);  // the image at home is always there
      high[a] = std::max(high[a], 0);
    }
    for (int i = low[0]; i <= high[0]; ++i)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int k = low[2]; k <= high[2]; ++k) {
          ContactImage image;
          image.solid = static_cast<int>(s);
          image.home = i == 0 && j == 0 && k == 0;
          image.shift = home[s] + D3{i * period[0], j * period[1], k * period[2]};
          const double around = solid.reach / spacing;
          image.bounds.low = solid.bounds.low + image.shift - D3{around, around, around};
          image.bounds.high = solid.bounds.high + image.shift + D3{around, around, around};
          images.push_back(image);
        }
  }
}

/// What the points between two solids, or a solid and a face, are to the solver. @param b  the other solid; -1 - k: the face k
void ContactWorld::add_contacts(int a, int b, D3 shift_a, D3 shift_b, const ContactSetup& other, D3 face_velocity,
                                std::vector<ContactPoint>& points) {
  const ContactSolid& first = solids[static_cast<std::size_t>(a)];
  const int body_a = body_of[static_cast<std::size_t>(a)], body_b = b < 0 ? -1 : body_of[static_cast<std::size_t>(b)];
  for (const ContactPoint& point : points) {
    SolverContact contact;
    contact.a = body_a, contact.b = body_b;
    contact.normal = point.normal;
    contact.gap = spacing * point.gap;
    contact.arm_a = spacing * (point.at - shift_a) - first.center;
    contact.surface = face_velocity;
    if (b >= 0) {
      const ContactSolid& second = solids[static_cast<std::size_t>(b)];
      contact.arm_b = spacing * (point.at - shift_b) - second.center;
      contact.surface = second.velocity + cross(second.spin, contact.arm_b);
    }
    contact.friction = std::sqrt(double{first.contact.friction} * other.friction);
    contact.restitution = std::max(first.contact.restitution, other.restitution);
    contacts.push_back(contact);
  }
  if (!points.empty()) pairs.push_back({a, b, contacts.size()});
}

void ContactWorld::meet(const ContactImage& a, const ContactImage& b, std::vector<ContactPoint>& points) const {
  const ContactSolid &first = solids[static_cast<std::size_t>(a.solid)],
                     &second = solids[static_cast<std::size_t>(b.solid)];
  Place at_a = first.place, at_b = second.place;
  at_a.shift += a.shift;
  at_b.shift += b.shift;
  Bounds3 bounds_a = first.bounds, bounds_b = second.bounds;
  bounds_a.low += a.shift, bounds_a.high += a.shift, bounds_b.low += b.shift, bounds_b.high += b.shift;
  const double reach = (first.reach + second.reach) / spacing + kNear;
  const auto turn_from = [&](std::size_t start) {
    for (std::size_t k = start; k < points.size(); ++k) points[k].normal = -points[k].normal;
  };
  if (!first.shape.surface && !second.shape.surface) {
    convex_contacts(*first.shape.convex, at_a, *second.shape.convex, at_b, domain.dimension, reach, points);
  } else if (!first.shape.surface) {
    second.shape.surface->contacts(*first.shape.convex, at_a, bounds_a, at_b, reach, points);
  } else if (!second.shape.surface) {
    first.shape.surface->contacts(*second.shape.convex, at_b, bounds_b, at_a, reach, points);
    turn_from(0);
  } else {
    second.shape.surface->contacts(*first.shape.surface, at_a, at_b, reach, points);
    const std::size_t start = points.size();
    first.shape.surface->contacts(*second.shape.surface, at_b, at_a, reach, points);
    turn_from(start);
  }
  thin_out(points, domain.dimension);
}

void ContactWorld::find_contacts() {
  contacts.clear();
  pairs.clear();
  std::vector<ContactPoint> points;
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const ContactSolid& solid = solids[s];
    if (!solid.free || !solid.shape.convex) continue;
    for (std::size_t f = 0; f < faces.size(); ++f) {
      const FacePlane& face = faces[f];
      const double reach = solid.reach / spacing + kNear;
      double nearest = -face.offset;  // of the bounds' corners
      for (int a = 0; a < 3; ++a)
        nearest += face.normal[a] * (face.normal[a] > 0 ? solid.bounds.low[a] : solid.bounds.high[a]);
      if (nearest > reach + kNear) continue;
      points.clear();
      plane_contacts(*solid.shape.convex, solid.place, face.normal, face.offset, reach, points);
      thin_out(points, domain.dimension);
      add_contacts(static_cast<int>(s), -1 - static_cast<int>(f), {}, {}, ContactSetup{}, face.velocity, points);
    }
  }
  const std::vector<std::pair<int, int>> meeting = meeting_images();
  std::vector<std::vector<ContactPoint>> found(meeting.size());
  parallel_ranges(static_cast<std::int64_t>(meeting.size()), kPairsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      meet(images[static_cast<std::size_t>(meeting[k].first)], images[static_cast<std::size_t>(meeting[k].second)],
           found[k]);
  });
  for (std::size_t k = 0; k < meeting.size(); ++k) {
    const ContactImage &a = images[static_cast<std::size_t>(meeting[k].first)],
                       &b = images[static_cast<std::size_t>(meeting[k].second)];
    add_contacts(a.solid, b.solid, a.shift, b.shift, solids[static_cast<std::size_t>(b.solid)].contact, {}, found[k]);
  }
}

/// Pairs of images whose bounds meet, in ascending order; the first of each is free and at home.
std::vector<std::pair<int, int>> ContactWorld::meeting_images() const {
  // Bounds that meet, by a sweep along the axis on which the images are spread most.
  Bounds3 all;
  for (const ContactImage& image : images) all.add(image.bounds.low);
  const D3 spread = all.high - all.low;
  const int axis = spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2;
  const int second = (axis + 1) % 3, third = (axis + 2) % 3;
  std::vector<int> order(images.size());
  std::iota(order.begin(), order.end(), 0);
  const auto image = [&](int k) -> const ContactImage& { return images[static_cast<std::size_t>(k)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const double x = image(a).bounds.low[axis], y = image(b).bounds.low[axis];
    return x != y ? x < y : a < b;
  });
  const SweptBounds bounds(images, order, axis, second, third);
  std::vector<std::pair<int, int>> meeting;
  for (std::size_t i = 0; i < order.size(); ++i)
    bounds.each_after(i, [&](std::size_t j) {
      // The first of a pair is at home, so that of all images of the pair one counts.
      int a = order[i], b = order[j];
      const auto before = [&](int p, int q) {
        const bool free_p = solids[static_cast<std::size_t>(image(p).solid)].free;
        const bool free_q = solids[static_cast<std::size_t>(image(q).solid)].free;
        if (free_p != free_q) return free_p;
        return image(p).solid != image(q).solid ? image(p).solid < image(q).solid : image(p).home;
      };
      if (!before(a, b)) std::swap(a, b);
      if (!image(a).home || !solids[static_cast<std::size_t>(image(a).solid)].free) return;
      if (image(a).solid == image(b).solid && !later_image(image(a), image(b))) return;
      const std::pair<int, int> both = std::minmax(image(a).solid, image(b).solid);
      if (std::binary_search(joined.begin(), joined.end(), both)) return;
      meeting.emplace_back(a, b);
    });
  std::sort(meeting.begin(), meeting.end());
  return meeting;
}

}  // namespace riffle::bodies
