#pragma once
/// Point clouds by rays (Zhu 2022, Listing 1): what happens at the start of a query's ray, at each box that contains its
/// origin, and at its end. The ray programs call these functions (neighbors/optix/optix_point_programs.cu), and so do
/// tests without OptiX.
///
/// A ray's payload words hold a few numbers, and all else is in the query's row: any K points as they are met, or a heap of
/// the K nearest. The distance of the farthest in a full heap is among the words, so that most points beyond it cost no look
/// into the row. Few nearest points are all in the payload (NearestRay), and the row is written once.
///
/// OptiX may call a program for a box more than once in a ray. No result depends on it: a point that is met again is not
/// taken again. Points in a NearestRay and among any K are compared with those that are there. A heap shows at its end,
/// when it is sorted, that it has a point twice. Such a query is put on a list, and the caller answers it in another way.
/// Points within the radius are not counted here: a count cannot tell.

#include <cstdint>

#include "core/device/atomic.h"
#include "neighbors/optix/ray_images.h"
#include "neighbors/order/nearest_list.h"

namespace riffle {

enum class PointTask : int {
  Any,      ///< any K points within the radius
  Nearest,  ///< the K nearest of them
  First,    ///< the place of the first box that the ray meets
};

/// One launch, a thread per query. All members are 0 by default: other values would be stored in the PTX, where OptiX
/// must fill them in.
struct PointLaunch {
  const Vec4* points = nullptr;             ///< (point_count) round which the boxes are, in their order
  const std::uint32_t* original = nullptr;  ///< (point_count) the caller's index of each; nullptr: its place
  const Vec4* queries = nullptr;            ///< by the caller's index
  const std::uint32_t* order = nullptr;     ///< queries in the order of their rays; nullptr: the given order
  std::uint64_t first = 0;                  ///< thread t takes the query at place first + t of the order
  std::uint64_t boxes = 0;                  ///< the structure that rays are traced through
  std::int32_t* index = nullptr;            ///< (queries * capacity) out
  float* distance = nullptr;                ///< (queries * capacity) out
  std::uint32_t* hit = nullptr;             ///< (queries) out: place of the first box; point_count if there is none
  std::uint32_t* calls = nullptr;           ///< (queries) out: boxes met; nullptr: not counted
  /// (1 + queries) added to, of a heap: how many queries have a point twice in it; then these queries, in any order. Their
  /// rows hold no answer.
  std::uint32_t* met_twice = nullptr;
  RayFrame frame;  ///< of the boxes
  float radius2 = 0;
  float box = 0;  ///< half-width of the boxes that must contain the query, below that of `frame`; infinite: not used
  std::uint32_t point_count = 0;
  int capacity = 0;  ///< K
  PointTask task{};
  bool sphere = false;  ///< whether points must be within the radius

  /// Whether a point in a box that the ray met is one of those that are wanted. r: to it.
  RIFFLE_HD bool is_wanted(Vec3 r, float r2) const { return !(sphere && !(r2 < radius2)) && in_box(r, box); }
  /// The index to report for the point at place p.
  RIFFLE_HD std::int32_t index_of(std::uint32_t p) const {
    return static_cast<std::int32_t>(original ? original[p] : p);
  }

  RIFFLE_HD std::uint32_t query(std::uint32_t thread) const {
    const std::uint64_t place = first + thread;
    return order ? order[place] : static_cast<std::uint32_t>(place);
  }
  RIFFLE_HD std::int64_t row(std::uint32_t query) const { return std::int64_t{query} * capacity; }
};

inline constexpr const char* kPointLaunchName = "point_launch";  ///< the programs' variable that holds it
inline constexpr const char* kPointRayGeneration = "__raygen__points";
inline constexpr const char* kPointIntersection = "__intersection__points";
inline constexpr const char* kPointMiss = "__miss__points";

/// The payload words of a ray.
struct PointRay {
  static constexpr int kWords = 8, kSeen = 4;

  std::uint32_t query = 0;
  std::uint32_t found = 0;     ///< entries of the row; of First: 1 + the place of the box
  std::uint32_t farthest = 0;  ///< of Nearest: bits of the farthest r2
  std::uint32_t calls = 0;
  std::uint32_t seen[kSeen] = {};  ///< of Any: a bit for the places of the points in the row, shared by many places

  /// Sets the bit of this place. @return whether it was set already
  RIFFLE_HD bool mark_seen(std::uint32_t p) {
    const std::uint32_t bit = 1u << (p & 31), word = p >> 5 & (kSeen - 1);
    bool seen_before = false;
    RIFFLE_UNROLL
    for (std::uint32_t k = 0; k < kSeen; ++k)
      if (k == word) seen_before = (seen[k] & bit) != 0, seen[k] |= bit;
    return seen_before;
  }
};

/// The payload words of a ray for up to N nearest points: two for each.
template <int N>
struct NearestRay {
  static constexpr int kWords = 2 + 2 * N;

  std::uint32_t query = 0, calls = 0;
  NearestKeys<N> nearest{};
};

/// A payload has up to 32 words; programs with fewer take fewer registers.
inline constexpr int kFewNearest = 8, kMostNearest = 15;
inline constexpr int kMostPayloadWords = 32;
static_assert(NearestRay<kMostNearest>::kWords <= kMostPayloadWords);

/// The clouds' coordinates are clamped to this frame. It brings no two points farther apart, and keeps boxes finite where
/// the half-width is not. half: the boxes' least half-width.
inline RayFrame point_frame(float half) {
  constexpr float most = 1e15f;
  return {PeriodicWrap{}, {-most, -most, -most}, {most, most, most}, half < 4 * most ? half : 4 * most};
}

/// Whether a further box can change nothing for the ray.
RIFFLE_INLINE bool is_finished(const PointLaunch& on, const PointRay& ray) {
  if (on.task == PointTask::First) return ray.found > 0;
  return on.task == PointTask::Any && ray.found >= static_cast<std::uint32_t>(on.capacity);
}

RIFFLE_INLINE bool row_holds(const PointLaunch& on, std::int64_t row, std::uint32_t found, std::int32_t i) {
  RIFFLE_NO_UNROLL
  for (std::uint32_t k = 0; k < found; ++k)
    if (on.index[row + k] == i) return true;
  return false;
}

/// For the box of the point at place p, which contains the ray's origin. x: the query.
/// @return whether the ray may end
RIFFLE_INLINE bool meet_point(const PointLaunch& on, Vec3 x, std::uint32_t p, PointRay& ray) {
  if (is_finished(on, ray)) return true;
  ++ray.calls;
  const Vec3 r = separation(x, xyz(on.points[p]), PeriodicWrap{});
  const float r2 = squared_length(r);
  if (on.task == PointTask::First) {
    ray.found = p + 1;
    return true;
  }
  if (!on.is_wanted(r, r2)) return false;
  const auto capacity = static_cast<std::uint32_t>(on.capacity);
  const std::int32_t i = on.index_of(p);
  const std::int64_t row = on.row(ray.query);
  if (on.task == PointTask::Any) {
    if (ray.found < capacity) {
      if (ray.mark_seen(p) && row_holds(on, row, ray.found, i)) return false;
      on.index[row + ray.found] = i;
      on.distance[row + ray.found] = rounded_sqrt(r2);
      ++ray.found;
    }
    return is_finished(on, ray);
  }
  if (ray.found == capacity && r2 > float_from_bits(ray.farthest)) return false;
  NearestHeap heap{on.index + row, on.distance + row, on.capacity, static_cast<int>(ray.found)};
  heap.offer(i, r2);
  ray.found = static_cast<std::uint32_t>(heap.size);
  ray.farthest = float_bits(heap.r2[0]);
  return false;
}

/// The same for few nearest points. Such a ray never ends before all boxes.
template <int N>
RIFFLE_INLINE void meet_point(const PointLaunch& on, Vec3 x, std::uint32_t p, NearestRay<N>& ray) {
  ++ray.calls;
  const Vec3 r = separation(x, xyz(on.points[p]), PeriodicWrap{});
  const float r2 = squared_length(r);
  if (on.is_wanted(r, r2)) ray.nearest.offer_once(nearest_key(on.index_of(p), r2));
}

template <int N>
RIFFLE_INLINE void end_point_ray(const PointLaunch& on, const NearestRay<N>& ray) {
  if (on.calls) on.calls[ray.query] = ray.calls;
  const std::int64_t row = on.row(ray.query);
  ray.nearest.write(on.index + row, on.distance + row, on.capacity);
}

/// Whether a sorted row has a point more than once.
RIFFLE_INLINE bool has_twins(const NearestHeap& sorted) {
  for (int k = 1; k < sorted.size; ++k)
    if (sorted.index[k] == sorted.index[k - 1]) return true;
  return false;
}

/// Writes the result of a ray that has met all it had to, or puts its query on the list of those met twice.
RIFFLE_INLINE void end_point_ray(const PointLaunch& on, const PointRay& ray) {
  if (on.calls) on.calls[ray.query] = ray.calls;
  if (on.task == PointTask::First) {
    on.hit[ray.query] = ray.found > 0 ? ray.found - 1 : on.point_count;
    return;
  }
  const std::int64_t row = on.row(ray.query);
  const int found = static_cast<int>(ray.found);
  if (on.task == PointTask::Nearest) {
    NearestHeap heap{on.index + row, on.distance + row, on.capacity, found};
    heap.sort();
    if (has_twins(heap))
      on.met_twice[1 + atomic_add(on.met_twice, 1u)] = ray.query;
    else
      heap.finish_sorted();
    return;
  }
  fill_up_row(on.index + row, on.distance + row, found, on.capacity);
}

}  // namespace riffle
