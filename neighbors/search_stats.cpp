#include "neighbors/search_stats.h"

#include <fmt/format.h>

#include <algorithm>

namespace riffle {

std::string_view name_of(ListKind kind) {
  switch (kind) {
    case ListKind::NotYet: return "not_yet";
    case ListKind::None: return "none";
    case ListKind::Slices: return "slices";
    case ListKind::Rows: return "rows";
    case ListKind::OfMethod: return "method";
  }
  return "";
}

const SearchCount* SearchStats::find(std::string_view name) const {
  const auto at = std::ranges::find(counts, name, &SearchCount::name);
  return at == counts.end() ? nullptr : &*at;
}

std::string describe(const SearchStats& search) {
  std::string text;
  if (const OccupancyStats& o = search.occupancy; o.cells > 0)
    text = fmt::format("{} of {} cells occupied, up to {} {} in one", o.occupied, o.cells, o.max,
                       o.max == 1 ? "particle" : "particles");
  for (const SearchCount& count : search.counts)
    text += fmt::format("{}{} {:.6g}",
                        text.empty()                       ? ""
                        : &count == &search.counts.front() ? "; "
                                                           : ", ",
                        count.name, count.value);
  return text;
}

std::string describe(const ListStats& lists, std::int64_t particles) {
  switch (lists.kind) {
    case ListKind::NotYet: return "none before the next step";
    case ListKind::None: return "none, every pass searches";
    case ListKind::Slices:
      return fmt::format("{} entries per particle", lists.width) +
             (lists.overflowing > 0 ? fmt::format(", {} of {} particles have longer lists, up to {}", lists.overflowing,
                                                  particles, lists.longest)
                                    : "") +
             (lists.searching > 0 ? fmt::format(", {} search in every pass", lists.searching) : "");
    case ListKind::Rows: return "one row per particle";
    case ListKind::OfMethod: return "the method's own";
  }
  return "";
}

}  // namespace riffle
