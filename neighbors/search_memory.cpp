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
  const bool needed = settings.list_always || settings.skin > 0;
  if (load.listed && method.lists != PairLists::Own) {
    if (load.device.is_cuda() && load.spare_lists)
      bytes += NeighborList::estimate(with_skin);
    else if (needed)
      bytes += CsrList::estimate(with_skin);
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace riffle
