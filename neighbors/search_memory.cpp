#include "neighbors/search_memory.h"

#include <algorithm>
#include <cmath>

#include "neighbors/lists/csr_list.h"
#include "neighbors/lists/neighbor_list.h"

namespace riffle {

std::size_t estimate_search_memory(const SearchSettings& settings, const SearchLoad& load) {
  SearchLoad with_skin = load;
  with_skin.h *= 1 + settings.skin;
  with_skin.neighbors *= std::pow(1 + settings.skin, load.domain.dimension);
  const SearchMemory method = method_info(settings.method).memory(settings, with_skin);
  double bytes = method.bytes;
  if (settings.skin > 0) bytes += double(load.particles) * sizeof(Vec4);
  if (load.listed && load.device.is_cuda() && method.lists == PairLists::OfGrid)
    bytes += NeighborList::estimate(with_skin);
  else if (load.listed && (settings.list_always || settings.skin > 0) && method.lists != PairLists::Own)
    bytes += CsrList::estimate(with_skin);
  return static_cast<std::size_t>(bytes);
}

}  // namespace riffle
