#include "app/state/placed_array.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "core/device/threads.h"

namespace riffle {

namespace {

/// Bytes `begin` to `end` of vectors of which Numbers are kept, from the one at `Skipped` on. Either may lie within a vector.
template <int Skipped, int Numbers>
void fill_of_vectors(const Vec4* vectors, std::size_t begin, std::size_t end, char* to) {
  constexpr std::size_t kEach = Numbers * sizeof(float);
  const auto number_of = [](const Vec4& v) { return reinterpret_cast<const char*>(&v) + Skipped * sizeof(float); };
  while (begin < end) {
    const std::size_t inside = begin % kEach;
    if (inside == 0 && end - begin >= kEach) {
      const std::size_t last = end / kEach;
      for (std::size_t i = begin / kEach; i < last; ++i, to += kEach) std::memcpy(to, number_of(vectors[i]), kEach);
      begin = last * kEach;
    } else {
      const std::size_t part = std::min(kEach - inside, end - begin);
      std::memcpy(to, number_of(vectors[begin / kEach]) + inside, part);
      to += part, begin += part;
    }
  }
}

}  // namespace

std::size_t PlacedArray::bytes() const {
  switch (form) {
    case Form::Same: return count;
    case Form::Three: return count * 3 * sizeof(float);
    case Form::Fourth: return count * sizeof(float);
  }
  return 0;
}

void PlacedArray::fill(char* image, std::uint64_t from_place, std::uint64_t to_place) const {
  const std::uint64_t first = std::max(begin, from_place), last = std::min(end(), to_place);
  if (first >= last) return;
  const std::size_t inner = first - begin, inner_end = last - begin;
  const auto* vectors = static_cast<const Vec4*>(from);
  switch (form) {
    case Form::Same: std::memcpy(image + first, static_cast<const char*>(from) + inner, inner_end - inner); break;
    case Form::Three: fill_of_vectors<0, 3>(vectors, inner, inner_end, image + first); break;
    case Form::Fourth: fill_of_vectors<3, 1>(vectors, inner, inner_end, image + first); break;
  }
}

bool any_fourth(std::span<const Vec4> vectors) {
  constexpr std::int64_t kGrain = 1 << 16;
  std::atomic<bool> found{false};
  parallel_ranges(static_cast<std::int64_t>(vectors.size()), kGrain, [&](std::int64_t begin, std::int64_t end) {
    if (found.load(std::memory_order_relaxed)) return;
    std::uint32_t bits = 0;
    for (std::int64_t i = begin; i < end; ++i) bits |= std::bit_cast<std::uint32_t>(vectors[std::size_t(i)].w);
    if (bits != 0) found.store(true, std::memory_order_relaxed);
  });
  return found.load();
}

}  // namespace riffle
