#pragma once
/// What a search counts, in one list: the report of a run, `riffle bench step` and `neighbors`, and the window show it.

#include <string>
#include <string_view>
#include <vector>

#include "neighbors/search_stats.h"

namespace riffle {

struct SearchFigure {
  std::string name;  ///< "share re-sorted"
  double value = 0;
  std::string_view unit;  ///< "" for a plain number

  std::string key() const;   ///< of JSON: "share_re_sorted"
  std::string text() const;  ///< "1.2 %", "8 particles", "3"
};

inline constexpr std::string_view kShare = "share";  ///< unit: a part of one, which a text shows in percent
inline constexpr std::string_view kShareResorted = "share re-sorted";

/// Cells, what the method counts, and the slices of lists, if there are any. Empty before the first build.
std::vector<SearchFigure> figures_of(const SearchStats& search, const ListStats& lists, int particles);

/// The figure of this name, in the unit that the table of units has for it: "" if it has none.
SearchFigure figure_named(std::string name, double value);

/// The unit of a method's count. @return nullptr if it is not in the table of units
const std::string_view* unit_of_count(std::string_view name);

/// "cells 1000, occupied 317 cells, share re-sorted 1.2 %"
std::string describe(const std::vector<SearchFigure>& figures);

}  // namespace riffle
