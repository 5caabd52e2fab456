#pragma once
/// Records which pairs a traversal visits, for traversals of any kind.

#include <stdexcept>
#include <string>
#include <vector>

#include "core/device/buffer.h"
#include "support/visit_neighbors.h"

namespace riffle::test {

/// Traverses twice, to count and to record. Arrays are on the device:
///   count(count, begun, ended)                  (queries) out; (queries) in and out, in which each begin and end adds 1
///   record(start, index, separation, faults)    (queries + 1); (pairs) out; (pairs) out: r_ij, r2; (1) in and out
/// @throws std::logic_error if the second traversal has counted faults
template <class Count, class Record>
Visits recorded_visits(const Device& device, int queries, const Count& count, const Record& record) {
  const auto n = static_cast<std::size_t>(queries);
  Buffer<std::uint32_t> counted(device, n), begun(device, n), ended(device, n), faults(device, 1);
  for (auto* buffer : {&counted, &begun, &ended, &faults}) buffer->fill_zero();
  count(counted.data(), begun.data(), ended.data());

  const std::vector<std::uint32_t> counts = counted.to_host();
  std::vector<std::uint32_t> start(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) start[i + 1] = start[i] + counts[i];
  const Buffer<std::uint32_t> device_start(device, start);
  Buffer<std::uint32_t> index(device, start[n]);
  Buffer<Vec4> separation(device, start[n]);
  record(device_start.data(), index.data(), separation.data(), faults.data());
  if (const std::uint32_t f = faults.to_host()[0]; f > 0)
    throw std::logic_error(std::to_string(f) +
                           " visits of the second traversal are not those of the first, or had a foreign source");

  const std::vector<std::uint32_t> j = index.to_host();
  const std::vector<Vec4> r = separation.to_host();
  Visits visits{NeighborSets(n), begun.to_host(), ended.to_host()};
  for (std::size_t i = 0; i < n; ++i)
    for (std::uint32_t k = start[i]; k < start[i + 1]; ++k) visits.of[i].push_back({j[k], xyz(r[k]), r[k].w});
  return visits;
}

}  // namespace riffle::test
