#include "neighbors/search_stats.h"

#include <fmt/format.h>

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
